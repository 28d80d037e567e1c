import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// Questions over a few events, with answers that were reasoned out by hand.
@Suite struct `A question's answer` {
  /// Monday 2 November 2026, 00:00 UTC.
  static let start: Int64 = 1_793_577_600_000
  static let hour: Int64 = 3_600_000
  static let day = 24 * hour

  /// Events written `PERSON NAME DAY.HOUR`, each person with a device of their own.
  static func events(_ lines: [(person: String, name: String, atMs: Int64)]) -> [StoredEvent] {
    lines.enumerated().map { number, line in
      StoredEvent(
        key: EventKey(high: 0, low: UInt64(number + 1)),
        project: 1,
        name: line.name,
        timestampMs: start + line.atMs,
        sequence: Int64(number),
        deviceID: "device of " + line.person,
        userID: line.person
      )
    }
  }

  /// Asks the definition and DuckDB, which must agree.
  static func answer<Question: Insight>(
    _ question: Question,
    _ events: [StoredEvent]
  ) throws -> Question.Output where Question.Output: Equatable {
    let duck = try TestStore()
    try duck.load(events)
    let answer = try question.run(on: duck.store)
    #expect(try answer == question.run(on: InMemoryEventStore(events)))
    return answer
  }

  /// Asks as a page does, the definition and DuckDB, which must agree.
  static func report(
    _ kind: QuestionKind,
    _ values: [String: String],
    _ events: [StoredEvent],
    nowMs: Int64
  ) throws -> Report {
    let form = QuestionForm(values, .init(project: 1, timeZone: .gmt, nowMs: nowMs))
    let duck = try TestStore()
    try duck.load(events)
    let report = try kind.report(form, on: duck.store)
    #expect(try report == kind.report(form, on: InMemoryEventStore(events)))
    return report
  }

  static func figure(_ title: String, _ report: Report) throws -> Report.Figure {
    try #require(report.figures.first { $0.title == title }, "\(report.figures.map(\.title))")
  }

  static func scope(days: Int64, unit: Scope.Unit = .people) -> Scope {
    Scope(project: 1, fromMs: start, toMs: start + days * day, unit: unit)
  }

  static let days = TimeAxis(.day, timeZone: .gmt)

  // MARK: Trend

  @Test("AWS-D8 a trend counts 6, with a filter 4, and 3 for each of 2 sessions")
  func trend() throws {
    var events = Self.events((0..<6).map { ("p\($0 % 3)", "play", Int64($0) * Self.hour) })
    for index in events.indices {
      events[index].properties =
        index < 4 ? #"{"level":"3","score":\#([10, 20, 60, 1][index])}"# : #"{"level":"4"}"#
    }
    let all = Trend(Self.scope(days: 1).with(.name("play")), axis: Self.days)
    #expect(try Self.answer(all, events).all.total == 6)
    for index in events.indices { events[index].sessionID = "s\(index % 2)" }
    for index in events.indices { events[index].userID = "p" }
    let form = QuestionForm(
      ["events": "play", "measure": "per-session", "from": "2026-11-02", "to": "2026-11-02"],
      .init(project: 1, timeZone: .gmt, nowMs: Self.start + Self.day)
    )
    let each = try QuestionKind.trend.report(form, on: InMemoryEventStore(events))
    #expect(each.figures.first?.value == 3)
    var filtered = all
    filtered.scope.conditions.append(Condition(.property("level"), .equals, "3"))
    #expect(try Self.answer(filtered, events).all.total == 4)
    filtered.scope.conditions.append(Condition(.property("score"), .over, "1"))
    for (aggregate, value) in [
      (.sum, 90), (.average, 30), (.minimum, 10), (.maximum, 60), (.median, 20),
    ] as [(Trend.Aggregate, Double)] {
      filtered.measure = .property("score", aggregate)
      #expect(try Self.answer(filtered, events).all.total == value)
    }
    filtered.scope.conditions.append(Condition(.property("level"), .equals, "x"))
    #expect(try Self.answer(filtered, events).all.total == nil)
  }

  @Test
  func `a day that has 25 hours counts all of them once, and weeks begin where they are told to`()
    throws
  {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    // Clocks go back in the night to Sunday 25 October: an event in every hour of the weekend.
    let saturday = Self.start - 9 * Self.day - 2 * Self.hour
    let events = Self.events(
      (0..<49).map { ("p", "x", saturday + Int64($0) * Self.hour - Self.start) }
    )
    let scope = Scope(project: 1, fromMs: saturday, toMs: saturday + 49 * Self.hour)
    let daily = try Self.answer(Trend(scope, axis: TimeAxis(.day, timeZone: berlin)), events)
    #expect(daily.all.values == [24, 25])
    let monday = try Self.answer(Trend(scope, axis: TimeAxis(.week, timeZone: berlin)), events)
    #expect(monday.all.values == [49])
    let sunday = TimeAxis(.week, timeZone: berlin, weekStart: .sunday)
    #expect(try Self.answer(Trend(scope, axis: sunday), events).all.values == [24, 25])
    let months = try Self.answer(Trend(scope, axis: TimeAxis(.month, timeZone: berlin)), events)
    #expect(months.all.values == [49])
  }

  /// Lord Howe's clocks go back by half an hour at 15:00 UTC on 4 April and forward at 15:30 on 3 October.
  @Test(
    arguments: [
      1_775_310_600_000, 1_791_034_200_000,
    ] as [Int64]
  )
  func `hours that a clock's change cuts are hours of their own`(from: Int64) throws {
    let zone = try #require(TimeZone(identifier: "Australia/Lord_Howe"))
    let hours = TimeAxis(.hour, timeZone: zone)
    let start = hours.start(of: from)
    // One event in every half hour.
    let half: Int64 = 1_800_000
    let events = Self.events((0..<9).map { ("p", "x", start + $0 * half + 60_000 - Self.start) })
    let scope = Scope(project: 1, fromMs: start, toMs: start + 9 * half)
    let answer = try Self.answer(Trend(scope, axis: hours), events)
    #expect(answer.all.values == [2, 2, 1, 2, 2] && answer.all.total == 9)
    for (bucket, next) in zip(answer.bucketStartsMs, answer.bucketStartsMs.dropFirst()) {
      #expect(hours.start(of: next - 1) == bucket && hours.start(of: next) == next)
    }
  }

  // MARK: Activity

  @Test("endpoints, users and people are counted each by their own ids")
  func units() throws {
    var events = Self.events([
      ("ada", "_session.start", 0), ("ada", "_session.start", 1), ("ada", "_session.start", 2),
    ])
    events[2].deviceID = "tablet"
    let scope = Self.scope(days: 1).with(.name("_session.start"))
    #expect(try Self.answer(Trend(scope, axis: Self.days), events).all.total == 3)
    for (unit, count) in [(.devices, 2), (.users, 1), (.people, 1)] as [(Scope.Unit, Int)] {
      var scope = scope
      scope.unit = unit
      #expect(try Self.answer(Activity(scope, axis: Self.days), events).first?.active == count)
      let each = Trend(scope, axis: Self.days, measure: .eventsPerPerson)
      #expect(try Self.answer(each, events).all.total == 3 / Double(count))
    }
  }

  @Test(
    "AWS-D2 a month is the thirty days up to and with the day, and AWS-D20 one of 31 days ago is not in it"
  )
  func month() throws {
    let events = Self.events([("a", "x", Self.day), ("b", "x", 0), ("c", "x", 30 * Self.day)])
    let scope = Scope(
      project: 1,
      fromMs: Self.start + 30 * Self.day,
      toMs: Self.start + 31 * Self.day,
      unit: .devices
    )
    let day = try #require(try Self.answer(Activity(scope, axis: Self.days), events).first)
    #expect(day.active == 1)
    #expect(day.lastThirtyDays == 2)
    #expect(day.new == 1)
  }

  @Test("AWS-D3 four of ten who were there eight days before came back in between")
  func sevenDays() throws {
    let people = (0..<10).map { ("p\($0)", "_session.start", Int64(0)) }
    let again = [
      ("p0", "_session.start", Self.day), ("p1", "_session.start", 7 * Self.day),
      ("p2", "_session.start", 3 * Self.day), ("p3", "_session.start", 7 * Self.day + 1),
      ("p3", "_session.start", 8 * Self.day), ("p4", "_session.start", 8 * Self.day),
      ("p5", "_session.start", 8 * Self.day),
    ]
    let events = Self.events(people + again)
    let days = try Self.answer(Activity(Self.scope(days: 9, unit: .users), axis: Self.days), events)
    #expect(days.last?.activeEightDaysBefore == 10)
    #expect(days.last?.cameBack == 4)
  }

  @Test("AWS-D19 new endpoints are first seen that day, new users by their first event")
  func newcomers() throws {
    var events = Self.events([
      ("old1", "x", 0), ("old2", "x", 0), ("n1", "x", 7 * Self.day), ("old1", "x", 7 * Self.day),
      ("old2", "x", 7 * Self.day),
    ])
    for index in 2..<5 { events[index].deviceID = "new \(index)" }
    var scope = Self.scope(days: 8, unit: .devices)
    scope.fromMs = Self.start + 7 * Self.day
    #expect(try Self.answer(Activity(scope, axis: Self.days), events).first?.new == 3)
    scope.unit = .users
    #expect(try Self.answer(Activity(scope, axis: Self.days), events).first?.new == 1)
  }

  // MARK: Funnel

  @Test("AWS-D10 of a hundred 65 take the second step and 46 the third")
  func funnel() throws {
    let steps = ["a", "b", "c"]
    let events = Self.events(
      (0..<100).flatMap { person in
        steps.enumerated().filter { person < [100, 65, 46][$0.offset] }.map {
          ("p\(person)", $0.element, Int64($0.offset) * Self.hour)
        }
      }
    )
    let funnel = Funnel(Self.scope(days: 1), steps: steps.map { FunnelStep($0) })
    let answer = try Self.answer(funnel, events)
    #expect(answer.levels.map(\.count) == [100, 65, 46])
    #expect(answer.levels.map(\.medianMs) == [0, 3_600_000, 7_200_000])
    let dropped = try Self.answer(FunnelPeople(funnel, level: 1, isLast: true), events)
    #expect(dropped.count == 35)
    #expect(dropped.ids.contains("p65") && !dropped.ids.contains("p64"))
  }

  @Test("PHA-56 a step within 24 hours counts to the second", arguments: [(0, 1), (1_000, 0)])
  func windowOfADay(lateMs: Int64, converted: Int) throws {
    let events = Self.events([
      ("p", "a", 10 * Self.hour), ("p", "b", 34 * Self.hour + lateMs),
    ])
    for window in Funnel.Window.allCases {
      let funnel = Funnel(
        Self.scope(days: 1),
        steps: [FunnelStep("a"), FunnelStep("b")],
        windowMs: Self.day,
        window: window
      )
      #expect(try Self.answer(funnel, events).levels.map(\.count) == [1, converted])
    }
  }

  @Test
  func
    `steps that are alike need an event each, and those of one moment go by the client's counter`()
    throws
  {
    let twice = Funnel(Self.scope(days: 1), steps: [FunnelStep("a"), FunnelStep("a")])
    #expect(try Self.answer(twice, Self.events([("p", "a", 0)])).levels.map(\.count) == [1, 0])
    let both = Self.events([("p", "a", 0), ("p", "a", 0)])
    #expect(try Self.answer(twice, both).levels.map(\.count) == [1, 1])
    let funnel = Funnel(Self.scope(days: 1), steps: [FunnelStep("a"), FunnelStep("b")])
    let backwards = Self.events([("p", "b", 0), ("p", "a", 0)])
    #expect(try Self.answer(funnel, backwards).levels.map(\.count) == [1, 0])
    var any = funnel
    any.order = .any
    #expect(try Self.answer(any, backwards).levels.map(\.count) == [1, 1])
  }

  /// Of steps that ask for the same event each needs one of its own, whichever way they are given out.
  @Test(
    arguments: [
      (["a", "a|props.n:is:1"], [1], [1, 0]), (["a", "a|props.n:is:1"], [1, 2], [1, 1]),
      (["a|props.n:is:1", "a"], [2, 1], [1, 1]), (["a", "a|props.n:is:1"], [2, 2], [1, 0]),
      (["a", "a|props.n:over:0", "a|props.n:over:1"], [2, 2], [1, 1, 0]),
      (["a", "a", "a|props.n:is:1"], [1, 2], [1, 1, 0]),
      (["a|props.n:under:3", "a|props.n:over:1", "a|props.n:is:2"], [1, 2, 3], [1, 1, 1]),
      (["a|props.n:under:2", "a|props.n:under:2|event:set", "a"], [1, 2, 3], [1, 1, 0]),
    ] as [([String], [Int], [Int])]
  )
  func `in any order one event is one step`(steps: [String], events: [Int], levels: [Int]) throws {
    var stored = Self.events(events.indices.map { ("p", "a", Int64($0)) })
    for index in events.indices { stored[index].properties = #"{"n":\#(events[index])}"# }
    let funnel = Funnel(
      Self.scope(days: 1),
      steps: steps.compactMap { FunnelStep($0) },
      order: .any
    )
    #expect(try Self.answer(funnel, stored).levels.map(\.count) == levels)
  }

  @Test(
    arguments: [
      (Funnel.Order.ordered, false, 1), (.strict, false, 0), (.ordered, true, 0),
    ] as [(Funnel.Order, Bool, Int)]
  )
  func `what lies between two steps ends a way only if told so`(
    order: Funnel.Order,
    isExcluded: Bool,
    converted: Int
  ) throws {
    let events = Self.events([("p", "a", 0), ("p", "x", 1), ("p", "b", 2)])
    let funnel = Funnel(
      Self.scope(days: 1),
      steps: [FunnelStep("a"), FunnelStep("b")],
      order: order,
      exclusions: isExcluded ? [FunnelStep("x")] : []
    )
    #expect(try Self.answer(funnel, events).levels.map(\.count) == [1, converted])
  }

  // MARK: What is not told

  /// Behind what is shown stands what all others come to, so that a table never is short without a word.
  @Test func `rows that are not shown are told of together`() throws {
    var events = Self.events((0..<60).map { ("p\($0)", "buy", Int64($0)) })
    for index in events.indices {
      events[index].properties = #"{"$price":1,"$productId":"product \#(index)"}"#
      events[index].sessionID = "s\(index)"
      if index.isMultiple(of: 2) { events[index].name = "buy \(index)" }
    }
    let day = ["from": "2026-11-02", "to": "2026-11-02"]
    func rows(
      _ kind: QuestionKind,
      _ values: [String: String],
      _ title: String
    ) throws -> [[Report
      .Cell]]
    {
      let asked = values.merging(day) { $1 }
      let report = try Self.report(kind, asked, events, nowMs: Self.start + 2 * Self.day)
      return try #require(report.tables.first { $0.title.hasPrefix(title) }).rows
    }
    let products = try rows(.revenue, [:], "Products")
    #expect(products.count == 51 && products[50][0] == .text("All 10 others"))
    #expect(products[50][1] == .number(10) && products[50][4] == .number(nil))
    let paths = try rows(.paths, [:], "The most frequent")
    #expect(paths.count == 21 && paths[20][..<2] == [.text("(all other paths)"), .count(11)])
    let funnel = try rows(
      .funnel,
      ["steps": "buy;buy", "order": "any", "by": "props.$productId", "limit": "3"],
      "By"
    )
    #expect(funnel.count == 4 && funnel[3][..<2] == [.text("All others"), .count(27)])
    let retention = try rows(
      .retention,
      ["by": "props.$productId", "limit": "3", "interval": "day"],
      "By"
    )
    #expect(retention.count == 4 && retention[3][..<2] == [.text("All others"), .count(57)])
    let form = QuestionForm(
      ["within": "day", "from": "2020-01-01", "to": "2026-11-02"],
      .init(project: 1, timeZone: .gmt, nowMs: Self.start)
    )
    #expect(throws: QuestionForm.Problem.self) { try QuestionKind.paths.check(form) }
  }

  /// Without a currency of the project the chart keeps that of most purchases ever.
  @Test func `the currency of a chart does not change with its days`() throws {
    var events = Self.events((0..<5).map { ("p", "buy", $0 == 0 ? 0 : Int64($0) - 3 * Self.day) })
    for index in events.indices {
      events[index].properties = #"{"$price":1,"$currency":"\#(index == 0 ? "SEK" : "EUR")"}"#
    }
    let report = try Self.report(
      .revenue,
      ["from": "2026-11-02", "to": "2026-11-02"],
      events,
      nowMs: Self.start + Self.day
    )
    #expect(report.currency == "EUR" && report.figures.first?.value == 0)
    #expect(report.tables.last?.rows.first?.first == .text("SEK"))
  }

  /// What is deleted by age is not known to have been first.
  @Test func `a first event is said to be the first since events are kept`() throws {
    func definitions(_ keptDays: Int?) throws -> String {
      var setting = QuestionForm.Setting(project: 1, timeZone: .gmt, nowMs: Self.start)
      setting.keptDays = keptDays
      let texts = try [QuestionKind.active, .retention, .revenue].map { kind in
        let form = QuestionForm(kind.word == "retention" ? ["entry": "new"] : [:], setting)
        let report = try kind.report(form, on: InMemoryEventStore(Self.events([("p", "a", -1)])))
        return ([report.definition] + report.figures.map(\.definition)).joined(separator: " ")
      }
      return texts.joined(separator: "\n")
    }
    let kept = try definitions(30)
    #expect(
      kept.components(separatedBy: "since 3 Oct 2026, as older events are not kept").count == 4
    )
    #expect(try definitions(nil).components(separatedBy: " ever ").count == 4)
  }

  // MARK: Sessions

  @Test("PHA-53 of sessions of 4, 5, 19, 20 and 100 seconds four count, half of them bounced")
  func bounces() throws {
    var events: [StoredEvent] = []
    for (number, seconds) in ([4, 5, 19, 20, 100] as [Int64]).enumerated() {
      let start = Int64(number) * Self.hour
      events += Self.events([("p", "a", start), ("p", "b", start + seconds * 1_000)]).map { event in
        var event = event
        event.key.low += UInt64(number) * 2
        event.sessionID = "s\(number)"
        return event
      }
    }
    let sessions = SessionTrend(Self.scope(days: 1), axis: Self.days, minimumMs: 5_000)
    let sum = try Self.answer(sessions, events).all
    #expect(sum.count == 4)
    #expect(sum.bounces == 2)
    #expect(sum.lengthMs == 4 * 36_000)
    let form = QuestionForm(
      ["minimum": "5", "from": "2026-11-02", "to": "2026-11-02"],
      QuestionForm.Setting(project: 1, timeZone: .gmt, nowMs: Self.start + 2 * Self.day)
    )
    let report = try QuestionKind.sessions.report(form, on: InMemoryEventStore(events))
    let figures = Dictionary(uniqueKeysWithValues: report.figures.map { ($0.title, $0.value) })
    #expect(figures["Sessions"] == 4)
    #expect(figures["Bounce rate"] == 0.5)
    #expect(figures["Average length"] == 36_000)
  }

  /// A start, a screen a second later, and pings for five minutes; a session of pings alone is none.
  @Test func `a session lasts until its last ping, and pings make none`() throws {
    let tenOClock = 10 * Self.hour
    var events = Self.events([
      ("p", "session_start", tenOClock), ("p", "/home", tenOClock + 1_000),
      ("p", "$ping", tenOClock + 150_000), ("p", "$ping", tenOClock + 300_000),
      ("p", "$ping", tenOClock - 60_000), ("p", "$ping", tenOClock + 900_000),
      ("p", "$ping", tenOClock + 300_000),
    ])
    for index in events.indices {
      events[index].sessionID = index < 6 ? "s" : "pings"
      events[index].kind = index < 2 ? .event : .identify
      events[index].userID = ""
    }
    events[5].isTest = true
    let trend = SessionTrend(Self.scope(days: 1), axis: Self.days, minimumMs: 5_000)
    let sum = try Self.answer(trend, events).all
    #expect(sum.count == 1 && sum.lengthMs == 300_000 && sum.bounces == 0)
    let recent = try Self.answer(RecentSessions(Self.scope(days: 1)), events)
    #expect(recent.map(\.lengthMs) == [300_000] && recent.map(\.events) == [2])
    let first = Self.events([("p", "a", -Self.day)]).map { event in
      var event = event
      (event.userID, event.key.high) = ("", 1)
      return event
    }
    let retention = Retention(
      Self.scope(days: 1).over(fromMs: Self.start - Self.day, toMs: Self.start),
      axis: Self.days,
      periods: 1,
      untilMs: Self.start + Self.day,
      sessionMs: 5_000
    )
    #expect(try Self.answer(retention, first + events).returned == [1, 1])
  }

  @Test func `steps that only read the same are two`() throws {
    let twins = ["\u{e9}", "e\u{301}"]
    let once = Self.events([("p", twins[0], 0)])
    let both = Self.events([("p", twins[0], 0), ("p", twins[1], 1)])
    for order in [Funnel.Order.ordered, .any] {
      let funnel = Funnel(
        Self.scope(days: 1),
        steps: twins.map { FunnelStep($0) },
        order: order,
        windowMs: Self.day
      )
      #expect(try Self.answer(funnel, once).levels.map(\.count) == [1, 0])
      #expect(try Self.answer(funnel, both).levels.map(\.count) == [1, 1])
    }
  }

  /// One clock that was set to the year 9999 in between must not make all others last for years.
  @Test func `sessions of more than a week have no length, and are told of`() throws {
    let end: Int64 = 253_402_300_799_999
    var events = Self.events([
      ("p", "a", 0), ("p", "b", end - Self.start), ("q", "a", 0), ("q", "b", 60_000),
      ("r", "a", 0), ("r", "b", 7 * Self.day), ("s", "a", 0), ("s", "b", 7 * Self.day + 1),
    ])
    for index in events.indices { events[index].sessionID = "s\(index / 2)" }
    let sessions = SessionTrend(Self.scope(days: 1), axis: Self.days, breakdown: .person)
    let answer = try Self.answer(sessions, events)
    #expect(answer.all.count == 4 && answer.all.overlong == 2 && answer.all.bounces == 0)
    #expect(answer.all.lengthMs == 60_000 + 7 * Self.day)
    let report = try Self.report(
      .sessions,
      ["from": "2026-11-02", "to": "2026-11-02"],
      events,
      nowMs: Self.start + Self.day
    )
    let length = try Self.figure("Average length", report)
    #expect(length.value == Double(60_000 + 7 * Self.day) / 2)
    #expect(length.definition.contains("2 that seem to be longer than a week are left out"))
  }

  /// Monday 2 November in the first week, asked on Wednesday of the third.
  @Test func `the week that is not over is in no average of who came back`() throws {
    let events = Self.events([
      ("p", "a", 0), ("q", "a", 0), ("p", "a", 7 * Self.day), ("q", "a", 7 * Self.day),
      ("r", "a", 7 * Self.day), ("p", "a", 14 * Self.day),
    ])
    let weeks = TimeAxis(.week, timeZone: .gmt)
    var retention = Retention(
      Self.scope(days: 21),
      axis: weeks,
      periods: 2,
      untilMs: Self.start + 16 * Self.day
    )
    let open = try Self.answer(retention, events)
    #expect(open.cohorts.map(\.returned) == [[2, 2, 1], [1, 0], [0]])
    #expect(open.returned == [3, 2, 0] && open.eligible == [3, 2, 0])
    retention.untilMs = Self.start + 21 * Self.day
    let over = try Self.answer(retention, events)
    #expect(over.returned == [3, 2, 1] && over.eligible == [3, 3, 2])
  }

  @Test func `session that goes over midnight counts on the day on which it began`() throws {
    var events = Self.events([("p", "a", Self.day - 1_000), ("p", "b", Self.day + 4_000)])
    for index in events.indices { events[index].sessionID = "s" }
    events[1].properties = #"{"app_state":"background","engaged_ms":3000}"#
    let sessions = SessionTrend(Self.scope(days: 2), axis: Self.days)
    let answer = try Self.answer(sessions, events)
    #expect(answer.buckets.map(\.count) == [1, 0])
    #expect(answer.all.lengthMs == 5_000)
    #expect(answer.all.passive == 1)
    #expect(answer.all.engagedMs == 3_000)
  }

  // MARK: Revenue

  private static func purchases(
    _ lines: [(person: String, properties: String)]
  ) -> [StoredEvent] {
    zip(lines, events(lines.map { ($0.person, "_monetization.purchase", Self.hour) })).map {
      var event = $1
      event.properties = $0.properties
      return event
    }
  }

  @Test("AWS-D5 price times quantity comes to 6, by AWS's own formula to 3.50")
  func formulas() throws {
    let events = Self.purchases([
      ("p", #"{"_item_price":1.00,"_quantity":1,"_currency":"USD"}"#),
      ("p", #"{"_item_price":2.50,"_quantity":2,"_currency":"USD"}"#),
    ])
    var revenue = RevenueTrend(Self.scope(days: 1), axis: Self.days)
    let sum = try #require(try Self.answer(revenue, events).lines.first).all
    #expect(sum.micros == 6_000_000)
    #expect(sum.units == 3)
    #expect(sum.purchases == 2)
    #expect(sum.payers == 1)
    revenue.formula = .price
    #expect(try Self.answer(revenue, events).lines.first?.all.micros == 3_500_000)
  }

  @Test("AWS-D6 dollars and euros are never added")
  func currencies() throws {
    let events = Self.purchases([
      ("p", #"{"_item_price":10,"_currency":"USD"}"#),
      ("p", #"{"_item_price":10,"_currency":"EUR"}"#),
    ])
    let lines = try Self.answer(RevenueTrend(Self.scope(days: 1), axis: Self.days), events).lines
    #expect(lines.map(\.currency) == ["EUR", "USD"])
    #expect(lines.map(\.all.micros) == [10_000_000, 10_000_000])
  }

  /// Asks as a page, the API and the command line do.
  private static func figures(
    _ kind: QuestionKind,
    _ values: [String: String],
    _ events: [StoredEvent]
  ) throws -> [String: Double?] {
    let report = try report(
      kind,
      values.merging(["from": "2026-11-02", "to": "2026-11-02"]) { $1 },
      events,
      nowMs: start + 2 * day
    )
    return Dictionary(uniqueKeysWithValues: report.figures.map { ($0.title, $0.value) })
  }

  @Test("AWS-D25 two of four active users paid 1 each: 2 in all, 0.50 for each that was active")
  func perActive() throws {
    let bought =
      #"{"_product_id":"DEMO_PRODUCT_ID","_item_price":1.00,"_quantity":1,"_currency":"USD"}"#
    let events = Self.purchases([("a", bought), ("b", bought), ("c", ""), ("d", "")])
    let figures = try Self.figures(.revenue, [:], events)
    #expect(figures["Revenue"] == 2)
    #expect(figures["Paying people"] == 2)
    #expect(figures["Units sold"] == 2)
    #expect(figures["Per active"] == 0.5)
  }

  @Test("AWS-D7 sign-ins, sign-ups and failures are three lines of one trend")
  func authentication() throws {
    let names = ["_userauth.sign_in", "_userauth.sign_up", "_userauth.auth_fail"]
    let events = Self.events(
      zip(names, [5, 2, 1]).flatMap { name, count in
        (0..<count).map { ("p\($0)", name, Int64($0) * Self.hour) }
      }
    )
    let figures = try Self.figures(.trend, ["events": names.joined(separator: ";")], events)
    #expect(names.map { figures[$0] } == [5, 2, 1])
  }

  @Test func `first purchase ever makes a new payer, and a refund makes none`() throws {
    var events = Self.purchases([
      ("old", #"{"$price":5}"#), ("old", #"{"$price":5}"#), ("new", #"{"$price":5}"#),
      ("refunded", #"{"$price":-5}"#),
    ])
    events[0].correctedMs -= 2 * Self.day
    let line = try #require(
      try Self.answer(RevenueTrend(Self.scope(days: 1), axis: Self.days), events).lines.first
    )
    #expect(line.all.payers == 2)
    #expect(line.newPayers == 1)
    #expect(line.all.micros == 5_000_000)
    #expect(line.all.refundedMicros == -5_000_000)
  }

  // MARK: Retention

  @Test(
    "PHA-54 first seen on 1 July, measurable sessions on 2 and 8 July: after one day and after seven, known up to nine"
  )
  func exactDays() throws {
    let july: Int64 = 1_782_864_000_000  // 1 July 2026
    // Sessions of 5 s on 2 and 8 July, and one of 4 s, which is none, on 5 July.
    let sessions: [(day: Int64, lengthMs: Int64)] = [(1, 5_000), (4, 4_000), (7, 5_000)]
    var events = Self.events([("p", "seen", july - Self.start + Self.hour)])
    for (day, lengthMs) in sessions {
      let begun = july - Self.start + day * Self.day + Self.hour
      events += Self.events([("p", "session_start", begun), ("p", "x", begun + lengthMs)]).map {
        var event = $0
        event.key = EventKey(high: UInt64(day), low: event.key.low)
        event.sessionID = "session-\(day)"
        return event
      }
    }
    let retention = Retention(
      Scope(project: 1, fromMs: july, toMs: july + Self.day, unit: .devices),
      axis: Self.days,
      entry: .new,
      periods: 30,
      untilMs: july + 10 * Self.day,
      sessionMs: 5_000
    )
    let answer = try Self.answer(retention, events)
    #expect(answer.returned == [1, 1, 0, 0, 0, 0, 0, 1, 0, 0])
    #expect(answer.eligible == Array(repeating: 1, count: 10))
    var unbounded = retention
    unbounded.bound = .from
    #expect(try Self.answer(unbounded, events).returned == [1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    var any = retention
    any.sessionMs = nil
    #expect(try Self.answer(any, events).returned == [1, 1, 0, 0, 1, 0, 0, 1, 0, 0])
  }

  @Test func `what a young cohort cannot show yet is not held against it`() throws {
    let week = 7 * Self.day
    let events = Self.events([
      ("a", "x", 0), ("a", "x", week), ("b", "x", 0), ("c", "x", 2 * week), ("d", "x", week),
      ("d", "x", 2 * week),
    ])
    let retention = Retention(
      Self.scope(days: 21),
      axis: TimeAxis(.week, timeZone: .gmt),
      periods: 4,
      untilMs: Self.start + 3 * week
    )
    let answer = try Self.answer(retention, events)
    #expect(answer.cohorts.map(\.returned) == [[2, 1, 0], [1, 1], [1]])
    #expect(answer.returned == [4, 2, 0])
    #expect(answer.eligible == [4, 3, 2])
  }
}
