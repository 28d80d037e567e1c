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
    let report = try Self.answer(SessionReport(Self.scope(days: 1)), events)
    #expect(report == SessionReport.Output(count: 1, totalLengthMs: 300_000))
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
