import DuckDBStore
import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `Erasing from a store` {
  private static let users = ["john", "mary", "a user of more than twelve bytes"]
  private static let devices = ["G", "H", "a device of more than twelve bytes"]

  private static func event(_ random: inout RandomHistory) -> StoredEvent {
    let ownMs = RandomHistory.start + Int64.random(in: 0..<1_000, using: &random)
    return StoredEvent(
      key: EventKey(high: random.next(), low: random.next()),
      project: UInt32(random.pick([1, 1, 2])),
      kind: random.pick([.event, .event, .identify, .groupIdentify]),
      name: random.pick(["Opened", "Played"]),
      timestampMs: ownMs,
      // From a clock that is right, ahead or behind.
      receivedMs: ownMs + random.pick([0, 0, -300, 300]),
      sequence: Int64(random.pick([0, 1, 2])),
      deviceID: random.pick(["", "G"] + devices),
      userID: random.pick(["", "", ""] + users),
      properties: random.pick(RandomHistory.properties),
      groups: random.pick(["", #"{"org":"15"}"#]),
      operations: random.pick(RandomHistory.operations)
    )
  }

  private static func erasure(_ random: inout RandomHistory) -> Erasure {
    let project = UInt32(random.pick([1, 2]))
    var erasure = Erasure(
      id: Int64(random.next() >> 1),
      project: project,
      askedAtMs: RandomHistory.start + random.pick([500, 2_000] as [Int64])
    )
    let kind = random.pick([0, 1, 2])
    if kind == 0 { erasure.user = PersonNumber.user(project: project, id: random.pick(users)) }
    if kind == 1 {
      erasure.device = PersonNumber.device(project: project, id: random.pick(devices))
    }
    erasure.name = kind == 2 ? "Played" : random.pick([nil, nil, "Opened"])
    erasure.fromMs = random.pick([nil, nil, RandomHistory.start + 300])
    erasure.toMs = random.pick([nil, nil, RandomHistory.start + 700])
    return erasure
  }

  /// What is counted goes, nothing else does, and all that follows from the events follows from what
  /// is left; against the definition, over random events and erasures.
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `what goes is what the definition says`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let duck = try TestStore()
    let events = (0..<150).map { _ in Self.event(&random) }
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for _ in 0..<4 {
      let erasure = Self.erasure(&random)
      let count = try model.count(erasure)
      #expect(try duck.store.count(erasure) == count, "seed \(seed) \(erasure)")
      #expect(try model.erase(erasure) == count)
      #expect(try duck.store.erase(erasure) == count)
      #expect(try duck.store.erase(erasure) == 0)
      #expect(try duck.store.erasuresDone().contains(erasure.id))
      let keys = try duck.store.rows(SQL("SELECT event_key FROM events")).map { try $0.key(0) }
      try #require(Set(keys) == Set(model.events.map(\.key)), "seed \(seed) \(erasure)")
    }
    // An erased event that comes again is a new one to the store: only the list keeps it out.
    let more = (0..<50).map { _ in Self.event(&random) }
    try duck.load(more)
    model.insert(more)
    for project in [1, 2] as [UInt32] {
      for user in Self.users {
        let question = CurrentProperties(project: project, of: .user(user))
        #expect(try question.run(on: duck.store) == question.run(on: model), "seed \(seed)")
      }
      let people = ActivePeople(Scope(project: project, fromMs: 0, toMs: .max / 2_000))
      #expect(try people.run(on: duck.store) == people.run(on: model), "seed \(seed)")
    }
  }

  /// Retention and erasing together: what is known of a person must not outlive both.
  @Test(arguments: [true, false])
  func `a person is forgotten whose events were kept for long enough and are gone`(
    isUser: Bool
  )
    throws
  {
    let duck = try TestStore()
    func event(_ number: UInt64, _ who: String, atMs: Int64) -> StoredEvent {
      StoredEvent(
        key: EventKey(high: 0, low: number),
        project: 1,
        kind: number % 2 == 0 ? .event : .identify,
        name: number % 2 == 0 ? "Bought" : "$identify",
        timestampMs: atMs,
        deviceID: "device of \(who)",
        userID: isUser ? who : "",
        properties: number % 2 == 0 ? #"{"$revenue":5}"# : "",
        operations: number % 2 == 0 ? "" : #"{"$set":{"who":"\#(who)"}}"#
      )
    }
    try duck.load([
      event(1, "john", atMs: 10), event(2, "john", atMs: 20), event(3, "mary", atMs: 900),
      event(4, "mary", atMs: 910),
    ])
    #expect(try duck.store.remove(ExpiredEvents(project: 1, beforeMs: 100), limit: 10) == 2)
    // Who somebody is outlives the events that told it; what they paid does not.
    func count(_ table: String) throws -> Int64 {
      try duck.store.rows(SQL("SELECT count(*) FROM \(table)"))[0].integer(0)
    }
    #expect(try count("current_properties") == 2)
    #expect(try count("revenues") == 1)
    var erasure = Erasure(id: 7, project: 1, askedAtMs: 1_000)
    if isUser {
      erasure.user = PersonNumber.user(project: 1, id: "john")
    } else {
      erasure.device = PersonNumber.device(project: 1, id: "device of john")
    }
    #expect(try duck.store.erase(erasure) == 0)
    #expect(try count("current_properties") == 1)
    #expect(try count("device_users") == (isUser ? 1 : 0))
    for table in ["current_properties", "device_users", "events"] {
      let rows = try duck.store.rows(SQL("SELECT t::VARCHAR FROM \(table) AS t"))
      #expect(try rows.allSatisfy { try !$0.text(0).contains("john") }, "\(table)")
    }
  }

  /// Deleting old events takes nothing of what holds: not from who is worked out anew because of what
  /// arrives late, and not from others when somebody is erased.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `what was said outlives the events that said it`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let cutMs = RandomHistory.start + 500
    var events = (0..<240).map { _ in Self.event(&random) }
    for index in events.indices where index % 2 == 1 {
      events[index].project = 1
      events[index].operations = random.pick(RandomHistory.operations)
    }
    let old = events.filter { $0.correctedMs < cutMs }
    let new = events.filter { $0.correctedMs >= cutMs }
    let duck = try TestStore()
    let model = InMemoryEventStore(old + new)
    try duck.load(old)
    let expired = ExpiredEvents(project: 1, beforeMs: cutMs)
    while try duck.store.remove(expired, limit: 30) == 30 {}
    // In the order in which they were made up: many arrive late.
    try duck.load(Array(new.prefix(new.count / 2)))
    if seed == 2 { try duck.reopen() }
    try duck.load(Array(new.dropFirst(new.count / 2)))
    func compare(_ note: String) throws {
      for subject in Self.subjects {
        let question = CurrentProperties(project: 1, of: subject)
        let (answer, definition) = (
          try question.run(on: duck.store), try question.run(on: model)
        )
        #expect(answer == definition, "seed \(seed) \(note) \(subject)")
      }
    }
    try compare("by age")
    var erasure = Erasure(id: 7, project: 1, askedAtMs: RandomHistory.start + 2_000)
    erasure.user = PersonNumber.user(project: 1, id: "mary")
    _ = try duck.store.erase(erasure)
    _ = try model.erase(erasure)
    try compare("erased")
    let left = try duck.store.rows(
      SQL("SELECT count(*) FROM kept_changes WHERE user_id = 'mary'")
    )
    #expect(try left[0].integer(0) == 0)
  }

  @Test func `who was on a device stays known where its events are gone and one comes late`()
    throws
  {
    let duck = try TestStore()
    try duck.load([
      event(1, "bob", device: "G", atMs: 100), event(2, "anna", device: "G", atMs: 200),
      event(3, "", device: "G", atMs: 900),
    ])
    #expect(try duck.store.remove(ExpiredEvents(project: 1, beforeMs: 500), limit: 10) == 2)
    try duck.load([event(4, "carl", device: "G", atMs: 150)])
    let rows = try duck.store.rows(
      SQL("SELECT person_id FROM person_events WHERE corrected_at = make_timestamp_ms(900)")
    )
    #expect(rows.map(\.values) == [[.text("anna")]])
  }

  private static let subjects: [CurrentProperties.Subject] =
    users.map { .user($0) } + (devices + ["G"]).map { .device($0) }
    + [.group(type: "org", name: "15")]

  private func event(
    _ number: UInt64,
    _ user: String,
    device: String,
    atMs: Int64,
    receivedMs: Int64? = nil
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 0, low: number),
      project: 1,
      name: "Opened",
      timestampMs: atMs,
      receivedMs: receivedMs,
      deviceID: device,
      userID: user
    )
  }

  /// A clock that is ahead keeps nothing from being erased: what had come goes, whatever its time.
  @Test func `what a clock dates after the erasure goes when it had come before`() throws {
    let duck = try TestStore()
    let model = InMemoryEventStore()
    let events = [
      event(1, "john", device: "G", atMs: 5_000, receivedMs: 999),
      event(2, "mary", device: "G", atMs: 5_000, receivedMs: 999),
    ]
    try duck.load(events)
    model.insert(events)
    var erasure = Erasure(id: 7, project: 1, askedAtMs: 1_000)
    erasure.user = PersonNumber.user(project: 1, id: "john")
    #expect(try duck.store.count(erasure) == 1 && model.count(erasure) == 1)
    #expect(try duck.store.erase(erasure) == 1)
    // Not loaded yet when it was asked for, and what came after it.
    let late = [
      event(3, "john", device: "G", atMs: 5_001, receivedMs: 999),
      event(4, "john", device: "G", atMs: 5_001, receivedMs: 1_000),
    ]
    try duck.load(late, erased: EraseList([erasure]))
    let left = try duck.store.rows(SQL("SELECT event_key FROM events ORDER BY event_key"))
    #expect(try left.map { try $0.key(0).low } == [2, 4])
  }

  /// Late arrivals by the rule: what happened before the erasure stays away, on the user's devices too.
  @Test func `what arrives late of an erased user is left out, and what happens later is new`()
    throws
  {
    let duck = try TestStore()
    let model = InMemoryEventStore()
    let first = [
      event(1, "john", device: "G", atMs: 100), event(2, "mary", device: "G", atMs: 200),
    ]
    try duck.load(first)
    model.insert(first)
    var erasure = Erasure(id: 7, project: 1, askedAtMs: 1_000)
    erasure.user = PersonNumber.user(project: 1, id: "john")
    erasure.spans = try duck.store.spans(ofUser: PersonNumber.user(project: 1, id: "john"))
    #expect(try duck.store.erase(erasure) == 1)
    let late = [
      event(3, "john", device: "H", atMs: 999), event(4, "", device: "G", atMs: 150),
      event(5, "", device: "G", atMs: 250), event(6, "john", device: "G", atMs: 1_000),
    ]
    try duck.load(late, erased: EraseList([erasure]))
    let left = try duck.store.rows(SQL("SELECT event_key FROM events ORDER BY event_key"))
    #expect(try left.map { try $0.key(0).low } == [2, 5, 6])
  }
}
