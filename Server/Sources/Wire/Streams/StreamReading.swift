public import EventRecord

/// Collects a shard's records from the log's.
///
/// Handed the log's records in order from the iterator's place on; says where to go on.
public struct StreamReading: Sendable {
  /// Bytes of records in one answer; 10 MiB.
  static let maxBytes = 10 << 20

  private let stream: [UInt8]
  private let limit: Int
  private let erased: StreamErased
  private var iterator: ShardIterator
  private var json = JSONText()
  private var count = 0
  private var bytes = 0
  /// Whether the answer is full, so that reading may end.
  public private(set) var isFull = false
  /// When the record read last was received.
  private var lastMs: Int64?

  /// Nothing read yet.
  ///
  /// - Parameters:
  ///   - iterator: Where to begin.
  ///   - limit: How many records at most; 10,000 unless told.
  ///   - erased: What is left out.
  public init(_ iterator: ShardIterator, limit: Int?, erased: StreamErased = StreamErased()) {
    self.iterator = iterator
    self.erased = erased
    self.limit = max(1, limit ?? StreamRequest.maxLimit)
    stream = Array(String(iterator.stream).utf8)
    json.append("{\"Records\":[")
  }

  /// Takes one record of the log.
  ///
  /// - Parameters:
  ///   - record: Its bytes.
  ///   - segment: The segment behind it.
  ///   - endOffset: The offset behind it.
  public mutating func take(_ record: UnsafeRawBufferPointer, segment: UInt64, endOffset: UInt64) {
    guard !isFull else { return }
    do throws(RecordError) {
      let header = try RecordReader(record).header
      lastMs = header.receivedAtMs
      // Events of Pinpoint's applications may be copied into a stream.
      if [.kinesis, .pinpoint].contains(header.source), header.receivedAtMs >= iterator.notBeforeMs
      {
        let erased = erased
        try erased.leavingOut(of: record) { (rest) throws(RecordError) in
          try take(entriesOf: rest, segment, endOffset)
        }
      }
    } catch {
      // The loader sets a record aside that cannot be read; a reader goes on behind it.
    }
    guard !isFull else { return }
    pass(to: segment, endOffset)
  }

  /// An erased record keeps its place, so that the others keep their numbers.
  private mutating func take(
    entriesOf record: UnsafeRawBufferPointer,
    _ segment: UInt64,
    _ endOffset: UInt64
  ) throws(RecordError) {
    var reader = try RecordReader(record)
    var index = 0
    while let entry = try reader.nextEntry(), !isFull {
      guard entry.kind == .streamRecord else { continue }
      let position = StreamPosition(
        segment: segment,
        endOffset: endOffset,
        index: index,
        recordBytes: record.count
      )
      index += 1
      if !entry.flags.contains(.erased) { take(entry, at: position) }
    }
  }

  /// Goes on from a place behind which nothing is left to take.
  public mutating func pass(to segment: UInt64, _ offset: UInt64) {
    guard !isFull else { return }
    iterator.segment = segment
    iterator.offset = offset
    iterator.after = nil
  }

  private mutating func take(_ entry: EventView, at position: StreamPosition) {
    guard entry.name.elementsEqual(stream), entry.sequence == Int64(iterator.shard) else { return }
    if let after = iterator.after, position <= after { return }
    guard count < limit, count == 0 || bytes + entry.properties.count <= Self.maxBytes else {
      isFull = true
      return
    }
    json.append(count == 0 ? "{" : ",{")
    json.append("\"SequenceNumber\":\"\(position.sequenceNumber)\"")
    json.append(",\"ApproximateArrivalTimestamp\":")
    json.append(StreamDescriptions.seconds(entry.timestampMs))
    json.append(",\"PartitionKey\":")
    json.append(quoting: String(decoding: entry.id, as: UTF8.self))
    json.append(",\"Data\":\"")
    json.append(bytes: Base64Text.encode(entry.properties))
    json.append("\"}")
    count += 1
    bytes += entry.properties.count
    // Should the answer be full before the log's record is through, it goes on behind this one.
    iterator.after = position
  }

  /// The answer of `GetRecords`.
  ///
  /// - Parameters:
  ///   - isAtEnd: Whether everything in the log has been read.
  ///   - nowMs: The clock.
  /// - Returns: The body.
  public func answer(isAtEnd: Bool, nowMs: Int64) -> [UInt8] {
    var json = json
    var next = iterator
    next.madeAtMs = nowMs
    let behind = isAtEnd && !isFull ? 0 : max(0, nowMs - (lastMs ?? nowMs))
    json.append("],\"NextShardIterator\":\"\(next.token)\",\"MillisBehindLatest\":\(behind)}")
    return json.bytes
  }
}

/// Hands out the bytes of a stream's records, as they were put.
public struct StreamExtract: Sendable {
  private let stream: [UInt8]
  private let erased: StreamErased

  /// For a stream's number, leaving out what was erased.
  public init(stream: Int64, erased: StreamErased = StreamErased()) {
    self.stream = Array(String(stream).utf8)
    self.erased = erased
  }

  /// The stream's bytes in one record of the log, in order.
  ///
  /// - Throws: What is wrong with the record.
  public func records(
    of record: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(RecordError) {
    let header = try RecordReader(record).header
    guard [.kinesis, .firehose, .pinpoint].contains(header.source) else { return }
    try erased.leavingOut(of: record) { (rest) throws(RecordError) in
      var reader = try RecordReader(rest, handsOutStreamRecords: true)
      while let entry = try reader.next() {
        if entry.kind == .streamRecord, entry.name.elementsEqual(stream) { body(entry.properties) }
      }
    }
  }
}
