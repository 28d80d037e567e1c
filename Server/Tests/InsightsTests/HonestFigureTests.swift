import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// What a figure says it counts is what it counts, whatever the time, the buckets and the data are.
@Suite struct `A figure is what its sentence says` {
  private typealias Answers = `A question's answer`
  private static let start = Answers.start
  private static let day = Answers.day

  @Test(arguments: [QuestionKind.trend, .active, .sessions, .revenue])
  func `more buckets than are shown are refused, not left out of the count`(
    kind: QuestionKind
  ) throws {
    let form = QuestionForm(
      ["range": "90d", "interval": "hour"],
      .init(project: 1, timeZone: .gmt, nowMs: Self.start)
    )
    let problem = #expect(throws: QuestionForm.Problem.self) {
      try kind.report(form, on: InMemoryEventStore([]))
    }
    #expect(problem?.name == "interval")
    #expect(problem?.description.contains("90 days have more than 1000 hours") == true)
  }

  @Test func `hours and days that have not come are not without events`() throws {
    let hour = Self.day / 24
    let events = Answers.events([("ada", "x", 8 * hour), ("ada", "x", 9 * hour + 1)])
    let hours = try Answers.report(
      .trend,
      ["from": "2026-11-02", "to": "2026-11-02", "interval": "hour"],
      events,
      nowMs: Self.start + 10 * hour + hour / 2
    )
    #expect(hours.chart?.places.count == 11 && hours.chart?.isLastOpen == true)
    let measure = try #require(AlertMeasure(hours))
    #expect(measure.value == 1 && measure.before == 1)
    #expect(measure.bucketMs == Self.start + 9 * hour)
    let days = try Answers.report(
      .trend,
      ["from": "2026-11-02", "to": "2026-11-30", "interval": "day"],
      events,
      nowMs: Self.start + Self.day + 5
    )
    #expect(days.chart?.places.count == 2 && days.toMs == Self.start + 2 * Self.day)
  }

  @Test func `amounts without a currency stay the project's, whichever is told of`() throws {
    var events = Answers.events([("ada", "x", 0), ("ada", "x", 1)])
    events[0].properties = #"{"$revenue":100}"#
    events[1].properties = #"{"$revenue":7,"$currency":"EUR"}"#
    for (asked, total) in [("EUR", 7.0), ("USD", 100), ("JPY", 0)] {
      let report = try Answers.report(
        .revenue,
        ["from": "2026-11-02", "to": "2026-11-02", "currency": asked],
        events,
        nowMs: Self.start + 9 * Self.day
      )
      #expect(report.title == "Revenue in \(asked)")
      #expect(try (Answers.figure("Revenue", report).value ?? 0) == total, "\(asked)")
    }
  }

  @Test func `a time in the far future has an answer, too`() throws {
    let duck = try TestStore()
    let form = QuestionForm(
      ["to": "9990-12-31", "zone": "America/St_Johns"],
      .init(project: 1, timeZone: .gmt, nowMs: Self.start)
    )
    for kind in QuestionKind.all where kind.word != "funnel" {
      #expect(throws: Never.self, "\(kind.word)") { try kind.report(form, on: duck.store) }
    }
  }

  @Test func `report says which events of whom it counts, and when`() throws {
    let report = try Answers.report(
      .trend,
      [
        "from": "2026-11-02", "to": "2026-11-03", "events": "Opened ; Bought|platform:is:iOS",
        "where": "version:is:2",
      ],
      Answers.events([("ada", "Opened", 0), ("ada", "Bought", 1)]),
      nowMs: Self.start + 9 * Self.day
    )
    #expect(
      report.subject
        == "Opened, Bought (Platform is iOS) · where App version is 2 · 2 Nov 2026 to 3 Nov 2026"
    )
    #expect(report.figures.map(\.title) == ["Opened", "Bought (Platform is iOS)"])
  }

  @Test func `half a day is compared with half a day`() throws {
    let hour = Self.day / 24
    let events = Answers.events((0..<48).map { ("ada", "x", $0 * hour) })
    let report = try Answers.report(
      .trend,
      ["range": "today", "compare": "true"],
      events,
      nowMs: Self.start + Self.day + 9 * hour - 1
    )
    let figure = try Answers.figure("Events", report)
    #expect(figure.value == 9 && figure.previous == 9)
  }

  @Test func `a week of which a time has a day is told of as such, and judged by nobody`() throws {
    // From a Sunday on, of weeks that begin on Mondays.
    let events = Answers.events((0..<15).map { ("ada", "x", Int64($0) * Self.day) })
    let report = try Answers.report(
      .trend,
      ["from": "2026-11-08", "to": "2026-11-15", "interval": "week"],
      events,
      nowMs: Self.start + 60 * Self.day
    )
    #expect(report.isFirstCut)
    #expect(!report.figures.contains { $0.title == "First to last week" })
    let measure = try #require(AlertMeasure(report))
    #expect(measure.value == 7 && measure.before == nil)
    #expect(report.json.contains(#""first_is_cut":true,"last_is_cut":false,"last_is_open":false"#))
    let short = try Answers.report(
      .trend,
      ["from": "2026-11-10", "to": "2026-11-15", "interval": "week"],
      events,
      nowMs: Self.start + 60 * Self.day
    )
    #expect(AlertMeasure(short) == nil)
  }

  @Test func `retention of a time long ago has its cohorts`() throws {
    let events = Answers.events([
      ("ada", "x", 0), ("bo", "x", Self.day), ("ada", "x", 2 * Self.day),
    ])
    let report = try Answers.report(
      .retention,
      ["from": "2026-11-02", "to": "2026-11-06", "interval": "day"],
      events,
      nowMs: Self.start + 1_500 * Self.day
    )
    #expect(try Answers.figure("Cohorts’ people", report).value == 2)
    #expect(try Answers.figure("Day 3", report).value == 0)
  }

  @Test func `“or later” means however much later`() throws {
    let events = Answers.events([("ada", "x", 0), ("ada", "x", 400 * Self.day)])
    let report = try Answers.report(
      .retention,
      [
        "from": "2026-11-02", "to": "2026-11-02", "interval": "day", "bound": "on-or-after",
        "periods": "3",
      ],
      events,
      nowMs: Self.start + 500 * Self.day
    )
    #expect(try Answers.figure("Day 3", report).value == 1)
  }

  @Test func `retention says nothing of days that have not come`() throws {
    let report = try Answers.report(
      .retention,
      ["from": "2026-11-02", "to": "2026-11-20", "interval": "day"],
      Answers.events([("ada", "x", 0), ("bo", "x", 1)]),
      nowMs: Self.start + Self.day + 5
    )
    #expect(report.figures.map(\.title) == ["Cohorts’ people", "Day 1"])
  }

  @Test func `a share that is not known yet is a number that is not there, no text`() throws {
    let report = try Answers.report(
      .retention,
      ["from": "2026-11-02", "to": "2026-11-20", "interval": "day"],
      Answers.events([("ada", "x", 0), ("bo", "x", Self.day)]),
      nowMs: Self.start + 2 * Self.day + 5
    )
    let youngest = try #require(report.tables.first?.rows.last)
    #expect(youngest.suffix(2) == [.number(0), .number(nil)])
  }

  @Test(
    arguments: [("2026-11-30", 2.0), ("2026-11-04", 2), ("2026-11-02", nil)] as [(String, Double?)]
  )
  func `a usual day is one that is over and whole`(last: String, usual: Double?) throws {
    let events = (0..<3).flatMap { day in
      ["ada", "bo"].map { ($0, "x", Int64(day) * Self.day) }
    }
    let isToday = usual == nil
    let report = try Answers.report(
      .active,
      ["from": "2026-11-02", "to": last, "interval": "day"],
      Answers.events(events),
      nowMs: Self.start + (isToday ? Self.day / 2 : 2 * Self.day + Self.day / 2)
    )
    #expect(try Answers.figure("A usual day", report).value == usual)
  }

  @Test func `a usual week has seven days`() throws {
    let people = (0..<7).map { "p\($0)" }
    let events = (0..<3).flatMap { week in
      people.enumerated().map { ($1, "x", (Int64(week) * 7 + Int64($0)) * Self.day) }
    }
    // The first whole week, and the Monday of the next.
    let report = try Answers.report(
      .active,
      ["from": "2026-11-02", "to": "2026-11-09", "interval": "week"],
      Answers.events(events),
      nowMs: Self.start + 60 * Self.day
    )
    #expect(try Answers.figure("A usual week", report).value == 7)
  }

  @Test func `a funnel in any order names no one for a step that they did not take`() throws {
    let report = try Answers.report(
      .funnel,
      ["steps": "A;B", "order": "any", "people": "1", "from": "2026-11-02", "to": "2026-11-02"],
      Answers.events([("only-b", "B", 0), ("ab", "A", 0), ("ab", "B", 1)]),
      nowMs: Self.start + 9 * Self.day
    )
    #expect(try Answers.figure("Entered", report).definition.contains("at least one of the steps"))
    #expect(
      report.tables[0].rows.map(\.first) == [.text("At least 1 step"), .text("At least 2 steps")]
    )
    #expect(report.tables.last?.title == "People who took 1 step and no more")
    #expect(report.tables.last?.rows == [[.text("only-b")]])
  }

  @Test func `amounts that are no money keep no sum from being told`() throws {
    var events = Answers.events([
      ("ada", "x", 0), ("ada", "x", 1), ("ada", "x", 2), ("ada", "x", 3),
    ])
    let properties = [
      #"{"$revenue":10}"#, #"{"$revenue":9e12}"#, #"{"$revenue":1,"$price":1e300}"#,
      #"{"$price":2.5}"#,
    ]
    for (index, text) in properties.enumerated() { events[index].properties = text }
    for (formula, sum) in [("amount", 13.5), ("price", 2.5)] {
      let report = try Answers.report(
        .revenue,
        ["formula": formula, "from": "2026-11-02", "to": "2026-11-02"],
        events,
        nowMs: Self.start + Self.day
      )
      #expect(try Answers.figure("Revenue", report).value == sum)
    }
  }

  @Test func `no event is in front for less than nothing or for ever`() throws {
    var events = Answers.events([("ada", "x", 0), ("ada", "x", 1), ("ada", "x", 2)])
    for (index, number) in ["-1e300", "1e300", "2500"].enumerated() {
      events[index].properties = #"{"engaged_ms":\#(number)}"#
      events[index].sessionID = "s"
    }
    let answer = try Answers.answer(
      SessionTrend(Answers.scope(days: 1), axis: Answers.days),
      events
    )
    #expect(answer.all.engagedMs == 2_500)
  }
}

/// Lists of texts in one text.
@Suite struct `A list in one text` {
  @Test(arguments: [
    ("a;b", ["a", "b"]), ("a ; b", ["a", "b"]), (" a b ;", ["a b", ""]), ("a\\;b", ["a;b"]),
    ("\\ a;b\\ ", [" a", "b "]), ("\\\\a", ["\\a"]), ("a\\|b", ["a\\|b"]), ("", []), (" ", [""]),
  ])
  func `is read without the spaces around its signs`(text: String, parts: [String]) {
    #expect(EscapedList.parts(of: text, separator: ";") == parts)
  }

  @Test(arguments: [
    ["a", "b"], [" a", "b "], [" "], ["a;b", "\\", "x\\;"], ["", ""], ["\ta\n", "b\\ "],
  ])
  func `comes back as it was, also from a list in a list`(parts: [String]) {
    let text = EscapedList.text(of: parts, separator: ";")
    #expect(EscapedList.parts(of: text, separator: ";") == parts)
    let outer = EscapedList.text(of: [text, "x"], separator: "|")
    #expect(EscapedList.parts(of: outer, separator: "|") == [text, "x"])
    let same = EscapedList.text(of: [text, "x"], separator: ";")
    #expect(EscapedList.parts(of: same, separator: ";") == [text, "x"])
  }
}
