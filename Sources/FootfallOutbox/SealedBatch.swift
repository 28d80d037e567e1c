import FootfallJournal

/// The content of a batch file: events as they will be sent, byte for byte, on every attempt.
package struct SealedBatch: Sendable, Hashable {
  /// The events as JSON, `,` and a line feed between two of them.
  ///
  /// A line feed never stands inside an event, since JSON escapes it.
  package private(set) var events: [UInt8] = []
  /// The number of events.
  package private(set) var count = 0

  static let separator: [UInt8] = [UInt8(ascii: ","), 0x0a]

  init() {}

  /// How many bytes the events would have with one more of `bytes` bytes.
  func bytes(with bytes: Int) -> Int {
    count == 0 ? bytes : events.count + Self.separator.count + bytes
  }

  mutating func append(_ event: UnsafeRawBufferPointer) {
    if count > 0 { events += Self.separator }
    events.append(contentsOf: event)
    count += 1
  }

  /// The bytes of some events, joined as in `events`; an empty range for positions that are none.
  package func bytes(of range: Range<Int>) -> ArraySlice<UInt8> {
    guard range.lowerBound > 0 || range.upperBound < count else { return events[...] }
    var starts = [0]
    for index in events.indices where events[index] == 0x0a { starts.append(index + 1) }
    starts.append(events.count + Self.separator.count)
    guard range.lowerBound >= 0, range.upperBound < starts.count, !range.isEmpty else { return [] }
    return events[starts[range.lowerBound]..<starts[range.upperBound] - Self.separator.count]
  }
}

/// The form of a batch on disk: a head with a checksum, then the events.
///
/// The head names the journal and the position up to which its events went into this batch and
/// those before it; that is how an opening after a crash knows which records are already sealed.
struct BatchFile {
  var batch: SealedBatch
  var journal: JournalID
  var through: JournalPosition

  static let headBytes = 56
  private static let magic = Array("FFBATCH1".utf8)

  init(_ batch: SealedBatch, journal: JournalID, through: JournalPosition) {
    self.batch = batch
    self.journal = journal
    self.through = through
  }

  /// The whole file.
  var bytes: [UInt8] {
    var head = Self.magic
    for word in [journal.high, journal.low, through.segment, through.offset] {
      head.append(littleEndian: word)
    }
    head.append(littleEndian: UInt32(clamping: batch.count))
    head.append(littleEndian: UInt32(clamping: batch.events.count))
    head.append(littleEndian: Self.checksum(head, batch.events[...]))
    head.append(littleEndian: UInt32(0))
    return head + batch.events
  }

  /// Reads a file; nil if it is not what was written.
  init?(_ bytes: [UInt8]) {
    guard let head = Head(bytes.prefix(Self.headBytes)), bytes.count == Self.headBytes + head.length
    else { return nil }
    let events = bytes[Self.headBytes...]
    guard Self.checksum(Array(bytes.prefix(Self.headBytes - 8)), events) == head.checksum else {
      return nil
    }
    self.init(
      SealedBatch(events: Array(events), count: head.count),
      journal: head.journal,
      through: head.through
    )
  }

  private static func checksum(_ head: [UInt8], _ events: ArraySlice<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    head.withUnsafeBytes { checksum.update($0) }
    events.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }

  /// The fields of the head, not checked against the checksum.
  struct Head {
    let journal: JournalID
    let through: JournalPosition
    let count: Int
    let length: Int
    let checksum: UInt32

    init?(_ bytes: some Collection<UInt8>) {
      let bytes = Array(bytes)
      guard bytes.count == BatchFile.headBytes, bytes.starts(with: BatchFile.magic) else {
        return nil
      }
      journal = JournalID(high: bytes.word(at: 8), low: bytes.word(at: 16))
      through = JournalPosition(segment: bytes.word(at: 24), offset: bytes.word(at: 32))
      let sizes = bytes.word(at: 40)
      count = Int(sizes & 0xffff_ffff)
      length = Int(sizes >> 32)
      checksum = UInt32(truncatingIfNeeded: bytes.word(at: 48))
    }
  }
}

extension SealedBatch {
  fileprivate init(events: [UInt8], count: Int) {
    self.events = events
    self.count = count
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  /// Eight bytes as a number, the lowest first; 0 where there are fewer.
  func word(at offset: Int) -> UInt64 {
    guard offset >= 0, offset + 8 <= count else { return 0 }
    return self[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
