import CDuckDB
import EventRecord
import EventStore

/// Removes what an erasure concerns, over the writer's connection and inside its transaction.
struct Eraser {
  private let connection: Connection
  private let erasure: Erasure

  init(_ connection: Connection, _ erasure: Erasure) {
    self.connection = connection
    self.erasure = erasure
  }

  /// Removes the events, works out anew what follows from the others, and notes the erasure.
  ///
  /// - Returns: how many events were removed; 0 when it was done before.
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func run() throws(StoreError) -> Int {
    let id = SQLValue.integer(erasure.id)
    guard
      try connection.rows(SQL("SELECT 1 FROM erasures_done WHERE erasure = $1", binding: [id]))
        .isEmpty
    else { return 0 }
    let removed = try withSpans { (condition) throws(StoreError) in
      try connection.query(
        SQL("DELETE FROM events WHERE \(condition)", binding: bindings)
      ) { (result) throws(StoreError) in result.rowsChanged }
    }
    if try forget() + removed > 0 { try DerivedTables(connection).rebuild() }
    _ = try connection.rows(SQL("INSERT INTO erasures_done VALUES ($1)", binding: [id]))
    return removed
  }

  /// Forgets what is known of a whole person beside the events, also by events that were kept for long
  /// enough and removed before.
  ///
  /// - Returns: how many rows there were; what later events say is worked out anew.
  private func forget() throws(StoreError) -> Int {
    let isWhole = erasure.name == nil && erasure.fromMs == nil && erasure.toMs == nil
    guard isWhole, (erasure.user == nil) != (erasure.device == nil),
      let person = erasure.user ?? erasure.device
    else { return 0 }
    var rows = 0
    let owner = erasure.user == nil ? "device" : "person"
    for (table, column) in [
      ("current_properties", "subject"), ("device_users", owner), ("revenues", "person"),
    ] {
      rows += try connection.query(
        SQL(
          "DELETE FROM \(table) WHERE project_id = $1 AND \(column) = $2",
          binding: [.integer(Int64(erasure.project)), .integer(person)]
        )
      ) { (result) throws(StoreError) in result.rowsChanged }
    }
    return rows
  }

  /// How many events would be removed.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func count() throws(StoreError) -> Int {
    try withSpans { (condition) throws(StoreError) in
      let rows = try connection.rows(
        SQL("SELECT count(*) FROM events WHERE \(condition)", binding: bindings)
      )
      return Int(try rows.first?.integer(0) ?? 0)
    }
  }

  /// When which devices are a user's.
  static func spans(
    ofUser user: Int64,
    over connection: Connection
  ) throws(StoreError) -> [Erasure.Span] {
    var spans: [Erasure.Span] = []
    for row in try connection.rows(
      SQL(
        "SELECT device, from_at, to_at FROM device_users WHERE person = $1 AND from_at < to_at",
        binding: [.integer(user)]
      )
    ) {
      spans.append(
        Erasure.Span(
          device: try row.integer(0),
          fromMs: try row.time(1),
          toMs: try row.time(2)
        )
      )
    }
    return spans
  }

  private var bindings: [SQLValue] {
    func time(_ ms: Int64?) -> SQLValue { ms.map { .time($0) } ?? .null }
    return [
      .integer(Int64(erasure.project)), .time(erasure.askedAtMs), time(erasure.fromMs),
      time(erasure.toMs), erasure.name.map { .text($0) } ?? .null,
      erasure.user.map { .integer($0) } ?? .null,
    ]
  }

  private static let spans = RowTable(
    name: "erasure_spans",
    types: [DDB_BIGINT, DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS].map { Int($0) }
  )

  private static let devices = RowTable(name: "erasure_devices", types: [Int(DDB_VARCHAR)])

  /// Runs a statement with the condition on `events`; its parameters are `bindings`.
  private func withSpans<Output>(
    _ body: (String) throws(StoreError) -> Output
  ) throws(StoreError) -> Output {
    try connection.run(
      """
      CREATE TABLE erasure_spans (device BIGINT, from_at TIMESTAMP_MS, to_at TIMESTAMP_MS);
      CREATE TABLE erasure_devices (id VARCHAR)
      """
    )
    var spans = erasure.spans
    if let user = erasure.user { spans += try Self.spans(ofUser: user, over: connection) }
    try Self.spans.insert(
      Set(spans).map { [.integer($0.device), .time($0.fromMs), .time($0.toMs)] },
      over: connection
    )
    if let device = erasure.device {
      try Self.devices.insert(try ids(of: device).map { [.text($0)] }, over: connection)
    }
    let output = try body(
      """
      project_id = $1 AND corrected_at < $2 AND ($3 IS NULL OR corrected_at >= $3)
        AND ($4 IS NULL OR corrected_at < $4) AND ($5 IS NULL OR name = $5)
        AND ($6 IS NULL OR person = $6 OR user_id IS NULL AND EXISTS (
          SELECT 1 FROM erasure_spans AS span WHERE span.device = events.person
            AND events.corrected_at >= span.from_at AND events.corrected_at < span.to_at
        ))
        AND (\(erasure.device == nil) OR device_id IN (SELECT id FROM erasure_devices))
      """
    )
    try connection.run("DROP TABLE erasure_spans; DROP TABLE erasure_devices")
    return output
  }

  /// The device ids of a number: only the number is kept in an erasure.
  private func ids(of device: Int64) throws(StoreError) -> [String] {
    var found: [String] = []
    for row in try connection.rows(
      SQL(
        "SELECT DISTINCT device_id FROM events WHERE project_id = $1 AND device_id IS NOT NULL",
        binding: [.integer(Int64(erasure.project))]
      )
    ) {
      let id = try row.text(0)
      if PersonNumber.device(project: erasure.project, id: id) == device { found.append(id) }
    }
    return found
  }
}
