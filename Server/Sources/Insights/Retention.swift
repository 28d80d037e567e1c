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
    /// All cohorts together: how many came back after 0, 1, 2 … buckets that are over.
    public var returned: [Int]
    /// Out of how many: those of the cohorts for which that bucket is over.
    public var eligible: [Int]
    /// With a breakdown the largest groups, the largest first, and all others last, if there are any.
    public var lines: [Line] = []
  }

  /// One line of a breakdown.
  public struct Line: Sendable, Hashable {
    /// The value of the field at each person's first event; someone with a list there is in a line for each
    /// that is in it.
    ///
    /// Nil for all other groups together.
    public var group: Group?
    /// How many people of all cohorts.
    public var size: Int
    /// How many of them came back after 0, 1, 2 … buckets.
    public var returned: [Int]
    /// Out of how many.
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
  /// Up to when coming back can be known: the present.
  public var untilMs: Int64
  /// How long a session must be so that its start counts as coming back, in milliseconds; nil when any
  /// event does.
  public var sessionMs: Int64?
  /// By what lines are told apart.
  public var breakdown: Field?
  /// How many lines at most; 1 to 50.
  public var limit: Int

  /// The question from its parts.
  public init(
    _ scope: Scope,
    axis: TimeAxis,
    start: [Condition] = [],
    comeback: [Condition] = [],
    entry: Entry = .first,
    bound: Bound = .inBucket,
    periods: Int = 12,
    untilMs: Int64,
    sessionMs: Int64? = nil,
    breakdown: Field? = nil,
    limit: Int = 8
  ) {
    self.sessionMs = sessionMs
    self.breakdown = breakdown
    self.limit = min(max(1, limit), 50)
    self.scope = scope
    self.axis = axis
    self.start = start
    self.comeback = comeback
    self.entry = entry
    self.bound = bound
    self.periods = min(max(1, periods), Self.maxPeriods)
    self.untilMs = untilMs
  }

  /// The buckets of cohorts and those in which they may come back.
  private var buckets: CalendarBuckets {
    CalendarBuckets(axis, fromMs: scope.fromMs, toMs: min(untilMs, horizonMs))
  }

  /// Up to when coming back counts: “or later” is not over with the last bucket that is looked at.
  private func knownMs(_ buckets: CalendarBuckets) -> Int64 {
    bound == .from ? max(buckets.toMs, untilMs) : buckets.toMs
  }

  /// When the last bucket that is looked at is over.
  private var horizonMs: Int64 {
    var end = axis.next(after: scope.toMs - 1)
    for _ in 0..<periods { end = axis.next(after: end) }
    return end
  }

  /// How many of the buckets have a cohort.
  private func cohortCount(_ buckets: CalendarBuckets) -> Int {
    buckets.starts.count { $0 < scope.toMs }
  }

  /// The statement: people by cohort and by how many buckets later they came back, 0 being all; the same
  /// by group.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let buckets = buckets
    let number = buckets.number(of: "e.corrected_at")
    let endMs = min(scope.toMs, buckets.toMs)
    let time = scope.over(fromMs: buckets.fromMs, toMs: endMs)
    let known = scope.over(fromMs: buckets.fromMs, toMs: knownMs(buckets))
    func all(_ conditions: [Condition]) -> String {
      conditions.isEmpty
        ? "true" : conditions.map { $0.sql(&statement) }.joined(separator: " AND ")
    }
    let isFirst = entry == .first
    let columns = GroupColumns(breakdown, &statement)
    let source = scope.source(
      for: breakdown.map { [$0] } ?? [],
      others: start + comeback,
      needsPerson: scope.needsPerson
    )
    let field =
      breakdown == nil
      ? "NULL"
      : "arg_min([\(columns.field)], {'at': e.corrected_at, 'seq': e.seq, 'key': e.event_key})[1]"
    let admission = scope.admission(&statement)
    // What makes someone part of a cohort is then among what they came back with.
    let isOnePass = isFirst && start == comeback && breakdown == nil && sessionMs == nil
    let visits: String
    if let sessionMs {
      let sessions = ScopeSessions(scope: scope, conditions: comeback).sql(&statement)
      visits = """
        visits AS (
          SELECT DISTINCT who, \(number) AS bucket FROM (\(sessions)) AS e
          WHERE \(known.time(&statement)) AND length >= \(statement.bind(.integer(sessionMs)))
        """
    } else if isOnePass {
      let holders = Holders(scope, others: comeback, partsDo: buckets.isOfQuarters)
      visits = """
        found AS (
          SELECT \(holders.key) AS who, \(number) AS bucket,
            bool_or(e.corrected_at < \(statement.bind(.time(endMs)))) AS starts FROM \(holders.source)
          WHERE \(admission) AND \(known.time(&statement))
            AND \(holders.isSomebody) AND \(all(comeback)) GROUP BY 1, 2
        ), visits AS MATERIALIZED (
          SELECT who, bucket, bool_or(starts) AS starts FROM \(holders.owned("found"))
          GROUP BY who, bucket
        """
    } else {
      visits = """
        visits AS (
          SELECT \(scope.key) AS who, \(number) AS bucket,
            bool_or(e.corrected_at < \(statement.bind(.time(endMs)))) AS starts FROM \(source)
          WHERE \(admission) AND \(known.time(&statement))
            AND \(scope.key) IS NOT NULL AND \(all(comeback)) GROUP BY 1, 2
        """
    }
    let cohorts =
      isOnePass
      ? """
      cohorts AS (
        SELECT who, min(bucket) AS first, NULL AS field
        FROM visits WHERE starts GROUP BY who
      """
      : """
      firsts AS (
        SELECT \(scope.key) AS who, min(e.corrected_at) AS corrected_at, \(field) AS field
        FROM \(source)
        WHERE \(admission) AND \(isFirst ? time.time(&statement) : "true")
          AND \(scope.key) IS NOT NULL AND \(all(start))
        GROUP BY \(scope.key)
      ), cohorts AS (
        SELECT who, \(number) AS first, field FROM firsts AS e WHERE \(time.time(&statement))
      """
    return statement.sql(
      """
      WITH \(visits)
      ), \(cohorts)
      ), returns AS (
        SELECT who, first, field, bucket - first AS later FROM cohorts JOIN visits USING (who)
        WHERE bucket > first
      ), counts AS (
        SELECT field, first, 0 AS later, count(*) AS people FROM cohorts GROUP BY ALL
        UNION ALL
        SELECT field, first, later, count(*) FROM \(bound == .inBucket
          ? "returns"
          : "(SELECT who, first, field, max(later) AS later FROM returns GROUP BY ALL)")
        GROUP BY ALL
      )\(breakdown == nil ? "" : ", \(columns.lines(of: "cohorts", weight: "count(*)", limit: "\(limit)"))")
      SELECT first, later, sum(people)::BIGINT, 0 AS place, NULL::VARCHAR, NULL::DOUBLE
      FROM counts GROUP BY first, later
      \(breakdown == nil ? "" : grouped)
      """
    )
  }

  private var grouped: String {
    """
    UNION ALL
    SELECT first, later, sum(people)::BIGINT, coalesce(place, \(limit + 1)), any_value(label), any_value(amount)
    FROM counts JOIN lines ON counts.field IS NOT DISTINCT FROM lines.field
    GROUP BY first, later, place
    """
  }

  /// The cohorts.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let buckets = buckets
    var places: [Int64: [Row]] = [:]
    for row in rows { places[try row.integer(3), default: []].append(row) }
    var whole = try output(buckets, of: places[0] ?? [])
    whole.lines = try places.keys.filter { $0 > 0 }.sorted().map { place in
      let rows = places[place] ?? []
      let group = try rows.first.flatMap { place > limit ? nil : try Group($0, at: 4) }
      return line(group, try output(buckets, of: rows))
    }
    return whole
  }

  private func line(_ group: Group?, _ output: Output) -> Line {
    Line(
      group: group,
      size: output.cohorts.reduce(0) { $0 + $1.size },
      returned: output.returned,
      eligible: output.eligible
    )
  }

  /// The cohorts of everyone or of one group.
  private func output(_ buckets: CalendarBuckets, of rows: [Row]) throws -> Output {
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
    // Together only those are told of whose bucket is over: the others could still come back.
    let over = buckets.starts.count { axis.next(after: $0) <= untilMs }
    let reached = 0..<(cohorts.map(\.returned.count).max() ?? 0)
    func known(_ after: Int) -> [Cohort] {
      cohorts.enumerated().compactMap { index, cohort in
        cohort.returned.count > after && (after == 0 || index + after < over) ? cohort : nil
      }
    }
    return Output(
      cohorts: cohorts,
      returned: reached.map { after in known(after).reduce(0) { $0 + $1.returned[after] } },
      eligible: reached.map { after in known(after).reduce(0) { $0 + $1.size } }
    )
  }

  /// The cohorts by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let buckets = buckets
    let endMs = min(scope.toMs, buckets.toMs)
    let reading = ScopeReading(scope.over(fromMs: buckets.fromMs, toMs: endMs), events)
    let own = events.filter { reading.admits($0) }
    func meets(_ conditions: [Condition], _ event: StoredEvent) -> Bool {
      conditions.allSatisfy { reading.meets($0, event) }
    }
    var first: [String: StoredEvent] = [:]
    for event in own where meets(start, event) && (entry == .new || reading.isInTime(event)) {
      guard let key = reading.key(of: event) else { continue }
      if let known = first[key], EventPlace(of: known) < EventPlace(of: event) { continue }
      first[key] = event
    }
    var cohorts = [Set<String>](repeating: [], count: cohortCount(buckets))
    for (key, event) in first
    where event.correctedMs >= buckets.fromMs && event.correctedMs < endMs {
      guard let index = buckets.index(of: event.correctedMs) else { continue }
      cohorts[index].insert(key)
    }
    // Behind the last bucket is all that came later.
    var visits = [Set<String>](repeating: [], count: buckets.starts.count + 1)
    let back = own.filter { meets(comeback, $0) }
    let moments =
      sessionMs.map { length in
        ScopeSessions(scope: scope, conditions: comeback).sessions(in: events, reading)
          .filter { $0.lengthMs >= length }.map { ($0.key.who, $0.begunMs) }
      }
      ?? back.compactMap { event in reading.key(of: event).map { ($0, event.correctedMs) } }
    for (key, ms) in moments where ms >= buckets.fromMs && ms < knownMs(buckets) {
      let index = ms < buckets.toMs ? buckets.index(of: ms) : buckets.starts.count
      if let index { visits[index].insert(key) }
    }
    func output(of cohorts: [Set<String>]) -> Output {
      self.output(buckets, sizes: cohorts.map(\.count)) { index, after in
        cohorts[index].count { key in
          bound == .inBucket
            ? visits[index + after].contains(key)
            : visits[(index + after)...].contains { $0.contains(key) }
        }
      }
    }
    var whole = output(of: cohorts)
    guard let breakdown else { return whole }
    let groups = GroupedMembers(Array(cohorts.joined())) { key in
      Group.all(of: first[key].flatMap { reading.value(of: breakdown, $0) })
    }
    func line(_ group: Group?, of people: [String]) -> Line {
      self.line(group, output(of: cohorts.map { $0.intersection(people) }))
    }
    let others = groups.others(limit)
    whole.lines =
      groups.largest(limit).map { line($0.group, of: $0.members) }
      + (others.isEmpty ? [] : [line(nil, of: others)])
    return whole
  }
}
