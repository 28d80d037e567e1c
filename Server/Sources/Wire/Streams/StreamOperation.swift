/// What an AWS client asks a stream service for.
///
/// Source: `aws.md` sections 1.1, 1.7 and 1.8.
public enum StreamOperation: String, Sendable, Hashable, CaseIterable {
  /// One record, of either service.
  case putRecord = "PutRecord"
  case putRecords = "PutRecords"
  case putRecordBatch = "PutRecordBatch"
  case createStream = "CreateStream"
  case deleteStream = "DeleteStream"
  case describeStream = "DescribeStream"
  case describeStreamSummary = "DescribeStreamSummary"
  case listStreams = "ListStreams"
  case listShards = "ListShards"
  case getShardIterator = "GetShardIterator"
  case getRecords = "GetRecords"
  case listDeliveryStreams = "ListDeliveryStreams"

  /// Whether it is one of a service's.
  func isOf(_ service: AWSService) -> Bool {
    switch self {
    case .putRecord: true
    case .putRecordBatch, .listDeliveryStreams: service == .firehose
    default: service == .kinesis
    }
  }

  /// The service and the operation that the header `X-Amz-Target` names; without an operation where the
  /// service has none of that name.
  ///
  /// Case counts.
  public static func named(
    _ target: String
  ) -> (service: AWSService, operation: StreamOperation?) {
    let parts = target.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let service: AWSService = parts[0] == "Firehose_20150804" ? .firehose : .kinesis
    guard service == .firehose || parts[0] == "Kinesis_20131202", parts.count == 2,
      let operation = StreamOperation(rawValue: String(parts[1])), operation.isOf(service)
    else { return (service, nil) }
    return (service, operation)
  }
}

/// The members of a request that puts no records.
public struct StreamRequest: Sendable, Hashable {
  /// Entries that may be asked for at once.
  static let maxLimit = 10_000

  /// By name or resource name.
  public private(set) var streamName: String?
  private var streamARN: String?
  /// For `CreateStream`: shards, 1 to 1,000.
  public private(set) var shardCount: Int?
  /// How many entries the answer may have.
  public private(set) var limit: Int?
  /// Where a list goes on: behind a stream or a shard.
  public private(set) var exclusiveStart: String?
  /// A shard's id.
  public private(set) var shardID: String?
  /// From where an iterator reads: `TRIM_HORIZON`, `LATEST`, and so on.
  public private(set) var iteratorType: String?
  /// A sequence number to read from.
  public private(set) var sequenceNumber: String?
  /// A moment to read from, in milliseconds since 1970.
  public private(set) var timestampMs: Int64?
  /// An iterator's token.
  public private(set) var iterator: String?

  /// Reads a body (inflated).
  ///
  /// - Throws: `SerializationException` for what is no JSON of this shape.
  public init(_ body: UnsafeRawBufferPointer) throws(AWSRefusal) {
    do throws(JSONFault) {
      var reader = JSONReader(body)
      try reader.object("The body") { reader, key throws(JSONFault) in
        switch key {
        case "StreamName": self.streamName = try reader.optionalText(key, max: 1_024)
        case "StreamARN": self.streamARN = try reader.optionalText(key, max: 2_048)
        case "ShardCount": self.shardCount = Int(exactly: try reader.count(key).value) ?? 0
        case "Limit", "MaxResults": self.limit = Int(exactly: try reader.count(key).value) ?? 0
        case "ExclusiveStartStreamName", "ExclusiveStartShardId",
          "ExclusiveStartDeliveryStreamName", "NextToken":
          self.exclusiveStart = try reader.optionalText(key, max: 4_096) ?? self.exclusiveStart
        case "ShardId": self.shardID = try reader.text(key)
        case "ShardIteratorType": self.iteratorType = try reader.text(key)
        case "StartingSequenceNumber": self.sequenceNumber = try reader.text(key)
        case "Timestamp": self.timestampMs = Int64(clamping: try reader.count(key).value * 1_000)
        case "ShardIterator": self.iterator = try reader.text(key)
        default: try reader.skip()
        }
      }
      try reader.end()
    } catch {
      throw .unreadableStreamBody
    }
    if let place = exclusiveStart.flatMap(ShardPlace.init) {
      // Whoever goes on by a token does not name the stream again.
      streamName = streamName ?? place.stream
      exclusiveStart = place.shard
    }
  }

  /// Checks how many entries are asked for.
  ///
  /// - Throws: A refusal for less than 1, and for more than 10,000 by the name that AWS gives it.
  public func checkLimit(of operation: StreamOperation) throws(AWSRefusal) {
    guard let limit, !(1...Self.maxLimit).contains(limit) else { return }
    let reason = "The limit is \(limit); \(operation.rawValue) takes 1 to \(Self.maxLimit)."
    guard operation == .getRecords, limit > Self.maxLimit else { throw .validation(reason) }
    throw .invalidArgument(reason)
  }

  /// The name of the stream it speaks of.
  ///
  /// - Throws: A refusal when there is none, or two that disagree.
  public func requiredName(_ service: AWSService) throws(AWSRefusal) -> String {
    try StreamName.resolve(name: streamName, arn: streamARN, service)
  }
}

/// A shard as the token of a list of shards tells it.
struct ShardPlace: Sendable, Hashable {
  /// The stream's name.
  let stream: String
  /// The shard's id.
  let shard: String

  init(stream: String, shard: String) {
    self.stream = stream
    self.shard = shard
  }

  /// Reads a token; nil for anything else.
  ///
  /// Names of streams have no slash.
  init?(_ token: String) {
    let parts = token.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return nil }
    self.init(stream: parts[0], shard: parts[1])
  }

  /// The token.
  var token: String { "\(stream)/\(shard)" }
}

extension Int64 {
  /// The nearest integer of 64 bits.
  fileprivate init(clamping value: Double) {
    self = value >= 9.2e18 ? .max : Int64(value)
  }
}
