import EventRecord

/// What reading and writing one put request works on; reused from request to request, by one thread at a
/// time.
public final class StreamScratch {
  /// The records' bytes, one after the other.
  var data = ByteSink()
  /// The partition keys' text, one after the other.
  var keys = ByteSink()
  var items: [StreamPut.Item] = []

  /// Empty scratch space.
  public init() {}

  func removeAll() {
    data.removeAll(keepingAtMost: 4 << 20)
    keys.removeAll(keepingAtMost: 256 << 10)
    items.removeAll(keepingCapacity: true)
  }
}

/// Records for one stream: the body of Kinesis's `PutRecord` and `PutRecords`, and of Firehose's
/// `PutRecord` and `PutRecordBatch`.
///
/// Source: `aws.md` sections 1.7 and 1.8.
public struct StreamPut: Sendable {
  /// One record; its bytes are in the scratch space.
  struct Item {
    var data: Range<Int>
    var key: Range<Int>
    var hash: UInt128?
  }

  /// What a service takes.
  struct Limits {
    var records = 500
    var keyCharacters = 256
    var recordBytes: Int
    var requestBytes: Int

    init(_ service: AWSService) {
      recordBytes = service == .firehose ? 1_024_000 : 10 << 20
      requestBytes = service == .firehose ? 4 << 20 : 10 << 20
    }
  }

  /// The service that it was sent to.
  public let service: AWSService
  /// The stream's name.
  public internal(set) var streamName: String
  /// Whether it is of the operation that puts one record alone.
  public let isSingle: Bool
  /// How many records it puts.
  public let count: Int

  /// Reads a body (inflated); the records go to the scratch space.
  ///
  /// - Parameters:
  ///   - body: JSON.
  ///   - service: Kinesis or Firehose.
  ///   - isSingle: Whether it is of `PutRecord`.
  ///   - scratch: Takes the records, instead of those before.
  /// - Throws: The refusal of the whole request.
  public init(
    _ body: UnsafeRawBufferPointer,
    to service: AWSService,
    isSingle: Bool,
    scratch: StreamScratch
  ) throws(AWSRefusal) {
    scratch.removeAll()
    var reader = StreamPutReader(body, scratch: scratch, isSingle: isSingle)
    do throws(BodyProblem) { try reader.read() } catch { throw .unreadableStreamBody }
    if let problem = reader.problem { throw problem }
    streamName = try StreamName.resolve(name: reader.name, arn: reader.arn, service)
    self.service = service
    self.isSingle = isSingle
    count = scratch.items.count
    try Self.check(scratch, Limits(service), needsKey: service == .kinesis)
  }

  private static func check(
    _ scratch: StreamScratch,
    _ limits: Limits,
    needsKey: Bool
  ) throws(AWSRefusal) {
    let count = scratch.items.count
    guard count > 0 else {
      throw .validation("Value at 'records' failed to satisfy constraint: Member must not be null")
    }
    guard count <= limits.records else {
      throw .validation(
        "Value at 'records' failed to satisfy constraint: Member must have length less than or equal "
          + "to \(limits.records)"
      )
    }
    for (index, item) in scratch.items.enumerated() {
      guard !needsKey || !item.key.isEmpty else {
        throw .invalidArgument("Record \(index + 1) has no PartitionKey.")
      }
      let bytes = item.data.count + item.key.count
      guard bytes <= limits.recordBytes else {
        throw .invalidArgument(
          "Record \(index + 1) has \(bytes) bytes; at most \(limits.recordBytes) are taken."
        )
      }
    }
    let total = scratch.data.count + scratch.keys.count
    guard total <= limits.requestBytes else {
      throw .invalidArgument(
        "The request has \(total) bytes of records; at most \(limits.requestBytes) are taken at once."
      )
    }
  }
}

extension AWSRefusal {
  static let unreadableStreamBody = AWSRefusal(
    400,
    "SerializationException",
    "The body is not JSON of the expected shape."
  )

  static func validation(_ problem: String) -> AWSRefusal {
    AWSRefusal(400, "ValidationException", "1 validation error detected: " + problem)
  }

  static func invalidArgument(_ message: String) -> AWSRefusal {
    AWSRefusal(400, "InvalidArgumentException", message)
  }
}

/// The names and resource names of streams.
public enum StreamName {
  /// The account that resource names and messages speak of; there is but one.
  public static let account = "123456789012"

  /// Whether a text can be a stream's name.
  static func isValid(_ name: String, _ service: AWSService) -> Bool {
    (1...(service == .firehose ? 64 : 128)).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        PhaseRules.isIDByte(byte) || byte == UInt8(ascii: ".")
      }
  }

  /// The name that a request speaks of, by itself or in a resource name.
  ///
  /// - Throws: A refusal when there is neither, or when they disagree.
  static func resolve(
    name: String?,
    arn: String?,
    _ service: AWSService
  ) throws(AWSRefusal) -> String {
    var found = name
    if let arn {
      let parts = arn.split(separator: ":", omittingEmptySubsequences: false)
      let path = parts.last?.split(separator: "/") ?? []
      guard parts.count == 6, parts[0] == "arn", path.count == 2 else {
        throw .invalidArgument("StreamARN \(arn) is not a stream's.")
      }
      guard name == nil || name ?? "" == path[1] else {
        throw .invalidArgument("StreamName \(name ?? "") is not the stream of StreamARN \(arn).")
      }
      found = String(path[1])
    }
    guard let found else {
      throw .invalidArgument(
        service == .firehose
          ? "DeliveryStreamName is missing." : "StreamName or StreamARN is needed."
      )
    }
    guard isValid(found, service) else {
      throw .validation(
        "Value '\(found)' at 'streamName' failed to satisfy constraint: Member must satisfy regular "
          + "expression pattern: [a-zA-Z0-9_.-]+"
      )
    }
    return found
  }

  /// A stream's resource name.
  public static func arn(_ name: String, region: String) -> String {
    "arn:aws:kinesis:\(region):\(account):stream/\(name)"
  }
}

/// One walk over the body of a put request.
private struct StreamPutReader: ~Copyable {
  private var scanner: JSONScanner
  private let scratch: StreamScratch
  private let isSingle: Bool
  private var text = ByteSink()
  var name: String?
  var arn: String?
  /// What is wrong with a member of the right shape.
  var problem: AWSRefusal?
  private var item = StreamPut.Item(data: 0..<0, key: 0..<0)
  private var hasData = false

  init(_ body: UnsafeRawBufferPointer, scratch: StreamScratch, isSingle: Bool) {
    scanner = JSONScanner(body)
    scanner.skipByteOrderMark()
    self.scratch = scratch
    self.isSingle = isSingle
  }

  mutating func read() throws(BodyProblem) {
    beginItem()
    var isMore = try scanner.enterObject()
    while isMore {
      let key = try scanner.key()
      if key.isRaw("StreamName") || key.isRaw("DeliveryStreamName") {
        name = try string()
      } else if key.isRaw("StreamARN") {
        arn = try string()
      } else if key.isRaw("Records"), !isSingle {
        try records()
      } else if key.isRaw("Record"), isSingle {
        try record()
      } else {
        try field(key)
      }
      isMore = try scanner.nextMember()
    }
    guard scanner.isAtEnd() else { throw .malformed }
    // Kinesis's single record has its members at the top.
    if isSingle, scratch.items.isEmpty, hasData { endItem() }
  }

  private mutating func records() throws(BodyProblem) {
    var isMore = try scanner.enterList()
    while isMore {
      try record()
      isMore = try scanner.nextElement()
    }
  }

  private mutating func record() throws(BodyProblem) {
    beginItem()
    var isMore = try scanner.enterObject()
    while isMore {
      try field(try scanner.key())
      isMore = try scanner.nextMember()
    }
    endItem()
  }

  private mutating func beginItem() {
    item = StreamPut.Item(
      data: scratch.data.count..<scratch.data.count,
      key: scratch.keys.count..<scratch.keys.count
    )
    hasData = false
  }

  private mutating func endItem() {
    if !hasData {
      problem =
        problem
        ?? .validation("Value at 'data' failed to satisfy constraint: Member must not be null")
    }
    scratch.items.append(item)
  }

  private mutating func field(_ key: JSONString) throws(BodyProblem) {
    if key.isRaw("Data") {
      guard scanner.next() == UInt8(ascii: "\"") else { throw .wrongShape }
      let start = scratch.data.count
      let encoded = unescaped(try scanner.string())
      guard Base64Text.decode(encoded, into: &scratch.data) else { throw .wrongShape }
      item.data = start..<scratch.data.count
      hasData = true
    } else if key.isRaw("PartitionKey") {
      guard scanner.next() == UInt8(ascii: "\"") else { throw .wrongShape }
      let start = scratch.keys.count
      scratch.keys.append(unescaped(try scanner.string()))
      item.key = start..<scratch.keys.count
      checkKey()
    } else if key.isRaw("ExplicitHashKey"), try !scanner.null() {
      let text = try string()
      item.hash = StreamShards.explicitHash(text)
      if item.hash == nil {
        problem = problem ?? .invalidArgument("ExplicitHashKey \(text) is not below 2^128.")
      }
    } else {
      try scanner.skipValue()
    }
  }

  private mutating func checkKey() {
    let characters = scratch.keys.bytes[item.key].lazy.filter { $0 & 0xc0 != 0x80 }.count
    guard (1...256).contains(characters) else {
      problem =
        problem
        ?? .invalidArgument("PartitionKey has \(characters) characters; 1 to 256 are taken.")
      return
    }
  }

  /// The text's bytes; valid until the next one.
  private mutating func unescaped(_ string: JSONString) -> UnsafeRawBufferPointer {
    guard string.escapes != .none else { return string.raw }
    text.removeAll()
    string.appendText(to: &text)
    return text.bytes
  }

  private mutating func string() throws(BodyProblem) -> String {
    guard scanner.next() == UInt8(ascii: "\"") else { throw .wrongShape }
    let string = try scanner.string()
    return String(decoding: unescaped(string), as: UTF8.self)
  }
}
