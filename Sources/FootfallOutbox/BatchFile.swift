import FootfallJournal

/// The form of a batch on disk: a head with a checksum, what is common to the events, the events.
///
/// The head names the journal and the place up to which its events went into this batch and those
/// before it, for the case that the journal itself cannot say so any more.
struct BatchFile {
  var batch: SealedBatch
  var journal: JournalID
  var through: SealingPlace
  /// Whether version 1 wrote it.
  var isLegacy = false

  init(_ batch: SealedBatch, journal: JournalID, through: SealingPlace) {
    self.batch = batch
    self.journal = journal
    self.through = through
  }

  /// The whole file.
  var bytes: [UInt8] {
    var head = Head.magic
    for word in [journal.high, journal.low, through.end.segment, through.end.offset] {
      head.append(littleEndian: word)
    }
    for size in [through.left, batch.count, batch.events.count, batch.commonContent.count] {
      head.append(littleEndian: UInt32(clamping: size))
    }
    let body = batch.commonContent + batch.events
    head.append(littleEndian: Self.checksum(head[...], body[...]))
    return head + body
  }

  /// Reads a file; nil if it is not what was written.
  init?(_ bytes: [UInt8]) {
    guard let head = Head(bytes), bytes.count >= head.byteCount,
      head.common <= bytes.count - head.byteCount,
      head.length == bytes.count - head.byteCount - head.common,
      // The checksum is the last of what the head of either version says.
      Self.checksum(bytes[..<head.checkedBytes], bytes[head.byteCount...]) == head.checksum
    else { return nil }
    let events = bytes[(head.byteCount + head.common)...]
    self.init(
      SealedBatch(
        events: Array(events),
        count: head.count,
        commonContent: Array(bytes[head.byteCount..<head.byteCount + head.common])
      ),
      journal: head.journal,
      through: head.through
    )
    isLegacy = head.isLegacy
  }

  private static func checksum(_ head: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    head.withUnsafeBytes { checksum.update($0) }
    body.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }
}

extension BatchFile {
  /// The fields before the events, not checked against the checksum.
  struct Head {
    static let magic = Array("FFBATCH2".utf8)
    static let legacyMagic = Array("FFBATCH1".utf8)

    let isLegacy: Bool
    let journal: JournalID
    let through: SealingPlace
    let count: Int
    let length: Int
    let common: Int
    let checksum: UInt32

    /// Version 1 ended in four bytes that said nothing.
    var byteCount: Int { isLegacy ? 56 : 60 }
    /// The bytes that the checksum covers.
    var checkedBytes: Int { isLegacy ? 48 : 56 }

    /// Reads the first bytes of a file.
    init?(_ bytes: [UInt8]) {
      guard bytes.starts(with: Self.magic) || bytes.starts(with: Self.legacyMagic) else {
        return nil
      }
      isLegacy = bytes[7] == Self.legacyMagic[7]
      guard bytes.count >= (isLegacy ? 56 : 60) else { return nil }
      journal = JournalID(high: bytes.word(at: 8), low: bytes.word(at: 16))
      let end = JournalPosition(segment: bytes.word(at: 24), offset: bytes.word(at: 32))
      let sizes = bytes.word(at: 40)
      // Clamped: damage may say more than an integer of a watch holds, and the checksum comes later.
      let (low, high) = (Int(clamping: sizes & 0xffff_ffff), Int(clamping: sizes >> 32))
      guard !isLegacy else {
        through = SealingPlace(end: end)
        (count, length, common) = (low, high, 0)
        checksum = UInt32(truncatingIfNeeded: bytes.word(at: 48))
        return
      }
      through = SealingPlace(end: end, left: low)
      count = high
      length = Int(clamping: bytes.word(at: 48) & 0xffff_ffff)
      common = Int(clamping: bytes.word(at: 48) >> 32)
      checksum = UInt32(truncatingIfNeeded: bytes.word(at: 52) >> 32)
    }
  }
}
