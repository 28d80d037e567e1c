import EventStore
import Foundation
import Insights

/// The counters and the chart of the live page, asked from the store.
struct LiveNumbers: Sendable {
  let query: LiveQuery
  let zone: TimeZone
  let nowMs: Int64
  let lastHour: Int
  let today: Int
  /// People who did something in the last hour.
  let people: Int
  /// Devices that something came of just now.
  let online: Int
  let series: EventSeries.Output

  /// How many names have a colour of their own.
  static let topNames = 6

  /// Asks the store; blocks.
  init(
    _ query: LiveQuery,
    project: UInt32,
    zone: TimeZone,
    nowMs: Int64,
    store: any EventStore
  ) throws {
    self.query = query
    self.zone = zone
    self.nowMs = nowMs
    func series(_ interval: EventSeries.Interval, _ buckets: Int64) throws -> EventSeries.Output {
      let (from, to) = Self.span(interval, buckets: buckets, nowMs: nowMs, zone: zone)
      return try EventSeries(
        project: project,
        interval: interval,
        fromMs: from,
        toMs: to,
        timeZone: zone,
        name: query.name,
        person: query.person,
        topNames: Self.topNames
      ).run(on: store)
    }
    let hour = try series(.minute, 60)
    let chart = query.range == .hour ? hour : try series(.day, query.range.buckets)
    let days = query.range == .hour ? try series(.day, 1) : chart
    self.series = chart
    lastHour = hour.lines.reduce(0) { $0 + $1.total }
    today = days.lines.reduce(0) { $0 + ($1.counts.last ?? 0) }
    let (from, to) = Self.span(.minute, buckets: 60, nowMs: nowMs, zone: zone)
    people = try ActivePeople(
      Scope(project: project, fromMs: from, toMs: to)
        .with(.name(query.name)).with(.person(query.person))
    ).run(on: store)
    online = try OnlineDevices(project: project, nowMs: nowMs).run(on: store)
  }

  /// From the start of the first bucket to the end of the running one.
  static func span(
    _ interval: EventSeries.Interval,
    buckets: Int64,
    nowMs: Int64,
    zone: TimeZone
  ) -> (fromMs: Int64, toMs: Int64) {
    switch interval {
    case .minute:
      let end = nowMs - nowMs % 60_000 + 60_000
      return (end - buckets * 60_000, end)
    case .day:
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      let today = calendar.startOfDay(for: Date(timeIntervalSince1970: Double(nowMs) / 1_000))
      let first = calendar.date(byAdding: .day, value: 1 - Int(buckets), to: today) ?? today
      let next = calendar.date(byAdding: .day, value: 1, to: today) ?? today
      return (
        Int64(first.timeIntervalSince1970 * 1_000), Int64(next.timeIntervalSince1970 * 1_000)
      )
    }
  }
}
