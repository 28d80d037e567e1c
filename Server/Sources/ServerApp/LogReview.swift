import FootfallJournal

/// What of an ingest log is gone that no store has, as far as anyone can tell.
///
/// A value: it is told which segments are missing and how far the store is, and answers what is lost.
struct LogReview {
  /// A sentence for each loss; none when all is there.
  let losses: [String]

  /// Of what opening the log found.
  init(_ recovery: JournalRecovery, loadedUpTo position: JournalPosition?) {
    self.init(missing: recovery.missing, removed: recovery.removed, loadedUpTo: position)
  }

  /// - Parameters:
  ///   - missing: numbers of segments that somebody deleted.
  ///   - removed: the last segment before the first that is there; 0 for none.
  ///   - position: up to where the store has this log; nil for a store that never had anything of it.
  init(missing: [ClosedRange<UInt64>], removed: UInt64, loadedUpTo position: JournalPosition?) {
    var losses = missing.compactMap { numbers -> String? in
      let name =
        numbers.count == 1
        ? "Segment \(numbers.lowerBound) of the ingest log is"
        : "Segments \(numbers.lowerBound) to \(numbers.upperBound) of the ingest log are"
      guard let position else {
        return
          "\(name) missing, and the store has nothing of it: its events are lost. \(Self.remedy)"
      }
      guard numbers.upperBound >= position.segment else { return nil }
      guard numbers.upperBound == position.segment else {
        return
          "\(name) missing; the store has the log up to \(position): what came after that is lost. \(Self.remedy)"
      }
      return
        "\(name) missing; the store has the log up to \(position), where loading had come to: "
        + "if more had been taken, it is lost. \(Self.remedy)"
    }
    if position == nil, removed > 0 {
      losses.append(
        "The store is new, but the log's segments up to \(removed) were loaded into another and "
          + "removed: their events are missing. \(Self.remedy)"
      )
    }
    self.losses = losses
  }

  /// What lay in pieces of the log that cannot be read, a sentence for each; nothing lies in a header, and
  /// nothing that was answered in an end that was never finished.
  static func losses(in gaps: [JournalGap]) -> [String] {
    gaps.filter { $0.reason != .header && $0.reason != .tornTail }.map { gap in
      "The ingest log had \(gap.bytes) bytes at \(gap.position) that cannot be read (\(gap.reason.rawValue)): "
        + "the events in them are lost. \(remedy)"
    }
  }

  /// Said where the whole log is gone.
  static let wholeLog =
    "The ingest log was missing or empty beside a store: what had been taken and not loaded is lost, if "
    + "there was any. \(remedy)"

  private static let remedy =
    "Stop the server and restore the data folder from a backup, or go on without them."
}
