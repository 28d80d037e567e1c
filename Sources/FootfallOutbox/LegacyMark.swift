import FootfallJournal

/// A record of version 1 that is no event: everything up to a position was sealed.
struct LegacyMark {
  let through: JournalPosition

  /// Reads a frame; nil if it is none of these.
  init?(_ frame: UnsafeRawBufferPointer) {
    var reader = ByteReader(frame)
    guard frame.count == 17, reader.take(1) != nil, let segment: UInt64 = reader.number(),
      let offset: UInt64 = reader.number()
    else { return nil }
    through = JournalPosition(segment: segment, offset: offset)
  }
}
