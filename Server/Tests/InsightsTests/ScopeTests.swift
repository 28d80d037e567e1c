import EventRecord
import EventStore
import Foundation
import Insights
import Testing

@Suite struct `A scope` {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `means in SQL what its conditions say`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(1_500)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for condition in RandomHistory.conditions {
      let scope = Scope(project: 1, fromMs: 0, toMs: 2 * RandomHistory.start, includesTest: true)
      let people = ActivePeople(scope.with(condition))
      #expect(try people.run(on: duck.store) == people.run(on: model), "seed \(seed) \(people)")
    }
    for _ in 0..<40 {
      let scope = random.scope()
      let active = ActivePeople(scope)
      #expect(try active.run(on: duck.store) == active.run(on: model), "seed \(seed) \(scope)")
      let new = NewPeople(scope)
      #expect(try new.run(on: duck.store) == new.run(on: model), "seed \(seed) \(scope)")
      let users = UsersSeen(project: scope.project)
      #expect(try users.run(on: duck.store) == users.run(on: model), "seed \(seed) \(scope)")
      let sessions = SessionTrend(scope, axis: TimeAxis(.day, timeZone: .gmt))
      #expect(try sessions.run(on: duck.store) == sessions.run(on: model), "seed \(seed) \(scope)")
    }
  }

  @Test(
    arguments: [
      ("platform:is:iOS", Condition(.platform, .equals, "iOS")),
      ("props.a:b:is-not:x:y", Condition(.property("a:b"), .differs, "x:y")),
      ("user.plan:set", Condition(.user("plan"), .isThere)),
      ("event:contains:", Condition(.name, .contains, "")),
      ("props.n:over:-1.5e3", Condition(.property("n"), .over, "-1.5e3")),
      (#"props.a\:is\:b:is:x:is:y"#, Condition(.property("a:is:b"), .equals, "x:is:y")),
      (#"props.c\\d\:set:set"#, Condition(.property(#"c\d:set"#), .isThere)),
      ("event:is:a:is:b", Condition(.name, .equals, "a:is:b")),
      (#"props.a\b:is:x\:y"#, Condition(.property(#"a\b"#), .equals, #"x\:y"#)),
      ("props.n:over:many", nil), ("props.:is:x", nil), ("colour:is:x", nil), ("platform", nil),
      ("", nil), ("platform:like:x", nil),
    ] as [(String, Condition?)]
  )
  func `condition is read as it is written`(text: String, condition: Condition?) {
    #expect(Condition(text) == condition)
    if let condition { #expect(Condition(condition.text) == condition) }
  }

  @Test func `whole numbers are told apart to the last digit, and texts from numbers`() throws {
    let values = [
      "9007199254740993", "9007199254740992", "9007199254740994", "1e17", "100000000000000000",
      "\"9007199254740993\"", "\"1\"", "1", "1.0", "-9007199254740993", "18446744073709551615",
      "0.5", "\"0.5\"", "\"a\"", "\"7.5\"", "[9007199254740993]",
    ]
    var events = `A question's answer`.events(values.indices.map { ("p", "a", Int64($0)) })
    for index in values.indices { events[index].properties = #"{"n":\#(values[index])}"# }
    let scope = `A question's answer`.scope(days: 1)
    let trend = Trend(
      scope,
      axis: `A question's answer`.days,
      breakdown: .property("n"),
      limit: 50
    )
    _ = try `A question's answer`.answer(trend, events)
    let report = try `A question's answer`.report(
      .trend,
      ["by": "props.n", "limit": "50", "from": "2026-11-02", "to": "2026-11-02"],
      events,
      nowMs: `A question's answer`.start + `A question's answer`.day
    )
    let lines = try #require(report.chart).lines
    let titles = Dictionary(uniqueKeysWithValues: lines.map { ($0.name, $0.values[0]) })
    for (title, count) in [
      ("9007199254740993", 3), ("9007199254740992", 1), ("9007199254740994", 1),
      ("100000000000000000", 2), ("“1”", 1), ("1", 2), ("-9007199254740993", 1), ("0.5", 1),
      ("“0.5”", 1), ("a", 1), ("7.5", 1),
    ] as [(String, Double)] {
      #expect(titles[title] == count, "\(title) \(titles)")
    }
    for (value, count) in [
      ("9007199254740993", 3), ("9007199254740992", 1), ("9007199254740994", 1), ("1", 3),
      ("1e17", 2), ("100000000000000000", 2), ("-9007199254740993", 1),
    ] as [(String, Double)] {
      let filtered = Trend(
        scope.with(Condition(.property("n"), .equals, value)),
        axis: `A question's answer`.days
      )
      let answer = try `A question's answer`.answer(filtered, events)
      #expect(answer.all.total == count, "\(value)")
    }
    for (condition, count) in [
      ("over:9007199254740992", 6), ("over:9007199254740993", 4), ("under:9007199254740993", 5),
      ("under:-9007199254740992", 1), ("under:-9007199254740993", 0), ("over:0.75", 9),
    ] as [(String, Double)] {
      let asked = try #require(Condition("props.n:" + condition))
      let filtered = Trend(scope.with(asked), axis: `A question's answer`.days)
      let answer = try `A question's answer`.answer(filtered, events)
      #expect(answer.all.total == count, "\(condition)")
    }
  }

  /// What the clients of several protocols say of the app and the system they run in.
  @Test(
    arguments: [
      (#"{"app_version":"4.2.0"}"#, "{}", Field.version, "4.2.0"),
      (#"{"version_name":"4.3.0","app_version":"4.2.0"}"#, "{}", .version, "4.3.0"),
      ("{}", #"{"app":"1.0"}"#, .version, "1.0"),
      (#"{"os_name":"ios","os_version":"17.4"}"#, "{}", .system, "ios 17.4"),
      (#"{"os_name":"ios","os_version":""}"#, "{}", .system, "ios"),
      (#"{"os_name":"ios","os_version":null}"#, "{}", .system, "ios"),
      (#"{"os_version":"17.4"}"#, #"{"os":"iOS 19.1"}"#, .system, "iOS 19.1"),
    ] as [(String, String, Field, String)]
  )
  func `app and system are found`(
    context: String,
    client: String,
    field: Field,
    text: String
  )
    throws
  {
    var events = `A question's answer`.events([("p", "a", 0)])
    events[0].context = context
    events[0].client = client
    let trend = Trend(
      `A question's answer`.scope(days: 1),
      axis: `A question's answer`.days,
      breakdown: field
    )
    let answer = try `A question's answer`.answer(trend, events)
    #expect(answer.lines.map(\.group) == [.text(text)])
  }

  @Test func `names of other bytes are other names, though they read the same`() throws {
    let names = ["caf\u{e9}", "caf\u{e9}", "cafe\u{301}"]
    var events = `A question's answer`.events(
      names.enumerated().map { ("p", $0.element, Int64($0.offset)) }
    )
    for index in events.indices { events[index].properties = #"{"\#(names[index])":1}"# }
    let start = `A question's answer`.start
    let series = EventSeries(
      project: 1,
      interval: .day,
      fromMs: start,
      toMs: start + `A question's answer`.day,
      timeZone: .gmt
    )
    #expect(try `A question's answer`.answer(series, events).lines.map(\.total) == [2, 1])
    let report = try `A question's answer`.report(
      .signIns,
      ["sign-in": "caf\u{e9};cafe\u{301}", "from": "2026-11-02", "to": "2026-11-02"],
      events,
      nowMs: start + `A question's answer`.day
    )
    #expect(report.figures.first?.value == 3)
    for index in events.indices { events[index].name = "a" }
    let members = try `A question's answer`.answer(EventMembers(project: 1, name: "a"), events)
    #expect(members.members.map(\.count) == [2, 1])
  }

  /// Each by its own words: what a condition holds of.
  @Test(
    arguments: [
      ("props.n:is:1.0", [1]), ("props.n:is-not:1", [2, 3, 4, 5]), ("props.n:over:1", [2]),
      ("props.n:set", [1, 2, 3]), ("props.n:not-set", [4, 5]), ("props.n:contains:1", [3]),
      ("props.n:is:one1", [3]), ("props.live:is:true", [4]), ("props.tags:is:a", [5]),
      ("props.tags:is:2", [5]), ("props.tags:contains:b", [5]),
      ("props.tags:contains-not:b", [1, 2, 3, 4]),
    ] as [(String, [Int])]
  )
  func `condition holds of these events`(text: String, numbers: [Int]) throws {
    let properties = [
      #"{"n":1}"#, #"{"n":1.5}"#, #"{"n":"one1"}"#, #"{"n":null,"live":true}"#,
      #"{"tags":["a","abc",2]}"#,
    ]
    let events = properties.enumerated().map { number, json in
      StoredEvent(
        key: EventKey(high: 0, low: UInt64(number + 1)),
        project: 1,
        name: "Opened",
        timestampMs: 1_000,
        deviceID: "device-\(number + 1)",
        properties: json
      )
    }
    let duck = try TestStore()
    try duck.load(events)
    let condition = try #require(Condition(text))
    for number in 1...5 {
      let scope = Scope(project: 1, fromMs: 0, toMs: 2_000)
      let question = ActivePeople(scope.with(condition).with(.person("device-\(number)")))
      let count = numbers.contains(number) ? 1 : 0
      #expect(try question.run(on: InMemoryEventStore(events)) == count, "\(number)")
      #expect(try question.run(on: duck.store) == count, "\(number)")
    }
  }
}
