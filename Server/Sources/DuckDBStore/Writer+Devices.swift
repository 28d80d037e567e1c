import CDuckDB
import EventRecord
import EventStore

/// What a batch changed about who uses a device.
struct DeviceChange {
  let device: Int64
  let project: UInt32
  let deviceID: String
  let isTest: Bool
  let before: DeviceUsers
  let after: DeviceUsers
  /// From when on events of the device may belong to someone else; nil when none that is stored does.
  let movesFromMs: Int64?

  /// Under which number stands what events like these say of the device or a user.
  func subject(of person: Int64) -> Int64 {
    isTest ? PersonNumber.saidByTests(of: person) : person
  }
}

extension Writer {
  /// Brings the table of devices up to date with the batch's rows, which are in the table of events.
  ///
  /// - Returns: what changed.
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func settleDevices() throws(StoreError) -> [DeviceChange] {
    let pending = devices.pending
    guard !pending.isEmpty else { return [] }
    try readDevices(pending.keys.filter { devices.known[$0] == nil })
    var userIDs: [Int64: String] = [:]
    var after: [Int64: DeviceUsers] = [:]
    var incomplete: [UInt32: [(device: Int64, fromMs: Int64)]] = [:]
    for (device, pending) in pending {
      var users = devices.known[device] ?? DeviceUsers()
      if let fromMs = users.add(pending.seen) {
        incomplete[pending.project, default: []].append((device, fromMs))
      }
      after[device] = users
      userIDs[pending.seen.first.user] = pending.userID
    }
    for (project, list) in incomplete {
      let fromMs = list.map(\.fromMs).min() ?? 0
      let runs = try runs(of: list.map(\.device), in: pending, project: project, fromMs: fromMs)
      for (device, _) in list {
        let runs = runs[device] ?? []
        after[device]?.take(fromMs: fromMs, runs.map(\.sighting))
        for run in runs { userIDs[run.sighting.user] = run.userID }
      }
    }
    let changes = changes(to: after)
    try write(changes, userIDs: userIDs)
    return changes
  }

  private func changes(to after: [Int64: DeviceUsers]) -> [DeviceChange] {
    after.compactMap { device, users in
      guard let seen = devices.pending[device], let before = devices.known[device],
        users != before
      else { return nil }
      devices.known[device] = users
      return DeviceChange(
        device: device,
        project: seen.project,
        deviceID: seen.deviceID,
        isTest: seen.isTest,
        before: before,
        after: users,
        movesFromMs: users.changesOwners(from: before)
      )
    }
  }

  /// Reads the users of devices that are not in memory.
  func readDevices(_ missing: [Int64]) throws(StoreError) {
    for device in missing { devices.known[device] = DeviceUsers() }
    for group in missing.groups(of: 1_000) {
      let rows = try connection.rows(
        SQL(
          """
          SELECT device, person, seen_at, seen_seq FROM device_users
          WHERE device IN (\(places(group.count)))
          """,
          binding: group.map { .integer($0) }
        )
      )
      var runs: [Int64: [DeviceUsers.Sighting]] = [:]
      for row in rows {
        let device = try row.integer(0)
        guard row.values[1] != .null else {
          devices.known[device] = DeviceUsers(runs: [], isShared: true)
          continue
        }
        runs[device, default: []].append(
          DeviceUsers.Sighting(
            atMs: try row.time(2),
            sequence: try row.integer(3),
            user: try row.integer(1)
          )
        )
      }
      for (device, runs) in runs {
        devices.known[device] = DeviceUsers(runs: runs.sorted(), isShared: false)
      }
    }
  }

  /// The sightings at which the user of some devices changes, from a moment on.
  private func runs(
    of wanted: [Int64],
    in pending: [Int64: DeviceIndex.Pending],
    project: UInt32,
    fromMs: Int64
  ) throws(StoreError) -> [Int64: [DeviceRuns.Run]] {
    var runs: [Int64: [DeviceRuns.Run]] = [:]
    for group in wanted.groups(of: 1_000) {
      let found = try DeviceRuns.read(
        over: connection,
        project: project,
        fromMs: fromMs,
        devices: group.compactMap { pending[$0]?.deviceID }
      )
      runs.merge(found) { $0 + $1 }
    }
    return runs
  }

  private func write(
    _ changes: [DeviceChange],
    userIDs: [Int64: String]
  ) throws(StoreError) {
    var userIDs = userIDs
    let old = changes.filter { $0.before != DeviceUsers() }.map(\.device)
    for group in old.groups(of: 1_000) {
      let condition = "FROM device_users WHERE device IN (\(places(group.count)))"
      let bindings = group.map { SQLValue.integer($0) }
      for row in try connection.rows(
        SQL(
          "SELECT DISTINCT person, user_id \(condition) AND person IS NOT NULL",
          binding: bindings
        )
      ) { userIDs[try row.integer(0)] = try row.text(1) }
      _ = try connection.rows(SQL("DELETE \(condition)", binding: bindings))
    }
    let rows = changes.flatMap { change in
      DeviceRuns.rows(
        device: change.device,
        project: change.project,
        deviceID: change.deviceID,
        users: change.after,
        userIDs: userIDs
      )
    }
    try DeviceRuns.table.insert(rows, over: connection)
  }
}

extension DeviceUsers {
  /// From when on the owner of an event without a user may be another than before; nil for never.
  func changesOwners(from before: DeviceUsers) -> Int64? {
    let (old, new) = (before.owners, owners)
    let same = zip(old, new).prefix { $0 == $1 }.count
    let next = [old.dropFirst(same).first, new.dropFirst(same).first]
    return next.compactMap { $0?.fromMs }.min()
  }

  /// The user whose all events of the device are that name none; nil where they are not one user's.
  var onlyUser: Int64? { runs.count == 1 ? runs.first?.user : nil }

  private struct Owner: Equatable {
    var fromMs: Int64
    var user: Int64?
  }

  /// Whose the device is, and from when on.
  private var owners: [Owner] {
    guard let first = runs.first else { return [Owner(fromMs: .min, user: nil)] }
    var owners = [Owner(fromMs: .min, user: first.user)]
    for run in runs.dropFirst() {
      if owners.last?.fromMs == run.atMs { owners.removeLast() }
      if owners.last?.user != run.user { owners.append(Owner(fromMs: run.atMs, user: run.user)) }
    }
    return owners
  }
}

/// Numbered parameters for a list, from `$first` on.
func places(_ count: Int, from first: Int = 1) -> String {
  (0..<count).map { "$\($0 + first)" }.joined(separator: ", ")
}

extension Array {
  /// The elements in groups of at most `size`.
  func groups(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
