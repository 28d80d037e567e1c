import EventStore

extension DuckDBEventStore {
  /// Sorts a piece of the events when the rule has one for the time after a batch.
  public func afterBatch(events: Int) {
    let rule = files.options.sorting
    let isQuiet = events <= rule.quietBatchEvents
    sort { (writer) throws(StoreError) in
      let isDue = isQuiet && writer.secondsSinceSorting >= rule.pauseSeconds
      if try writer.sort(rule, isDue ? .quiet : .busy) != nil {
        try writer.checkpoint(afterRows: .max)
      }
    }
  }

  /// Moves new rows from the write-ahead log into the file when there are many, and sorts a piece.
  public func idle() {
    let options = files.options
    sort { (writer) throws(StoreError) in
      _ = try writer.sort(options.sorting, .quiet)
      try writer.checkpoint(afterRows: options.rowsPerCheckpoint)
    }
  }

  /// Sorts all events that are there, piece by piece; another thread's batch waits for one piece at most.
  ///
  /// A running server does so by itself in quiet moments, see `SortingRule`; this is for whoever wants to
  /// measure or does not want to wait.
  ///
  /// - Parameters:
  ///   - maxPieces: how many pieces at most.
  ///   - beforeCommit: called when a piece is written and not yet committed.
  /// - Returns: how many rows were rewritten, a row moved twice counted twice.
  /// - Throws: `StoreError`; the pieces done before stay.
  public func sortNow(
    maxPieces: Int = .max,
    beforeCommit: () -> Void = {}
  ) throws -> Int {
    var rows = 0
    for _ in 0..<maxPieces {
      let sorted = try write(changes: false) { [files] (writer) throws(StoreError) in
        let sorted = try writer.sort(files.options.sorting, .asked, beforeCommit: beforeCommit)
        if sorted != nil { try writer.checkpoint(afterRows: .max) }
        return sorted
      }
      guard let sorted else { break }
      rows += sorted
    }
    return rows
  }

  private func sort(_ body: (Writer) throws(StoreError) -> Void) {
    do {
      try write(changes: false, body)
    } catch {
      // Nothing is lost: rows stay in their tier and in the write-ahead log until the next quiet moment.
    }
  }
}
