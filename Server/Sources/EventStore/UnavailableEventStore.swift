public import FootfallJournal

/// Stands in for a store that could not be opened: everything it is asked fails with the reason.
///
/// With it the server starts and takes events; its log grows until the store is there again.
public struct UnavailableEventStore: EventStore {
  /// Why the store could not be opened.
  public let reason: StoreError

  /// A store that cannot be used, and why.
  public init(reason: StoreError) {
    self.reason = reason
  }

  /// The dialect the missing store would speak.
  public var dialect: Dialect { .duckDB }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func load(
    _ batch: LoadBatch,
    beforeCommit: ([RefusedRecord]) -> Void
  ) throws -> LoadResult { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func position(ofLog log: JournalID) throws -> JournalPosition? { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func answer<Question: Insight>(
    _ insight: Question,
    cancellation: Cancellation?
  ) throws -> Question.Output { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func rows(_ sql: SQL, cancellation: Cancellation?) throws -> [Row] { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func spans(ofUser user: Int64) throws -> [Erasure.Span] { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func count(_ erasure: Erasure) throws -> Int { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func erase(_ erasure: Erasure) throws -> Int { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func erasuresDone() throws -> Set<Int64> { throw reason }

  /// Fails with the reason.
  ///
  /// - Throws: `reason`, always.
  public func remove(_ expired: ExpiredEvents, limit: Int) throws -> Int { throw reason }

  /// Does nothing.
  public func idle() {}

  /// Does nothing.
  public func close() {}
}
