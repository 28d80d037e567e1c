import CDuckDB
import EventRecord
import EventStore

/// Works out anew what follows from the events alone: whose each is, what holds of people and groups,
/// what events tell of money, and their sums.
///
/// What loading keeps up to date is never more than this: for data of older programs, and after
/// events were removed. Inside a transaction.
struct DerivedTables {
  let connection: Connection

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Numbers the people that have none and writes all of these tables anew.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func rebuild() throws(StoreError) {
    try numberPeople()
    try connection.run(
      "DELETE FROM device_users; DELETE FROM current_properties; DELETE FROM revenues"
    )
    try writeRevenues()
    try ActivityParts.rebuild(connection)
    for row in try connection.rows(SQL("SELECT DISTINCT project_id FROM events")) {
      let project = UInt32(clamping: try row.integer(0))
      try writeDevices(of: project)
      try writeProperties(of: project)
    }
  }

  /// Keeps apart what test events tell of people in data of a program that did not.
  ///
  /// The events' people are numbered already. What is known of devices by events that are gone stays.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func separateTests() throws(StoreError) {
    let projects = try connection.rows(SQL("SELECT DISTINCT project_id FROM events WHERE is_test"))
    guard !projects.isEmpty else { return }
    try connection.run(
      """
      UPDATE revenues SET person = events.person FROM events
        WHERE revenues.is_test AND events.is_test AND events.event_key = revenues.event_key
          AND events.corrected_at = revenues.corrected_at
      """
    )
    try ActivityParts.rebuild(connection)
    for row in projects {
      let project = UInt32(clamping: try row.integer(0))
      let devices = try testedDevices(of: project)
      try writeDevices(of: project, ids: devices.ids, known: devices.known)
    }
    try connection.run("DELETE FROM current_properties")
    for row in try connection.rows(SQL("SELECT DISTINCT project_id FROM property_changes")) {
      try writeProperties(of: UInt32(clamping: try row.integer(0)))
    }
  }

  /// The devices on which test events name users, and what was known of those beside test events.
  private func testedDevices(
    of project: UInt32
  ) throws(StoreError) -> (ids: [String], known: [Int64: [DeviceRuns.Run]]) {
    let project = SQLValue.integer(Int64(project))
    let tests = "FROM events WHERE is_test AND kind <> 2 AND project_id = $1"
    let ids = try connection.rows(
      SQL(
        "SELECT DISTINCT device_id \(tests) AND user_id IS NOT NULL AND device_id IS NOT NULL",
        binding: [project]
      )
    )
    var known: [Int64: [DeviceRuns.Run]] = [:]
    for row in try connection.rows(
      SQL(
        """
        SELECT \(DeviceRuns.Run.columns) FROM device_users AS run
        WHERE project_id = $1 AND person IS NOT NULL AND seen_at IS NOT NULL
          AND device_id IN (SELECT device_id \(tests))
          AND NOT EXISTS (SELECT 1 \(tests) AND events.device_id = run.device_id
            AND events.person = run.person AND events.corrected_at = run.seen_at)
        """,
        binding: [project]
      )
    ) { known[try row.integer(0), default: []].append(try DeviceRuns.Run(row)) }
    return (try ids.map { (row) throws(StoreError) in try row.text(0) }, known)
  }

  private func numberPeople() throws(StoreError) {
    let people = try connection.rows(
      SQL(
        """
        SELECT DISTINCT project_id, user_id IS NOT NULL, coalesce(user_id, device_id),
          is_test AND user_id IS NULL
        FROM events
        WHERE person IS NULL AND coalesce(user_id, device_id) IS NOT NULL
        """
      )
    )
    guard !people.isEmpty else { return }
    var rows: [[SQLValue]] = []
    for row in people {
      let project = UInt32(clamping: try row.integer(0))
      let (isUser, id, isTest) = (try row.boolean(1), try row.text(2), try row.boolean(3))
      let number =
        isUser
        ? PersonNumber.user(project: project, id: id)
        : PersonNumber.device(project: project, id: id, isTest: isTest)
      rows.append([
        .integer(Int64(project)), .boolean(isUser), .text(id), .boolean(isTest),
        .integer(number),
      ])
    }
    try connection.run(
      """
      CREATE TABLE new_people
        (project_id BIGINT, is_user BOOLEAN, id VARCHAR, is_test BOOLEAN, number BIGINT)
      """
    )
    let types = [DDB_BIGINT, DDB_BOOLEAN, DDB_VARCHAR, DDB_BOOLEAN, DDB_BIGINT].map { Int($0) }
    try RowTable(name: "new_people", types: types).insert(rows, over: connection)
    try connection.run(
      """
      UPDATE events SET person = new_people.number FROM new_people
      WHERE events.person IS NULL AND new_people.project_id = events.project_id
        AND new_people.is_user = (events.user_id IS NOT NULL)
        AND new_people.is_test = (events.is_test AND events.user_id IS NULL)
        AND new_people.id = coalesce(events.user_id, events.device_id);
      DROP TABLE new_people
      """
    )
  }

  private func writeDevices(of project: UInt32) throws(StoreError) {
    let devices = try connection.rows(
      SQL(
        """
        SELECT DISTINCT device_id FROM events WHERE project_id = $1 AND kind <> 2
          AND user_id IS NOT NULL AND device_id IS NOT NULL
        """,
        binding: [.integer(Int64(project))]
      )
    )
    let runs = try DeviceRuns.read(
      over: connection,
      project: project,
      fromMs: .min,
      devices: nil
    )
    try write(
      runs,
      of: project,
      ids: try devices.map { (row) throws(StoreError) in try row.text(0) }
    )
  }

  /// Works out anew whose some devices are, from the events and from sightings that are known beside them.
  func writeDevices(
    of project: UInt32,
    ids: [String],
    known: [Int64: [DeviceRuns.Run]]
  ) throws(StoreError) {
    for group in ids.groups(of: 1_000) {
      let numbers = group.flatMap { Self.numbers(ofDevice: $0, project: project) }
      _ = try connection.rows(
        SQL(
          "DELETE FROM device_users WHERE device IN (\(places(numbers.count)))",
          binding: numbers.map { .integer($0) }
        )
      )
      var runs = try DeviceRuns.read(
        over: connection,
        project: project,
        fromMs: .min,
        devices: Array(group)
      )
      for device in numbers {
        guard let known = known[device] else { continue }
        runs[device] = (known + (runs[device] ?? [])).sorted { $0.sighting < $1.sighting }
          .reduce(into: []) { runs, run in
            if runs.last?.sighting.user != run.sighting.user { runs.append(run) }
          }
      }
      try write(runs, of: project, ids: Array(group))
    }
  }

  /// A device's numbers: its own, and that in tests.
  private static func numbers(ofDevice id: String, project: UInt32) -> [Int64] {
    PersonNumber.inBoth(PersonNumber.device(project: project, id: id))
  }

  private func write(
    _ runs: [Int64: [DeviceRuns.Run]],
    of project: UInt32,
    ids: [String]
  ) throws(StoreError) {
    var deviceIDs: [Int64: String] = [:]
    for id in ids {
      for number in Self.numbers(ofDevice: id, project: project) { deviceIDs[number] = id }
    }
    let rows = runs.flatMap { device, runs in
      var users = DeviceUsers()
      users.take(fromMs: .min, runs.map(\.sighting))
      return DeviceRuns.rows(
        device: device,
        project: project,
        deviceID: deviceIDs[device] ?? "",
        users: users,
        userIDs: Dictionary(runs.map { ($0.sighting.user, $0.userID) }) { $1 }
      )
    }
    try DeviceRuns.table.insert(rows, over: connection)
  }
}
