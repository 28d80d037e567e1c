import CDuckDB
import EventRecord
import EventStore

/// The table `device_users`: for each device, whose its events without a user are, and from when to when.
///
/// A row holds from `from_at` on and before `to_at`; the rows of a device do not overlap and leave
/// nothing out. A shared device has one row without a person. `seen_at` and `seen_seq` say at which
/// sighting the row's user came. For test events a device has rows of its own, under another number.
enum DeviceRuns {
  /// A sighting at which a device's user changes.
  struct Run {
    let sighting: DeviceUsers.Sighting
    let userID: String

    /// The columns of the table it is read from, the device first.
    static let columns = "device, person, user_id, seen_at, seen_seq"

    init(sighting: DeviceUsers.Sighting, userID: String) {
      self.sighting = sighting
      self.userID = userID
    }

    /// Reads `columns`.
    init(_ row: Row) throws(StoreError) {
      sighting = DeviceUsers.Sighting(
        atMs: try row.time(3),
        sequence: try row.integer(4),
        user: try row.integer(1)
      )
      userID = try row.text(2)
    }
  }

  static let table = RowTable(
    name: "device_users",
    types: [
      DDB_BIGINT, DDB_BIGINT, DDB_VARCHAR, DDB_BIGINT, DDB_VARCHAR, DDB_TIMESTAMP_MS,
      DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS, DDB_BIGINT,
    ].map { Int($0) }
  )

  /// Reads the changes of users from the events, for some devices or for all of a project.
  ///
  /// - Returns: the changes by the device's number, ascending.
  /// - Throws: `.engine` with DuckDB's message.
  static func read(
    over connection: Connection,
    project: UInt32,
    fromMs: Int64,
    devices: [String]?
  ) throws(StoreError) -> [Int64: [Run]] {
    let condition = devices.map { "AND device_id IN (\(places($0.count, from: 3)))" } ?? ""
    var runs: [Int64: [Run]] = [:]
    // The window keeps what is read small, however busy a device is.
    for row in try connection.rows(
      SQL(
        """
        SELECT device_id, user_id, person, corrected_at, seq, is_test FROM events
        WHERE project_id = $1 AND kind <> 2 AND user_id IS NOT NULL AND device_id IS NOT NULL
          AND corrected_at >= $2 \(condition)
        QUALIFY person IS DISTINCT FROM
          lag(person) OVER (PARTITION BY device_id, is_test ORDER BY corrected_at, seq, person)
        ORDER BY device_id, corrected_at, seq, person
        """,
        binding: [.integer(Int64(project)), .time(max(fromMs, startMs))]
          + (devices ?? []).map { .text($0) }
      )
    ) {
      let device = PersonNumber.device(
        project: project,
        id: try row.text(0),
        isTest: try row.boolean(5)
      )
      let sighting = DeviceUsers.Sighting(
        atMs: try row.time(3),
        sequence: try row.integer(4),
        user: try row.integer(2)
      )
      runs[device, default: []].append(Run(sighting: sighting, userID: try row.text(1)))
    }
    return runs
  }

  /// A device's rows.
  static func rows(
    device: Int64,
    project: UInt32,
    deviceID: String,
    users: DeviceUsers,
    userIDs: [Int64: String]
  ) -> [[SQLValue]] {
    func row(_ from: Int64, _ to: Int64, _ run: DeviceUsers.Sighting?) -> [SQLValue] {
      [
        .integer(device), .integer(Int64(project)), .text(deviceID),
        run.map { .integer($0.user) } ?? .null,
        run.map { .text(userIDs[$0.user] ?? "") } ?? .null, .time(from), .time(to),
        run.map { .time($0.atMs) } ?? .null, .integer(run?.sequence ?? 0),
      ]
    }
    guard !users.isShared else { return [row(startMs, endMs, nil)] }
    return users.runs.indices.map { index in
      let run = users.runs[index]
      let isLast = index == users.runs.count - 1
      return row(
        index == 0 ? startMs : run.atMs,
        isLast ? endMs : users.runs[index + 1].atMs,
        run
      )
    }
  }

  /// The first moment that is stored, and the first after the last.
  static let startMs = EventTimes.startMs
  private static let endMs = EventTimes.endMs
}
