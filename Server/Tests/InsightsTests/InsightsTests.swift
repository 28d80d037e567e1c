import DuckDBStore
import EventRecord
import EventStore
import Foundation
import Insights
import Testing

@Suite struct `Insights in SQL mean what their definitions say` {
  /// Each question is asked of DuckDB and of the plain code over the same random events.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `over random events`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = random.events(seed == 1 ? 0 : 2_000)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    #expect(model.events.count == events.count)
    for _ in 0..<60 {
      let series = Self.series(&random)
      #expect(try series.run(on: duck.store) == series.run(on: model), "seed \(seed) \(series)")
      let recent = Self.recent(&random, events)
      #expect(try recent.run(on: duck.store) == recent.run(on: model), "seed \(seed) \(recent)")
      let names = EventNames(
        project: UInt32(random.pick([1, 2, 3])),
        includesTest: random.pick([true, false]),
        person: random.maybe(RandomHistory.people),
        limit: random.pick([1, 3, 500])
      )
      #expect(try names.run(on: duck.store) == names.run(on: model), "seed \(seed) \(names)")
      let people = ActivePeople(
        Self.scope(series).with(.name(series.name)).with(.person(series.person))
      )
      #expect(try people.run(on: duck.store) == people.run(on: model), "seed \(seed) \(people)")
      try Self.compareReports(series, duck, model, seed)
      let timeline = PropertyTimeline(
        project: series.project,
        subject: random.pick([
          .person(random.pick(RandomHistory.people)), .group(type: "org", name: "15"),
          .group(type: "org", name: "16"), .group(type: "team", name: "b"),
        ])
      )
      #expect(try timeline.run(on: duck.store) == timeline.run(on: model), "seed \(seed)")
      let detail = EventDetail(
        project: UInt32(random.pick([1, 2])),
        key: events.randomElement(using: &random)?.key ?? EventKey(high: 0, low: 0)
      )
      #expect(try detail.run(on: duck.store) == detail.run(on: model), "seed \(seed) \(detail)")
    }
  }

  private static func compareReports(
    _ series: EventSeries,
    _ duck: TestStore,
    _ model: InMemoryEventStore,
    _ seed: UInt64
  ) throws {
    let axis = TimeAxis(.day, timeZone: series.timeZone)
    let revenue = RevenueTrend(scope(series), axis: axis)
    #expect(try revenue.run(on: duck.store) == revenue.run(on: model), "seed \(seed) \(revenue)")
    let sessions = SessionTrend(scope(series), axis: axis)
    #expect(try sessions.run(on: duck.store) == sessions.run(on: model), "seed \(seed) \(series)")
    let new = NewPeople(scope(series))
    #expect(try new.run(on: duck.store) == new.run(on: model), "seed \(seed) \(series)")
  }

  private static func scope(_ series: EventSeries) -> Scope {
    Scope(
      project: series.project,
      fromMs: series.fromMs,
      toMs: series.toMs,
      includesTest: series.includesTest
    )
  }

  private static let zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]

  private static func series(_ random: inout RandomHistory) -> EventSeries {
    let interval: EventSeries.Interval = random.pick([.minute, .day])
    let from = random.moment()
    let length = interval == .day ? 9 * RandomHistory.day : 5 * RandomHistory.day
    return EventSeries(
      project: UInt32(random.pick([1, 2])),
      interval: interval,
      fromMs: from,
      toMs: from + Int64.random(in: -1...length, using: &random),
      timeZone: TimeZone(identifier: random.pick(zones)) ?? .gmt,
      name: random.maybe(RandomHistory.names),
      person: random.maybe(RandomHistory.people),
      includesTest: random.pick([true, false]),
      topNames: random.pick([1, 3, 6, 50])
    )
  }

  private static func recent(
    _ random: inout RandomHistory,
    _ events: [StoredEvent]
  ) -> RecentEvents {
    RecentEvents(
      project: UInt32(random.pick([1, 2])),
      name: random.maybe(RandomHistory.names),
      person: random.maybe(RandomHistory.people),
      includesTest: random.pick([true, false]),
      before: events.randomElement(using: &random).map(RecentEvents.Place.init),
      limit: random.pick([1, 10, 1_000])
    )
  }
}

@Suite struct `Recent events` {
  @Test func `page after page lists every event once, the last received first`() throws {
    var random = RandomHistory(seed: 3)
    let events = random.events(300).filter { $0.project == 1 }
    let store = InMemoryEventStore(events)
    var listed: [StoredEvent] = []
    var place: RecentEvents.Place?
    while true {
      let page = try RecentEvents(project: 1, before: place, limit: 17).run(on: store)
      guard let last = page.last else { break }
      listed += page
      place = RecentEvents.Place(text: RecentEvents.Place(of: last).text)
    }
    #expect(Set(listed) == Set(events))
    #expect(listed.count == events.count)
    #expect(listed.map(\.receivedMs) == events.map(\.receivedMs).sorted(by: >))
  }

  @Test(arguments: ["", "1", "1.2", "1.2.xyz", "x.2.00000000000000000000000000000000", "1.2.3.4"])
  func `a place that is none is not read`(text: String) {
    #expect(RecentEvents.Place(text: text) == nil)
  }
}

@Suite struct `Event series` {
  private func event(_ number: UInt64, at ms: Int64, name: String = "Opened") -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 0, low: number),
      project: 1,
      name: name,
      timestampMs: ms
    )
  }

  @Test func `a day of 23 hours and one of 25 are days like others`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let hour: Int64 = 3_600_000
    // 28 March to 1 April 2026 in Berlin: clocks go forward in the night to the 29th.
    let first: Int64 = 1_774_652_400_000
    let starts = [0, 24, 47, 71, 95].map { first + $0 * hour }
    let events = starts.enumerated().flatMap { number, start in
      [event(UInt64(2 * number), at: start), event(UInt64(2 * number + 1), at: start - 1)]
    }
    let series = EventSeries(
      project: 1,
      interval: .day,
      fromMs: first,
      toMs: first + 96 * hour,
      timeZone: berlin
    )
    let expected = EventSeries.Output(
      bucketStartsMs: starts,
      lines: [EventSeries.Line(name: "Opened", total: 9, counts: [2, 2, 2, 2, 1])]
    )
    #expect(try series.run(on: InMemoryEventStore(events)) == expected)
    let duck = try TestStore()
    try duck.load(events)
    #expect(try series.run(on: duck.store) == expected)
  }

  @Test func `minutes without events are there with nothing`() throws {
    let series = EventSeries(
      project: 1,
      interval: .minute,
      fromMs: 60_000,
      toMs: 300_000,
      timeZone: .gmt
    )
    let output = try series.run(on: InMemoryEventStore([event(1, at: 120_000)]))
    #expect(output.bucketStartsMs == [60_000, 120_000, 180_000, 240_000])
    #expect(output.lines.map(\.counts) == [[0, 1, 0, 0]])
  }

  @Test func `names beyond the top ones share a line`() throws {
    let names = ["a", "a", "a", "b", "b", "c", "d"]
    let events = names.enumerated().map { event(UInt64($0 + 1), at: 0, name: $1) }
    let series = EventSeries(
      project: 1,
      interval: .minute,
      fromMs: 0,
      toMs: 1,
      timeZone: .gmt,
      topNames: 2
    )
    let output = try series.run(on: InMemoryEventStore(events))
    #expect(output.lines.map(\.name) == ["a", "b", nil])
    #expect(output.lines.map(\.total) == [3, 2, 2])
  }

  @Test func `a range that is too long is counted from its end`() throws {
    let series = EventSeries(
      project: 1,
      interval: .minute,
      fromMs: 0,
      toMs: 1_000_000 * 60_000,
      timeZone: .gmt
    )
    let events = [event(1, at: 0), event(2, at: 999_999 * 60_000)]
    let output = try series.run(on: InMemoryEventStore(events))
    #expect(output.bucketStartsMs.count == EventSeries.maxBuckets)
    #expect(output.bucketStartsMs.last == Int64(999_999 * 60_000))
    #expect(output.lines.map(\.total) == [1])
  }
}
