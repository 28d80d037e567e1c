import EventStore

/// The columns of a file with events, and how DuckDB writes and reads them.
///
/// Times are milliseconds since 1970. `key` and `plan` are what makes an import of the same events add
/// nothing; a file of other origin may leave them out, then `id` does, or all that the event says.
enum TransferColumns {
  private struct Column {
    let name: String
    let type: String
    /// What it is made of.
    let source: String
    var isJSON = false
  }

  private static let columns = [
    Column(name: "project", type: "BIGINT", source: "project_id"),
    Column(name: "key", type: "VARCHAR", source: "replace(event_key::VARCHAR, '-', '')"),
    Column(name: "plan", type: "BIGINT", source: "key_plan"),
    Column(name: "kind", type: "BIGINT", source: "kind"),
    Column(name: "test", type: "BOOLEAN", source: "is_test"),
    Column(name: "name", type: "VARCHAR", source: "name"),
    Column(name: "ts", type: "BIGINT", source: "epoch_ms(ts::TIMESTAMP)"),
    Column(name: "corrected_ts", type: "BIGINT", source: "epoch_ms(corrected_at::TIMESTAMP)"),
    Column(name: "received_ts", type: "BIGINT", source: "epoch_ms(received_at::TIMESTAMP)"),
    Column(name: "seq", type: "BIGINT", source: "seq"),
    Column(name: "id", type: "VARCHAR", source: "event_id"),
    Column(name: "device_id", type: "VARCHAR", source: "device_id"),
    Column(name: "user_id", type: "VARCHAR", source: "user_id"),
    Column(name: "session_id", type: "VARCHAR", source: "session_id"),
    Column(name: "props", type: "JSON", source: "props", isJSON: true),
    Column(name: "groups", type: "JSON", source: "groups", isJSON: true),
    Column(name: "ops", type: "JSON", source: "ops", isJSON: true),
    Column(name: "context", type: "JSON", source: "context", isJSON: true),
    Column(name: "client", type: "JSON", source: "client", isJSON: true),
  ]

  /// The names of all columns, in their order.
  static let order = columns.map(\.name)
  /// The names of all columns.
  static let names = Set(order)

  /// The list of a SELECT that writes a file; objects stay objects where the form knows them.
  static func writing(_ format: TransferFormat) -> String {
    columns.map { column in
      let cast = column.isJSON && format == .ndjson ? "::JSON" : ""
      let isText = column.type == "VARCHAR" || column.isJSON
      let value =
        format == .spreadsheet && isText ? harmless(column.source) : "\(column.source)\(cast)"
      return "\(value) AS \"\(column.name)\""
    }.joined(separator: ", ")
  }

  /// A text as it is, or with an apostrophe in front where a spreadsheet would take it for a formula.
  private static func harmless(_ text: String) -> String {
    "CASE WHEN left(\(text), 1) IN ('=', '+', '-', '@', chr(9), chr(13)) "
      + "THEN '''' || \(text) ELSE \(text) END"
  }

  /// The statement that says which columns a Parquet file has, and of which types.
  static func describing(_ path: String) -> String {
    "DESCRIBE SELECT * FROM \(parquet(path))"
  }

  /// The statement that reads a Parquet file's columns as texts, empty for what it lacks.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - types: the types of its columns by their names.
  /// - Returns: the statement.
  static func reading(_ path: String, types: [String: String]) -> String {
    let list = columns.map { column in
      let name = "\"\(column.name)\""
      let text =
        switch types[column.name] {
        case nil: "NULL"
        case let type? where type.hasPrefix("TIMESTAMP"):
          "epoch_ms(\(name)::TIMESTAMP)::VARCHAR"
        case let type? where type.hasPrefix("STRUCT") || type.hasPrefix("MAP"):
          "to_json(\(name))::VARCHAR"
        default: "\(name)::VARCHAR"
        }
      return "coalesce(\(text), '') AS \(name)"
    }
    return "SELECT \(list.joined(separator: ", ")) FROM \(parquet(path))"
  }

  // A folder named `project=5` is no column, either.
  private static func parquet(_ path: String) -> String {
    "read_parquet(\(quoted(pattern(for: path))), hive_partitioning = false)"
  }

  /// The pattern that means this one file: DuckDB reads every path as one.
  private static func pattern(for path: String) -> String {
    path.reduce(into: "") { $0 += "*?[".contains($1) ? "[\($1)]" : String($1) }
  }

  /// A path as a text of SQL: parameters are not taken there.
  static func quoted(_ path: String) -> String {
    "'\(path.replacing("'", with: "''"))'"
  }
}
