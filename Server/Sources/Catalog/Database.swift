import CSQLite
import Foundation

/// A value that goes into a statement.
package enum SQLValue {
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
  case null

  static func optional(_ value: Int64?) -> Self { value.map(Self.integer) ?? .null }
  static func optional(_ value: String?) -> Self { value.map(Self.text) ?? .null }
}

/// The current row of a running statement; valid only inside the closure it is handed to.
package struct SQLRow {
  fileprivate let statement: OpaquePointer

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// A project's number; the nearest one where a damaged file holds none.
  package func project(_ column: Int32) -> UInt32 { UInt32(clamping: integer(column)) }
  package func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : sqlite3_column_int64(statement, column)
  }

  package func text(_ column: Int32) -> String {
    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
  }

  package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  package func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }
}

/// One SQLite connection with its prepared statements, for one thread at a time.
package final class Database {
  /// How long a call waits while another process holds the file, in milliseconds.
  var patienceMs: Int32 {
    didSet { sqlite3_busy_timeout(handle, patienceMs) }
  }
  private let handle: OpaquePointer
  private let path: String
  private var statements: [String: OpaquePointer] = [:]

  /// Opens the file and makes it if it is missing; its folder must exist.
  ///
  /// While another process holds the file a call waits `busyMs` milliseconds, then fails as `busy`.
  package convenience init(path: String, busyMs: Int32) throws(CatalogError) {
    try self.init(path: path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyMs: busyMs)
    // What is deleted or replaced is written over.
    try script("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
  }

  /// Opens a file that is there, for reading alone.
  package convenience init(existing path: String) throws(CatalogError) {
    try self.init(path: path, SQLITE_OPEN_READONLY, busyMs: 5_000)
  }

  private init(path: String, _ access: Int32, busyMs: Int32) throws(CatalogError) {
    var opened: OpaquePointer?
    let flags = access | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let systemError = opened.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(opened)
      if let trouble = Self.trouble(code, systemError, of: path) {
        throw .file(path: path, trouble)
      }
      throw .sqlite(operation: "opening \(path)", code: code, message: message)
    }
    handle = opened
    self.path = path
    patienceMs = busyMs
    sqlite3_busy_timeout(handle, busyMs)
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Keeps others from the file.
  ///
  /// SQLite gives its side files the mode of the main file.
  func protect(_ path: String) throws(CatalogError) {
    guard path == ":memory:" || chmod(path, 0o600) == 0 else {
      throw .sqlite(operation: "protecting \(path)", code: errno, message: "its mode stays open")
    }
  }

  /// Runs statements without values, as in migrations.
  package func script(_ sql: String) throws(CatalogError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, at: sql) }
  }

  /// Runs one statement and returns how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: SQLValue...) throws(CatalogError) -> Int {
    try run(sql, values)
  }

  /// Runs one statement and returns how many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: [SQLValue]) throws(CatalogError) -> Int {
    _ = try step(sql, values) { (_: SQLRow) -> Void in }
    return Int(sqlite3_changes(handle))
  }

  /// Runs one statement and reads every row.
  func rows<T>(
    _ sql: String,
    _ values: SQLValue...,
    read: (SQLRow) -> T
  ) throws(CatalogError) -> [T] {
    try rows(sql, values, read: read)
  }

  /// Runs one statement and reads every row.
  package func rows<T>(
    _ sql: String,
    _ values: [SQLValue],
    read: (SQLRow) -> T
  ) throws(CatalogError) -> [T] {
    try step(sql, values, read)
  }

  /// The number the last `INSERT` on this connection was given.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs the body in one write transaction, taken at once so that it cannot fail half-way with `busy`.
  package func transaction<T>(_ body: () throws(CatalogError) -> T) throws(CatalogError) -> T {
    try script("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try script("COMMIT")
      return result
    } catch {
      // SQLite may have rolled back by itself; a second rollback then fails and changes nothing.
      _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Moves what was committed into the file itself.
  ///
  /// Otherwise the whole catalogue would stay in the log beside it for months, where one damaged byte
  /// takes everything after it, and where a copy of the file alone does not find it. Not done now,
  /// because another process reads, it is done after the next change.
  ///
  /// - Returns: whether it was done.
  @discardableResult
  package func emptyWriteAheadLog() -> Bool {
    // While it waits for readers nobody else can write.
    let usual = patienceMs
    patienceMs = 50
    defer { patienceMs = usual }
    return sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
  }

  /// Sees that nothing of what was deleted or replaced is left in the file, nor in the log beside it.
  ///
  /// Outside a transaction. Waits up to 5 s for whoever reads. A file that an older program wrote, which
  /// left what it deleted in its place, is rewritten once.
  ///
  /// - Throws: `busy` when somebody goes on reading, or what SQLite says; calling again is right.
  package func leaveNothing() throws(CatalogError) {
    let mark = try rows("PRAGMA application_id") { $0.integer(0) }.first
    if mark != Self.tidyMark { try script("VACUUM; PRAGMA application_id = \(Self.tidyMark)") }
    for _ in 0..<100 where emptyWriteAheadLog() { return }
    throw .busy
  }

  /// What a file is marked with whose deleted rows were written over; “FFT1”.
  private static let tidyMark: Int64 = 0x4646_5431

  private func step<T>(
    _ sql: String,
    _ values: [SQLValue],
    _ read: (SQLRow) -> T
  ) throws(CatalogError) -> [T] {
    let statement = try prepared(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let code = bind(value, to: statement, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw failure(code, at: sql) }
    }
    var result: [T] = []
    while true {
      let code = sqlite3_step(statement)
      switch code {
      case SQLITE_ROW: result.append(read(SQLRow(statement: statement)))
      case SQLITE_DONE: return result
      default: throw failure(code, at: sql)
      }
    }
  }

  private func prepared(_ sql: String) throws(CatalogError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var made: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &made, nil)
    guard code == SQLITE_OK, let made else { throw failure(code, at: sql) }
    statements[sql] = made
    return made
  }

  private func bind(_ value: SQLValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT: the library copies what it is given, since our buffers end with the call.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .integer(let integer): return sqlite3_bind_int64(statement, index, integer)
    case .text(let text): return sqlite3_bind_text(statement, index, text, -1, copied)
    case .bytes(let bytes):
      return sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), copied)
    case .null: return sqlite3_bind_null(statement, index)
    }
  }

  private static func trouble(
    _ code: Int32,
    _ systemError: Int32,
    of path: String
  ) -> FileTrouble? {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return FileTrouble(
      code: code,
      systemError: systemError,
      freeBytes: {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
      },
      // A folder that is not there is none that may not be written.
      isWritable: { access(folder, F_OK) != 0 || access(folder, W_OK) == 0 }
    )
  }

  private func failure(_ code: Int32, at sql: String) -> CatalogError {
    let primary = code & 0xff
    if primary == SQLITE_BUSY || primary == SQLITE_LOCKED { return .busy }
    if let trouble = Self.trouble(
      sqlite3_extended_errcode(handle),
      sqlite3_system_errno(handle),
      of: path
    ) {
      return .file(path: path, trouble)
    }
    let operation = sql.split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
    return .sqlite(
      operation: operation,
      code: sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle))
    )
  }
}
