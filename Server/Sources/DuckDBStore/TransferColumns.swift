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

  /// The list of a SELECT that writes a file; objects stay objects where the form knows them.
  static func writing(_ format: TransferFormat) -> String {
    columns.map { column in
      let cast = column.isJSON && format == .ndjson ? "::JSON" : ""
      return "\(column.source)\(cast) AS \"\(column.name)\""
    }.joined(separator: ", ")
  }

  /// The statement that reads a file, each row in the order of `columns`.
  static func reading(_ format: TransferFormat, path: String) -> String {
    // A folder named `project=5` is no column, either.
    let path = "\(quoted(pattern(for: path))), hive_partitioning = false"
    switch format {
    case .amplitude:
      return """
        SELECT json::VARCHAR AS line FROM read_json_objects(\(path), format = 'newline_delimited')
        """
    case .ndjson:
      let types = columns.map { "\"\($0.name)\": '\($0.type)'" }.joined(separator: ", ")
      return """
        SELECT \(selection) FROM
          read_json(\(path), format = 'newline_delimited', columns = {\(types)})
        """
    case .csv:
      return "SELECT \(selection) FROM read_csv(\(path), header = true, all_varchar = true)"
    case .parquet:
      return "SELECT \(selection) FROM read_parquet(\(path))"
    }
  }

  /// The pattern that means this one file: DuckDB reads every path as one.
  private static func pattern(for path: String) -> String {
    path.reduce(into: "") { $0 += "*?[".contains($1) ? "[\($1)]" : String($1) }
  }

  /// A path as a text of SQL: parameters are not taken there.
  static func quoted(_ path: String) -> String {
    "'\(path.replacing("'", with: "''"))'"
  }

  private static var selection: String {
    columns.map { column in
      let type = column.isJSON ? "VARCHAR" : column.type
      return "\"\(column.name)\"::\(type) AS \"\(column.name)\""
    }.joined(separator: ", ")
  }
}
