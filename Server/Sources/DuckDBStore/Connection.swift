import CDuckDB
import EventRecord
import EventStore
import FootfallSystem

/// One connection to a database.
///
/// One thread at a time; only `interrupt` may come from another.
///
/// Safety: whoever holds a connection gives it to one thread at a time (writer lock, reader pool).
final class Connection: @unchecked Sendable {
  let library: DuckDBLibrary
  let handle: ddb_connection
  // Keeps the database open.
  private let database: Database

  init(_ handle: ddb_connection, to database: Database) {
    self.handle = handle
    self.database = database
    library = database.library
  }

  deinit {
    var handle: ddb_connection? = handle
    library.disconnect(&handle)
  }

  /// Whether the database's file is closed.
  var isFileClosed: Monitor<Bool> { database.isClosed }

  /// Stops the statement that runs on this connection; any thread.
  func interrupt() {
    library.interrupt(handle)
  }

  /// Has the connection measure how far its statements are, and print nothing.
  static let measuring = """
    SET enable_progress_bar = true; SET enable_progress_bar_print = false; SET progress_bar_time = 0
    """

  /// How far the statement under way is, from 0 to 1, where that is measured; any thread.
  var progress: Double? {
    let percentage = library.queryProgress(handle).percentage
    return percentage >= 0 ? percentage / 100 : nil
  }

  /// Runs statements without parameters or answer.
  ///
  /// - Throws: `.engine` with DuckDB's message.
  func run(_ text: String) throws(StoreError) {
    var result = ddb_result()
    let state = library.query(handle, text, &result)
    defer { library.destroyResult(&result) }
    guard state == 0 else { throw error(of: &result) }
  }

  /// Ends a transaction and forgets what it did.
  ///
  /// - Returns: false where none is open, and where it was interrupted and one still may be.
  @discardableResult
  func rollBack() -> Bool {
    var result = ddb_result()
    let state = library.query(handle, "ROLLBACK", &result)
    library.destroyResult(&result)
    return state == 0
  }

  /// Runs one statement and gives its answer to `body`.
  ///
  /// - Throws: `.engine` with DuckDB's message, or what `body` throws.
  func query<Output>(
    _ sql: SQL,
    _ body: (borrowing ResultReader) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    var statement: ddb_statement?
    let prepared = library.prepare(handle, sql.text, &statement)
    defer { library.destroyPrepare(&statement) }
    guard prepared == 0 else {
      throw .engine(library.prepareError(statement).map { String(cString: $0) } ?? "not prepared")
    }
    for (index, value) in sql.bindings.enumerated() {
      try bind(value, to: statement, at: UInt64(index + 1))
    }
    var result = ddb_result()
    let state = library.execute(statement, &result)
    guard state == 0 else {
      defer { library.destroyResult(&result) }
      throw error(of: &result)
    }
    return try body(ResultReader(result, library: library))
  }

  /// Runs one statement and reads all of its rows.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - isWanted: asked now and then while rows are read.
  /// - Returns: The rows.
  /// - Throws: `.engine` with DuckDB's message; `.cancelled` once the rows are not wanted any more.
  func rows(
    _ sql: SQL,
    while isWanted: () -> Bool = { true }
  ) throws(StoreError) -> [Row] {
    try query(sql) { (result) throws(StoreError) in try result.rows(while: isWanted) }
  }

  private func bind(
    _ value: SQLValue,
    to statement: ddb_statement?,
    at parameter: UInt64
  ) throws(StoreError) {
    var made = make(value)
    defer { library.destroyValue(&made) }
    guard library.bindValue(statement, parameter, made) == 0 else {
      throw .engine("parameter $\(parameter) was refused")
    }
  }

  private func make(_ value: SQLValue) -> ddb_value? {
    switch value {
    case .null: library.createNull()
    case .integer(let number): library.createInt64(number)
    case .double(let number): library.createDouble(number)
    case .boolean(let truth): library.createBool(truth)
    case .time(let ms): library.createTimestampMs(ddb_timestamp_ms(milliseconds: ms))
    case .key(let key): library.createUUID(ddb_uhugeint(lower: key.low, upper: key.high))
    case .text(var text):
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          library.createText($0.baseAddress, UInt64($0.count))
        }
      }
    }
  }

  private func error(of result: inout ddb_result) -> StoreError {
    StoreError(duckDB: library.resultError(&result).map { String(cString: $0) })
  }
}
