import FootfallJournal

/// A record in the journal that is no event: everything up to a position was sealed.
///
/// Written after a batch file has its final name and before anyone may send it, so that a batch
/// that was delivered and removed is not sealed a second time after a crash.
struct SealedMark {
  let through: JournalPosition

  private static let tag = UInt8(ascii: "S")

  init(through: JournalPosition) {
    self.through = through
  }

  /// Reads a record; nil if it is an event, which starts with a brace.
  init?(_ record: UnsafeRawBufferPointer) {
    guard record.count == 17, record.first == Self.tag else { return nil }
    let bytes = [UInt8](record)
    through = JournalPosition(segment: bytes.word(at: 1), offset: bytes.word(at: 9))
  }

  var bytes: [UInt8] {
    var bytes = [Self.tag]
    bytes.append(littleEndian: through.segment)
    bytes.append(littleEndian: through.offset)
    return bytes
  }
}
