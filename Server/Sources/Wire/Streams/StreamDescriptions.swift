/// The bodies of Kinesis's and Firehose's answers that describe streams and what is in them.
///
/// Source: `aws.md` section 1.7.
public enum StreamDescriptions {
  /// A stream, as it is told.
  public struct Stream: Sendable, Hashable {
    /// What records are put into.
    public var target: StreamTarget
    /// When it was made, in milliseconds since 1970.
    public var createdAtMs: Int64
    /// The region that the client speaks of.
    public var region: String

    /// A stream from its parts.
    public init(target: StreamTarget, createdAtMs: Int64, region: String) {
      self.target = target
      self.createdAtMs = createdAtMs
      self.region = region
    }
  }

  /// `DescribeStream`, with the shards behind one of them.
  public static func description(
    _ stream: Stream,
    afterShard: String?,
    limit: Int?
  ) -> [UInt8] {
    object { json in
      json.append("\"StreamDescription\":{")
      common(stream, &json)
      let (listed, isMore) = shards(of: stream, after: afterShard, limit: limit ?? 100)
      json.append(",\"HasMoreShards\":\(isMore),\"Shards\":[")
      append(listed, stream, &json)
      json.append("]}")
    }
  }

  /// `DescribeStreamSummary`.
  public static func summary(_ stream: Stream) -> [UInt8] {
    object { json in
      json.append("\"StreamDescriptionSummary\":{")
      common(stream, &json)
      json.append(",\"OpenShardCount\":\(stream.target.shards.count),\"ConsumerCount\":0}")
    }
  }

  /// `ListShards`, with a token for the rest where there are more than asked for.
  public static func shardList(_ stream: Stream, afterShard: String?, limit: Int?) -> [UInt8] {
    object { json in
      let (listed, isMore) = shards(of: stream, after: afterShard, limit: limit ?? 1_000)
      json.append("\"Shards\":[")
      append(listed, stream, &json)
      json.append("]")
      if isMore, let last = listed.last {
        json.append(",\"NextToken\":")
        json.append(
          quoting: ShardPlace(stream: stream.target.name, shard: StreamShards.id(last)).token
        )
      }
    }
  }

  /// `ListStreams`: names in order, and whether there are more.
  ///
  /// Some clients go on by `NextToken`, others by the last name; they are the same here.
  public static func names(_ streams: [Stream], isMore: Bool) -> [UInt8] {
    object { json in
      json.append("\"HasMoreStreams\":\(isMore),\"StreamNames\":[")
      append(names: streams.map(\.target.name), &json)
      json.append("],\"StreamSummaries\":[")
      for (index, stream) in streams.enumerated() {
        json.append(index == 0 ? "{" : ",{")
        head(stream, &json)
        json.append("}")
      }
      json.append("]")
      if isMore, let last = streams.last {
        json.append(",\"NextToken\":")
        json.append(quoting: last.target.name)
      }
    }
  }

  /// `ListDeliveryStreams`; clients go on by the last name.
  public static func deliveryNames(_ names: [String], isMore: Bool) -> [UInt8] {
    object { json in
      json.append("\"HasMoreDeliveryStreams\":\(isMore),\"DeliveryStreamNames\":[")
      append(names: names, &json)
      json.append("]")
    }
  }

  /// `GetShardIterator`.
  public static func iterator(_ iterator: ShardIterator) -> [UInt8] {
    object { $0.append("\"ShardIterator\":\"\(iterator.token)\"") }
  }

  /// The iterator that a request asks for.
  ///
  /// - Parameters:
  ///   - request: Its members.
  ///   - stream: The stream.
  ///   - end: Up to where the log is synced, as segment and offset.
  ///   - nowMs: The clock.
  /// - Returns: The iterator.
  /// - Throws: A refusal for a shard or a place that there is not.
  public static func iterator(
    for request: StreamRequest,
    _ stream: Stream,
    end: (segment: UInt64, offset: UInt64),
    nowMs: Int64
  ) throws(AWSRefusal) -> ShardIterator {
    guard let id = request.shardID, let shard = stream.target.shards.index(id: id) else {
      throw AWSRefusal(
        400,
        "ResourceNotFoundException",
        "Shard \(request.shardID ?? "") in stream \(stream.target.name) under account "
          + "\(StreamName.account) does not exist"
      )
    }
    var iterator = ShardIterator(
      stream: stream.target.id,
      shard: shard,
      segment: 0,
      offset: 0,
      madeAtMs: nowMs
    )
    switch request.iteratorType {
    case "TRIM_HORIZON": break
    case "LATEST": (iterator.segment, iterator.offset) = end
    case "AT_TIMESTAMP":
      guard let time = request.timestampMs else { throw .invalidArgument("Timestamp is missing.") }
      iterator.notBeforeMs = time
    case "AT_SEQUENCE_NUMBER": try iterator.start(at: request.sequenceNumber, isIncluded: true)
    case "AFTER_SEQUENCE_NUMBER": try iterator.start(at: request.sequenceNumber, isIncluded: false)
    default:
      throw .validation(
        "Value '\(request.iteratorType ?? "")' at 'shardIteratorType' failed to satisfy constraint: "
          + "Member must satisfy enum value set: [AFTER_SEQUENCE_NUMBER, LATEST, AT_TIMESTAMP, "
          + "AT_SEQUENCE_NUMBER, TRIM_HORIZON]"
      )
    }
    return iterator
  }

  // MARK: Parts

  private static func object(_ body: (inout JSONText) -> Void) -> [UInt8] {
    var json = JSONText()
    json.append("{")
    body(&json)
    json.append("}")
    return json.bytes
  }

  private static func head(_ stream: Stream, _ json: inout JSONText) {
    json.append("\"StreamName\":")
    json.append(quoting: stream.target.name)
    json.append(",\"StreamARN\":")
    json.append(quoting: StreamName.arn(stream.target.name, region: stream.region))
    json.append(",\"StreamStatus\":\"ACTIVE\",\"StreamCreationTimestamp\":")
    json.append(seconds(stream.createdAtMs))
    json.append(",\"StreamModeDetails\":{\"StreamMode\":\"PROVISIONED\"}")
  }

  private static func common(_ stream: Stream, _ json: inout JSONText) {
    head(stream, &json)
    json.append(",\"RetentionPeriodHours\":24,\"EncryptionType\":\"NONE\"")
    json.append(",\"EnhancedMonitoring\":[{\"ShardLevelMetrics\":[]}]")
  }

  private static func shards(
    of stream: Stream,
    after id: String?,
    limit: Int
  ) -> (Range<Int>, isMore: Bool) {
    let count = stream.target.shards.count
    let first = id.flatMap { stream.target.shards.index(id: $0) }.map { $0 + 1 } ?? 0
    let last = first + min(max(1, limit), count - first)
    return (first..<last, last < count)
  }

  private static func append(_ range: Range<Int>, _ stream: Stream, _ json: inout JSONText) {
    let start = StreamPosition(segment: 0, endOffset: 0, index: 0, recordBytes: 0)
    for shard in range {
      let hashes = stream.target.shards.range(of: shard)
      json.append(shard == range.lowerBound ? "{" : ",{")
      json.append("\"ShardId\":\"\(StreamShards.id(shard))\",\"HashKeyRange\":{")
      json.append("\"StartingHashKey\":\"\(hashes.lowerBound)\"")
      json.append(",\"EndingHashKey\":\"\(hashes.upperBound)\"},\"SequenceNumberRange\":{")
      json.append("\"StartingSequenceNumber\":\"\(start.sequenceNumber)\"}}")
    }
  }

  private static func append(names: [String], _ json: inout JSONText) {
    for (index, name) in names.enumerated() {
      if index > 0 { json.append(",") }
      json.append(quoting: name)
    }
  }

  /// Milliseconds as seconds with a fraction, as these services write times.
  static func seconds(_ ms: Int64) -> String {
    let fraction = String(ms % 1_000)
    return "\(ms / 1_000).\(String(repeating: "0", count: max(0, 3 - fraction.count)))\(fraction)"
  }
}

extension ShardIterator {
  /// The log's frames are this much longer than their records, or less.
  ///
  /// Reading may begin inside a frame: it goes on with the next one. No frame is as short as this.
  private static let frameSlack: UInt64 = 64

  fileprivate mutating func start(
    at sequenceNumber: String?,
    isIncluded: Bool
  ) throws(AWSRefusal) {
    guard let text = sequenceNumber, var position = StreamPosition(sequenceNumber: text) else {
      throw .invalidArgument(
        "StartingSequenceNumber \(sequenceNumber ?? "") is none of this stream's."
      )
    }
    segment = position.segment
    let length = UInt64(position.recordBytes) + Self.frameSlack
    offset = position.endOffset > length ? position.endOffset - length : 0
    if isIncluded {
      guard position.index > 0 else { return }
      position.index -= 1
    }
    after = position
  }
}
