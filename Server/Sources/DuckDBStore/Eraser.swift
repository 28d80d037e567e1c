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
    let removed = try withSpans { (concerned) throws(StoreError) in try remove(concerned) }
    _ = try connection.rows(SQL("INSERT INTO erasures_done VALUES ($1)", binding: [id]))
    return removed
  }

  /// Removes what is concerned, and works out anew what followed from it and nothing else: others of the
  /// project may be known by events that are kept no more.
  private func remove(_ concerned: (String) -> String) throws(StoreError) -> Int {
    let project = erasure.project
    func rows(_ text: String) throws(StoreError) -> [Row] {
      try connection.rows(SQL(text, binding: bindings))
    }
    _ = try rows(
      """
      CREATE TEMP TABLE expired AS SELECT event_key, kind, person, is_test, session_id, corrected_at,
          device_id, user_id
        FROM events WHERE \(concerned("events"))
      """
    )
    _ = try rows("CREATE TEMP TABLE gone AS FROM kept_changes WHERE \(concerned("kept_changes"))")
    var subjects = try subjectsGone()
    let devices = try devicesGone()
    let known = try sightingsLeft(of: devices.ids)
    let removed = try connection.query(
      SQL("DELETE FROM events WHERE \(concerned("events"))", binding: bindings)
    ) { (result) throws(StoreError) in result.rowsChanged }
    _ = try rows("DELETE FROM kept_changes WHERE \(concerned("kept_changes"))")
    try connection.run(
      """
      DELETE FROM revenues USING expired WHERE revenues.project_id = \(project)
        AND revenues.event_key = expired.event_key AND revenues.corrected_at = expired.corrected_at
      """
    )
    try ActivityParts.forgetExpired(of: project, connection)
    try connection.run("DROP TABLE expired; DROP TABLE gone")
    try forget()
    let derived = DerivedTables(connection)
    try derived.writeDevices(of: project, ids: devices.ids, known: known)
    subjects.formUnion(Self.subjects(of: devices.people))
    subjects.formUnion(Self.subjects(of: try owners(of: devices.ids)))
    guard !subjects.isEmpty else { return removed }
    for group in Array(subjects).groups(of: 1_000) {
      _ = try connection.rows(
        SQL(
          "DELETE FROM current_properties WHERE subject IN (\(places(group.count)))",
          binding: group.map { .integer($0) }
        )
      )
    }
    try derived.writeProperties(of: project, only: subjects)
    return removed
  }

  /// The people and groups of whom something is said by what goes.
  private func subjectsGone() throws(StoreError) -> Set<Int64> {
    var subjects: Set<Int64> = []
    for row in try connection.rows(
      SQL(
        """
        SELECT subject, \(PropertyChange.columns) FROM property_changes AS change
        WHERE project_id = $1 AND EXISTS (
          SELECT 1 FROM (SELECT event_key, corrected_at FROM expired
            UNION ALL SELECT event_key, corrected_at FROM gone) AS key
          WHERE key.event_key = change.event_key AND key.corrected_at = change.corrected_at)
        """,
        binding: [.integer(Int64(erasure.project))]
      )
    ) {
      let change = try PropertyChange(row, from: 1)
      if change.kind == .groupIdentify {
        subjects.formUnion(change.groupSubjects(project: erasure.project))
      } else if row.values[0] != .null {
        subjects.insert(try row.integer(0))
      }
    }
    subjects.formUnion(subjectsOfPerson)
    return subjects
  }

  /// The numbers under which stands what is said of whom the erasure concerns.
  private var subjectsOfPerson: Set<Int64> {
    if let user = erasure.user { return Self.subjects(of: [user]) }
    return Self.subjects(of: erasure.device.map(PersonNumber.inBoth) ?? [])
  }

  /// The numbers under which stands what events say of people, and what test events say.
  private static func subjects(of people: some Sequence<Int64>) -> Set<Int64> {
    Set(people.flatMap { [$0, PersonNumber.saidByTests(of: $0)] })
  }

  /// The devices of which it may change whose they are, and whose they were.
  private func devicesGone() throws(StoreError) -> (ids: [String], people: Set<Int64>) {
    var ids: Set<ExactText> = []
    for row in try connection.rows(
      SQL(
        """
        SELECT DISTINCT device_id FROM expired
          WHERE kind <> 2 AND user_id IS NOT NULL AND device_id IS NOT NULL
        UNION
        SELECT device_id FROM device_users WHERE project_id = $1 AND person = $2
        """,
        binding: [
          .integer(Int64(erasure.project)), erasure.user.map { .integer($0) } ?? .null,
        ]
      )
    ) { ids.insert(ExactText(try row.text(0))) }
    let texts = ids.map(\.text)
    return (texts, try owners(of: texts))
  }

  /// Who was seen when on devices and does not go, also by events that are kept no more.
  private func sightingsLeft(
    of ids: [String]
  ) throws(StoreError) -> [Int64: [DeviceRuns.Run]] {
    var runs: [Int64: [DeviceRuns.Run]] = [:]
    for group in ids.groups(of: 1_000) {
      let devices = numbers(of: group).map { SQLValue.integer($0) }
      func gone(_ number: Int64?) -> SQLValue {
        isWhole ? number.map { .integer($0) } ?? .null : .null
      }
      for row in try connection.rows(
        SQL(
          """
          SELECT \(DeviceRuns.Run.columns) FROM device_users AS run
          WHERE person IS NOT NULL AND seen_at IS NOT NULL
            AND person IS DISTINCT FROM $1 AND device IS DISTINCT FROM $2
            AND device IS DISTINCT FROM $3
            AND NOT EXISTS (SELECT 1 FROM expired
              WHERE expired.person = run.person AND expired.corrected_at = run.seen_at)
            AND device IN (\(places(devices.count, from: 4)))
          """,
          binding: [
            gone(erasure.user), gone(erasure.device),
            gone(erasure.device.map(PersonNumber.inTests)),
          ] + devices
        )
      ) { runs[try row.integer(0), default: []].append(try DeviceRuns.Run(row)) }
    }
    return runs
  }

  /// Whether everything goes that is of whom it concerns.
  private var isWhole: Bool {
    erasure.name == nil && erasure.fromMs == nil && erasure.toMs == nil
  }

  /// The numbers of devices, in tests as well.
  private func numbers(of ids: some Sequence<String>) -> [Int64] {
    ids.flatMap { PersonNumber.inBoth(PersonNumber.device(project: erasure.project, id: $0)) }
  }

  /// Devices and whose they are, by number.
  private func owners(of ids: [String]) throws(StoreError) -> Set<Int64> {
    let devices = numbers(of: ids)
    var owners = Set(devices)
    for group in devices.groups(of: 1_000) {
      for row in try connection.rows(
        SQL(
          """
          SELECT DISTINCT person FROM device_users
          WHERE person IS NOT NULL AND device IN (\(places(group.count)))
          """,
          binding: group.map { .integer($0) }
        )
      ) { owners.insert(try row.integer(0)) }
    }
    return owners
  }

  /// Forgets what is known of a whole person beside the events, also by events that were kept for long
  /// enough and removed before; what later events say is worked out anew.
  private func forget() throws(StoreError) {
    guard isWhole, (erasure.user == nil) != (erasure.device == nil) else { return }
    let people = erasure.user.map { [$0] } ?? erasure.device.map(PersonNumber.inBoth) ?? []
    let owner = erasure.user == nil ? "device" : "person"
    for (table, column, numbers) in [
      ("current_properties", "subject", Array(subjectsOfPerson)),
      ("device_users", owner, people), ("revenues", "person", people),
    ] {
      _ = try connection.rows(
        SQL(
          """
          DELETE FROM \(table) WHERE project_id = $1
            AND \(column) IN (\(places(numbers.count, from: 2)))
          """,
          binding: [.integer(Int64(erasure.project))] + numbers.map { .integer($0) }
        )
      )
    }
  }

  /// How many events would be removed.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func count() throws(StoreError) -> Int {
    try withSpans { (concerned) throws(StoreError) in
      let rows = try connection.rows(
        SQL("SELECT count(*) FROM events WHERE \(concerned("events"))", binding: bindings)
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

  /// Runs statements with the condition on a table such as `events`; its parameters are `bindings`.
  private func withSpans<Output>(
    _ body: ((String) -> String) throws(StoreError) -> Output
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
    let hasDevice = erasure.device != nil
    let output = try body { table in
      // When changes came that outlived their events is not kept; they are older than any clock is ahead.
      let cameAt = table == "events" ? "least(corrected_at, received_at)" : "corrected_at"
      return """
        project_id = $1 AND \(cameAt) < $2 AND ($3 IS NULL OR corrected_at >= $3)
          AND ($4 IS NULL OR corrected_at < $4) AND ($5 IS NULL OR name = $5)
          AND ($6 IS NULL OR person = $6 OR user_id IS NULL AND EXISTS (
            SELECT 1 FROM erasure_spans AS span WHERE span.device = \(table).person
              AND \(table).corrected_at >= span.from_at AND \(table).corrected_at < span.to_at
          ))
          AND (\(!hasDevice) OR device_id IN (SELECT id FROM erasure_devices))
        """
    }
    try connection.run("DROP TABLE erasure_spans; DROP TABLE erasure_devices")
    return output
  }

  /// The device ids of a number: only the number is kept in an erasure.
  private func ids(of device: Int64) throws(StoreError) -> [String] {
    var found: [String] = []
    for row in try connection.rows(
      SQL(
        """
        SELECT device_id FROM events WHERE project_id = $1 AND device_id IS NOT NULL
        UNION SELECT device_id FROM kept_changes WHERE project_id = $1 AND device_id IS NOT NULL
        """,
        binding: [.integer(Int64(erasure.project))]
      )
    ) {
      let id = try row.text(0)
      if PersonNumber.device(project: erasure.project, id: id) == device { found.append(id) }
    }
    return found
  }
}
