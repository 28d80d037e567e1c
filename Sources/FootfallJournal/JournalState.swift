import FootfallSystem

/// What a journal knows while it is open, and every change of it; guarded by the journal's lock.
///
/// Frames that are written but not synced are kept in memory as well: when a sync fails, nobody
/// can say what became of them, and they are written again to a new segment.
struct JournalState {
  /// A segment nothing is appended to any more.
  struct Sealed {
    var name: SegmentName
    /// Where its frames end.
    var bytes: UInt64
  }

  /// The segment that is appended to.
  struct Active {
    let name: SegmentName
    let file: any OpenFile
    var bytes = UInt64(SegmentHeader.byteCount)
    var durableBytes = UInt64(SegmentHeader.byteCount)
    /// Whether the folder was synced since the file was made.
    var isEntryDurable = false

    var format: FrameFormat { FrameFormat(salt: name.salt) }
    var end: JournalPosition { JournalPosition(segment: name.number, offset: bytes) }
    var hasFrames: Bool { bytes > UInt64(SegmentHeader.byteCount) }
  }

  /// Frames that moved from a segment whose sync failed.
  struct Move {
    let from: JournalPosition
    let to: JournalPosition
  }

  let store: SegmentStore
  let id: JournalID
  let random: @Sendable () -> UInt64
  var sealed: [Sealed]
  var retired: [SegmentName]
  var active: Active?
  var nextNumber: UInt64
  /// The last segment with records that is known of, also where it is gone; those in `sealed` aside.
  var lastGone: UInt64
  /// Whether numbers are written down in a file of their own.
  let notesLastNumber: Bool
  var durableEnd: JournalPosition
  var isClosed = false
  /// The active segment's frames behind its durable end: first those a running sync is about,
  /// then those appended since.
  var syncing = FrameBuffer()
  var unsynced = FrameBuffer()
  /// Unmarked frames of a segment that was given up, waiting for a new one.
  var homeless = FrameBuffer()
  var homelessOrigin = JournalPosition.start
  var moves: [Move] = []

  var end: JournalPosition {
    if let active { return active.end }
    return sealed.last.map { JournalPosition(segment: $0.name.number, offset: $0.bytes) } ?? .start
  }

  /// The last segment with records before the next one, 0 without any.
  var previousNumber: UInt64 { max(lastGone, sealed.last?.name.number ?? 0) }

  var segments: [JournalSegment] {
    var list = sealed.map {
      JournalSegment(number: $0.name.number, bytes: $0.bytes, isSealed: true)
    }
    if let active {
      list.append(
        JournalSegment(number: active.name.number, bytes: active.bytes, isSealed: false)
      )
    }
    return list
  }

  /// Where the frame that was appended up to `position` ends now.
  func currentPosition(of position: JournalPosition) -> JournalPosition {
    var position = position
    for move in moves where position.segment == move.from.segment && position > move.from {
      position.segment = move.to.segment
      position.offset = move.to.offset + (position.offset - move.from.offset)
    }
    return position
  }
}
