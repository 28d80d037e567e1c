import DuckDBStore
import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// Devices that are one user's, nobody's, or several users' in turn, asked about in every way that sums
/// before it knows whose an event is.
@Suite struct `Questions over devices that change hands` {
  /// 28 March 2026, 20:00 UTC: the clocks of Europe change in the second night.
  private static let start: Int64 = 1_774_728_000_000
  private static let hour: Int64 = 3_600_000

  private static let zones = ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/St_Johns"]

  /// Six devices over five days, in sessions that often last past midnight, many events in one
  /// millisecond; some events are of test builds, some are changes, some come a day late.
  private static func events(_ random: inout RandomHistory) -> [StoredEvent] {
    (0..<300).map { number in
      let device = random.pick(["alone", "mine", "mine too", "ours", "ours", "handed on"])
      let user = random.pick(Self.users(of: device))
      let session = Int64.random(in: 0..<60, using: &random)
      let own =
        Self.start + session * 2 * Self.hour
        + random.pick([0, 1, 900_000, 4 * Self.hour - 1, 4 * Self.hour, 4 * Self.hour + 1])
        + random.pick([0, 0, 0, 20_000, 899_999] as [Int64])
      return StoredEvent(
        key: EventKey(high: random.next(), low: random.next()),
        project: random.pick([1, 1, 1, 2]),
        kind: random.pick([.event, .event, .event, .event, .identify]),
        isTest: random.pick([false, false, false, true]),
        name: random.pick(["a", "b", "c", "session_start", "app_crashed"]),
        timestampMs: own,
        correctedMs: own + random.pick([0, 0, 0, -900_000, 2 * Self.hour] as [Int64]),
        receivedMs: own + random.pick([0, 0, 24 * Self.hour] as [Int64]),
        sequence: random.pick([0, 0, 1, 2] as [Int64]),
        id: "id-\(number)",
        deviceID: device,
        userID: user,
        sessionID: random.pick(["", "s\(session)", "s\(session)", "all"]),
        properties: random.pick([
          "", #"{"app_state":"background","engaged_ms":0}"#,
          #"{"app_state":"active","engaged_ms":1500.5}"#, #"{"app_state":null,"engaged_ms":-1}"#,
          #"{"app_\u0073tate":"back\u0067round","engaged_ms":"5"}"#, #"{"engaged_ms":604800001}"#,
        ])
      )
    }
  }

  private static func users(of device: String) -> [String] {
    switch device {
    case "mine", "mine too": ["", "", "me"]
    case "ours": ["", "", "me", "you"]
    case "handed on": ["", "", "", "", "you", "they"]
    default: [""]
    }
  }

  private static func scope(_ random: inout RandomHistory) -> Scope {
    let from = start + Int64.random(in: -20..<100, using: &random) * hour / 2
    return Scope(
      project: random.pick([1, 1, 1, 2]),
      fromMs: random.pick([from, from, from + 1, start - 900 * hour]),
      toMs: random.pick([
        from + Int64.random(in: 1..<100, using: &random) * hour, from + 60 * hour + 1,
        start + 900 * hour,
      ]),
      conditions: random.pick([0, 0, 0, 1]) == 0 ? [] : [Condition(.name, .equals, "a")],
      unit: random.pick([.people, .people, .people, .devices]),
      includesTest: random.pick([true, false])
    )
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `mean what their definitions say`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = Self.events(&random).sorted { $0.receivedMs < $1.receivedMs }
    let duck = try TestStore()
    // What comes later is loaded later, in one case after the store was opened anew.
    try duck.load(Array(events.prefix(120)))
    if seed == 3 { try duck.reopen() }
    try duck.load(Array(events.dropFirst(120)))
    if seed == 4 { try duck.store.rebuildDerivedTables() }
    let model = InMemoryEventStore(events)
    for _ in 0..<8 {
      let scope = Self.scope(&random)
      let axis = TimeAxis(
        random.pick([.hour, .day, .day, .week, .month]),
        timeZone: TimeZone(identifier: random.pick(Self.zones)) ?? .gmt
      )
      let note: Comment = "seed \(seed) \(scope) \(axis)"
      try agree(ActivePeople(scope), duck, model, note)
      try agree(NewPeople(scope), duck, model, note)
      try agree(SessionTrend(scope, axis: axis), duck, model, note)
      try agree(Activity(scope, axis: axis), duck, model, note)
      try agree(Trend(scope, axis: axis, measure: .people), duck, model, note)
      try agree(
        Trend(scope, axis: axis, measure: .eventsPerPerson, breakdown: .name),
        duck,
        model,
        note
      )
      let field: Field? = random.pick([nil, nil, .name])
      try agree(SessionTrend(scope, axis: axis, breakdown: field), duck, model, note)
      let until = random.pick([scope.toMs, Self.start + 100 * Self.hour + 1])
      try agree(Retention(scope, axis: axis, periods: 5, untilMs: until), duck, model, note)
      let paths = Paths(
        scope,
        timeZone: axis.timeZone,
        direction: random.pick(Paths.Direction.allCases),
        trail: random.pick(Paths.Trail.allCases),
        steps: random.pick([2, 5, 8]),
        limit: random.pick([1, 3])
      )
      try agree(paths, duck, model, note)
    }
  }

  /// A condition that every event meets makes a question read the events themselves.
  private static let always = Condition(.name, .differs, "no such event")

  @Test(arguments: ["one by one", "removed by age", "erased", "opened anew"])
  func `answer by sums what they answer by events`(_ history: String) throws {
    var random = RandomHistory(seed: 11)
    let events = Self.events(&random)
    let duck = try TestStore()
    if history == "one by one" {
      for event in events.prefix(150) { try duck.load([event]) }
    } else {
      try duck.load(events)
    }
    switch history {
    case "removed by age":
      for name in ["b", "session_start"] {
        let expired = ExpiredEvents(
          project: 1,
          beforeMs: Self.start + 50 * Self.hour,
          name: name
        )
        while try duck.store.remove(expired, limit: 7) == 7 {}
      }
      #expect(try duck.store.rows(SQL("SELECT 1 FROM events WHERE name = 'b'")).count > 0)
    case "erased":
      var erasure = Erasure(id: 1, project: 1, askedAtMs: Self.start + 9_000 * Self.hour)
      erasure.user = PersonNumber.user(project: 1, id: "me")
      #expect(try duck.store.erase(erasure) > 0)
    case "opened anew": try duck.reopen()
    default: break
    }
    for _ in 0..<8 {
      var scope = Self.scope(&random)
      scope.conditions = []
      let slow = scope.with(Self.always)
      let axis = TimeAxis(
        random.pick([.day, .hour, .week]),
        timeZone: TimeZone(identifier: random.pick(Self.zones)) ?? .gmt
      )
      func same<Question: Insight>(_ ask: (Scope) -> Question) throws
      where Question.Output: Equatable {
        let (answer, expected) = (
          try ask(scope).run(on: duck.store), try ask(slow).run(on: duck.store)
        )
        #expect(answer == expected, "\(history) \(scope) \(axis)")
      }
      try same { ActivePeople($0) }
      try same { NewPeople($0) }
      try same { Activity($0, axis: axis) }
      try same { Trend($0, axis: axis, measure: .people) }
      try same { Retention($0, axis: axis, periods: 4, untilMs: scope.toMs + 7) }
      try same { SessionTrend($0, axis: axis) }
    }
  }

  private func agree<Question: Insight>(
    _ question: Question,
    _ duck: TestStore,
    _ model: InMemoryEventStore,
    _ note: Comment
  ) throws where Question.Output: Equatable {
    let (answer, definition) = (try question.run(on: duck.store), try question.run(on: model))
    #expect(answer == definition, note)
  }
}
