import CDuckDB
import EventRecord
import EventStore

extension DerivedTables {
  /// Works out what holds of everyone in a project, or of some people and groups only.
  func writeProperties(of project: UInt32, only wanted: Set<Int64>? = nil) throws(StoreError) {
    var known: [Int64: KnownProperties] = [:]
    for row in try connection.rows(
      SQL(
        """
        SELECT subject, \(PropertyChange.columns) FROM property_changes
        WHERE project_id = $1 AND (kind = 2 OR subject IS NOT NULL)
        ORDER BY corrected_at, seq, event_key
        """,
        binding: [.integer(Int64(project))]
      )
    ) {
      let change = try PropertyChange(row, from: 1)
      let subjects: Set<Int64> =
        change.kind == .groupIdentify
        ? change.groupSubjects(project: project) : [try row.integer(0)]
      for subject in subjects where wanted?.contains(subject) ?? true {
        known[subject, default: KnownProperties()].apply([change])
      }
    }
    try KnownProperties.table.insert(
      known.compactMap { $0.value.row(subject: $0.key, project: project) },
      over: connection
    )
  }

  /// Works out what all events tell of money.
  func writeRevenues() throws(StoreError) {
    let hints =
      RevenueFact.hintsInProperties.map { "contains(props, '\($0)')" }
      + RevenueFact.hintsInContext.map { "contains(context, '\($0)')" }
    var rows: [[SQLValue]] = []
    for row in try connection.rows(
      SQL(
        """
        SELECT event_key, project_id, corrected_at, person, is_test, props, context FROM events
        WHERE kind = 0 AND (\(hints.joined(separator: " OR ")))
        """
      )
    ) {
      let fact = RevenueFact(properties: try row.text(5), context: try row.text(6))
      if let fact { rows.append(Array(row.values[..<5]) + fact.values) }
    }
    try RevenueFact.table.insert(rows, over: connection)
  }
}

extension RevenueFact {
  static let table = RowTable(
    name: "revenues",
    types: [
      DDB_UUID, DDB_BIGINT, DDB_TIMESTAMP_MS, DDB_BIGINT, DDB_BOOLEAN, DDB_BIGINT, DDB_DOUBLE,
      DDB_DOUBLE, DDB_VARCHAR, DDB_VARCHAR, DDB_VARCHAR, DDB_BOOLEAN,
    ].map { Int($0) }
  )

  /// The columns that are the fact's own, the last seven.
  var values: [SQLValue] {
    func text(_ text: String) -> SQLValue { text.isEmpty ? .null : .text(text) }
    return [
      .integer(amountMicros), price.map { .double($0) } ?? .null, .double(quantity),
      text(currency), text(product), text(type), .boolean(isVerifiable),
    ]
  }
}
