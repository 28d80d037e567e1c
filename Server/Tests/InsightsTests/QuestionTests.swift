import EventRecord
import EventStore
import Foundation
import Insights
import Testing

/// Each question asked of DuckDB and of the plain code over the same random events.
@Suite struct `Questions in SQL mean what their definitions say` {
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
  ]

  private static func axis(_ random: inout RandomHistory) -> TimeAxis {
    TimeAxis(
      random.pick([.hour, .day, .day, .week, .month]),
      timeZone: TimeZone(identifier: random.pick(zones)) ?? .gmt,
      weekStart: random.pick([.monday, .monday, .sunday, .saturday])
    )
  }

  private static let fields: [Field?] = [
    nil, nil, .name, .person, .platform, .version, .property("n"), .property("tags"),
    .property("live"), .user("plan"), .user("l"), .group("org"),
  ]

  private static func world(
    _ seed: UInt64,
    _ count: Int
  ) throws -> (
    RandomHistory, TestStore, InMemoryEventStore
  ) {
    var random = RandomHistory(seed: seed)
    let events = random.events(seed == 1 ? 0 : count).map(\.orPing)
    let duck = try TestStore()
    try duck.load(events)
    return (random, duck, InMemoryEventStore(events))
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `trends`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 1_000)
    for _ in 0..<30 {
      let aggregate = random.pick(Trend.Aggregate.allCases)
      let trend = Trend(
        random.scope(),
        axis: Self.axis(&random),
        measure: random.pick([
          .events, .people, .eventsPerPerson, .property("n", aggregate),
          .property("$price", aggregate),
        ]),
        breakdown: random.pick(Self.fields),
        limit: random.pick([1, 3, 50])
      )
      let answer = try trend.run(on: duck.store)
      let definition = try trend.run(on: model)
      #expect(answer.isClose(to: definition), "seed \(seed) \(trend) \(answer) \(definition)")
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `activity`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 600)
    for _ in 0..<25 {
      let activity = Activity(random.scope(), axis: Self.axis(&random))
      let answer = try activity.run(on: duck.store)
      #expect(try answer == activity.run(on: model), "seed \(seed) \(activity)")
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `funnels`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 500)
    for _ in 0..<20 {
      var scope = random.scope()
      if Bool.random(using: &random) { scope.conditions = [] }
      let names = random.pick([["Opened", "Played", "a", "b"], ["Opened"]])
      let steps = (0..<random.pick([1, 2, 2, 3, 5])).map { _ in Self.step(&random, of: names) }
      let funnel = Funnel(
        scope,
        steps: steps,
        order: random.pick([.ordered, .ordered, .strict, .any]),
        windowMs: random.pick([1, 3_600_000, 86_400_000, 5 * 86_400_000]),
        window: random.pick(Funnel.Window.allCases),
        exclusions: random.pick([0, 0, 1]) == 0 ? [] : [Self.step(&random)],
        holding: random.pick([true, false]) ? nil : random.pick(Self.fields),
        breakdown: random.pick(Self.fields),
        limit: random.pick([1, 50])
      )
      let answer = try funnel.run(on: duck.store)
      let definition = try funnel.run(on: model)
      #expect(answer.isClose(to: definition), "seed \(seed) \(funnel) \(answer) \(definition)")
      let people = FunnelPeople(
        funnel,
        level: random.pick([1, 2]),
        isLast: random.pick([true, false]),
        limit: random.pick([2, 1_000])
      )
      #expect(try people.run(on: duck.store) == people.run(on: model), "seed \(seed) \(people)")
    }
  }

  private static func step(
    _ random: inout RandomHistory,
    of names: [String] = ["Opened", "Played", "a", "b"]
  ) -> FunnelStep {
    FunnelStep(
      random.pick(names),
      random.pick([0, 0, 0, 1]) == 0 ? [] : [random.pick(RandomHistory.conditions)]
    )
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `hours of the week`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 600)
    for _ in 0..<15 {
      let hours = WeekHours(
        random.scope(),
        timeZone: TimeZone(identifier: random.pick(Self.zones)) ?? .gmt
      )
      let answer = try hours.run(on: duck.store)
      #expect(try answer == hours.run(on: model), "seed \(seed) \(hours)")
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `paths`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 600)
    for _ in 0..<30 {
      var scope = random.scope()
      if Bool.random(using: &random) { scope.conditions = [] }
      let paths = Paths(
        scope,
        timeZone: TimeZone(identifier: random.pick(Self.zones)) ?? .gmt,
        anchor: random.pick([true, true, false]) ? Self.step(&random) : nil,
        direction: random.pick(Paths.Direction.allCases),
        trail: random.pick(Paths.Trail.allCases),
        steps: random.pick([2, 3, 5, 8]),
        mergesRepeats: random.pick([true, false]),
        limit: random.pick([1, 3, 20])
      )
      let answer = try paths.run(on: duck.store)
      let definition = try paths.run(on: model)
      #expect(answer == definition, "seed \(seed) \(paths) \(answer) \(definition)")
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `retention`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 600)
    for _ in 0..<25 {
      let scope = random.scope()
      let retention = Retention(
        scope,
        axis: Self.axis(&random),
        start: random.maybe(RandomHistory.conditions).map { [$0] } ?? [],
        comeback: random.maybe(RandomHistory.conditions).map { [$0] } ?? [],
        entry: random.pick(Retention.Entry.allCases),
        bound: random.pick(Retention.Bound.allCases),
        periods: random.pick([1, 7, 90]),
        untilMs: scope.toMs
          + random.pick(
            [-86_400_000, 0, 1, 86_400_000, 10 * 86_400_000, 200 * 86_400_000] as [Int64]
          ),
        sessionMs: random.pick([nil, nil, 0, 5_000, 86_400_000]),
        breakdown: random.pick(Self.fields),
        limit: random.pick([1, 50])
      )
      let answer = try retention.run(on: duck.store)
      #expect(try answer == retention.run(on: model), "seed \(seed) \(retention)")
    }
  }
}

extension `Questions in SQL mean what their definitions say` {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `sessions`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 500)
    for _ in 0..<20 {
      let sessions = SessionTrend(
        random.scope(),
        axis: Self.axis(&random),
        minimumMs: random.pick([0, 0, 5_000, 86_400_000]),
        bounceMs: random.pick([1, 20_000, 3 * 86_400_000]),
        breakdown: random.pick(Self.fields),
        limit: random.pick([1, 50])
      )
      let answer = try sessions.run(on: duck.store)
      #expect(try answer == sessions.run(on: model), "seed \(seed) \(sessions)")
      let recent = RecentSessions(sessions.scope)
      #expect(try recent.run(on: duck.store) == recent.run(on: model), "seed \(seed) \(recent)")
    }
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `revenue`(seed: UInt64) throws {
    var (random, duck, model) = try Self.world(seed, 500)
    for _ in 0..<20 {
      let revenue = RevenueTrend(
        random.scope(),
        axis: Self.axis(&random),
        currency: random.pick(["USD", "EUR"]),
        formula: random.pick(RevenueTrend.Formula.allCases)
      )
      let answer = try revenue.run(on: duck.store)
      #expect(try answer == revenue.run(on: model), "seed \(seed) \(revenue)")
    }
  }
}

extension StoredEvent {
  /// The event, but of identifies every second one as a ping.
  var orPing: StoredEvent {
    var event = self
    if kind == .identify, key.low.isMultiple(of: 2) { event.name = "$ping" }
    return event
  }
}

/// Sums and averages of decimal numbers depend on their order in the last digit.
private func isClose(_ a: Double?, _ b: Double?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b))
}

extension Trend.Output {
  fileprivate func isClose(to other: Self) -> Bool {
    bucketStartsMs == other.bucketStartsMs && all.isClose(to: other.all)
      && lines.count == other.lines.count
      && zip(lines, other.lines).allSatisfy { $0.isClose(to: $1) }
  }
}

extension Trend.Line {
  fileprivate func isClose(to other: Self) -> Bool {
    group == other.group && InsightsTests.isClose(total, other.total)
      && values.count == other.values.count
      && zip(values, other.values).allSatisfy { InsightsTests.isClose($0, $1) }
  }
}

extension Funnel.Output {
  fileprivate func isClose(to other: Self) -> Bool {
    Self.areClose(levels, other.levels) && lines.count == other.lines.count
      && zip(lines, other.lines).allSatisfy { a, b in
        a.group == b.group && Self.areClose(a.levels, b.levels)
      }
  }

  private static func areClose(_ a: [Funnel.Level], _ b: [Funnel.Level]) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        a.count == b.count && InsightsTests.isClose(a.medianMs, b.medianMs)
          && InsightsTests.isClose(a.averageMs, b.averageMs)
      }
  }
}
