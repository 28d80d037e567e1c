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
}
