import EventRecord
import EventStore
import Insights
import Testing

@Suite struct `The list of groups` {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `is in SQL what it is by definition`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(900)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for order in GroupList.Order.allCases {
      let asked: [(String?, String?, String?)] = [
        (nil, nil, nil), ("org", nil, nil), (nil, "1", nil), ("team", "a", nil), ("x", nil, nil),
        ("org", nil, "1"), (nil, nil, "1"),
      ]
      for (type, search, name) in asked {
        for project in [1, 2] as [UInt32] {
          let list = GroupList(
            project: project,
            type: type,
            search: search,
            name: name,
            order: order,
            offset: random.pick([0, 0, 1])
          )
          let expected = try list.run(on: model)
          #expect(try list.run(on: duck.store) == expected, "seed \(seed) \(list)")
        }
      }
    }
    #expect(try GroupList(project: 1).run(on: model).count == 3)
  }

  @Test func `tells of types and names with any sign`() throws {
    let event = StoredEvent(
      key: EventKey(high: 1, low: 1),
      project: 1,
      name: "Opened",
      timestampMs: 5,
      deviceID: "d",
      groups: #"{"a~b/c":["x/y~z","$.q"],"n":7,"odd":[{"a":1},null,true]}"#
    )
    let duck = try TestStore()
    try duck.load([event])
    let list = GroupList(project: 1)
    let found = try list.run(on: duck.store)
    #expect(found.map { "\($0.type)|\($0.name)" } == ["a~b/c|$.q", "a~b/c|x/y~z", "n|7"])
    #expect(found == (try list.run(on: InMemoryEventStore([event]))))
  }

  @Test func `counts an event once in a group that it names twice`() throws {
    let event = StoredEvent(
      key: EventKey(high: 1, low: 1),
      project: 1,
      name: "Opened",
      timestampMs: 5,
      deviceID: "d",
      groups: #"{"org":["acme","acme",15,"15"]}"#
    )
    let duck = try TestStore()
    try duck.load([event])
    let found = try GroupList(project: 1).run(on: duck.store)
    #expect(found.map { "\($0.name) \($0.events)" } == ["15 1", "acme 1"])
    #expect(found == (try GroupList(project: 1).run(on: InMemoryEventStore([event]))))
  }

  @Test func `has a group by its name, however many larger ones are called alike`() throws {
    let event = StoredEvent(
      key: EventKey(high: 1, low: 1),
      project: 1,
      name: "Opened",
      timestampMs: 5,
      deviceID: "d",
      groups: #"{"org":["10","1","11"]}"#
    )
    let model = InMemoryEventStore([event])
    let found = try GroupList(project: 1, type: "org", name: "1", limit: 1).run(on: model)
    #expect(found.map(\.name) == ["1"])
  }
}

@Suite struct `A breakdown by what may be a list` {
  private typealias Answers = `A question's answer`

  /// One event of acme and initech, one of acme alone, one of none, one of hooli; each a session of its own.
  private static let events: [StoredEvent] = {
    var events = Answers.events([
      ("p", "open", 0), ("q", "open", 1_000), ("r", "open", 2_000), ("s", "open", 3_000),
    ])
    for index in events.indices { events[index].sessionID = "s\(index)" }
    events[0].groups = #"{"org":["acme","initech","acme"]}"#
    events[1].groups = #"{"org":"acme"}"#
    events[2].groups = #"{"org":[]}"#
    events[3].groups = #"{"org":["hooli","initech"]}"#
    return events
  }()

  @Test func `counts in each that is in the list, and over all once`() throws {
    let trend = Trend(Answers.scope(days: 1), axis: Answers.days, breakdown: .group("org"))
    let answer = try Answers.answer(trend, Self.events)
    #expect(answer.all.total == 4)
    let groups: [Group?] = [.text("acme"), .text("initech"), .text("hooli"), .missing]
    #expect(answer.lines.map(\.group) == groups)
    #expect(answer.lines.map(\.total) == [2, 2, 1, 1])
    let sessions = SessionTrend(
      Answers.scope(days: 1),
      axis: Answers.days,
      breakdown: .group("org")
    )
    let found = try Answers.answer(sessions, Self.events)
    #expect(found.all.count == 4 && found.lines.map(\.sum.count) == [2, 2, 1, 1])
    let funnel = Funnel(
      Answers.scope(days: 1),
      steps: [FunnelStep("open", [])],
      breakdown: .group("org")
    )
    let ways = try Answers.answer(funnel, Self.events)
    #expect(ways.levels.map(\.count) == [4] && ways.lines.map(\.levels[0].count) == [2, 2, 1, 1])
    let retention = Retention(
      Answers.scope(days: 1),
      axis: Answers.days,
      untilMs: Answers.start + Answers.day,
      breakdown: .group("org")
    )
    let cohorts = try Answers.answer(retention, Self.events)
    #expect(cohorts.cohorts.map(\.size) == [4] && cohorts.lines.map(\.size) == [2, 2, 1, 1])
  }

  @Test func `counts once among all others, whose own lines are left out`() throws {
    let scope = Answers.scope(days: 1)
    let trend = Trend(scope, axis: Answers.days, breakdown: .group("org"), limit: 1)
    let answer = try Answers.answer(trend, Self.events)
    #expect(answer.lines.map(\.group) == [.text("acme"), nil])
    #expect(answer.lines.map(\.total) == [2, 3])
    let sessions = SessionTrend(scope, axis: Answers.days, breakdown: .group("org"), limit: 1)
    #expect(try Answers.answer(sessions, Self.events).lines.map(\.sum.count) == [2, 3])
    let steps = [FunnelStep("open", [])]
    let funnel = Funnel(scope, steps: steps, breakdown: .group("org"), limit: 1)
    #expect(try Answers.answer(funnel, Self.events).lines.map(\.levels[0].count) == [2, 3])
    let retention = Retention(
      scope,
      axis: Answers.days,
      untilMs: Answers.start + Answers.day,
      breakdown: .group("org"),
      limit: 1
    )
    #expect(try Answers.answer(retention, Self.events).lines.map(\.size) == [2, 3])
  }

  @Test func `holds a way to what two lists have in common`() throws {
    var events = Answers.events([
      ("p", "add", 0), ("p", "buy", 1), ("q", "add", 0), ("q", "buy", 1),
    ])
    events[0].properties = #"{"items":["pen","ink","pen"]}"#
    events[1].properties = #"{"items":["ink","cap"]}"#
    events[2].properties = #"{"items":["pen","ink"]}"#
    events[3].properties = #"{"items":["cap","hat"]}"#
    let funnel = Funnel(
      Answers.scope(days: 1),
      steps: [FunnelStep("add", []), FunnelStep("buy", [])],
      holding: .property("items")
    )
    #expect(try Answers.answer(funnel, events).levels.map(\.count) == [2, 1])
  }

  @Test(
    arguments: [
      (QuestionKind.trend, "An event", [:]), (.sessions, "A session", [:]),
      (.funnel, "Someone", ["steps": "open;open"]), (.retention, "Someone", [:]),
    ] as [(QuestionKind, String, [String: String])]
  )
  func `is said in the definition where lines come to more than the whole`(
    kind: QuestionKind,
    noun: String,
    values: [String: String]
  ) throws {
    for (by, isSaid) in [("group.org", true), ("platform", false)] {
      let report = try Answers.report(
        kind,
        values.merging(["by": by, "from": "2026-11-02", "to": "2026-11-02"]) { $1 },
        Self.events,
        nowMs: Answers.start + Answers.day
      )
      #expect(report.definition.contains("\(noun) with a list") == isSaid)
      if noun == "An event" { #expect((try #require(report.chart).kind == .stack) == !isSaid) }
    }
  }
}

@Suite struct `The search of events` {
  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `finds in SQL what is meant, page by page`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(900)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for _ in 0..<25 {
      var search = EventSearch(random.scope(), limit: 20)
      for _ in 0..<3 {
        let found = try search.run(on: model)
        #expect(try search.run(on: duck.store) == found, "seed \(seed) \(search)")
        guard let last = found.last else { break }
        search.before = EventPlace(of: last)
      }
    }
  }
}
