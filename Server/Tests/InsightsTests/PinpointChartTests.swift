import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// What Pinpoint's console showed, asked as questions of ours.
@Suite struct `A chart of Pinpoint's console` {
  private typealias Answers = `A question's answer`
  private static let start = Answers.start
  private static let day = Answers.day
  private static let hour = Answers.hour

  @Test("AWS-D1 three starts of two endpoints of one user are 3 sessions, 2 endpoints, 1 user")
  func sessions() throws {
    var events = Answers.events([
      ("ada", "_session.start", 0), ("ada", "_session.start", Self.hour),
      ("ada", "_session.start", 2 * Self.hour),
    ])
    for index in events.indices { events[index].sessionID = "session-\(index)" }
    events[2].deviceID = "tablet"
    let scope = Answers.scope(days: 1)
    let sessions = try Answers.answer(SessionTrend(scope, axis: Answers.days), events)
    #expect(sessions.all.count == 3)
    #expect(sessions.all.people == 1)
    let ofDevices = SessionTrend(Answers.scope(days: 1, unit: .devices), axis: Answers.days)
    #expect(try Answers.answer(ofDevices, events).all.people == 2)
    let report = try Answers.report(
      .sessions,
      ["from": "2026-11-02", "to": "2026-11-02", "unit": "devices"],
      events,
      nowMs: Self.start + 30 * Self.day
    )
    #expect(try Answers.figure("Per device", report).value == 1.5)
    #expect(report.definition.contains("what happened on one device"))
    for (unit, count, each) in [(.devices, 2, 1.5), (.users, 1, 3)] as [(Scope.Unit, Int, Double)] {
      var scope = scope.with(.name("_session.start"))
      scope.unit = unit
      #expect(
        try Answers.answer(Activity(scope, axis: Answers.days), events).first?.active == count
      )
      #expect(try Answers.answer(ActivePeople(scope), events) == count)
      let starts = Trend(scope, axis: Answers.days, measure: .eventsPerPerson)
      #expect(try Answers.answer(starts, events).all.total == each)
    }
  }

  @Test("AWS-D4 with 25 endpoints of a day and 100 of the month the sticky factor is 0.25")
  func sticky() throws {
    // A hundred endpoints three weeks before; a quarter of them on the last day.
    let earlier = (0..<100).map { ("p\($0)", "_session.start", Int64(0)) }
    let today = (0..<25).map { ("p\($0)", "_session.start", 21 * Self.day) }
    let report = try Answers.report(
      .active,
      ["from": "2026-11-02", "to": "2026-11-23", "unit": "devices", "interval": "day"],
      Answers.events(earlier + today),
      nowMs: Self.start + 30 * Self.day
    )
    #expect(try Answers.figure("Stickiness", report).value == 0.25)
    #expect(report.tables[0].rows.last?[4...6] == [.count(25), .count(100), .number(0.25)])
  }

  @Test(
    "AWS-D9 the change from the first day to the last has no value from nothing, and is +50 % from 4 to 6",
    arguments: [(0, 9, nil), (4, 6, 0.5), (4, 2, -0.5)] as [(Int, Int, Double?)]
  )
  func change(first: Int, last: Int, change: Double?) throws {
    let events = Answers.events(
      (0..<first).map { ("p\($0)", "x", Int64($0)) }
        + (0..<last).map { ("p\($0)", "x", 6 * Self.day + Int64($0)) }
    )
    let values = ["from": "2026-11-02", "to": "2026-11-08", "interval": "day"]
    let now = Self.start + 30 * Self.day
    for kind in [QuestionKind.trend, .active] {
      let report = try Answers.report(kind, values, events, nowMs: now)
      #expect(try Answers.figure("First to last day", report).value == change, "\(kind.word)")
    }
    // A day that is not over is no last day: it is compared up to the sixth.
    let open = try Answers.report(.trend, values, events, nowMs: Self.start + 6 * Self.day + 1)
    #expect(try Answers.figure("First to last day", open).value == (first == 0 ? nil : -1))
  }

  @Test("AWS-D15 what arrives after midnight counts when it happened, and its arrival is kept")
  func late() throws {
    var events = Answers.events([("p", "_session.start", Self.day - 60_000)])
    events[0].receivedMs = Self.start + Self.day + 5 * Self.hour
    let trend = Trend(
      Answers.scope(days: 2).with(.name("_session.start")),
      axis: Answers.days
    )
    #expect(try Answers.answer(trend, events).all.values == [1, 0])
    let duck = try TestStore()
    try duck.load(events)
    let stored = try #require(try EventDetail(project: 1, key: events[0].key).run(on: duck.store))
    #expect(stored.receivedMs == events[0].receivedMs)
    #expect(stored.timestampMs == Self.start + Self.day - 60_000)
  }

  @Test("AWS-D16 a start at 17:30 UTC in Los Angeles is in the cell Monday 09")
  func heatMap() throws {
    var events = Answers.events([
      ("p", "_session.start", 17 * Self.hour + 1_800_000),
      ("q", "_session.start", 17 * Self.hour + 1_800_000), ("r", "other", 0),
    ])
    events[0].context = #"{"time_zone":"America/Los_Angeles"}"#
    let question = WeekHours(
      Answers.scope(days: 1).with(.name("_session.start")),
      timeZone: try #require(TimeZone(identifier: "Europe/Berlin"))
    )
    let counts = try Answers.answer(question, events).counts
    #expect(counts[0][9] == 1)
    // Who names no zone counts by the project's.
    #expect(counts[0][18] == 1)
    #expect(counts.joined().reduce(0, +) == 2)
    let report = try Answers.report(
      .hours,
      [
        "event": "_session.start", "from": "2026-11-02", "to": "2026-11-02",
        "zone": "Europe/Berlin",
      ],
      events,
      nowMs: Self.start + Self.day
    )
    #expect(report.tables[1].rows[0][0] == .text("Monday"))
    #expect(report.tables[1].rows[0][10] == .count(1) && report.tables[1].rows[0][19] == .count(1))
  }

  @Test("AWS-D18 a start by the name of old web clients begins a session like the other")
  func oldClients() throws {
    var events = Answers.events([
      ("web", "early", 0), ("web", "_session_start", Self.hour), ("web", "x", 2 * Self.hour),
      ("app", "early", 0), ("app", "_session.start", Self.hour), ("app", "x", 2 * Self.hour),
    ])
    for index in events.indices { events[index].sessionID = index < 3 ? "w" : "a" }
    let answer = try Answers.answer(
      SessionTrend(Answers.scope(days: 1), axis: Answers.days),
      events
    )
    #expect(answer.all.count == 2)
    // What carries the session's id from before its start is no part of it.
    #expect(answer.all.lengthMs == 2 * Self.hour)
  }

  @Test("AWS-D21 endpoints are told apart by platform and version, and kept by channel")
  func demographics() throws {
    var events = Answers.events((0..<5).map { ("p\($0)", "_session.start", Int64($0)) })
    let contexts = [
      #"{"platform":"iOS","version_name":"4.1"}"#, #"{"platform":"iOS","version_name":"4.1"}"#,
      #"{"platform":"iOS","version_name":"4.0"}"#,
      #"{"platform":"Android","version_name":"4.1","ChannelType":"GCM"}"#,
      #"{"platform":"Android","version_name":"4.1","ChannelType":"GCM"}"#,
    ]
    for index in events.indices { events[index].context = contexts[index] }
    func endpoints(_ field: Field, _ conditions: [Condition] = []) throws -> [String: Double] {
      var scope = Answers.scope(days: 1, unit: .devices)
      scope.conditions = conditions
      let trend = Trend(scope, axis: Answers.days, measure: .people, breakdown: field)
      let lines = try Answers.answer(trend, events).lines
      return Dictionary(uniqueKeysWithValues: lines.map { ($0.group?.title ?? "", $0.total ?? 0) })
    }
    #expect(try endpoints(.platform) == ["iOS": 3, "Android": 2])
    #expect(try endpoints(.version) == ["4.1": 4, "4.0": 1])
    let channel = try #require(Condition("channel:is:GCM"))
    #expect(try endpoints(.platform, [channel]) == ["Android": 2])
  }

  @Test("AWS-D24 a metric's events are in the menu, counted, added, averaged and filtered")
  func metrics() throws {
    var events = Answers.events((0..<3).map { ("p\($0)", "EventName", Int64($0) * Self.hour) })
    for (index, metric) in [10, 20, 60].enumerated() {
      events[index].properties =
        #"{"DemoAttribute1":"DemoAttributeValue1","EventName":\#(metric)}"#
    }
    #expect(try Answers.answer(EventNames(project: 1), events).map(\.name) == ["EventName"])
    var trend = Trend(Answers.scope(days: 1).with(.name("EventName")), axis: Answers.days)
    #expect(try Answers.answer(trend, events).all.total == 3)
    for (aggregate, value) in [(.sum, 90), (.average, 30), (.minimum, 10), (.maximum, 60)]
      as [(Trend.Aggregate, Double)]
    {
      trend.measure = .property("EventName", aggregate)
      #expect(try Answers.answer(trend, events).all.total == value)
    }
    trend.measure = .events
    for (value, count) in [("DemoAttributeValue1", 3.0), ("x", 0)] {
      var filtered = trend
      filtered.scope.conditions.append(Condition(.property("DemoAttribute1"), .equals, value))
      #expect(try Answers.answer(filtered, events).all.total == count)
    }
  }

  @Test func `purchases are told for each who bought, and people by who made their device`() throws
  {
    var events = `A question's answer`.events([
      ("p", "buy", 0), ("p", "buy", 1), ("p", "buy", 2), ("q", "buy", 3), ("r", "look", 4),
    ])
    let makers = ["manufacturer", "manufacturer", "manufacturer", "device_manufacturer"]
    for index in events.indices.dropLast() {
      events[index].properties = #"{"_item_price":2,"_currency":"USD"}"#
      events[index].context = #"{"\#(makers[index])":"\#(index < 3 ? "Apple" : "Acme")"}"#
    }
    events[4].client = #"{"manufacturer":"Acme"}"#
    let day = ["from": "2026-11-02", "to": "2026-11-02"]
    let now = `A question's answer`.start + `A question's answer`.day
    let revenue = try `A question's answer`.report(.revenue, day, events, nowMs: now)
    #expect(try `A question's answer`.figure("Purchases each", revenue).value == 2)
    let makes = try `A question's answer`.report(
      .trend,
      day.merging(["measure": "people", "by": "make"]) { $1 },
      events,
      nowMs: now
    )
    let rows = try #require(makes.tables.last).rows.map { Array($0.prefix(2)) }
    #expect(rows == [[.text("Apple"), .number(1)], [.text("Acme"), .number(2)]])
  }
}
