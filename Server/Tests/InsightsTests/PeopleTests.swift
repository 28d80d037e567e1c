import DuckDBStore
import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `Whose an event is` {
  /// One event: who is on it, and when.
  private struct Seen {
    var user = ""
    var device = "G"
    var atMs: Int64
  }

  private func events(_ seen: [Seen]) -> [StoredEvent] {
    seen.enumerated().map { number, seen in
      StoredEvent(
        key: EventKey(high: 0, low: UInt64(number + 1)),
        project: 1,
        name: "Opened",
        timestampMs: seen.atMs,
        sequence: Int64(number),
        deviceID: seen.device,
        userID: seen.user
      )
    }
  }

  private func owners(_ seen: [Seen]) throws -> [String] {
    let events = events(seen)
    let people = PeopleMap(events)
    let expected = events.map { people.personID(of: $0) }
    // Whatever the order of arrival, and however it is cut into batches.
    for order in [events, events.reversed(), events.sorted { $0.userID < $1.userID }] {
      let duck = try TestStore()
      for event in order { try duck.load([event]) }
      let rows = try duck.store.rows(
        SQL("SELECT person_id FROM person_events ORDER BY event_key")
      )
      #expect(try rows.map { try $0.text(0) } == expected)
    }
    return expected
  }

  @Test func `what happened before someone signed in is theirs`() throws {
    #expect(
      try owners([Seen(atMs: 1), Seen(user: "john", atMs: 2), Seen(device: "H", atMs: 3)])
        == ["john", "john", "H"]
    )
  }

  @Test func `a second user is someone else, and what comes without one is the last one's`() throws
  {
    #expect(
      try owners([
        Seen(atMs: 1), Seen(user: "john", atMs: 2), Seen(atMs: 3), Seen(user: "mary", atMs: 4),
        Seen(atMs: 5), Seen(user: "john", atMs: 6), Seen(atMs: 7),
      ]) == ["john", "john", "john", "mary", "mary", "john", "john"]
    )
  }

  @Test func `a user is one person on all devices, each with its own past`() throws {
    #expect(
      try owners([
        Seen(device: "G", atMs: 1), Seen(device: "H", atMs: 2),
        Seen(user: "john", device: "G", atMs: 3), Seen(user: "john", device: "H", atMs: 4),
        Seen(user: "john", device: "", atMs: 5), Seen(device: "", atMs: 6),
      ]) == ["john", "john", "john", "john", "john", ""]
    )
  }

  @Test(arguments: [DeviceUsers.maxChanges - 1, DeviceUsers.maxChanges])
  func `a device whose user changes again and again is nobody's`(changes: Int) throws {
    let seen = (0...changes).map { Seen(user: "user-\($0 % 7)", atMs: Int64($0)) }
    let events = events(seen + [Seen(atMs: 10_000)])
    let people = PeopleMap(events)
    let owner = events.last.map { people.personID(of: $0) }
    #expect(owner == (changes < DeviceUsers.maxChanges ? "user-\(changes % 7)" : "G"))
    let duck = try TestStore()
    try duck.load(Array(events.prefix(100)))
    try duck.load(Array(events.dropFirst(100)))
    let rows = try duck.store.rows(
      SQL("SELECT person_id FROM person_events ORDER BY corrected_at DESC LIMIT 1")
    )
    #expect(try rows.map { try $0.text(0) } == [owner])
  }

  /// The mapping that loading keeps against its definition, for events in any order and in batches of
  /// any size, through restarts, and worked out anew at the end.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `the store's mapping is the definition's`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let duck = try TestStore()
    var events: [StoredEvent] = []
    for round in 0..<25 {
      let batch = (0..<Int.random(in: 1...30, using: &random)).map { _ in
        Self.event(&random, spread: seed.isMultiple(of: 2) ? 12 : 4_000)
      }
      events += batch
      try duck.load(batch)
      if Int.random(in: 0..<8, using: &random) == 0 { try duck.reopen() }
      try #require(try Self.people(duck) == Self.people(events), "seed \(seed), round \(round)")
      try Self.compareProperties(duck, events, "seed \(seed), round \(round)")
    }
    let tables = ["device_users", "current_properties", "revenues"].map {
      SQL("SELECT * FROM \($0) ORDER BY ALL")
    }
    // What is summed may lie in more rows than it needs.
    let sums = [
      SQL(
        """
        SELECT project_id, person, is_test, epoch_us(first_at::TIMESTAMP) // 900000000, min(first_at),
          max(last_at)
        FROM activity_parts GROUP BY ALL ORDER BY ALL
        """
      ),
      SQL(
        """
        SELECT project_id, person, is_test, session_id, min(begun), max(finished), min(opened),
          min(first_at), max(last_at), sum(engaged), bool_or(crashed), bool_or(in_front)
        FROM session_parts GROUP BY ALL ORDER BY ALL
        """
      ),
    ]
    let before = try tables.map { try duck.store.rows($0) }
    let summed = try sums.map { try duck.store.rows($0) }
    #expect(before.allSatisfy { !$0.isEmpty } && !summed[0].isEmpty)
    try duck.store.rebuildDerivedTables()
    #expect(try tables.map { try duck.store.rows($0) } == before)
    #expect(try sums.map { try duck.store.rows($0) } == summed)
    #expect(try Self.people(duck) == Self.people(events), "seed \(seed)")
  }

  /// Twenty people who sign in one after the other, each on a device that has said something of them; now
  /// and then on someone else's as well, or with news that is older than what was known.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `who signs in takes along what their device has said`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let duck = try TestStore()
    let people = 0..<20
    var events: [StoredEvent] = []
    for round in 0..<12 {
      let batch = (0..<25).map { _ in
        let person = Int.random(in: people, using: &random)
        let isSignedIn = round * 2 >= person && Int.random(in: 0..<4, using: &random) > 0
        let isElsewhere = Int.random(in: 0..<40, using: &random) == 0
        let isLate = Int.random(in: 0..<20, using: &random) == 0
        return StoredEvent(
          key: EventKey(high: random.next(), low: random.next()),
          project: 1,
          kind: .identify,
          isTest: Int.random(in: 0..<20, using: &random) == 0,
          name: "$identify",
          timestampMs: RandomHistory.start + Int64(isLate ? 0 : round * 1_000)
            + Int64.random(in: 0..<1_000, using: &random),
          sequence: Int64(round),
          deviceID: "device-\((person + (isElsewhere ? 1 : 0)) % people.count)",
          userID: isSignedIn ? "user-\(person)" : "",
          operations: random.pick(RandomHistory.operations)
        )
      }
      events += batch
      try duck.load(batch)
      if Int.random(in: 0..<4, using: &random) == 0 { try duck.reopen() }
      try Self.compareProperties(
        duck,
        events,
        of: people.flatMap { [.user("user-\($0)"), .device("device-\($0)")] },
        in: [1],
        "seed \(seed), round \(round)"
      )
    }
    let table = SQL("SELECT * FROM current_properties ORDER BY ALL")
    let before = try duck.store.rows(table)
    try duck.store.rebuildDerivedTables()
    #expect(try duck.store.rows(table) == before)
  }

  /// What holds of everyone and every group against its definition.
  private static func compareProperties(
    _ duck: TestStore,
    _ events: [StoredEvent],
    of subjects: [CurrentProperties.Subject] = users.map { .user($0) }
      + devices.map { .device($0) } + ["15", "16"].map { .group(type: "org", name: $0) },
    in projects: [UInt32] = [1, 2],
    _ comment: Comment
  ) throws {
    let model = InMemoryEventStore(events)
    for project in projects {
      for subject in subjects {
        let question = CurrentProperties(project: project, of: subject)
        try #require(
          try question.run(on: duck.store) == question.run(on: model),
          "\(comment), \(subject)"
        )
      }
    }
  }

  private static let devices = ["G", "H", "a device of more than twelve bytes"]
  private static let users = ["john", "mary", "a user of more than twelve bytes"]

  private static func event(_ random: inout RandomHistory, spread: Int64) -> StoredEvent {
    let ownMs = RandomHistory.start + Int64.random(in: 0..<spread, using: &random)
    return StoredEvent(
      key: EventKey(high: random.next(), low: random.next()),
      project: UInt32(random.pick([1, 1, 2])),
      kind: random.pick([.event, .event, .identify, .groupIdentify]),
      isTest: random.pick([false, false, true]),
      name: "Opened",
      timestampMs: ownMs,
      correctedMs: ownMs + random.pick([0, 0, 90_000] as [Int64]),
      sequence: Int64(random.pick([0, 1, 2])),
      deviceID: random.pick(["", "G"] + devices),
      userID: random.pick(["", "", ""] + users),
      properties: random.pick(RandomHistory.properties),
      groups: random.pick(["", #"{"org":"15"}"#, #"{"org":["15",16],"team":"a"}"#]),
      operations: random.pick(RandomHistory.operations)
    )
  }

  private static func people(_ duck: TestStore) throws -> [EventKey: [SQLValue]] {
    let rows = try duck.store.rows(
      SQL("SELECT event_key, person, coalesce(person_id, '') FROM person_events")
    )
    return Dictionary(try rows.map { (try $0.key(0), Array($0.values[1...])) }) { $1 }
  }

  private static func people(_ events: [StoredEvent]) -> [EventKey: [SQLValue]] {
    let people = PeopleMap(events)
    return Dictionary(
      events.map { event in
        (
          event.key,
          [
            people.person(of: event).map { .integer($0) } ?? .null,
            .text(people.personID(of: event)),
          ]
        )
      }
    ) { $1 }
  }
}
