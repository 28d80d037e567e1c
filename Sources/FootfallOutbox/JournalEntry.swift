import FootfallJournal

/// What one frame of the outbox's journal is, told by its first byte.
enum JournalEntry {
  /// One event: the frame's bytes, which start with a brace.
  case event
  /// Events and perhaps a note.
  case record(OutboxRecord.Frame)
  /// What the batches of the events behind it have in common.
  case content([UInt8])
  /// How far sealing has come, and all that an opening needs to know.
  case mark(SealingMark)
  /// The batch of this number is settled and its file removed.
  case removed(UInt64)
  /// What version 1 wrote as a mark.
  case legacyMark(LegacyMark)
  /// A later version's, or nothing that was ever written.
  case unknown

  /// The first bytes of frames that are no events.
  enum Tag: UInt8 {
    case record = 0x52
    case content = 0x43
    case mark = 0x4d
    case removed = 0x44
    case legacyMark = 0x53
  }

  init(_ frame: UnsafeRawBufferPointer) {
    guard let first = frame.first else {
      self = .unknown
      return
    }
    self =
      if Self.startsEvent(first) { .event } else {
        Tag(rawValue: first).flatMap { Self($0, frame) } ?? .unknown
      }
  }

  private init?(_ tag: Tag, _ frame: UnsafeRawBufferPointer) {
    switch tag {
    case .record:
      guard let record = OutboxRecord.Frame(frame) else { return nil }
      self = .record(record)
    case .content: self = .content([UInt8](frame.dropFirst()))
    case .mark:
      guard let mark = SealingMark(frame) else { return nil }
      self = .mark(mark)
    case .removed:
      var reader = ByteReader(UnsafeRawBufferPointer(rebasing: frame.dropFirst()))
      guard let number: UInt64 = reader.number(), reader.isAtEnd else { return nil }
      self = .removed(number)
    case .legacyMark:
      guard let mark = LegacyMark(frame) else { return nil }
      self = .legacyMark(mark)
    }
  }

  /// Whether a frame with this first byte is an event by itself; other events are put in a record.
  static func startsEvent(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") }

  static func content(frame content: [UInt8]) -> [UInt8] { [Tag.content.rawValue] + content }

  static func removed(frame number: UInt64) -> [UInt8] {
    var bytes = [Tag.removed.rawValue]
    bytes.append(littleEndian: number)
    return bytes
  }
}
