/// An open database; for one thread, and closed with the last reference to it.
package final class SQLiteDatabase {
  /// What a column holds.
  package enum Value: Equatable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// Text, or whatever else, as SQLite writes it.
    case text(String)
  }

  private let library: SQLiteLibrary
  private let connection: OpaquePointer

  /// How long another connection is waited for, in milliseconds.
  private static let patience: Int32 = 500

  init(_ path: String, _ library: SQLiteLibrary, creates: Bool) throws(SQLiteFailure) {
    var opened: OpaquePointer?
    let flags = SQLiteLibrary.Code.openReadWrite | (creates ? SQLiteLibrary.Code.openCreate : 0)
    let code = library.open(path, &opened, flags, nil)
    // A connection that could not be opened has to be closed too.
    guard code == SQLiteLibrary.Code.ok, let opened else {
      let reason = Self.reason(library, opened, code)
      _ = library.close(opened)
      throw SQLiteFailure(reason)
    }
    _ = library.waitWhenBusy(opened, Self.patience)
    self.library = library
    connection = opened
  }

  deinit {
    _ = library.close(connection)
  }

  /// All rows that a statement gives, its numbered blanks filled with `numbers`.
  @discardableResult
  package func rows(_ sql: String, _ numbers: Int64...) throws(SQLiteFailure) -> [[Value]] {
    var prepared: OpaquePointer?
    let code = library.prepare(connection, sql, -1, &prepared, nil)
    guard code == SQLiteLibrary.Code.ok, let statement = prepared else { throw failure(code) }
    defer { _ = library.finalize(statement) }
    for (index, number) in numbers.enumerated() {
      let code = library.bindInteger(statement, Int32(index + 1), number)
      guard code == SQLiteLibrary.Code.ok else { throw failure(code) }
    }
    var rows: [[Value]] = []
    while true {
      let code = library.step(statement)
      if code == SQLiteLibrary.Code.done { return rows }
      guard code == SQLiteLibrary.Code.row else { throw failure(code) }
      rows.append((0..<library.columnCount(statement)).map { value(statement, $0) })
    }
  }

  private func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
    switch library.columnType(statement, column) {
    case SQLiteLibrary.Code.null: return .null
    case SQLiteLibrary.Code.integer: return .integer(library.columnInteger(statement, column))
    default:
      // Safety: asked for in this order, the length is that of the text, which lives until the next
      // step.
      guard let text = library.columnText(statement, column) else { return .null }
      let length = Int(library.columnBytes(statement, column))
      return .text(
        String(decoding: UnsafeBufferPointer(start: text, count: length), as: UTF8.self)
      )
    }
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(Self.reason(library, connection, code))
  }

  private static func reason(
    _ library: SQLiteLibrary,
    _ connection: OpaquePointer?,
    _ code: Int32
  ) -> String {
    let words = connection.flatMap { library.message($0) }.map { String(cString: $0) }
    return "SQLite answered \(code): \(words ?? "no reason given")"
  }
}
