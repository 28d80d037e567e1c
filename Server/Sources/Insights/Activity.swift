import EventRecord
public import EventStore
import Foundation

/// How many people were active, how many of them for the first time, and how many came back.
///
/// Someone is active in a bucket with at least one event of the scope. With days as buckets the first
/// day counts from its beginning, and the answer also tells of the 7 and 30 days up to and with each day, and of Pinpoint's retention of seven days.
public struct Activity: Insight {
  /// What happened in one bucket.
  public struct Bucket: Sendable, Hashable {
    /// When it starts, in milliseconds since 1970.
    public var startMs: Int64
    /// Who was active.
    public var active = 0
    /// Who was active for the first time ever; the others returned.
    public var new = 0
    /// Who was active in the seven days that end with this one; nil unless buckets are days.
    public var lastSevenDays: Int?
    /// Who was active in the thirty days that end with this one; nil unless buckets are days.
    public var lastThirtyDays: Int?
    /// Who was active eight days before; nil unless buckets are days.
    public var activeEightDaysBefore: Int?
    /// Who of those came back in the seven days in between.
    public var cameBack: Int?
  }

  /// Which events make someone active, and whom the question counts.
  public var scope: Scope
  /// The buckets.
  public var axis: TimeAxis

  /// The activity of this scope.
  public init(_ scope: Scope, axis: TimeAxis) {
    self.scope = scope
    self.axis = axis
  }

  /// How many days before the first one are looked at.
  private static let leadDays = 30

  private var buckets: CalendarBuckets {
    CalendarBuckets(axis, fromMs: scope.fromMs, toMs: scope.toMs)
  }

  /// The same with the days before that the first ones depend on.
  private var longer: CalendarBuckets {
    let buckets = buckets
    guard axis.interval == .day, let first = buckets.starts.first else { return buckets }
    let calendar = axis.calendar
    let date = Date(timeIntervalSince1970: Double(first) / 1_000)
    let from = calendar.date(byAdding: .day, value: -Self.leadDays, to: date)
    return CalendarBuckets(
      axis,
      fromMs: from.map { axis.start(of: $0.milliseconds) } ?? first,
      toMs: buckets.toMs
    )
  }

  /// The statement: people by bucket and by how many buckets later they are seen next, and new people by
  /// bucket.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let longer = longer
    let wide = scope.over(fromMs: longer.fromMs, toMs: longer.toMs)
    let number = longer.number(of: "e.corrected_at")
    let holders = Holders(scope, partsDo: longer.isOfQuarters)
    // One pass over all that is known: bucket is NULL outside of the time.
    return statement.sql(
      """
      WITH found AS (
        SELECT \(holders.key) AS who, CASE WHEN \(wide.time(&statement)) THEN \(number) END AS bucket,
          min(e.corrected_at) AS corrected_at
        FROM \(holders.source) WHERE \(scope.admission(&statement)) AND \(holders.isSomebody)
        GROUP BY 1, 2
      ), active AS MATERIALIZED (
        SELECT who, bucket, min(corrected_at) AS corrected_at FROM \(holders.owned("found"))
        GROUP BY who, bucket
      ), gaps AS (
        -- One order over all is found faster than one for each person.
        SELECT bucket, CASE WHEN lead(who) OVER way = who THEN lead(bucket) OVER way - bucket END AS gap
        FROM active WHERE bucket IS NOT NULL WINDOW way AS (ORDER BY who, bucket)
      ), firsts AS (SELECT min(corrected_at) AS corrected_at FROM active GROUP BY who)
      SELECT bucket, least(coalesce(gap, \(Self.leadDays)), \(Self.leadDays)) AS gap, count(*)
      FROM gaps GROUP BY ALL
      UNION ALL
      SELECT \(number), 0, count(*) FROM firsts AS e WHERE \(wide.time(&statement)) GROUP BY ALL
      """
    )
  }

  /// The buckets.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Bucket] {
    let buckets = buckets
    let longer = longer
    let lead = longer.starts.count - buckets.starts.count
    var gaps = longer.starts.map { _ in [Int](repeating: 0, count: Self.leadDays + 1) }
    for row in rows {
      guard let index = longer.index(ofNumber: try row.integer(0)) else { continue }
      gaps[index][Int(try row.integer(1))] += Int(try row.integer(2))
    }
    let active = gaps.map { $0.dropFirst().reduce(0, +) }
    /// Each person counts on the last day on which they were seen within the window.
    func within(_ days: Int, endingAt last: Int) -> Int {
      (max(0, last - days + 1)...last).reduce(0) { sum, day in
        sum + gaps[day].dropFirst(last - day + 1).reduce(0, +)
      }
    }
    return buckets.starts.indices.map { index in
      let at = index + lead
      var bucket = Bucket(startMs: buckets.starts[index], active: active[at], new: gaps[at][0])
      guard axis.interval == .day else { return bucket }
      bucket.lastSevenDays = within(7, endingAt: at)
      bucket.lastThirtyDays = within(30, endingAt: at)
      let before = at - 8
      bucket.activeEightDaysBefore = before < 0 ? 0 : active[before]
      bucket.cameBack = before < 0 ? 0 : gaps[before][1...7].reduce(0, +)
      return bucket
    }
  }

  /// The buckets by definition.
  public func output(over events: [StoredEvent]) -> [Bucket] {
    let buckets = buckets
    let longer = longer
    let lead = longer.starts.count - buckets.starts.count
    let reading = ScopeReading(scope.over(fromMs: longer.fromMs, toMs: longer.toMs), events)
    var seen = longer.starts.map { _ in Set<String>() }
    for event in reading.admitted(events) {
      guard let index = longer.index(of: event.correctedMs), let key = reading.key(of: event)
      else { continue }
      seen[index].insert(key)
    }
    var first: [String: Int64] = [:]
    for event in events where reading.admits(event) {
      guard let key = reading.key(of: event) else { continue }
      first[key] = min(first[key] ?? .max, event.correctedMs)
    }
    func union(_ days: ClosedRange<Int>) -> Set<String> {
      days.clamped(to: 0...max(0, seen.count - 1)).reduce(into: []) { $0.formUnion(seen[$1]) }
    }
    return buckets.starts.indices.map { index in
      let at = index + lead
      var bucket = Bucket(startMs: buckets.starts[index], active: seen[at].count)
      bucket.new = first.values.count {
        $0 >= longer.fromMs && $0 < longer.toMs && longer.index(of: $0) == at
      }
      guard axis.interval == .day else { return bucket }
      bucket.lastSevenDays = union(at - 6...at).count
      bucket.lastThirtyDays = union(at - 29...at).count
      let before = at >= 8 ? seen[at - 8] : []
      bucket.activeEightDaysBefore = before.count
      bucket.cameBack = at >= 8 ? before.intersection(union(at - 7...at - 1)).count : 0
      return bucket
    }
  }
}
