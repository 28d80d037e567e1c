import EventRecord
import EventStore

extension Writer {
  /// Brings what holds of people and groups up to date with the batch's rows.
  ///
  /// A change that comes after all earlier ones of its subject is applied to what holds; one that
  /// arrives late, or that now belongs to someone else, has the subject worked out anew.
  ///
  /// - Parameter moved: what the batch changed about devices.
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func settleProperties(_ moved: [DeviceChange]) throws(StoreError) {
    var stale = try peopleMoved(by: moved)
    var staleGroups: [UInt32: Set<Int64>] = [:]
    try readDevices(
      properties.pending.compactMap { $0.hasUser ? nil : $0.person }
        .filter { devices.known[$0] == nil }
    )
    var touched = stale
    var changes: [Int64: [PropertyChange]] = [:]
    for pending in properties.pending {
      for subject in subjects(of: pending) {
        changes[subject, default: []].append(pending.change)
        touched[subject] = pending.project
      }
    }
    try readProperties(touched.keys.filter { properties.known[$0] == nil })
    for subject in inherit(moved, stale) { stale[subject] = nil }
    for (subject, changes) in changes where stale[subject] == nil {
      let changes = changes.sorted { $0.place < $1.place }
      guard let first = changes.first, let project = touched[subject] else { continue }
      guard let last = properties.known[subject]?.place, first.place < last else {
        properties.known[subject]?.apply(changes)
        continue
      }
      if first.kind == .groupIdentify {
        staleGroups[project, default: []].insert(subject)
      } else {
        stale[subject] = project
      }
    }
    try workOut(stale)
    for (project, groups) in staleGroups { try workOut(groups: groups, of: project) }
    try write(touched)
    try RevenueFact.table.insert(properties.revenues, over: connection)
  }

  /// Hands what holds of devices on to the users who were seen there for the first time, where that is all
  /// there is to do: somebody signs in of whom nothing was known.
  ///
  /// Everything that happened on a device before its only user was seen there is that user's. Who had
  /// properties already, or gets them of two devices at once, is worked out instead: their changes belong
  /// between each other.
  ///
  /// - Parameters:
  ///   - moved: what the batch changed about devices.
  ///   - stale: the people who gain or lose by that, all of them in memory.
  /// - Returns: those who are done: devices and users.
  private func inherit(_ moved: [DeviceChange], _ stale: [Int64: UInt32]) -> [Int64] {
    var heirs: [Int64: [Int64]] = [:]
    var others: Set<Int64> = []
    for change in moved {
      let device = change.subject(of: change.device)
      guard stale[device] != nil else { continue }
      if change.before == DeviceUsers(), let only = change.after.onlyUser {
        heirs[change.subject(of: only), default: []].append(device)
      } else {
        others.formUnion(
          (change.before.runs + change.after.runs).map { change.subject(of: $0.user) }
        )
      }
    }
    var done: [Int64] = []
    for (user, devices) in heirs where devices.count == 1 && !others.contains(user) {
      guard let device = devices.first, let held = properties.known[device],
        let known = properties.known[user], known.place == nil
      else { continue }
      properties.known[user] = KnownProperties(
        state: held.state,
        place: held.place,
        isTest: held.isTest
      )
      properties.known[device] = KnownProperties(isStored: held.isStored)
      done += [user, device]
    }
    return done
  }

  private func subjects(of pending: PropertyIndex.Pending) -> Set<Int64> {
    guard let person = pending.person else {
      return pending.change.groupSubjects(project: pending.project)
    }
    guard !pending.hasUser else { return [pending.change.subject(of: person)] }
    let owner = devices.known[person]?.user(atMs: pending.change.place.correctedMs)
    return [pending.change.subject(of: owner ?? person)]
  }

  /// The people who gain or lose property changes by what the batch changed about devices.
  private func peopleMoved(by changes: [DeviceChange]) throws(StoreError) -> [Int64: UInt32] {
    let moving = changes.filter { $0.movesFromMs != nil }
    let (others, first) = (
      moving.filter { $0.before != DeviceUsers() }, moving.filter { $0.before == DeviceUsers() }
    )
    // A device without users so far has a row exactly when changes were made there.
    var affected = try numbers(
      first.map { $0.subject(of: $0.device) },
      of: "SELECT subject FROM current_properties WHERE $1 IS NOT NULL AND subject",
      fromMs: 0
    )
    let movedAgain = Set(
      try numbers(
        others.map(\.device),
        of: """
          SELECT DISTINCT person FROM (
            SELECT person, corrected_at FROM events WHERE kind <> 2 AND \(PropertyChange.condition)
            UNION ALL SELECT person, corrected_at FROM kept_changes WHERE kind <> 2
          ) WHERE corrected_at >= $1 AND person
          """,
        fromMs: others.compactMap(\.movesFromMs).min() ?? 0
      )
    )
    affected.formUnion(
      others.filter { movedAgain.contains($0.device) }.map { $0.subject(of: $0.device) }
    )
    var people: [Int64: UInt32] = [:]
    for change in moving where affected.contains(change.subject(of: change.device)) {
      for person in [change.device] + (change.before.runs + change.after.runs).map(\.user) {
        people[change.subject(of: person)] = change.project
      }
    }
    return people
  }

  /// Those of some numbers that a statement finds.
  private func numbers(
    _ wanted: [Int64],
    of statement: String,
    fromMs: Int64
  ) throws(StoreError) -> Set<Int64> {
    var found: Set<Int64> = []
    for group in wanted.groups(of: 1_000) {
      for row in try connection.rows(
        SQL(
          "\(statement) IN (\(places(group.count, from: 2)))",
          binding: [.time(max(fromMs, DeviceRuns.startMs))] + group.map { .integer($0) }
        )
      ) { found.insert(try row.integer(0)) }
    }
    return found
  }

  private func readProperties(_ missing: [Int64]) throws(StoreError) {
    for subject in missing { properties.known[subject] = KnownProperties() }
    for group in missing.groups(of: 1_000) {
      for row in try connection.rows(
        SQL(
          """
          SELECT subject, corrected_at, seq, event_key, properties, groups, ignored, is_test
          FROM current_properties WHERE subject IN (\(places(group.count)))
          """,
          binding: group.map { .integer($0) }
        )
      ) {
        properties.known[try row.integer(0)] = KnownProperties(
          state: PropertyState(
            properties: PropertyValue.members(of: try row.text(4)) ?? [:],
            groups: PropertyValue.members(of: try row.text(5)) ?? [:],
            ignoredOperations: Int(try row.integer(6))
          ),
          place: EventPlace(
            correctedMs: try row.time(1),
            sequence: try row.integer(2),
            key: try row.key(3)
          ),
          isTest: try row.boolean(7),
          isStored: true
        )
      }
    }
  }

  /// Works out what holds of some people from all that was ever said of them.
  ///
  /// - Parameter people: by the number under which it stands.
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  private func workOut(_ people: [Int64: UInt32]) throws(StoreError) {
    var changes: [Int64: [PropertyChange]] = [:]
    for group in Array(people.keys).groups(of: 1_000) {
      for row in try connection.rows(
        SQL(
          """
          SELECT subject, \(PropertyChange.columns) FROM property_changes
          WHERE kind <> 2 AND subject IN (\(places(group.count)))
          """,
          binding: group.map { .integer($0) }
        )
      ) {
        changes[try row.integer(0), default: []].append(try PropertyChange(row, from: 1))
      }
    }
    for person in people.keys { replace(person, changes[person] ?? []) }
  }

  /// Works out what holds of some groups from all changes of their project's.
  private func workOut(groups: Set<Int64>, of project: UInt32) throws(StoreError) {
    var changes: [Int64: [PropertyChange]] = [:]
    for row in try connection.rows(
      SQL(
        """
        SELECT \(PropertyChange.columns) FROM property_changes
        WHERE project_id = $1 AND kind = 2
        """,
        binding: [.integer(Int64(project))]
      )
    ) {
      let change = try PropertyChange(row, from: 0)
      for subject in change.groupSubjects(project: project) where groups.contains(subject) {
        changes[subject, default: []].append(change)
      }
    }
    for group in groups { replace(group, changes[group] ?? []) }
  }

  private func replace(_ subject: Int64, _ changes: [PropertyChange]) {
    var known = KnownProperties()
    known.isStored = properties.known[subject]?.isStored ?? false
    known.apply(changes.sorted { $0.place < $1.place })
    properties.known[subject] = known
  }

  private func write(_ touched: [Int64: UInt32]) throws(StoreError) {
    let old = touched.keys.filter { properties.known[$0]?.isStored == true }
    for group in old.groups(of: 1_000) {
      _ = try connection.rows(
        SQL(
          "DELETE FROM current_properties WHERE subject IN (\(places(group.count)))",
          binding: group.map { .integer($0) }
        )
      )
    }
    var rows: [[SQLValue]] = []
    for (subject, project) in touched {
      let row = properties.known[subject]?.row(subject: subject, project: project)
      properties.known[subject]?.isStored = row != nil
      if let row { rows.append(row) }
    }
    try KnownProperties.table.insert(rows, over: connection)
  }
}
