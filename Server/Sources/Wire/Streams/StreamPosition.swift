/// Where a record of a stream lies in the ingest log, which is also its sequence number.
///
/// Numbers are made of the place behind the log's record, the stream record's place in it, and the
/// length of the log's record, highest first: they rise as the log grows, in every shard, over
/// restarts too, and need no counter that could be lost.
public struct StreamPosition: Sendable, Hashable, Comparable {
  /// The log's segment.
  public var segment: UInt64
  /// The offset in it behind the log's record.
  public var endOffset: UInt64
  /// The stream record's place in the log's record.
  public var index: Int
  /// Bytes of the log's record.
  public var recordBytes: Int

  /// A position from its parts.
  public init(segment: UInt64, endOffset: UInt64, index: Int, recordBytes: Int) {
    self.segment = segment
    self.endOffset = endOffset
    self.index = index
    self.recordBytes = recordBytes
  }

  /// Whether `left` was put before `right`.
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

  /// 39 digits: the top bit is always set.
  public var sequenceNumber: String {
    var json = JSONText()
    appendSequenceNumber(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Adds the sequence number; a large put is answered with hundreds.
  func appendSequenceNumber(to json: inout JSONText) {
    // In parts that fit a word: the library's own division of 128 bits, digit by digit, is slow.
    let part = 10_000_000_000_000_000_000 as UInt128
    let (rest, low) = number.quotientAndRemainder(dividingBy: part)
    let (high, middle) = rest.quotientAndRemainder(dividingBy: part)
    json.append(decimal: UInt64(truncatingIfNeeded: high), digits: 1)
    json.append(decimal: UInt64(truncatingIfNeeded: middle), digits: 19)
    json.append(decimal: UInt64(truncatingIfNeeded: low), digits: 19)
  }

  private var number: UInt128 {
    1 << 127 | UInt128(segment) << 88 | UInt128(endOffset) << 48 | UInt128(index) << 32
      | UInt128(recordBytes)
  }

  /// The position of a sequence number; nil for what is none of ours.
  public init?(sequenceNumber: String) {
    guard sequenceNumber.utf8.count == 39, let number = UInt128(sequenceNumber), number >> 127 == 1
    else { return nil }
    segment = UInt64(truncatingIfNeeded: number >> 88) & (1 << 39 - 1)
    endOffset = UInt64(truncatingIfNeeded: number >> 48) & (1 << 40 - 1)
    index = Int(truncatingIfNeeded: number >> 32) & 0xffff
    recordBytes = Int(UInt32(truncatingIfNeeded: number))
  }
}

/// Where a reader of a shard goes on.
public struct ShardIterator: Sendable, Hashable {
  /// Iterators hold for five minutes, as AWS's do.
  public static let lifeMs: Int64 = 300_000

  /// The stream's number.
  public var stream: Int64
  /// The shard.
  public var shard: Int
  /// The log's segment from which to read.
  public var segment: UInt64
  /// The offset in it from which to read.
  public var offset: UInt64
  /// Records up to this one are passed over.
  public var after: StreamPosition?
  /// Records received before this moment are passed over, in milliseconds since 1970.
  public var notBeforeMs: Int64 = 0
  /// When it was made, in milliseconds since 1970.
  public var madeAtMs: Int64

  /// An iterator from a place in the log on.
  public init(stream: Int64, shard: Int, segment: UInt64, offset: UInt64, madeAtMs: Int64) {
    self.stream = stream
    self.shard = shard
    self.segment = segment
    self.offset = offset
    self.madeAtMs = madeAtMs
  }

  /// The form in which clients carry it.
  public var token: String {
    let parts: [String] = [
      String(stream), String(shard), String(segment), String(offset),
      after?.sequenceNumber ?? "", String(notBeforeMs), String(madeAtMs),
    ]
    return String(
      decoding: Array(parts.joined(separator: ".").utf8).withUnsafeBytes { Base64Text.encode($0) },
      as: UTF8.self
    )
  }

  /// The iterator of a token; nil for what is none of ours.
  public init?(token: String) {
    guard let text = Base64Text.text(token) else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 7, let stream = Int64(parts[0]), let shard = Int(parts[1]),
      let segment = UInt64(parts[2]), let offset = UInt64(parts[3]),
      let notBeforeMs = Int64(parts[5]), let madeAtMs = Int64(parts[6])
    else { return nil }
    self.init(stream: stream, shard: shard, segment: segment, offset: offset, madeAtMs: madeAtMs)
    self.notBeforeMs = notBeforeMs
    if !parts[4].isEmpty {
      guard let after = StreamPosition(sequenceNumber: parts[4]) else { return nil }
      self.after = after
    }
  }
}
