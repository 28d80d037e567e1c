import EventRecord
public import EventStore

/// How often something happened, to how many, or what one of its properties came to, over time.
///
/// Buckets without events are there. Broken down, the most frequent groups have a line of their own and
/// the rest share one; `all` is everything together, which for people is less than the sum of the lines.
/// An event whose value is a list counts in the line of each that is in it, in each line and in `all` once.
public struct Trend: Insight {
  /// What is measured.
  public enum Measure: Sendable, Hashable {
    /// How many events.
    case events
    /// How many different people, devices or users.
    case people
    /// Events for each of them.
    case eventsPerPerson
    /// The numbers of a property taken together; events that do not have it as a number are left out.
    case property(String, Aggregate)

    /// Whether a bucket without anything has 0; the others have no value then.
    var isAdded: Bool {
      switch self {
      case .events, .people, .property(_, .sum): true
      default: false
      }
    }
  }

  /// How the numbers of a property are taken together.
  public enum Aggregate: String, Sendable, CaseIterable {
    /// Their sum.
    case sum
    /// Their average.
    case average
    /// The smallest.
    case minimum
    /// The largest.
    case maximum
    /// As many are above as below.
    case median
    /// Nine of ten are at or below.
    case p90
    /// 95 of a hundred are at or below.
    case p95
    /// 99 of a hundred are at or below.
    case p99

    /// The share that is at or below, for percentiles.
    var share: Double? {
      switch self {
      case .median: 0.5
      case .p90: 0.9
      case .p95: 0.95
      case .p99: 0.99
      default: nil
      }
    }
  }

  /// One line of the chart.
  public struct Line: Sendable, Hashable {
    /// The group; nil for all others together.
    public var group: Group?
    /// The measure over the whole time; nil where there is nothing to measure.
    public var total: Double?
    /// The measure in each bucket.
    public var values: [Double?]
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// When each bucket starts, in milliseconds since 1970, ascending, none missing.
    public var bucketStartsMs: [Int64]
    /// Everything together.
    public var all: Line
    /// With a breakdown, the most frequent group first, the others last.
    public var lines: [Line]
  }

  /// Which events.
  public var scope: Scope
  /// The buckets.
  public var axis: TimeAxis
  /// What is measured.
  public var measure: Measure
  /// By what lines are told apart; nil for one line.
  public var breakdown: Field?
  /// How many groups have a line of their own; 1 to 50.
  public var limit: Int

  /// The question from its parts.
  public init(
    _ scope: Scope,
    axis: TimeAxis,
    measure: Measure = .events,
    breakdown: Field? = nil,
    limit: Int = 8
  ) {
    self.scope = scope
    self.axis = axis
    self.measure = measure
    self.breakdown = breakdown
    self.limit = min(max(1, limit), 50)
  }

  private var buckets: CalendarBuckets {
    CalendarBuckets(axis, fromMs: scope.fromMs, toMs: scope.toMs)
  }

  /// The statement: the measure per group and bucket, per group, per bucket, and over all.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let buckets = buckets
    let scope = scope.over(fromMs: buckets.fromMs, toMs: buckets.toMs)
    let columns = GroupColumns(breakdown, &statement)
    var value = "NULL"
    if case .property(let name, _) = measure {
      value = Condition.number(Field.property(name).json(&statement))
    }
    let fields = breakdown.map { [$0] } ?? []
    let holders =
      measure.isOfPeople
      ? Holders(scope, for: fields, partsDo: measure == .people && buckets.isOfQuarters) : nil
    // Events are counted once, in cells of what they have in common; all else is done with those.
    let cells = """
      WITH scoped AS (
        SELECT \(holders?.key ?? "NULL") AS who,
          \(buckets.number(of: "e.corrected_at")) AS bucket,
          \(columns.field) AS field, \(value) AS value
        FROM \(holders?.source ?? scope.source(for: fields, needsPerson: false))
        WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
      ), found AS (
        SELECT bucket, field, \(measure.cell) FROM scoped
        WHERE \(measure.isOfProperty ? "value IS NOT NULL" : "true") \(measure.cellGrouping)
      ), cells AS (FROM \(holders?.owned("found") ?? "found"))
      """
    guard breakdown != nil else {
      return statement.sql(
        """
        \(cells)
        SELECT 1 AS together, NULL::BIGINT AS place, NULL::VARCHAR, NULL::DOUBLE, bucket,
          (\(measure.sql))::DOUBLE
        FROM cells GROUP BY GROUPING SETS ((bucket), ())
        """
      )
    }
    return statement.sql(
      """
      \(cells),
      \(columns.lines(of: "cells", weight: "sum(events)", limit: statement.bind(.integer(Int64(limit)))))
      SELECT 0 AS together, place, any_value(label), any_value(amount), bucket, (\(measure.sql))::DOUBLE
      FROM cells JOIN lines ON cells.field IS NOT DISTINCT FROM lines.field
      GROUP BY GROUPING SETS ((place, bucket), (place))
      UNION ALL
      SELECT 1, NULL, NULL, NULL, bucket, (\(measure.sql))::DOUBLE
      FROM cells GROUP BY GROUPING SETS ((bucket), ())
      """
    )
  }

  /// The lines.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let buckets = buckets
    var all = line(nil, buckets)
    var lines: [Int64: Line] = [:]
    for row in rows {
      let value: Double? = if case .double(let value) = row.values[5] { value } else { nil }
      let index: Int? =
        row.values[4] == .null ? nil : buckets.index(ofNumber: try row.integer(4))
      if try row.integer(0) == 1 {
        all.set(value ?? empty, at: index, isTotal: row.values[4] == .null)
      } else {
        // Place 0 is the line of all others.
        let place = row.values[1] == .null ? 0 : try row.integer(1)
        var found = try lines[place] ?? line(place == 0 ? nil : Group(row, at: 2), buckets)
        found.set(value ?? empty, at: index, isTotal: row.values[4] == .null)
        lines[place] = found
      }
    }
    let places = lines.keys.sorted { $0 == 0 ? false : $1 == 0 ? true : $0 < $1 }
    return Output(
      bucketStartsMs: buckets.starts,
      all: all,
      lines: places.compactMap { lines[$0] }
    )
  }

  private var empty: Double? { measure.isAdded ? 0 : nil }

  private func line(_ group: Group?, _ buckets: CalendarBuckets) -> Line {
    Line(group: group, total: empty, values: buckets.starts.map { _ in empty })
  }

  /// The lines by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let buckets = buckets
    let reading = ScopeReading(scope.over(fromMs: buckets.fromMs, toMs: buckets.toMs), events)
    let counted = reading.admitted(events).filter { measure.value(of: $0) != nil }
    func line(_ group: Group?, _ events: [StoredEvent]) -> Line {
      let inBuckets = Dictionary(grouping: events) { buckets.index(of: $0.correctedMs) }
      return Line(
        group: group,
        total: measure.measured(events, reading) ?? empty,
        values: buckets.starts.indices.map { index in
          measure.measured(inBuckets[index] ?? [], reading) ?? empty
        }
      )
    }
    guard let breakdown else {
      return Output(bucketStartsMs: buckets.starts, all: line(nil, counted), lines: [])
    }
    let groups = GroupedMembers(counted) { Group.all(of: reading.value(of: breakdown, $0)) }
    let others = groups.others(limit)
    return Output(
      bucketStartsMs: buckets.starts,
      all: line(nil, counted),
      lines: groups.largest(limit).map { line($0.group, $0.members) }
        + (others.isEmpty ? [] : [line(nil, others)])
    )
  }
}

extension Trend.Line {
  fileprivate mutating func set(_ value: Double?, at index: Int?, isTotal: Bool) {
    if isTotal { total = value } else if let index { values[index] = value }
  }
}

extension Trend.Measure {
  fileprivate var isOfPeople: Bool { self == .people || self == .eventsPerPerson }

  fileprivate var isOfProperty: Bool { if case .property = self { true } else { false } }

  /// What is kept of the events of one cell, in SQL; `events` is how many they are.
  fileprivate var cell: String {
    switch self {
    case .events: "count(*) AS events"
    case .people, .eventsPerPerson: "who, count(*) AS events"
    case .property(_, let aggregate):
      aggregate.share == nil
        ? "count(*) AS events, sum(value) AS total, min(value) AS low, max(value) AS high"
        : "1 AS events, value"
    }
  }

  /// What the events of one cell have in common; a percentile needs each by itself.
  fileprivate var cellGrouping: String {
    switch self {
    case .events: "GROUP BY bucket, field"
    case .people, .eventsPerPerson: "GROUP BY bucket, field, who"
    case .property(_, let aggregate): aggregate.share == nil ? "GROUP BY bucket, field" : ""
    }
  }

  /// The measure of a group of cells, in SQL.
  fileprivate var sql: String {
    switch self {
    case .events: "sum(events)"
    case .people: "count(DISTINCT who)"
    case .eventsPerPerson:
      "sum(events) FILTER (WHERE who IS NOT NULL) / nullif(count(DISTINCT who), 0)"
    case .property(_, .sum): "sum(total)"
    case .property(_, .average): "sum(total) / sum(events)"
    case .property(_, .minimum): "min(low)"
    case .property(_, .maximum): "max(high)"
    case .property(_, let aggregate): "quantile_cont(value, \(aggregate.share ?? 0.5))"
    }
  }

  /// The event's own number; 1 where events are counted.
  fileprivate func value(of event: StoredEvent) -> Double? {
    guard case .property(let name, _) = self else { return 1 }
    return PropertyValue.members(of: event.properties)?[name]?.double
  }

  /// The measure of some events; nil where there is nothing to measure.
  fileprivate func measured(_ events: [StoredEvent], _ reading: ScopeReading) -> Double? {
    let values = events.compactMap { value(of: $0) }.sorted()
    guard let first = values.first, let last = values.last else { return nil }
    let keys = events.compactMap { reading.key(of: $0) }
    switch self {
    case .events: return Double(events.count)
    case .people: return Double(Set(keys).count)
    case .eventsPerPerson:
      return keys.isEmpty ? nil : Double(keys.count) / Double(Set(keys).count)
    case .property(_, .sum): return values.reduce(0, +)
    case .property(_, .average): return values.reduce(0, +) / Double(values.count)
    case .property(_, .minimum): return first
    case .property(_, .maximum): return last
    case .property(_, let aggregate):
      return percentile(values, aggregate.share ?? 0.5)
    }
  }
}

/// The value below which a share of sorted values lies, between two of them in proportion.
func percentile(_ sorted: [Double], _ share: Double) -> Double? {
  guard !sorted.isEmpty else { return nil }
  let place = Double(sorted.count - 1) * share
  let low = sorted[Int(place.rounded(.down))]
  let high = sorted[Int(place.rounded(.up))]
  return low + (high - low) * (place - place.rounded(.down))
}
