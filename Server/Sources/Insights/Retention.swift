import EventRecord
public import EventStore

/// Who came back, and how long after.
///
/// A cohort is everyone whose first event of one kind lies in the same bucket; someone came back after
/// `n` buckets with an event of the other kind in the `n`-th bucket after it. How long ago a bucket
/// must lie for that to be known is taken into account: what cannot have happened yet is not counted.
public struct Retention: Insight {
  /// Which of someone's first events makes them part of a cohort.
  public enum Entry: String, Sendable, CaseIterable {
    /// Their first in the scope's time.
    case first = "any"
    /// Their first ever, if it lies in the scope's time.
    case new
  }

  /// When someone counts as having come back.
  public enum Bound: String, Sendable, CaseIterable {
    /// In that bucket.
    case inBucket = "in"
    /// In that bucket or later.
    case from = "on-or-after"
  }

  /// The people of one bucket.
  public struct Cohort: Sendable, Hashable {
    /// When their bucket starts, in milliseconds since 1970.
    public var startMs: Int64
    /// How many they are.
    public var size: Int
    /// How many came back after 0, 1, 2 … buckets, 0 being all of them, as far as it can be known.
    public var returned: [Int]
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// A cohort for each bucket, the earliest first.
    public var cohorts: [Cohort]
    /// All cohorts together: how many came back after 0, 1, 2 … buckets.
    public var returned: [Int]
    /// Out of how many: those of the cohorts for which it is known.
    public var eligible: [Int]
  }

  /// How many buckets later are looked at, at most.
  public static let maxPeriods = 90

  /// Which events, and whom the question counts; its time is that of the cohorts.
  public var scope: Scope
  /// The buckets.
  public var axis: TimeAxis
  /// What makes someone part of a cohort.
  public var start: [Condition]
  /// What counts as coming back.
  public var comeback: [Condition]
  /// Which of someone's first events it is.
  public var entry: Entry
  /// When someone counts as having come back.
  public var bound: Bound
  /// How many buckets later are looked at; 1 to 90.
  public var periods: Int
  /// Up to when coming back can be known: the present, and not before the scope's end.
  public var untilMs: Int64

  /// The question from its parts.
  public init(
    _ scope: Scope,
    axis: TimeAxis,
    start: [Condition] = [],
    comeback: [Condition] = [],
    entry: Entry = .first,
    bound: Bound = .inBucket,
    periods: Int = 12,
    untilMs: Int64
  ) {
    self.scope = scope
    self.axis = axis
    self.start = start
    self.comeback = comeback
    self.entry = entry
    self.bound = bound
    self.periods = min(max(1, periods), Self.maxPeriods)
    self.untilMs = max(untilMs, scope.toMs)
  }

  /// The buckets of cohorts and those in which they may come back.
  private var buckets: CalendarBuckets {
    CalendarBuckets(axis, fromMs: scope.fromMs, toMs: untilMs)
  }

  /// How many of the buckets have a cohort.
  private func cohortCount(_ buckets: CalendarBuckets) -> Int {
    buckets.starts.count { $0 < scope.toMs }
  }

  /// The statement: people by cohort and by how many buckets later they came back, 0 being all.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let buckets = buckets
    let number = buckets.number(of: "e.corrected_at")
    let time = scope.over(fromMs: buckets.fromMs, toMs: scope.toMs)
    let known = scope.over(fromMs: buckets.fromMs, toMs: buckets.toMs)
    func all(_ conditions: [Condition]) -> String {
      conditions.isEmpty
        ? "true" : conditions.map { $0.sql(&statement) }.joined(separator: " AND ")
    }
    let isFirst = entry == .first
    let source = scope.source(others: start + comeback, needsPerson: scope.needsPerson)
    return statement.sql(
      """
      WITH firsts AS (
        SELECT \(scope.key) AS who, min(e.corrected_at) AS corrected_at FROM \(source)
        WHERE \(scope.admission(&statement)) AND \(isFirst ? time.time(&statement) : "true")
          AND \(scope.key) IS NOT NULL AND \(all(start))
        GROUP BY \(scope.key)
      ), cohorts AS (
        SELECT who, \(number) AS first FROM firsts AS e WHERE \(time.time(&statement))
      ), visits AS (
        SELECT DISTINCT \(scope.key) AS who, \(number) AS bucket FROM \(source)
        WHERE \(scope.admission(&statement)) AND \(known.time(&statement))
          AND \(scope.key) IS NOT NULL AND \(all(comeback))
      ), returns AS (
        SELECT who, first, bucket - first AS later FROM cohorts JOIN visits USING (who)
        WHERE bucket > first
      )
      SELECT first, 0 AS later, count(*) FROM cohorts GROUP BY first
      UNION ALL
      SELECT first, later, count(*) FROM \(bound == .inBucket
        ? "returns" : "(SELECT who, first, max(later) AS later FROM returns GROUP BY who, first)")
      GROUP BY first, later
      """
    )
  }

  /// The cohorts.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let buckets = buckets
    var sizes = [Int](repeating: 0, count: cohortCount(buckets))
    var later = sizes.map { _ in [Int: Int]() }
    for row in rows {
      guard let index = buckets.index(ofNumber: try row.integer(0)), index < sizes.count else {
        continue
      }
      let count = Int(try row.integer(2))
      let after = Int(try row.integer(1))
      if after == 0 { sizes[index] = count } else { later[index][after] = count }
    }
    return output(buckets, sizes: sizes) { index, after in
      bound == .inBucket
        ? later[index][after] ?? 0
        : later[index].reduce(0) { $1.key >= after ? $0 + $1.value : $0 }
    }
  }

  private func output(
    _ buckets: CalendarBuckets,
    sizes: [Int],
    returned: (_ cohort: Int, _ after: Int) -> Int
  ) -> Output {
    let cohorts = sizes.indices.map { index in
      // The last bucket is not over yet, but what happened in it so far can be known.
      let known = min(periods, buckets.starts.count - 1 - index)
      return Cohort(
        startMs: buckets.starts[index],
        size: sizes[index],
        returned: [sizes[index]] + (0..<known).map { returned(index, $0 + 1) }
      )
    }
    let reached = 0..<(cohorts.map(\.returned.count).max() ?? 0)
    return Output(
      cohorts: cohorts,
      returned: reached.map { after in
        cohorts.reduce(0) { $0 + ($1.returned.count > after ? $1.returned[after] : 0) }
      },
      eligible: reached.map { after in
        cohorts.reduce(0) { $0 + ($1.returned.count > after ? $1.size : 0) }
      }
    )
  }

  /// The cohorts by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let buckets = buckets
    let reading = ScopeReading(scope.over(fromMs: buckets.fromMs, toMs: scope.toMs), events)
    let own = events.filter { reading.admits($0) }
    func meets(_ conditions: [Condition], _ event: StoredEvent) -> Bool {
      conditions.allSatisfy { reading.meets($0, event) }
    }
    var first: [String: Int64] = [:]
    for event in own where meets(start, event) && (entry == .new || reading.isInTime(event)) {
      guard let key = reading.key(of: event) else { continue }
      first[key] = min(first[key] ?? .max, event.correctedMs)
    }
    var cohorts = [Set<String>](repeating: [], count: cohortCount(buckets))
    for (key, ms) in first where ms >= buckets.fromMs && ms < scope.toMs {
      if let index = buckets.index(of: ms) { cohorts[index].insert(key) }
    }
    var visits = buckets.starts.map { _ in Set<String>() }
    for event in own where meets(comeback, event) {
      guard event.correctedMs >= buckets.fromMs, event.correctedMs < buckets.toMs,
        let index = buckets.index(of: event.correctedMs), let key = reading.key(of: event)
      else { continue }
      visits[index].insert(key)
    }
    return output(buckets, sizes: cohorts.map(\.count)) { index, after in
      cohorts[index].count { key in
        bound == .inBucket
          ? visits[index + after].contains(key)
          : visits[(index + after)...].contains { $0.contains(key) }
      }
    }
  }
}
