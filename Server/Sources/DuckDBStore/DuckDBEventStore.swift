public import EventStore
public import FootfallJournal
import FootfallSystem

/// Events in one DuckDB file, in the server's own process.
///
/// One process at a time: the file is locked while it is open. Writing goes over one connection,
/// reading over a bounded number of others. After an error that DuckDB does not go on from (it gives
/// up a database whose file it could not write), the next batch opens the file anew.
///
/// Memory beside DuckDB's own: up to `DuckDBOptions.maxKeyBytes` for keys of recent minutes (UUIDv7
/// ids) and days (Amplitude), more while one batch needs it, and about 27 bytes for every stored event
/// whose id is not a UUIDv7 of about the event's own time.
public final class DuckDBEventStore: EventStore {
  /// The version of the tables this program reads and writes.
  public static let schemaVersion = Schema.version

  /// DuckDB's own version, for example `v2.0.1`.
  public let libraryVersion: String

  /// Why a patient store could not open its file at first; nil when it could.
  public let openingProblem: StoreError?

  let files: StoreFiles
  private let answers: AnswerCache
  /// Held while a batch is loaded.
  private let writing: Lock<Writing>
  /// Held for a moment only.
  private let readers: Lock<Readers>
  /// How many statements of consoles run.
  let consoles = Lock(0)

  /// The writer; nil after an error that DuckDB does not go on from.
  private struct Writing {
    var writer: Writer? {
      didSet { if let writer { isFileClosed = writer.connection.isFileClosed } }
    }
    /// Of the file that was opened last: a thread that has its answer may hold it for a moment longer.
    private(set) var isFileClosed: Monitor<Bool>?
    var isClosed = false

    init(writer: Writer? = nil) {
      self.writer = writer
      isFileClosed = writer?.connection.isFileClosed
    }
  }

  /// The readers; without them, why there are none.
  private struct Readers {
    var pool: ReaderPool?
    var absence = StoreError.closed
  }

  /// Opens or creates the file.
  ///
  /// - Parameters:
  ///   - path: the database's file; its folder must exist.
  ///   - library: where `libduckdb.so` lies.
  ///   - options: how much of the machine it may use.
  ///   - isPatient: whether a file that cannot be opened, because another process has it or because
  ///     it is damaged, is tried again with every call that writes.
  /// - Throws: `StoreError`: `.unavailable` without the library, `.newerSchema` for the data of a
  ///   newer program, and unless it is patient `.engine` with DuckDB's message when the file cannot
  ///   be opened.
  public init(
    path: String,
    library: String,
    options: DuckDBOptions = DuckDBOptions(),
    isPatient: Bool = false
  ) throws {
    let library = try DuckDBLibrary(path: library)
    files = StoreFiles(path: path, library: library, options: options)
    answers = AnswerCache(
      maxBytes: options.maxAnswerBytes,
      leastSeconds: options.leastAnswerSeconds
    )
    libraryVersion = library.version().map { String(cString: $0) } ?? ""
    do throws(StoreError) {
      let (writer, pool) = try files.open()
      openingProblem = nil
      writing = Lock(Writing(writer: writer))
      readers = Lock(Readers(pool: pool))
    } catch {
      guard isPatient, case .engine = error else { throw error }
      openingProblem = error
      writing = Lock(Writing())
      readers = Lock(Readers(absence: error))
    }
  }

  /// DuckDB's dialect.
  public var dialect: Dialect { .duckDB }

  /// Adds a batch in one transaction; another thread's batch waits.
  ///
  /// - Throws: `StoreError` when nothing of the batch was stored.
  public func load(
    _ batch: LoadBatch,
    beforeCommit: ([RefusedRecord]) -> Void
  ) throws -> LoadResult {
    try write { (writer) throws(StoreError) in
      try writer.load(batch, beforeCommit: beforeCommit)
    }
  }

  /// Up to where a log has been loaded.
  ///
  /// - Throws: `StoreError`.
  public func position(ofLog log: JournalID) throws -> JournalPosition? {
    try write(changes: false) { (writer) throws(StoreError) in try writer.position(ofLog: log) }
  }

  /// Answers an insight; the same again at once, as long as nothing was stored or removed.
  ///
  /// - Throws: `StoreError` when it cannot be answered, is too slow, or was cancelled.
  public func answer<Question: Insight>(
    _ insight: Question,
    cancellation: Cancellation?
  ) throws -> Question.Output {
    let sql = insight.sql(dialect)
    switch answers.answer(of: sql) {
    case .answer(let rows): return try insight.output(of: rows)
    case .none(let changes):
      let start = MonotonicTime.now()
      let rows = try rows(sql, cancellation: cancellation)
      let seconds = MonotonicTime.now().seconds(since: start)
      answers.keep(rows, of: sql, changes: changes, seconds: seconds)
      return try insight.output(of: rows)
    }
  }

  /// Runs one reading statement on a connection of its own.
  ///
  /// - Throws: `StoreError` when it cannot be answered, is too slow, or was cancelled.
  public func rows(_ sql: SQL, cancellation: Cancellation?) throws -> [Row] {
    try asking { (pool) throws(StoreError) in try pool.rows(sql, cancellation: cancellation) }
  }

  /// Asks the readers, and again when the file was closed for a moment: while it is opened anew, or a new
  /// one takes its place.
  func asking<Output>(
    _ ask: (ReaderPool) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var attempts = 0
    while true {
      attempts += 1
      do throws(StoreError) { return try ask(try pool()) } catch {
        // A statement that DuckDB gives its file up for would do that again.
        let maxAttempts = error == .closed ? Self.maxAttempts : 2
        guard error == .closed || error.isOfInvalidatedDatabase, attempts < maxAttempts,
          recover() != nil
        else { throw error }
      }
    }
  }

  /// How often a question is asked while one new file after the other takes the old one's place.
  private static let maxAttempts = 8

  /// Opens the file anew if DuckDB does not go on from an error; nil if that is no use.
  private func recover() -> ReaderPool? {
    do throws(StoreError) {
      try write { (writer) throws(StoreError) in try writer.requireUsable() }
    } catch {
      // `write` has opened the file anew, or says with every question why it cannot.
    }
    return readers.withLock { $0.pool }
  }

  /// The readers.
  ///
  /// - Throws: why there are none.
  private func pool() throws(StoreError) -> ReaderPool {
    let readers = readers.withLock { $0 }
    guard let pool = readers.pool else { throw readers.absence }
    return pool
  }

  /// Works out anew whose each event is, what holds of people and groups, and what events tell of
  /// money, in one transaction.
  ///
  /// Loading keeps that up to date; this is for data that was changed otherwise.
  ///
  /// - Throws: `StoreError` when nothing was changed.
  public func rebuildDerivedTables() throws {
    try write { (writer) throws(StoreError) in
      try writer.change { (connection) throws(StoreError) in try DerivedTables(connection).rebuild()
      }
    }
  }

  /// Runs one statement on a connection of its own, however long it takes.
  func longRows(
    _ sql: SQL,
    cancellation: Cancellation? = nil,
    progress: WorkProgress? = nil
  ) throws -> [Row] {
    try asking { (pool) throws(StoreError) in
      try pool.rows(
        sql,
        cancellation: cancellation,
        limitSeconds: 7 * 86_400,
        progress: progress
      )
    }
  }

  /// Removes events that were kept for long enough; a batch that is to be loaded waits meanwhile.
  ///
  /// - Throws: `StoreError` when nothing was removed.
  public func remove(_ expired: ExpiredEvents, limit: Int) throws -> Int {
    try write { (writer) throws(StoreError) in try writer.remove(expired, limit: limit) }
  }

  /// Stops queries, waits for a batch under way and closes the file; every later call throws
  /// `.closed`.
  public func close() {
    writing.withLock { writing in
      writing.isClosed = true
      do throws(StoreError) { try closeFile(&writing) } catch {
        // It is closed when the last that holds it lets go of it.
      }
    }
  }

  /// Does something with the writer, one thread at a time.
  ///
  /// - Parameters:
  ///   - changes: whether answers may be others afterwards.
  ///   - body: what is done.
  /// - Returns: what `body` gives.
  /// - Throws: what `body` throws, or why there is no writer.
  func write<Output>(
    changes: Bool = true,
    _ body: (Writer) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try writing.withLock { writing throws(StoreError) in
      // Also after an error: the file may have been opened anew.
      defer { if changes { answers.change() } }
      return try use(&writing, body)
    }
  }

  private func use<Output>(
    _ writing: inout Writing,
    _ body: (Writer) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    guard !writing.isClosed else { throw .closed }
    if writing.writer == nil { try reopen(&writing) }
    do throws(StoreError) {
      guard let writer = writing.writer else { throw .closed }
      return try body(writer)
    } catch {
      if writing.writer?.isUsable == false {
        // At once, since a quiet server has nothing to write, and is asked all the same.
        do throws(StoreError) { try reopen(&writing) } catch {
          // Questions are answered with that reason, and the next writing tries again.
        }
      }
      throw error
    }
  }

  /// Has a new file take the place of the old one; another thread's batch waits.
  ///
  /// - Parameter make: writes it, at `files.draft`.
  /// - Throws: what `make` throws, or why it could not take its place; the old file stays then.
  func replaceFile(_ make: (Writer) throws(StoreError) -> Void) throws(StoreError) {
    try writing.withLock { writing throws(StoreError) in
      defer { answers.change() }
      try use(&writing, make)
      var failure: StoreError?
      do throws(StoreError) {
        // Questions under way are asked again of the new file, see `asking`.
        try closeFile(&writing)
        try files.takeDraft()
      } catch { failure = error }
      try reopen(&writing)
      if let failure { throw failure }
    }
  }

  /// Opens the file, after closing it: DuckDB's lock does not hold within a process.
  private func reopen(_ writing: inout Writing) throws(StoreError) {
    do throws(StoreError) {
      try closeFile(&writing)
      let (writer, pool) = try files.open()
      writing.writer = writer
      replaceReaders(with: Readers(pool: pool))
    } catch {
      replaceReaders(with: Readers(absence: error))
      throw error
    }
  }

  /// Stops what is asked and closes the file, which is done when nobody holds it any more.
  ///
  /// - Throws: `.engine` when it is still held after a minute; it must not be opened again then.
  private func closeFile(_ writing: inout Writing) throws(StoreError) {
    writing.writer = nil
    replaceReaders(with: Readers())
    guard let isFileClosed = writing.isFileClosed else { return }
    guard isFileClosed.wait(timeoutSeconds: 60, until: { $0 ? true : nil }) != nil else {
      throw .engine("the file is still open, 60 s after all questions were stopped")
    }
  }

  private func replaceReaders(with new: Readers) {
    let old = readers.withLock { readers in
      defer { readers = new }
      return readers
    }
    old.pool?.close()
  }
}
