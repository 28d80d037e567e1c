public import FootfallJournal
internal import FootfallSystem

extension IngestLog {
  /// Opens a log to look at it: nothing in its folder changes but the lock, which it holds.
  ///
  /// What a stop left unfinished at its end is told by `recovery` and stays. Nothing may be submitted.
  ///
  /// - Parameters:
  ///   - folder: its folder, which must be there.
  ///   - settings: sizes and retention.
  /// - Throws: `IngestLogError`, as for any other opening.
  public convenience init(
    lookingInto folder: String,
    settings: Settings = Settings()
  ) throws(IngestLogError) {
    try self.init(
      folder: folder,
      settings: settings,
      files: UnchangedFiles(base: PosixFiles()),
      keepsItself: false
    )
  }

  /// Reads every record there is, also of segments that were loaded long ago; keeps none.
  ///
  /// - Parameter progress: told now and then how much of the log is read, from 0 to 1.
  /// - Returns: What was read, and what cannot be.
  /// - Throws: `JournalError`.
  public func readThrough(
    progress: (Double) -> Void = { _ in }
  ) throws(JournalError) -> LogReading {
    var reading = LogReading()
    reading.tornTail = recovery.tornTail
    let (segments, end) = (bytesOfSegments, durableEnd)
    let total = max(1, segments.reduce(0) { $0 + $1.bytes })
    var next = JournalPosition.start
    while true {
      let read = try read(from: next, upTo: end, maxBytes: Self.bytesPerLook) { _, _ in }
      reading.records += read.frames
      reading.gaps += read.gaps
      guard !read.reachedEnd else { return reading }
      next = read.next
      let done = segments.reduce(0) { $1.number < next.segment ? $0 + $1.bytes : $0 }
      progress(min(1, Double(done + next.offset) / Double(total)))
    }
  }

  /// Bytes of records between two tellings of how far it is.
  private static let bytesPerLook = 32 << 20
}

/// What reading a whole log came upon.
public struct LogReading: Sendable, Hashable {
  /// Records that were read.
  public internal(set) var records = 0
  /// Bytes between them that cannot be read.
  public internal(set) var gaps: [JournalGap] = []
  /// An end without a whole record: a stop left it, or damage of the last record.
  public internal(set) var tornTail: JournalGap?
}
