import EventStore

/// Reads all of a file that is open, and goes on after what cannot be read.
struct StoreReader {
  /// Damages that are told with their place.
  private static let maxDamages = 10
  /// Rows that DuckDB keeps together, each column by itself.
  private static let groupRows = 122_880
  /// Rows that are read by one statement, some seconds' worth.
  private static let pieceRows = 8 * groupRows

  /// One table, as far as it says itself what it holds.
  private struct Table {
    let schema: String
    let name: String
    let columns: [String]
    var rows = 0

    /// Its name in a statement.
    var sql: String { "\(StoreReader.quoted(schema)).\(StoreReader.quoted(name))" }
    /// Values it holds.
    var cells: Double { Double(rows) * Double(columns.count) }
  }

  private let connection: Connection
  private var reading = StoreReading()

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Reads it all.
  ///
  /// - Throws: what is no damage, such as too little memory.
  mutating func read(
    _ progress: (String, Double) -> Void
  ) throws(StoreError) -> StoreReading {
    let tables = try tables()
    reading.tables = tables.count
    let cells = max(1, tables.reduce(0) { $0 + $1.cells })
    var done = 0.0
    for table in tables {
      for start in stride(from: 0, to: table.rows, by: Self.pieceRows) {
        progress(table.name, done / cells)
        let piece = start..<min(start + Self.pieceRows, table.rows)
        try read(piece, of: table)
        guard !reading.isCutShort else { return reading }
        done += Double(piece.count) * Double(table.columns.count)
      }
    }
    return reading
  }

  /// All tables, with how many rows they have; the metadata of one that does not say so is damaged.
  private mutating func tables() throws(StoreError) -> [Table] {
    let names = try connection.rows(
      SQL(
        """
        SELECT schema_name, table_name FROM duckdb_tables()
        WHERE NOT internal AND database_name = current_database() ORDER BY ALL
        """
      )
    )
    var tables: [Table] = []
    for row in names {
      let (schema, name) = (try row.text(0), try row.text(1))
      let columns = try connection.rows(
        SQL(
          """
          SELECT column_name FROM duckdb_columns()
          WHERE database_name = current_database() AND schema_name = $1 AND table_name = $2
          ORDER BY column_index
          """,
          binding: [.text(schema), .text(name)]
        )
      )
      var table = Table(
        schema: schema,
        name: name,
        columns: try columns.map { (row) throws(StoreError) in try row.text(0) }
      )
      let failure = try Self.failure { () throws(StoreError) in
        let last = try connection.rows(SQL("SELECT coalesce(max(rowid), -1) FROM \(table.sql)"))
        table.rows = Int(try last.first?.integer(0) ?? -1) + 1
      }
      if let failure { note(failure, table, column: nil, rows: nil) }
      tables.append(table)
    }
    return tables
  }

  private mutating func read(_ rows: Range<Int>, of table: Table) throws(StoreError) {
    let failure = try Self.failure { () throws(StoreError) in
      reading.rows += try readValues(table.columns, rows, of: table)
    }
    guard let failure else { return }
    guard !failure.isEnd, reading.damages.count < Self.maxDamages else {
      return note(failure, table, column: nil, rows: rows)
    }
    // Which of its columns, and where.
    let known = reading.damages.count + reading.moreDamages
    for column in table.columns {
      for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.groupRows) {
        let group = start..<min(start + Self.groupRows, rows.upperBound)
        let failure = try Self.failure { () throws(StoreError) in
          _ = try readValues([column], group, of: table)
        }
        if let failure { note(failure, table, column: column, rows: group) }
        guard !reading.isCutShort else { return }
      }
    }
    if reading.damages.count + reading.moreDamages == known {
      note(failure, table, column: nil, rows: rows)
    }
  }

  /// Has DuckDB look at every value of some columns, and keep none.
  ///
  /// - Returns: how many rows there are; those that were deleted are not counted.
  private func readValues(
    _ columns: [String],
    _ rows: Range<Int>,
    of table: Table
  ) throws(StoreError) -> Int {
    let values = columns.map { "bit_xor(hash(\(Self.quoted($0))))" }
    let answer = try connection.rows(
      SQL(
        """
        SELECT \((["count(*)"] + values).joined(separator: ", ")) FROM \(table.sql)
        WHERE rowid >= \(rows.lowerBound) AND rowid < \(rows.upperBound)
        """
      )
    )
    return Int(try answer.first?.integer(0) ?? 0)
  }

  /// Why something could not be read.
  private struct Failure {
    let reason: String
    /// Whether DuckDB answers nothing more.
    let isEnd: Bool
  }

  /// Runs the body.
  ///
  /// - Returns: what of its failure is the file's; nil where there is none.
  /// - Throws: every other failure.
  private static func failure(
    _ body: () throws(StoreError) -> Void
  ) throws(StoreError) -> Failure? {
    do throws(StoreError) {
      try body()
      return nil
    } catch {
      switch error {
      case .engine(let message), .invalidData(let message):
        return Failure(
          reason: message.split(separator: "\n").first.map(String.init) ?? message,
          isEnd: error.isOfInvalidatedDatabase || message.contains("INTERNAL Error")
        )
      default: throw error
      }
    }
  }

  private mutating func note(
    _ failure: Failure,
    _ table: Table,
    column: String?,
    rows: Range<Int>?
  ) {
    if failure.isEnd { reading.isCutShort = true }
    guard reading.damages.count < Self.maxDamages else {
      reading.moreDamages += 1
      return
    }
    reading.damages.append(
      StoreDamage(
        table: table.name,
        column: column,
        rows: rows.map { $0.lowerBound...$0.upperBound - 1 },
        reason: failure.reason
      )
    )
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }
}
