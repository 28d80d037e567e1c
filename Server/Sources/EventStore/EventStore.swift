public import FootfallJournal

/// Where events are kept and asked about.
///
/// All calls block until they are done and may come from any thread, so they belong on threads of
/// their own, not on the concurrency pool. `load` is called by one loader at a time.
public protocol EventStore: Sendable {
  /// The SQL this store speaks.
  var dialect: Dialect { get }

  /// Adds a stretch of an ingest log in one transaction: new events and the position together.
  ///
  /// Events the store has are refused (see `DuplicateRule`), records it cannot read are reported and
  /// left out. A batch that does not start where the log's position stands is refused as a whole.
  ///
  /// - Parameters:
  ///   - batch: the stretch of the log.
  ///   - beforeCommit: told the records that cannot be read, if there are any, before the batch is
  ///     committed: whoever keeps them elsewhere has them before the position passes them.
  /// - Returns: what became of the batch.
  /// - Throws: `StoreError` when nothing of the batch was stored; calling again is right.
  func load(
    _ batch: LoadBatch,
    beforeCommit: (_ refused: [RefusedRecord]) -> Void
  ) throws -> LoadResult

  /// Up to where a log has been loaded; nil when nothing of it has.
  ///
  /// - Throws: `StoreError`.
  func position(ofLog log: JournalID) throws -> JournalPosition?

  /// Answers an insight.
  ///
  /// - Throws: `StoreError` when the store cannot answer, is too slow, or was cancelled.
  func answer<Question: Insight>(
    _ insight: Question,
    cancellation: Cancellation?
  ) throws -> Question.Output

  /// When which devices are a user's, by what the store knows; see `Erasure.spans`.
  ///
  /// - Throws: `StoreError`.
  func spans(ofUser user: Int64) throws -> [Erasure.Span]

  /// How many stored events an erasure concerns.
  ///
  /// - Throws: `StoreError`.
  func count(_ erasure: Erasure) throws -> Int

  /// Removes all events that an erasure concerns, and all that follows from them, in one transaction.
  ///
  /// A second time it does nothing.
  ///
  /// - Returns: how many events were removed.
  /// - Throws: `StoreError` when nothing was removed.
  func erase(_ erasure: Erasure) throws -> Int

  /// Sees that nothing of what was removed is left in the store's files; takes as long as copying them.
  ///
  /// - Throws: `StoreError`; what was removed stays so, and calling again is right.
  func leaveNothing() throws

  /// The erasures that were done in this store; a restored copy lacks the later ones.
  ///
  /// - Throws: `StoreError`.
  func erasuresDone() throws -> Set<Int64>

  /// Writes events into a file, with all that is needed to import them again.
  ///
  /// Loading goes on meanwhile; what is stored after it began is not in the file.
  ///
  /// - Parameters:
  ///   - request: which, and in what form.
  ///   - path: the file; what was there is replaced.
  ///   - cancellation: stops it.
  ///   - progress: told how far it is.
  /// - Returns: how many.
  /// - Throws: `StoreError`; the file is then not whole.
  func export(
    _ request: ExportRequest,
    to path: String,
    cancellation: Cancellation?,
    progress: WorkProgress
  ) throws -> Int

  /// Copies the files of the store into a folder, where a store can be opened from them.
  ///
  /// Loading waits meanwhile, questions do not.
  ///
  /// - Parameters:
  ///   - folder: the folder; its files have the names that the store's have.
  ///   - copy: copies one file; given its path and where it goes to.
  /// - Returns: the names of the files.
  /// - Throws: `StoreError`, or what `copy` throws.
  func copyFiles(
    to folder: String,
    _ copy: (_ path: String, _ target: String) throws -> Void
  ) throws -> [String]

  /// Adds the events of a file that the store does not have; the same file again adds nothing.
  ///
  /// - Parameters:
  ///   - request: the file.
  ///   - cancellation: stops it.
  ///   - refused: told of every line that is no event; what it throws stops it.
  ///   - progress: told how far it is, now and then; what it throws stops it.
  /// - Returns: what became of the events.
  /// - Throws: `ImportProblem` for a file of which nothing can be read, `StoreError`; what was told is
  ///   stored, and doing it again is right.
  func importEvents(
    _ request: ImportRequest,
    cancellation: Cancellation?,
    refused: (ImportRefusal) throws -> Void,
    progress: (ImportResult) throws -> Void
  ) throws -> ImportResult

  /// Runs one reading statement; stores without SQL throw `.unsupported`.
  ///
  /// - Throws: `StoreError` when the store cannot answer, is too slow, or was cancelled.
  func rows(_ sql: SQL, cancellation: Cancellation?) throws -> [Row]

  /// Runs a statement that somebody wrote; stores without SQL throw `.unsupported`.
  ///
  /// - Throws: `ConsoleProblem` for a statement that is not allowed or wrong; `StoreError` when the store
  ///   cannot answer, is busy with others, or the statement took too long or was cancelled.
  func answer(_ query: ConsoleQuery, cancellation: Cancellation?) throws -> ConsoleAnswer

  /// Removes events that were kept for long enough, some of them at a time.
  ///
  /// A repeat of a removed event is refused until the store is opened anew, and would be removed again.
  ///
  /// - Parameters:
  ///   - expired: which.
  ///   - limit: how many at most.
  /// - Returns: how many were removed; fewer than the limit when none is left.
  /// - Throws: `StoreError` when nothing was removed.
  func remove(_ expired: ExpiredEvents, limit: Int) throws -> Int

  /// Does work that must not wait for a quiet moment for ever; called by the loader after each batch, once
  /// its events were told of.
  ///
  /// - Parameter events: how many events the batch had, which says how busy it is.
  func afterBatch(events: Int)

  /// Does the work that waits for a quiet moment; called by the loader when there is nothing to load.
  func idle()

  /// Stops queries, finishes a batch under way and closes the data; every later call throws `.closed`.
  func close()
}

extension EventStore {
  /// A store without such work does nothing.
  public func afterBatch(events: Int) {}

  /// A store without files has nothing to leave.
  ///
  /// - Throws: Nothing.
  public func leaveNothing() throws {}

  /// Says that this store keeps everything for ever.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func remove(_ expired: ExpiredEvents, limit: Int) throws -> Int {
    throw StoreError.unsupported("removing events by age")
  }

  /// A store that knows no SQL says so.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func answer(_ query: ConsoleQuery, cancellation: Cancellation?) throws -> ConsoleAnswer {
    throw StoreError.unsupported("statements in SQL")
  }

  /// Adds a stretch of an ingest log in one transaction.
  ///
  /// - Throws: `StoreError` when nothing of the batch was stored.
  public func load(_ batch: LoadBatch) throws -> LoadResult {
    try load(batch) { _ in }
  }

  /// A store that cannot erase says so.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func spans(ofUser user: Int64) throws -> [Erasure.Span] {
    throw StoreError.unsupported("erasing")
  }

  /// A store that cannot erase says so.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func count(_ erasure: Erasure) throws -> Int { throw StoreError.unsupported("erasing") }

  /// A store that cannot erase says so.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func erase(_ erasure: Erasure) throws -> Int { throw StoreError.unsupported("erasing") }

  /// A store that cannot erase has done none.
  public func erasuresDone() throws -> Set<Int64> { [] }

  /// A store that writes no files says so.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func export(
    _ request: ExportRequest,
    to path: String,
    cancellation: Cancellation?,
    progress: WorkProgress
  ) throws -> Int {
    throw StoreError.unsupported("exporting")
  }

  /// Writes events into a file; nobody stops it.
  ///
  /// - Throws: `StoreError`; the file is then not whole.
  public func export(_ request: ExportRequest, to path: String) throws -> Int {
    try export(request, to: path, cancellation: nil, progress: WorkProgress())
  }

  /// A store without files has none to copy.
  public func copyFiles(
    to folder: String,
    _ copy: (String, String) throws -> Void
  ) throws -> [String] { [] }

  /// A store that reads no files says so.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func importEvents(
    _ request: ImportRequest,
    cancellation: Cancellation?,
    refused: (ImportRefusal) throws -> Void,
    progress: (ImportResult) throws -> Void
  ) throws -> ImportResult {
    throw StoreError.unsupported("importing")
  }

  /// Runs one reading statement that nobody cancels.
  ///
  /// - Throws: `StoreError` when the store cannot answer or is too slow.
  public func rows(_ sql: SQL) throws -> [Row] {
    try rows(sql, cancellation: nil)
  }
}
