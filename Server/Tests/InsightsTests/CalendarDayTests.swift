import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// Days as the calendar has them, of which some begin at one o'clock.
@Suite struct `Days of a question` {
  private typealias Answers = `A question's answer`

  private static func form(_ values: [String: String], _ now: String) throws -> QuestionForm {
    QuestionForm(values, .init(project: 1, timeZone: .gmt, nowMs: try moment(now)))
  }

  private static func moment(_ text: String) throws -> Int64 {
    Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1_000)
  }

  @Test(arguments: [
    ("America/Santiago", "2026-09-06", "2026-09-08", "2026-09-09T03:00:00Z"),
    ("Africa/Cairo", "2026-04-24", "2026-04-26", "2026-04-26T21:00:00Z"),
    ("Asia/Beirut", "2026-03-29", "2026-03-31", "2026-03-31T21:00:00Z"),
    ("America/Havana", "2026-03-08", "2026-03-10", "2026-03-11T04:00:00Z"),
  ])
  func `are all counted, also from one without a midnight on`(
    zone: String,
    first: String,
    last: String,
    end: String
  ) throws {
    let range = try TimeRange(
      Self.form(["from": first, "to": last, "zone": zone], "2026-12-01T12:00:00Z")
    )
    #expect(range.days == 3)
    #expect(try range.toMs == Self.moment(end))
  }

  @Test func `of the last month are all of it in a zone whose first had no midnight`() throws {
    // Asunción's clocks were set in the night to 1 October 2023.
    let form = try Self.form(
      ["range": "last-month", "zone": "America/Asuncion"],
      "2023-11-15T12:00:00Z"
    )
    #expect(try TimeRange(form).days == 31)
  }

  /// The numbers of the line of the period before, and of the first one.
  private static func lines(
    _ values: [String: String],
    _ events: [(String, String, Int64)],
    now: String
  ) throws -> (now: [Double?], before: [Double?], report: Report) {
    let report = try Answers.report(
      .trend,
      values.merging(["compare": "true"]) { $1 },
      Answers.events(events.map { ($0.0, $0.1, $0.2 - Answers.start) }),
      nowMs: try moment(now)
    )
    let lines = try #require(report.chart?.lines)
    let before = try #require(lines.first { $0.isPrevious })
    return (lines[0].values, before.values, report)
  }

  @Test func `are compared week by week with whole weeks before, none left out`() throws {
    // Twenty-seven days are compared with those four weeks before: both begin on a Wednesday.
    let first = try Self.moment("2026-09-01T12:00:00Z")
    let events = (0..<91).map { ("ada", "x", first + Int64($0) * 86_400_000) }
    let found = try Self.lines(
      ["from": "2026-11-04", "to": "2026-11-30", "interval": "week"],
      events,
      now: "2026-12-20T00:00:00Z"
    )
    #expect(found.now == [5, 7, 7, 7, 1] && found.before == found.now)
    #expect(try found.report.previousMs?.lowerBound == Self.moment("2026-10-07T00:00:00Z"))
    #expect(found.report.figures.first?.previous == 27)
  }

  @Test func `are compared month by month with whole months before`() throws {
    let first = try Self.moment("2026-01-01T12:00:00Z")
    let events = (0..<340).map { ("ada", "x", first + Int64($0) * 86_400_000) }
    let found = try Self.lines(
      ["from": "2026-03-01", "to": "2026-04-30", "interval": "month"],
      events,
      now: "2026-12-20T00:00:00Z"
    )
    #expect(found.now == [31, 30] && found.before == [31, 28])
    #expect(try found.report.previousMs?.lowerBound == Self.moment("2026-01-01T00:00:00Z"))
  }

  @Test(arguments: ["29", "30", "31"])
  func `of which a month before has no such one are compared with its last`(day: String) throws {
    let first = try Self.moment("2026-02-01T12:00:00Z")
    let events = (0..<80).map { ("ada", "x", first + Int64($0) * 86_400_000) }
    let found = try Self.lines(
      ["from": "2026-03-\(day)", "to": "2026-03-\(day)", "interval": "month"],
      events,
      now: "2026-12-20T00:00:00Z"
    )
    #expect(found.now == [1] && found.before == [1])
    #expect(try found.report.previousMs?.lowerBound == Self.moment("2026-02-28T00:00:00Z"))
  }

  @Test func `are compared hour by hour of the clock, though one was set`() throws {
    // Berlin's clocks were set forward on 29 March: that day has no hour from two to three.
    let noon = try Self.moment("2026-03-28T11:30:00Z")
    let found = try Self.lines(
      ["from": "2026-03-29", "to": "2026-03-29", "interval": "hour", "zone": "Europe/Berlin"],
      [("ada", "x", noon), ("ada", "x", noon + 23 * 3_600_000)],
      now: "2026-12-20T00:00:00Z"
    )
    #expect(found.now.count == 23)
    #expect(found.now.firstIndex(of: 1) == 11 && found.before.firstIndex(of: 1) == 11)
    #expect(found.before.last == 0)
  }
}

extension `A figure is what its sentence says` {
  @Test func `an alert on sessions looks at all of them, the passive ones, too`() throws {
    typealias Answers = `A question's answer`
    var events = Answers.events((0..<3).map { ("p\($0)", "x", Int64($0)) })
    for index in events.indices { events[index].sessionID = "s\(index)" }
    events[0].properties = #"{"app_state":"background"}"#
    let report = try Answers.report(
      .sessions,
      ["from": "2026-11-02", "to": "2026-11-02", "interval": "day"],
      events,
      nowMs: Answers.start + 9 * Answers.day
    )
    #expect(report.chart?.lines.map(\.name) == ["Active", "Passive"])
    #expect(AlertMeasure(report)?.value == 3)
  }

  @Test func `how events arrive is told of everybody's or not at all`() throws {
    let shelf = SegmentShelf(
      segment: { _ in .init(name: "All", definition: Segment(.all, []).text) },
      members: { _ in nil }
    )
    var setting = QuestionForm.Setting(project: 1, timeZone: .gmt, nowMs: 0)
    setting.segments = shelf
    let problem = #expect(throws: QuestionForm.Problem.self) {
      try QuestionKind.arrival.report(
        QuestionForm(["segment": "1"], setting),
        on: InMemoryEventStore([])
      )
    }
    #expect(problem?.name == "segment")
  }

  @Test(
    arguments: [
      (59_999, 0, 0), (60_000, 0, 1), (-60_000, 0, 1), (60_000, 60_000, 1), (0, 0, 0),
    ] as [(Int64, Int64, Int)]
  )
  func `a clock is wrong by a minute, whenever the event was received`(
    correction: Int64,
    sentAfter: Int64,
    skewed: Int
  ) throws {
    let event = StoredEvent(
      key: EventKey(high: 0, low: 1),
      project: 1,
      name: "x",
      timestampMs: 1_000_000_000,
      correctedMs: 1_000_000_000 + correction,
      receivedMs: 1_000_000_000 + sentAfter,
      deviceID: "d"
    )
    let arrival = Arrival(
      project: 1,
      fromMs: 0,
      toMs: 2_000_000_000,
      axis: TimeAxis(.month, timeZone: .gmt),
      lateMs: 86_400_000
    )
    let duck = try TestStore()
    try duck.load([event])
    let counts = try arrival.run(on: duck.store)
    #expect(try counts == arrival.run(on: InMemoryEventStore([event])))
    #expect(counts.map(\.skewed) == [skewed])
  }

  @Test func `a profile begins and ends with what its person did, as the list does`() throws {
    typealias Answers = `A question's answer`
    var events = Answers.events([("ada", "$identify", 0), ("ada", "x", 5), ("ada", "$identify", 9)])
    for index in [0, 2] { events[index].kind = .identify }
    let duck = try TestStore()
    try duck.load(events)
    guard case .person(let ada) = try PersonLookup(project: 1, id: "ada").run(on: duck.store)
    else {
      Issue.record("nobody was found")
      return
    }
    let totals = try PersonTotals(ada).run(on: duck.store)
    let list = try PeopleList(project: 1, setting: PeopleSetting(nowMs: Answers.start + 100))
      .run(on: duck.store)
    #expect(totals.firstSeenMs == Answers.start + 5 && totals.lastSeenMs == Answers.start + 5)
    #expect(list.people.map(\.firstSeenMs) == [Answers.start + 5])
    #expect(list.people.map(\.lastSeenMs) == [Answers.start + 5])
  }

  @Test func `a property keeps its name in every sentence`() throws {
    typealias Answers = `A question's answer`
    for kind in [QuestionKind.trend, .sessions, .funnel, .retention] {
      let report = try Answers.report(
        kind,
        ["range": "7d", "by": "props.ItemID", "steps": "a;b", "interval": "day"]
          .filter { kind.word == "funnel" || $0.key != "steps" },
        Answers.events([("ada", "a", 0)]),
        nowMs: Answers.start + 5
      )
      let text = report.definition + report.tables.map(\.title).joined()
      #expect(!text.contains("itemid"), "\(kind.word)")
    }
  }
}

extension `A figure is what its sentence says` {
  /// Steps and what lies between them, each with its product; “-” has none.
  private static func completed(_ way: String, strict: Bool = false) throws -> Double? {
    typealias Answers = `A question's answer`
    let parts = way.split(separator: " ").map { $0.split(separator: ":").map(String.init) }
    var events = Answers.events(
      parts.enumerated().map { ("ada", $1[0], Int64($0) * 60_000) }
    )
    for (index, part) in parts.enumerated() where part[1] != "-" {
      events[index].properties = #"{"product":"\#(part[1])"}"#
    }
    var values = [
      "from": "2026-11-02", "to": "2026-11-02", "steps": "view;buy", "same": "props.product",
      "order": "strict",
    ]
    if !strict {
      values["order"] = "ordered"
      values["without"] = "logout"
    }
    let report = try Answers.report(
      .funnel,
      values,
      events,
      nowMs: Answers.start + 9 * Answers.day
    )
    if !strict { #expect(report.definition.contains("without logout in between")) }
    return try Answers.figure("Completed", report).value
  }

  @Test(
    arguments: [
      ("view:1 buy:1", 1), ("view:1 logout:- buy:1", 0), ("view:1 logout:2 buy:1", 1),
      ("view:1 logout:1 buy:1", 0), ("logout:- view:1 buy:1 logout:-", 1),
      ("view:1 view:2 logout:- buy:2 view:1 buy:1", 1), ("view:- buy:-", 0), ("view:1 buy:-", 0),
      ("view:- logout:- view:1 buy:1", 1),
    ] as [(String, Double)]
  )
  func `whoever does what ends a way has not completed it, of which thing it ever was`(
    way: String,
    completed: Double
  ) throws {
    #expect(try Self.completed(way) == completed)
  }

  @Test(
    arguments: [
      ("view:1 buy:1", 1), ("view:1 other:- buy:1", 0), ("view:1 other:2 buy:1", 1),
      ("view:1 other:1 buy:1", 0), ("view:1 view:- buy:1", 0),
    ] as [(String, Double)]
  )
  func `what lies between steps that follow directly is seen without its thing, too`(
    way: String,
    completed: Double
  ) throws {
    #expect(try Self.completed(way, strict: true) == completed)
  }
}
