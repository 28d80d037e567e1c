internal import FootfallJournal

/// Decides when segments of the log are closed and removed.
///
/// A value: it is told what there is, how far the store has it, and the time, and answers what to do.
/// What is not loaded is never removed. Times of loading are not kept over a restart, so a segment
/// may stay for another full term after one.
struct SegmentRetention: Sendable {
  /// One thing to do.
  enum Effect: Sendable, Hashable {
    /// Close the segment that is written to.
    case seal
    /// Remove a closed segment.
    case remove(segment: UInt64)
  }

  /// What it has to know about one.
  struct Segment: Sendable, Hashable {
    var number: UInt64
    var bytes: UInt64
    var isSealed: Bool
  }

  let settings: IngestLog.Retention
  /// When each segment was first seen open, and first seen wholly loaded; milliseconds.
  private var openSinceMs: [UInt64: Int64] = [:]
  private var loadedSinceMs: [UInt64: Int64] = [:]

  init(_ settings: IngestLog.Retention) { self.settings = settings }

  /// Takes the present state and returns what to do, oldest segment first.
  ///
  /// - Parameters:
  ///   - segments: oldest first.
  ///   - loaded: up to where the store has everything; nil if that is not known yet.
  ///   - nowMs: milliseconds since 1970.
  /// - Returns: what to do, in order.
  mutating func receive(
    _ segments: [Segment],
    loadedUpTo loaded: JournalPosition?,
    atMs nowMs: Int64
  ) -> [Effect] {
    note(segments, loaded, nowMs)
    var effects: [Effect] = []
    var bytes = segments.reduce(0) { $0 + $1.bytes }
    for segment in segments where segment.isSealed {
      guard let since = loadedSinceMs[segment.number] else { continue }
      let isOld = nowMs - since >= Int64(settings.keepsLoadedSeconds) * 1_000
      guard isOld || bytes > settings.maxBytes else { continue }
      effects.append(.remove(segment: segment.number))
      bytes -= segment.bytes
    }
    if let active = segments.last, !active.isSealed, let since = openSinceMs[active.number],
      nowMs - since >= Int64(settings.sealsAfterSeconds) * 1_000
    {
      effects.append(.seal)
    }
    return effects
  }

  /// Bytes the store does not have yet.
  static func unloadedBytes(
    _ segments: [Segment],
    loadedUpTo loaded: JournalPosition?
  )
    -> UInt64
  {
    let loaded = loaded ?? .start
    return segments.reduce(0) { sum, segment in
      if segment.number < loaded.segment { return sum }
      let done = segment.number == loaded.segment ? loaded.offset : 0
      return sum + (segment.bytes > done ? segment.bytes - done : 0)
    }
  }

  private mutating func note(
    _ segments: [Segment],
    _ loaded: JournalPosition?,
    _ nowMs: Int64
  ) {
    let numbers = Set(segments.map(\.number))
    openSinceMs = openSinceMs.filter { numbers.contains($0.key) }
    loadedSinceMs = loadedSinceMs.filter { numbers.contains($0.key) }
    for segment in segments {
      if !segment.isSealed, openSinceMs[segment.number] == nil {
        openSinceMs[segment.number] = nowMs
      }
      if let loaded, loadedSinceMs[segment.number] == nil,
        loaded >= JournalPosition(segment: segment.number, offset: segment.bytes)
      {
        loadedSinceMs[segment.number] = nowMs
      }
    }
  }
}
