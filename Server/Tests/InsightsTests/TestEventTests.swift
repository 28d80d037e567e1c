import DuckDBStore
import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// What a tester does on somebody's device, or under somebody's name, must not show on any chart.
@Suite struct `Test events` {
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `change no answer that leaves them out`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let all = random.events(900).map(\.orPing)
    let (tested, untested) = (try TestStore(), try TestStore())
    try tested.load(Array(all.prefix(400)))
    try tested.load(Array(all.dropFirst(400)))
    try untested.load(all.filter { !$0.isTest })
    func compare<Question: Insight>(_ question: Question) throws where Question.Output: Equatable {
      let answer = try question.run(on: tested.store)
      #expect(try answer == question.run(on: untested.store), "seed \(seed) \(question)")
      #expect(try answer == question.run(on: InMemoryEventStore(all)), "seed \(seed) \(question)")
    }
    for _ in 0..<10 {
      var scope = random.scope()
      scope.includesTest = false
      let axis = TimeAxis(.day, timeZone: .gmt)
      let field = random.pick([nil, .name, .person, .user("plan")] as [Field?])
      try compare(Trend(scope, axis: axis, measure: .people, breakdown: field))
      try compare(Activity(scope, axis: axis))
      try compare(Retention(scope, axis: axis, untilMs: scope.toMs, breakdown: field))
      try compare(SessionTrend(scope, axis: axis, breakdown: field))
      try compare(RevenueTrend(scope, axis: axis, currency: "USD"))
      let funnel = Funnel(
        scope,
        steps: [FunnelStep("Opened"), FunnelStep("Played")],
        holding: random.maybe([.user("plan"), .platform])
      )
      try compare(funnel)
      let setting = random.setting()
      try compare(
        PeopleList(project: 1, rules: [random.pick(RandomHistory.rules)], setting: setting)
      )
      try compare(
        SegmentCount(project: 1, SegmentFilter(random.segment(), setting))
      )
    }
    try compare(PeopleList(project: 1, setting: random.setting(), limit: 1_000))
    for order in GroupList.Order.allCases { try compare(GroupList(project: 1, order: order)) }
  }

  private static let start: Int64 = 864_000_000

  private static func event(
    _ number: UInt64,
    _ kind: EventRecord.Kind = .event,
    isTest: Bool = false,
    device: String = "phone",
    user: String = "",
    groups: String = "",
    _ operations: String = ""
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 1, low: number),
      project: 1,
      kind: kind,
      isTest: isTest,
      name: kind == .event ? "Opened" : "$identify",
      timestampMs: start + Int64(number) * 1_000,
      sequence: Int64(number),
      deviceID: device,
      userID: user,
      groups: groups,
      operations: operations
    )
  }

  /// Asks a store and the definition.
  private static func ask<Question: Insight>(
    _ question: Question,
    _ events: [StoredEvent]
  ) throws -> Question.Output where Question.Output: Equatable {
    let duck = try TestStore()
    for event in events { try duck.load([event]) }
    let answer = try question.run(on: duck.store)
    #expect(try answer == question.run(on: InMemoryEventStore(events)))
    try duck.store.rebuildDerivedTables()
    #expect(try answer == question.run(on: duck.store))
    return answer
  }

  @Test func `on somebody's device make it nobody else's`() throws {
    let events = [
      Self.event(1), Self.event(2, user: "ada"), Self.event(3, isTest: true, user: "tester"),
      Self.event(4),
    ]
    let list = PeopleList(project: 1, setting: PeopleSetting(nowMs: Self.start + 10_000))
    let people = try Self.ask(list, events).people
    #expect(people.map(\.id) == ["ada"] && people.map(\.events) == [3])
  }

  @Test func `of one device belong to whom they name among themselves`() throws {
    let events = [
      Self.event(1, isTest: true), Self.event(2, user: "ada"),
      Self.event(3, isTest: true, user: "tester"), Self.event(4),
    ]
    let lookup = PersonLookup(project: 1, id: "tester")
    guard case .person(let tester) = try Self.ask(lookup, events) else {
      Issue.record("nobody was found")
      return
    }
    #expect(try Self.ask(PersonTimeline(tester), events).map(\.sequence) == [3, 1])
    #expect(
      try Self.ask(PersonLookup(project: 1, id: "phone"), events) == .device(of: ["ada"])
    )
  }

  @Test func `are on the page of their device as long as nobody signs in there`() throws {
    var events = [Self.event(1, isTest: true)]
    for _ in 0..<2 {
      guard case .person(let phone) = try Self.ask(PersonLookup(project: 1, id: "phone"), events)
      else {
        Issue.record("nobody was found")
        return
      }
      let duck = try TestStore()
      try duck.load(events)
      let found = try PersonLookup(project: 1, id: "phone").run(on: duck.store)
      guard case .person(let found) = found else { continue }
      #expect(try PersonTimeline(found).run(on: duck.store).count == events.count)
      #expect(
        try PersonTimeline(phone).run(on: InMemoryEventStore(events)).count == events.count
      )
      events.append(Self.event(2))
    }
    let testers = [Self.event(1, isTest: true), Self.event(2, isTest: true, user: "tester")]
    #expect(
      try Self.ask(PersonLookup(project: 1, id: "phone"), testers) == .device(of: ["tester"])
    )
  }

  @Test(arguments: [
    CurrentProperties.Subject.user("ada"), .device("phone"), .group(type: "org", name: "acme"),
  ])
  func `say what holds only of whom nothing else speaks`(subject: CurrentProperties.Subject) throws
  {
    let groups = #"{"org":"acme"}"#
    func says(_ number: UInt64, _ plan: String, isTest: Bool) -> StoredEvent {
      switch subject {
      case .user(let id):
        Self.event(number, .identify, isTest: isTest, user: id, #"{"$set":{"plan":"\#(plan)"}}"#)
      case .device:
        Self.event(number, .identify, isTest: isTest, #"{"$set":{"plan":"\#(plan)"}}"#)
      case .group:
        Self.event(
          number,
          .groupIdentify,
          isTest: isTest,
          groups: groups,
          #"{"$set":{"plan":"\#(plan)"}}"#
        )
      }
    }
    let question = CurrentProperties(project: 1, of: subject)
    let test = says(2, "test", isTest: true)
    #expect(try Self.ask(question, [test]).properties == ["plan": .text("test")])
    #expect(
      try Self.ask(question, [says(1, "free", isTest: false), test]).properties
        == ["plan": .text("free")]
    )
    #expect(
      try Self.ask(question, [test, says(3, "pro", isTest: false)]).properties
        == ["plan": .text("pro")]
    )
  }

  @Test func `are asked by what they say themselves, and no others are`() throws {
    let events = [
      Self.event(1, .identify, isTest: true, user: "ada", #"{"$set":{"plan":"test"}}"#),
      Self.event(2, .identify, user: "ada", #"{"$set":{"plan":"pro"}}"#),
      Self.event(3, isTest: true, user: "ada"), Self.event(4, user: "ada"),
    ]
    func count(_ plan: String, includesTest: Bool) throws -> Double? {
      let scope = Scope(
        project: 1,
        fromMs: Self.start,
        toMs: Self.start + 86_400_000,
        conditions: [Condition(.user("plan"), .equals, plan)],
        includesTest: includesTest
      )
      let trend = Trend(scope, axis: TimeAxis(.day, timeZone: .gmt), measure: .events)
      return try Self.ask(trend, events).all.total
    }
    #expect(try count("test", includesTest: true) == 1)
    #expect(try count("pro", includesTest: true) == 1)
    #expect(try count("pro", includesTest: false) == 1)
    #expect(try count("test", includesTest: false) ?? 0 == 0)
  }

  @Test func `are erased with whom they are of, whether they name them or not`() throws {
    let events = [
      Self.event(1, isTest: true), Self.event(2, .identify, isTest: true, user: "ada", "{}"),
      Self.event(3, isTest: true, device: "other"),
    ]
    for kind in 0...1 {
      let duck = try TestStore()
      try duck.load(events)
      var erasure = Erasure(id: 1, project: 1, askedAtMs: Self.start + 100_000)
      if kind == 0 {
        erasure.user = PersonNumber.user(project: 1, id: "ada")
        erasure.spans = try duck.store.spans(ofUser: erasure.user ?? 0)
      } else {
        erasure.device = PersonNumber.device(project: 1, id: "phone")
      }
      let model = InMemoryEventStore(events)
      #expect(try duck.store.erase(erasure) == model.erase(erasure))
      let left = try duck.store.rows(SQL("SELECT device_id FROM events"))
      #expect(try left.map { try $0.text(0) } == ["other"])
      for table in ["device_users", "current_properties"] {
        #expect(try duck.store.rows(SQL("FROM \(table)")).isEmpty)
      }
      // What turns up again is known to be erased.
      try duck.load(events, erased: EraseList([erasure]))
      #expect(try duck.store.rows(SQL("SELECT 1 FROM events")).count == 1)
    }
  }
}
