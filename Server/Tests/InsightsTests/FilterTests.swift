import EventRecord
import EventStore
import Insights
import Testing

/// What a filter on events does to sessions, and to what a share is a share of.
@Suite struct `A filter on events` {
  private typealias Fixture = `A question's answer`
  private static let (start, hour, day) = (Fixture.start, Fixture.hour, Fixture.day)

  /// Three sessions of 100 seconds on one day: two on iOS, the third on Linux.
  ///
  /// Only the first has a purchase, in its middle.
  private static let events: [StoredEvent] = {
    var events: [StoredEvent] = []
    for (number, person) in ["p", "q", "r"].enumerated() {
      let begun = Int64(number) * hour
      events += Fixture.events([
        (person, "open", begun), (person, number == 0 ? "Bought" : "look", begun + 40_000),
        (person, "close", begun + 100_000),
      ]).map { event in
        var event = event
        event.key.high = UInt64(number)
        event.sessionID = "s\(number)"
        event.client = number == 2 ? #"{"platform":"Linux"}"# : #"{"platform":"iOS"}"#
        if event.name == "Bought" { event.properties = #"{"$price":6,"engaged_ms":7}"# }
        return event
      }
    }
    return events
  }()

  private static func report(
    _ kind: QuestionKind,
    _ values: [String: String]
  ) throws -> Report {
    let onThatDay = ["from": "2026-11-02", "to": "2026-11-02"]
    return try Fixture.report(
      kind,
      values.merging(onThatDay) { $1 },
      events,
      nowMs: start + 2 * Self.day
    )
  }

  @Test(arguments: [nil, .name, .property("engaged_ms")] as [Field?])
  func `leaves sessions whole that have a matching event, and takes out all others`(
    by: Field?
  )
    throws
  {
    let scope = Fixture.scope(days: 1).with(.name("Bought"))
    let trend = SessionTrend(scope, axis: Fixture.days, breakdown: by)
    let answer = try Fixture.answer(trend, Self.events)
    #expect(answer.all.count == 1 && answer.all.lengthMs == 100_000 && answer.all.bounces == 0)
    #expect(answer.all.engagedMs == 7)
    // The group is that of the session's first event, which no condition was asked of.
    if by == .name { #expect(answer.lines.map(\.group) == [.text("open")]) }
    let recent = try Fixture.answer(RecentSessions(scope), Self.events)
    #expect(recent.map(\.lengthMs) == [100_000] && recent.map(\.events) == [3])
    let ios = Fixture.scope(days: 1).with(Condition(.platform, .equals, "iOS"))
    #expect(try Fixture.answer(SessionTrend(ios, axis: Fixture.days), Self.events).all.count == 2)
  }

  /// What was sent with a session's id before its start is none of its events.
  @Test func `finds no session by what is from before its start`() throws {
    var events = Fixture.events([
      ("p", "Bought", 0), ("p", "session_start", Self.hour), ("p", "close", Self.hour + 5_000),
    ])
    for index in events.indices { events[index].sessionID = "s" }
    for (name, count) in [("Bought", 0), ("close", 1)] {
      let scope = Fixture.scope(days: 1).with(.name(name))
      let sum = try Fixture.answer(SessionTrend(scope, axis: Fixture.days), events).all
      #expect(sum.count == count && sum.lengthMs == Int64(count) * 5_000)
      #expect(try Fixture.answer(RecentSessions(scope), events).count == count)
    }
  }

  @Test func `lets someone come back with a session that is long enough as a whole`() throws {
    let first = Fixture.events([("p", "first", -Self.day)]).map { event in
      var event = event
      event.key.high = 9
      return event
    }
    let retention = Retention(
      Fixture.scope(days: 1).over(fromMs: Self.start - Self.day, toMs: Self.start),
      axis: Fixture.days,
      comeback: [Condition(.name, .equals, "Bought")],
      periods: 1,
      untilMs: Self.start + Self.day,
      sessionMs: 60_000
    )
    #expect(try Fixture.answer(retention, first + Self.events).returned == [1, 1])
  }

  @Test func `on what was done leaves what it is a share of as it is, and says so`() throws {
    let each = try Self.report(
      .trend,
      ["events": "Bought", "measure": "per-session", "where": "props.engaged_ms:is:7"]
    )
    #expect(each.figures.first?.value == 1.0 / 3)
    #expect(each.definition.contains("all sessions that began in the same time, whatever was done"))
    let ios = try Self.report(
      .trend,
      ["events": "Bought", "measure": "per-session", "where": "platform:is:iOS"]
    )
    #expect(ios.figures.first?.value == 0.5)
    #expect(ios.definition.contains("with the same filters on people, app and device"))
    let revenue = try Self.report(.revenue, ["where": "props.engaged_ms:is:7"])
    let active = try Fixture.figure("Per active", revenue)
    #expect(active.value == 2)
    #expect(active.definition.contains("also those who did nothing of what is asked"))
    let plain = try Fixture.figure("Per active", Self.report(.revenue, [:]))
    #expect(plain.value == 2 && !plain.definition.contains("also those"))
    let onIOS = try Fixture.figure(
      "Per active",
      Self.report(.revenue, ["where": "platform:is:iOS"])
    )
    #expect(onIOS.value == 3)
    let sessions = try Self.report(.sessions, ["where": "event:is:Bought"])
    #expect(
      sessions.definition.contains("counts as a whole when one of its events meets all of it")
    )
  }

  @Test func `on crashes says which of them count, not of how many`() throws {
    var events = Self.events
    events[1].name = "app_crashed"
    events[1].properties = #"{"exception":"A"}"#
    for (exception, crashed) in [("A", 1), ("B", 0)] {
      let scope = Fixture.scope(days: 1)
        .with(Condition(.property("exception"), .equals, exception))
      let free = try Fixture.answer(CrashFree(scope), events)
      #expect(free.people == 3 && free.sessions == 3)
      #expect(free.crashedPeople == crashed && free.crashedSessions == crashed)
    }
  }
}
