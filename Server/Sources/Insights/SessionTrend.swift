import EventRecord
public import EventStore

/// How many sessions there were over time, how long they were, and which of them came to something.
///
/// A session is the events of one person under one session id, or those of one device where the scope counts
/// devices, whoever uses it meanwhile; events outside any session are left out.
/// It begins with its first event. Its length is the time from its first to its last event, or to a later
/// heartbeat of it, by the client's own, uncorrected clock; heartbeats are what the collector makes of
/// Phase's pings. Events from before the session's own start (back-dated ones carry the id of the session
/// in which they were sent) change nothing about it. Where conditions are asked, a session counts as a
/// whole when one of its events meets all of them.
///
/// Broken down by what was a list when a session began, it counts in the line of each that was in it, and over
/// all once.
///
/// A session bounced when it was shorter than a limit. It was passive when the app was never in front: whatever its events say of the
/// property `app_state` is `background`, and one of them says so.
public struct SessionTrend: Insight {
  /// Some sessions taken together.
  public struct Sum: Sendable, Hashable {
    /// How many.
    public var count = 0
    /// Whose they are: different people, or devices where the scope counts these.
    public var people = 0
    /// The lengths of those that have one, in milliseconds; see `overlong`.
    public var lengthMs: Int64 = 0
    /// How many seem to be longer than a week: a clock was set in between, so that they have no length.
    public var overlong = 0
    /// How many were shorter than the limit.
    public var bounces = 0
    /// In how many the app was never in front.
    public var passive = 0
    /// How long the app was in front, as its events say in `engaged_ms`, in milliseconds.
    ///
    /// What an event says counts if it is from 0 to `longestEngagedMs`.
    public var engagedMs: Double = 0
    /// How many ended in a crash, or had one.
    public var crashed = 0

    /// How long they were on average, in milliseconds; nil where none has a length.
    public var averageLengthMs: Double? {
      count > overlong ? Double(lengthMs) / Double(count - overlong) : nil
    }
  }

  /// One line of a breakdown.
  public struct Line: Sendable, Hashable {
    /// The value of the field at each session's first event; nil for all others together.
    public var group: Group?
    /// Its sessions.
    public var sum: Sum
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// When each bucket starts, in milliseconds since 1970, ascending, none missing.
    public var bucketStartsMs: [Int64]
    /// The sessions that began in each bucket.
    public var buckets: [Sum]
    /// All of them.
    public var all: Sum
    /// With a breakdown, the most frequent group first, the others last.
    public var lines: [Line]
  }

  /// An event cannot have been in front for longer, in milliseconds: a week.
  public static let longestEngagedMs = SessionVocabulary.longestEngagedMs

  /// Which events sessions are made of.
  ///
  /// Its time is that in which sessions begin.
  public var scope: Scope
  /// The buckets.
  public var axis: TimeAxis
  /// How long a session must be to count at all, in milliseconds.
  public var minimumMs: Int64
  /// Below which length a session bounced, in milliseconds.
  public var bounceMs: Int64
  /// By what lines are told apart.
  public var breakdown: Field?
  /// How many groups have a line of their own; 1 to 50.
  public var limit: Int

  /// The question from its parts.
  public init(
    _ scope: Scope,
    axis: TimeAxis,
    minimumMs: Int64 = 0,
    bounceMs: Int64 = 20_000,
    breakdown: Field? = nil,
    limit: Int = 8
  ) {
    self.scope = scope
    self.axis = axis
    self.minimumMs = minimumMs
    self.bounceMs = bounceMs
    self.breakdown = breakdown
    self.limit = min(max(1, limit), 50)
  }

  private var buckets: CalendarBuckets {
    CalendarBuckets(axis, fromMs: scope.fromMs, toMs: scope.toMs)
  }

  /// The statement: sums per group, per bucket, and over all.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let buckets = buckets
    let scope = scope.over(fromMs: buckets.fromMs, toMs: buckets.toMs)
    let columns = GroupColumns(breakdown, &statement)
    // Over a longer time looking for sessions of that time costs more than they do.
    let span = scope.toMs.subtractingReportingOverflow(scope.fromMs).partialValue
    let pieces = SessionPieces(
      scope: scope,
      breakdown: breakdown,
      isWithin: span <= Self.shortMs
    )
    let counted = """
      WITH \(pieces.tables(&statement, field: columns.field)),
      counted AS MATERIALIZED (
        SELECT person, length, engaged, passive, crashed, \(buckets.number(of: "e.corrected_at")) AS bucket,
          field
        FROM (\(Heartbeats(scope: scope).lengths(of: "sessions", &statement))) AS e
        WHERE \(scope.time(&statement)) AND length >= \(statement.bind(.integer(minimumMs)))
      )
      """
    let longest = SessionVocabulary.longestMs
    let sums = """
      count(*), coalesce(sum(length) FILTER (WHERE length <= \(longest)), 0)::BIGINT,
        count(*) FILTER (WHERE length < \(statement.bind(.integer(bounceMs)))),
        count(*) FILTER (WHERE passive), coalesce(sum(engaged), 0)::DOUBLE,
        count(*) FILTER (WHERE crashed), count(*) FILTER (WHERE length > \(longest))
      """
    guard breakdown != nil else {
      // People are told apart once for each bucket, and from there for all: a store takes several times as
      // long for `count(DISTINCT person)` of both.
      return statement.sql(
        """
        \(counted), summed AS (
          SELECT bucket, \(sums) FROM counted GROUP BY GROUPING SETS ((bucket), ())
        ), seen AS MATERIALIZED (
          SELECT DISTINCT bucket, person FROM counted
        ), people AS (
          SELECT bucket, count(*) AS people FROM seen GROUP BY bucket
          UNION ALL
          SELECT NULL, count(*) FROM (SELECT DISTINCT person FROM seen)
        )
        SELECT 1 AS together, NULL::BIGINT AS place, NULL::VARCHAR, NULL::DOUBLE, summed.*, people
        FROM summed JOIN people ON people.bucket IS NOT DISTINCT FROM summed.bucket
        """
      )
    }
    return statement.sql(
      """
      \(counted),
      \(columns.lines(of: "counted", weight: "count(*)", limit: statement.bind(.integer(Int64(limit)))))
      SELECT 0 AS together, place, any_value(label), any_value(amount), NULL::BIGINT, \(sums),
        count(DISTINCT person)
      FROM counted JOIN lines ON counted.field IS NOT DISTINCT FROM lines.field
      GROUP BY place
      UNION ALL
      SELECT 1, NULL, NULL, NULL, bucket, \(sums), count(DISTINCT person)
      FROM counted GROUP BY GROUPING SETS ((bucket), ())
      """
    )
  }

  private static let shortMs: Int64 = 14 * 86_400_000

  /// The sums.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let buckets = buckets
    var output = Output(
      bucketStartsMs: buckets.starts,
      buckets: buckets.starts.map { _ in Sum() },
      all: Sum(),
      lines: []
    )
    var lines: [Int64: Line] = [:]
    for row in rows {
      var sum = Sum(
        count: Int(try row.integer(5)),
        people: Int(try row.integer(12)),
        lengthMs: try row.integer(6),
        overlong: Int(try row.integer(11)),
        bounces: Int(try row.integer(7)),
        passive: Int(try row.integer(8)),
        crashed: Int(try row.integer(10))
      )
      if case .double(let engaged) = row.values[9] { sum.engagedMs = engaged }
      if try row.integer(0) == 0 {
        // Place 0 is the line of all others.
        let place = row.values[1] == .null ? 0 : try row.integer(1)
        lines[place] = Line(group: place == 0 ? nil : try Group(row, at: 2), sum: sum)
      } else if row.values[4] == .null {
        output.all = sum
      } else if let index = buckets.index(ofNumber: try row.integer(4)) {
        output.buckets[index] = sum
      }
    }
    guard breakdown != nil else { return output }
    output.lines = lines.sorted { $0.key == 0 ? false : $1.key == 0 ? true : $0.key < $1.key }
      .map(\.value)
    return output
  }

  /// One session, by definition.
  private struct Session {
    var who: String
    var begunMs: Int64
    var lengthMs: Int64
    var engagedMs: Double
    var isPassive: Bool
    var hasCrashed: Bool
    var groups: Set<Group>
  }

  /// The sums by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let buckets = buckets
    let sessions = sessions(events).filter { session in
      session.lengthMs >= minimumMs && session.begunMs >= buckets.fromMs
        && session.begunMs < buckets.toMs
    }
    let groups = GroupedMembers(sessions, by: \.groups)
    let others = groups.others(limit)
    let lines =
      groups.largest(limit).map { Line(group: $0.group, sum: sum($0.members)) }
      + (others.isEmpty ? [] : [Line(group: nil, sum: sum(others))])
    return Output(
      bucketStartsMs: buckets.starts,
      buckets: buckets.starts.indices.map { index in
        sum(sessions.filter { buckets.index(of: $0.begunMs) == index })
      },
      all: sum(sessions),
      lines: breakdown == nil ? [] : lines
    )
  }

  private func sum(_ sessions: [Session]) -> Sum {
    let measured = sessions.map(\.lengthMs).filter { $0 <= SessionVocabulary.longestMs }
    return Sum(
      count: sessions.count,
      people: Set(sessions.map { ExactText($0.who) }).count,
      lengthMs: measured.reduce(0, +),
      overlong: sessions.count - measured.count,
      bounces: sessions.count { $0.lengthMs < bounceMs },
      passive: sessions.count(where: \.isPassive),
      engagedMs: sessions.reduce(0) { $0 + $1.engagedMs },
      crashed: sessions.count(where: \.hasCrashed)
    )
  }

  private func sessions(_ events: [StoredEvent]) -> [Session] {
    let reading = ScopeReading(scope, events)
    var grouped: [SessionKey: [StoredEvent]] = [:]
    for event in events where reading.belongs(event) && !event.sessionID.isEmpty {
      guard let who = reading.sessionKey(of: event) else { continue }
      grouped[SessionKey(who: who, id: event.sessionID), default: []].append(event)
    }
    let heartbeats = Heartbeats(scope: scope).last(in: events, key: reading.sessionKey)
    return grouped.compactMap { key, events in
      let own = SessionVocabulary.own(events)
        .sorted { EventPlace(of: $0) < EventPlace(of: $1) }
      guard own.contains(where: reading.admits), let first = own.first,
        let begun = own.map(\.correctedMs).min(),
        let from = own.map(\.timestampMs).min(), let to = own.map(\.timestampMs).max()
      else { return nil }
      let states = own.compactMap { reading.value(of: .property("app_state"), $0) }
      let engaged = own.compactMap { reading.value(of: .property("engaged_ms"), $0)?.double }
        .filter { (0...Double(Self.longestEngagedMs)).contains($0) }
      return Session(
        who: key.who,
        begunMs: begun,
        lengthMs: max(to, heartbeats[key] ?? to) - from,
        engagedMs: engaged.reduce(0, +),
        isPassive: !states.isEmpty && states.allSatisfy { $0 == .text("background") },
        hasCrashed: own.contains { $0.name == SessionVocabulary.crashName },
        groups: Group.all(of: breakdown.flatMap { reading.value(of: $0, first) })
      )
    }
  }
}
