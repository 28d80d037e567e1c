import FootfallSystem

/// What some protocols must know to answer, in one SQLite file beside the catalogue: registered devices,
/// open sessions.
///
/// Transactions run one after the other on a thread of its own, and all that wait share one sync of
/// the disk. A transaction sees what those before it changed. Any thread; one process at a time.
public final class StateStore: Sendable {
  private struct Job: Sendable {
    let run: @Sendable (StateTransaction) -> (@Sendable (CatalogError?) -> Void)
    let fail: @Sendable (CatalogError) -> Void
    /// Whether it is over only once nothing is left of what it deletes.
    let leavesNothing: Bool
  }

  private struct Queue {
    var jobs: [Job] = []
    var isClosed = false
  }

  /// Transactions that may wait.
  private static let maxWaiting = 4_096

  private let queue = Monitor(Queue())
  private let thread = Lock<SystemThread?>(nil)

  /// Opens the file, or makes it (mode 0600); its folder must exist.
  ///
  /// - Parameter path: The file.
  /// - Throws: `newerFormat` when a newer Footfall wrote it, else what SQLite or the system says.
  public convenience init(path: String) throws(CatalogError) {
    try self.init(path: path, nowMs: CatalogClock.live.nowMs)
  }

  /// As above, with a clock of the caller's by which values expire.
  package init(path: String, nowMs: @escaping @Sendable () -> Int64) throws(CatalogError) {
    let database = try StateSchema.open(path)
    let worker = Lock(database)
    let queue = queue
    do throws(SystemError) {
      let started = try SystemThread(name: "ff-state") {
        while let jobs = Self.next(queue) {
          worker.withLock { Self.perform(jobs, on: $0, nowMs()) }
        }
        // A copy of the file alone is then whole.
        worker.withLock { _ = $0.emptyWriteAheadLog() }
      }
      thread.withLock { $0 = started }
    } catch {
      throw .sqlite(operation: "start", code: 0, message: "\(error)")
    }
  }

  /// Runs a transaction; never waits for the disk.
  ///
  /// - Parameters:
  ///   - leavesNothing: Whether it is over only once nothing is left in the files of what it deletes.
  ///   - body: Reads and changes; what it throws takes its own changes back.
  ///   - completion: Is called once, on the store's thread, when the changes survive a power cut, or
  ///     with why there are none. Only after true.
  /// - Returns: False when too much waits, or the store is closed.
  public func submit<Value: Sendable>(
    leavesNothing: Bool = false,
    _ body: @escaping @Sendable (StateTransaction) throws(CatalogError) -> Value,
    completion: @escaping @Sendable (Result<Value, CatalogError>) -> Void
  ) -> Bool {
    let job = Job(
      run: { transaction in
        do throws(CatalogError) {
          let value = try transaction.nested { () throws(CatalogError) in try body(transaction) }
          return { failure in completion(failure.map { .failure($0) } ?? .success(value)) }
        } catch {
          return { _ in completion(.failure(error)) }
        }
      },
      fail: { completion(.failure($0)) },
      leavesNothing: leavesNothing
    )
    return queue.change { queue in
      guard !queue.isClosed, queue.jobs.count < Self.maxWaiting else { return false }
      queue.jobs.append(job)
      return true
    }
  }

  /// Runs a transaction and waits for it; for tools and tests.
  public func run<Value: Sendable>(
    leavesNothing: Bool = false,
    _ body: @escaping @Sendable (StateTransaction) throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value {
    let outcome = Monitor<Result<Value, CatalogError>?>(nil)
    let isTaken = submit(
      leavesNothing: leavesNothing,
      body,
      completion: { result in outcome.change { $0 = result } }
    )
    guard isTaken else { throw .busy }
    return try outcome.wait { $0 }.get()
  }

  /// Lets what waits finish and closes the file; a second call does nothing.
  public func close() {
    queue.change { $0.isClosed = true }
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    running?.join()
  }

  private static func next(_ queue: Monitor<Queue>) -> [Job]? {
    queue.wait { queue -> [Job]?? in
      guard queue.jobs.isEmpty else {
        defer { queue.jobs.removeAll() }
        return .some(queue.jobs)
      }
      return queue.isClosed ? .some(nil) : .none
    }
  }

  private static func perform(_ jobs: [Job], on database: Database, _ nowMs: Int64) {
    var completions: [@Sendable (CatalogError?) -> Void] = []
    do throws(CatalogError) {
      try database.transaction { () throws(CatalogError) in
        let transaction = StateTransaction(database: database)
        completions = jobs.map { $0.run(transaction) }
        try transaction.removeExpired(nowMs)
      }
    } catch {
      for job in jobs where completions.isEmpty { job.fail(error) }
      for completion in completions { completion(error) }
      return
    }
    for (job, completion) in zip(jobs, completions) where !job.leavesNothing { completion(nil) }
    guard jobs.contains(where: \.leavesNothing) else { return }
    var failure: CatalogError?
    do throws(CatalogError) { try database.leaveNothing() } catch { failure = error }
    for (job, completion) in zip(jobs, completions) where job.leavesNothing { completion(failure) }
  }
}

/// Reads and changes state within one transaction; for the closure it is handed to.
public struct StateTransaction: Sendable {
  // Safety: used on the store's thread alone, while it holds the connection's lock.
  nonisolated(unsafe) let database: Database

  /// What a value is of; its ids are unique within.
  public enum Space: String, Sendable {
    /// Devices of Phase's clients.
    case phaseDevice = "phase_device"
    /// Sessions of Phase's clients.
    case phaseSession = "phase_session"
  }

  /// The value of an id; nil without one.
  public func value(_ space: Space, _ id: String) throws(CatalogError) -> String? {
    try database.rows(
      "SELECT value FROM entries WHERE space = ? AND id = ?",
      .text(space.rawValue),
      .text(id)
    ) { $0.text(0) }.first
  }

  /// Keeps a value, replacing the one before.
  ///
  /// - Parameters:
  ///   - value: the text.
  ///   - space: what it is of.
  ///   - id: whose it is.
  ///   - project: the project it belongs to.
  ///   - expiresAtMs: when it may be forgotten, in milliseconds since 1970; nil for never.
  /// - Throws: what SQLite says.
  public func set(
    _ value: String,
    _ space: Space,
    _ id: String,
    project: UInt32,
    expiresAtMs: Int64? = nil
  ) throws(CatalogError) {
    try database.run(
      """
      INSERT OR REPLACE INTO entries (space, id, project, value, expires_at)
      VALUES (?, ?, ?, ?, ?)
      """,
      .text(space.rawValue),
      .text(id),
      .integer(Int64(project)),
      .text(value),
      .optional(expiresAtMs)
    )
  }

  /// Forgets an id's value.
  public func remove(_ space: Space, _ id: String) throws(CatalogError) {
    try database.run(
      "DELETE FROM entries WHERE space = ? AND id = ?",
      .text(space.rawValue),
      .text(id)
    )
  }

  /// Forgets the values of a project that fit.
  public func remove(
    _ space: Space,
    project: UInt32,
    where fits: (_ id: String, _ value: String) -> Bool
  ) throws(CatalogError) {
    let entries = try database.rows(
      "SELECT id, value FROM entries WHERE space = ? AND project = ?",
      .text(space.rawValue),
      .integer(Int64(project))
    ) { ($0.text(0), $0.text(1)) }
    for (id, value) in entries where fits(id, value) { try remove(space, id) }
  }

  /// Forgets what may be forgotten; a little at a time.
  func removeExpired(_ nowMs: Int64) throws(CatalogError) {
    try database.run(
      """
      DELETE FROM entries WHERE (space, id) IN (
        SELECT space, id FROM entries WHERE expires_at < ? ORDER BY expires_at LIMIT 100)
      """,
      .integer(nowMs)
    )
  }

  /// Runs the body so that its changes are taken back if it throws.
  func nested<Value>(
    _ body: () throws(CatalogError) -> Value
  ) throws(CatalogError) -> Value {
    try database.script("SAVEPOINT job")
    do throws(CatalogError) {
      let value = try body()
      try database.script("RELEASE job")
      return value
    } catch {
      try database.script("ROLLBACK TO job; RELEASE job")
      throw error
    }
  }
}

/// The state file's tables.
private enum StateSchema {
  /// The format of the file, SQLite's `user_version`.
  static let format = 1

  static func open(_ path: String) throws(CatalogError) -> Database {
    let database = try Database(path: path, busyMs: 5_000)
    try database.protect(path)
    _ = try database.rows("PRAGMA journal_mode = WAL") { $0.text(0) }
    let found = try Int(database.rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0)
    guard found <= format else {
      throw .newerFormat(found: found, supported: format, needs: "(a newer version)")
    }
    if found == 0 { try database.script(tables) }
    return database
  }

  private static let tables = """
    BEGIN;
    -- What a protocol knows of an id; the value is the protocol's own text.
    CREATE TABLE entries (
      space TEXT NOT NULL,
      id TEXT NOT NULL,
      project INTEGER NOT NULL,
      value TEXT NOT NULL,
      expires_at INTEGER,
      PRIMARY KEY (space, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
    CREATE INDEX entries_by_project ON entries (project, space);
    PRAGMA user_version = 1;
    COMMIT;
    """
}
