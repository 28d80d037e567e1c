import EventStore
import Foundation
import Insights
import Testing

/// Which buckets an alert judges at a look.
@Suite struct `A look of an alert` {
  private typealias Fixture = `A question's answer`

  /// As many events as the number of its day, from the first on.
  private static func report(days: Int64) throws -> Report {
    let events = Fixture.events(
      (1...days).flatMap { day in
        (0..<day).map { ("p", "a", (day - 1) * Fixture.day + $0) }
      }
    )
    // An hour of the last day has passed.
    let now = Fixture.start + (days - 1) * Fixture.day + Fixture.hour
    let form = QuestionForm(
      ["interval": "day", "from": "2026-11-02"],
      .init(project: 1, timeZone: .gmt, nowMs: now)
    )
    return try QuestionKind.trend.report(form, on: InMemoryEventStore(events))
  }

  @Test(
    arguments: [
      (nil, [4]), (3, [4]), (2, [3, 4]), (0, [1, 2, 3, 4]), (-9, [1, 2, 3, 4]), (9, [4]),
    ] as [(Int64?, [Double])]
  )
  func `takes every day that is over since the one before`(judged: Int64?, values: [Double]) throws
  {
    let bucketMs = judged.map { Fixture.start + ($0 - 1) * Fixture.day }
    let looks = AlertMeasure.all(try Self.report(days: 5), after: bucketMs)
    #expect(looks.map(\.value) == values)
    #expect(looks.dropFirst().map(\.before) == values.dropLast().map { $0 })
  }

  /// November ended on a Monday: that day is no week, and its two days before are no month.
  @Test(
    arguments: [
      ("week", "2026-11-02", "2026-11-30", 7.0, "2026-11-23T00:00:00Z"),
      ("week", "2026-11-02", "2026-11-29", 7, "2026-11-23T00:00:00Z"),
      ("month", "2026-11-01", "2026-12-02", 29, "2026-11-01T00:00:00Z"),
    ]
  )
  func `leaves out a last bucket of which the time has a part`(
    interval: String,
    from: String,
    to: String,
    value: Double,
    bucket: String
  ) throws {
    // One a day, from 2 November on.
    let events = Fixture.events((0..<60).map { ("p", "a", $0 * Fixture.day) })
    let form = QuestionForm(
      ["interval": interval, "from": from, "to": to],
      .init(project: 1, timeZone: .gmt, nowMs: Fixture.start + 90 * Fixture.day)
    )
    let report = try QuestionKind.trend.report(form, on: InMemoryEventStore(events))
    let measure = try #require(AlertMeasure(report))
    #expect(measure.value == value)
    let start = try Date(bucket, strategy: .iso8601).timeIntervalSince1970
    #expect(measure.bucketMs == Int64(start * 1_000))
    #expect(report.isLastCut == (to != "2026-11-29"))
  }
}
