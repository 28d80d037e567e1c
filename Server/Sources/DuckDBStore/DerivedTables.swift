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

  private func numberPeople() throws(StoreError) {
    let people = try connection.rows(
      SQL(
        """
        SELECT DISTINCT project_id, user_id IS NOT NULL, coalesce(user_id, device_id) FROM events
        WHERE person IS NULL AND coalesce(user_id, device_id) IS NOT NULL
        """
      )
    )
    guard !people.isEmpty else { return }
    var rows: [[SQLValue]] = []
    for row in people {
      let project = UInt32(clamping: try row.integer(0))
      let (isUser, id) = (try row.boolean(1), try row.text(2))
      let number =
        isUser
        ? PersonNumber.user(project: project, id: id)
        : PersonNumber.device(project: project, id: id)
      rows.append([.integer(Int64(project)), .boolean(isUser), .text(id), .integer(number)])
    }
    try connection.run(
      "CREATE TABLE new_people (project_id BIGINT, is_user BOOLEAN, id VARCHAR, number BIGINT)"
    )
    let types = [DDB_BIGINT, DDB_BOOLEAN, DDB_VARCHAR, DDB_BIGINT].map { Int($0) }
    try RowTable(name: "new_people", types: types).insert(rows, over: connection)
    try connection.run(
      """
      UPDATE events SET person = new_people.number FROM new_people
      WHERE events.person IS NULL AND new_people.project_id = events.project_id
        AND new_people.is_user = (events.user_id IS NOT NULL)
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
      let numbers = group.map { SQLValue.integer(PersonNumber.device(project: project, id: $0)) }
      _ = try connection.rows(
        SQL(
          "DELETE FROM device_users WHERE device IN (\(places(group.count)))",
          binding: numbers
        )
      )
      var runs = try DeviceRuns.read(
        over: connection,
        project: project,
        fromMs: .min,
        devices: Array(group)
      )
      for id in group {
        let device = PersonNumber.device(project: project, id: id)
        guard let known = known[device] else { continue }
        runs[device] = (known + (runs[device] ?? [])).sorted { $0.sighting < $1.sighting }
          .reduce(into: []) { runs, run in
            if runs.last?.sighting.user != run.sighting.user { runs.append(run) }
          }
      }
      try write(runs, of: project, ids: Array(group))
    }
  }

  private func write(
    _ runs: [Int64: [DeviceRuns.Run]],
    of project: UInt32,
    ids: [String]
  ) throws(StoreError) {
    var deviceIDs: [Int64: String] = [:]
    for id in ids { deviceIDs[PersonNumber.device(project: project, id: id)] = id }
    let rows = runs.flatMap { device, runs in
      var users = DeviceUsers()
      users.replace(fromMs: .min, with: runs.map(\.sighting))
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
