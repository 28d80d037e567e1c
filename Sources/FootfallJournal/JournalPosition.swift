/// A place in a journal, between two frames.
///
/// Positions grow: what was appended later lies further on. They stay valid while the journal
/// lives, also across restarts, and are never used a second time for other bytes.
public struct JournalPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The segment's number; the first one is 1.
  public var segment: UInt64
  /// Bytes from the start of the segment's file.
  public var offset: UInt64

  /// The place `offset` bytes into a segment's file.
  public init(segment: UInt64, offset: UInt64) {
    self.segment = segment
    self.offset = offset
  }

  /// Before everything a journal can hold.
  public static let start = JournalPosition(segment: 0, offset: 0)

  /// Whether `left` lies before `right`.
  public static func < (left: Self, right: Self) -> Bool {
    (left.segment, left.offset) < (right.segment, right.offset)
  }

  /// Segment and offset, as `3:4096`.
  public var description: String { "\(segment):\(offset)" }
}
