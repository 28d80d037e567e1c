import EventStore

/// What an import came to by a line of its file, kept in the transaction that adds the events up to there: an
/// import that was interrupted reads its file anew, and would take what it added itself for repeats.
///
/// That of one import is kept, until the next: also one that is done may be gone on with, when nobody was told.
struct ImportTally {
  /// Lines of the file that were read, or rows.
  var lines: Int
  /// What became of them.
  var result: ImportResult

  /// What an earlier attempt under this mark came to; nil where there was none.
  static func begin(_ mark: String, over connection: Connection) throws(StoreError) -> ImportTally?
  {
    _ = try connection.rows(
      SQL(
        """
        CREATE TABLE IF NOT EXISTS import_tally (
          mark VARCHAR, lines BIGINT, stored BIGINT, duplicates BIGINT, erased BIGINT, unreadable BIGINT
        )
        """
      )
    )
    let rows = try connection.rows(
      SQL(
        "SELECT lines, stored, duplicates, erased, unreadable FROM import_tally WHERE mark = $1",
        binding: [.text(mark)]
      )
    )
    guard let row = rows.first else { return nil }
    var result = ImportResult()
    result.stored = Int(try row.integer(1))
    result.duplicates = Int(try row.integer(2))
    result.erased = Int(try row.integer(3))
    result.unreadable = Int(try row.integer(4))
    return ImportTally(lines: Int(try row.integer(0)), result: result)
  }

  /// Writes it in place of what was kept before; within a transaction.
  func keep(_ mark: String, over connection: Connection) throws(StoreError) {
    try connection.run("DELETE FROM import_tally")
    let numbers = [lines, result.stored, result.duplicates, result.erased, result.unreadable]
    _ = try connection.rows(
      SQL(
        "INSERT INTO import_tally VALUES ($1, $2, $3, $4, $5, $6)",
        binding: [.text(mark)] + numbers.map { .integer(Int64($0)) }
      )
    )
  }
}
