public import EventStore
public import FootfallJournal
import FootfallSystem

/// Events in one DuckDB file, in the server's own process.
///
/// One process at a time: the file is locked while it is open. Writing goes over one connection,
/// reading over a bounded number of others. Memory beside DuckDB's own: up to
/// `DuckDBOptions.maxKeyBytes` for keys of recent minutes (UUIDv7 ids) and days (Amplitude), more while
/// one batch needs it, and about 27 bytes for every stored event whose id is not a UUIDv7 of about the
/// event's own time.
public final class DuckDBEventStore: EventStore {
  /// The version of the tables this program reads and writes.
  public static let schemaVersion = Schema.version

  /// DuckDB's own version, for example `v2.0.1`.
  public let libraryVersion: String

  private let writer: Lock<Writer?>
  private let readers: ReaderPool
  private let rowsPerCheckpoint: Int

  /// Opens or creates the file.
  ///
  /// - Parameters:
  ///   - path: the database's file; its folder must exist.
  ///   - library: where `libduckdb.so` lies.
  ///   - options: how much of the machine it may use.
  /// - Throws: `StoreError`: `.unavailable` without the library, `.newerSchema` for the data of a
  ///   newer program, `.engine` with DuckDB's message when the file cannot be opened.
  public init(path: String, library: String, options: DuckDBOptions = DuckDBOptions()) throws {
    let library = try DuckDBLibrary(path: library)
    let database = try Database(
      path: path,
      library: library,
      settings: Self.settings(path: path, options: options)
    )
    let connection = try database.connect()
    try Schema.prepare(connection, programVersion: options.programVersion)
    libraryVersion = library.version().map { String(cString: $0) } ?? ""
    writer = Lock(try Writer(connection, maxKeyBytes: options.maxKeyBytes))
    readers = try ReaderPool(
      database,
      limit: options.readers,
      patienceSeconds: options.queryTimeLimitSeconds
    )
    rowsPerCheckpoint = options.rowsPerCheckpoint
  }

  /// DuckDB's dialect.
  public var dialect: Dialect { .duckDB }

  /// Adds a batch in one transaction; another thread's batch waits.
  ///
  /// - Throws: `StoreError` when nothing of the batch was stored.
  public func load(_ batch: LoadBatch) throws -> LoadResult {
    try writer.withLock { writer throws(StoreError) in try Self.open(writer).load(batch) }
  }

  /// Up to where a log has been loaded.
  ///
  /// - Throws: `StoreError`.
  public func position(ofLog log: JournalID) throws -> JournalPosition? {
    try writer.withLock { writer throws(StoreError) in
      try Self.open(writer).position(ofLog: log)
    }
  }

  /// Answers an insight.
  ///
  /// - Throws: `StoreError` when it cannot be answered, is too slow, or was cancelled.
  public func answer<Question: Insight>(
    _ insight: Question,
    cancellation: Cancellation?
  ) throws -> Question.Output {
    try insight.output(of: rows(insight.sql(dialect), cancellation: cancellation))
  }

  /// Runs one reading statement on a connection of its own.
  ///
  /// - Throws: `StoreError` when it cannot be answered, is too slow, or was cancelled.
  public func rows(_ sql: SQL, cancellation: Cancellation?) throws -> [Row] {
    try readers.rows(sql, cancellation: cancellation)
  }

  /// Moves new rows from the write-ahead log into the file when there are many.
  public func idle() {
    writer.withLock { writer in
      do {
        try writer?.checkpoint(afterRows: rowsPerCheckpoint)
      } catch {
        // Nothing is lost: the rows stay in the write-ahead log until the next quiet moment.
      }
    }
  }

  /// Waits for what runs and closes the file; every later call throws `.closed`.
  public func close() {
    readers.close()
    writer.withLock { $0 = nil }
  }

  private static func open(_ writer: Writer?) throws(StoreError) -> Writer {
    guard let writer else { throw .closed }
    return writer
  }

  private static func settings(path: String, options: DuckDBOptions) -> [(String, String)] {
    var settings = [
      ("memory_limit", "\(options.memoryLimitBytes)B"),
      ("temp_directory", path + ".tmp"),
      // Large loads go straight into the file; what is small is moved there when there is time.
      ("checkpoint_threshold", "256MB"),
      // The server never loads code from the network.
      ("autoinstall_known_extensions", "false"),
      ("autoload_known_extensions", "false"),
      ("allow_community_extensions", "false"),
    ]
    if options.threads > 0 { settings.append(("threads", "\(options.threads)")) }
    return settings
  }
}
