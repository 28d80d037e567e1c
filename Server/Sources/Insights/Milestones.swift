import EventRecord
public import EventStore

/// How many took one milestone after the other: first open, sessions of some length, a return on another
/// day, events.
///
/// Each milestone is the first of its kind strictly after the one before, and at most a window after it; of
/// two things in one millisecond neither follows the other. (`Funnel` tries every way, and tells such two
/// apart by the client's counter.) Only what follows the first open may be of its very moment, since the
/// first open is told by the first thing that happens. Whoever took the first milestone in the scope's time
/// counts; the others may come after it. Days are UTC.
///
/// Source: Phase's funnels of its own making, `phase.md` section 8; what a session is, is said at
/// `SessionTrend`.
public struct Milestones: Insight {
  /// One milestone.
  public enum Step: Sendable, Hashable {
    /// The first event of all, at its time.
    case firstSeen
    /// A session of at least this many milliseconds, at its start.
    case session(atLeastMs: Int64)
    /// Sessions since the milestone before that last so many milliseconds together, at the end of the one
    /// with which they do.
    case engaged(totalMs: Int64)
    /// A session that begins so many days after the day of the milestone before, at its start; nobody's
    /// first milestone.
    case returned(day: Int64)
    /// An event of this name, at its time.
    case event(String)
  }

  /// How many milestones there may be.
  public static let stepLimits = 2...6
  /// A shorter session is none, in milliseconds.
  public static let measurableMs: Int64 = 5_000
  private static let day: Int64 = 86_400_000

  /// Which events, and whom the question counts.
  public var scope: Scope
  /// The milestones; further ones than 6 are left out.
  public var steps: [Step]
  /// How long after the milestone before one counts, in milliseconds; its last one included.
  public var windowMs: Int64

  /// The question from its parts.
  public init(_ scope: Scope, steps: [Step], windowMs: Int64 = 7 * 86_400_000) {
    self.scope = scope
    self.steps = Array(steps.prefix(Self.stepLimits.upperBound))
    self.windowMs = min(max(1, windowMs), 366 * Self.day)
  }

  /// The statement: the number of people by milestone.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let parts = MilestoneParts(scope, &statement)
    var tables = parts.tables(&statement)
    for (index, step) in steps.enumerated() {
      tables.append("s\(index) AS (\(reached(index, step, parts, &statement)))")
    }
    let counts = steps.indices.map { "SELECT \($0) AS step, count(*) AS people FROM s\($0)" }
    return statement.sql(
      """
      WITH \(tables.joined(separator: ",\n"))
      \(counts.joined(separator: " UNION ALL "))
      """
    )
  }

  /// Who took a milestone when: `who` and `reached` in milliseconds since 1970.
  private func reached(
    _ index: Int,
    _ step: Step,
    _ parts: MilestoneParts,
    _ statement: inout Statement
  ) -> String {
    let isFirst = index == 0
    /// The moments that count in a column: those of the scope's time, or those that follow.
    func counts(_ moment: String) -> String {
      guard !isFirst else {
        return """
          \(moment) >= \(statement.bind(.integer(scope.fromMs))) \
          AND \(moment) < \(statement.bind(.integer(scope.toMs)))
          """
      }
      return """
        \(moment) \(isOpenAfter(index) ? ">=" : ">") prior.reached \
        AND \(moment) <= prior.reached + \(windowMs)
        """
    }
    func from(_ table: String) -> String {
      isFirst ? table : "\(table) JOIN s\(index - 1) AS prior USING (who)"
    }
    switch step {
    case .firstSeen:
      return "SELECT who, moment AS reached FROM \(from("seen")) WHERE \(counts("moment"))"
    case .session(let length):
      return """
        SELECT who, min(begun) AS reached FROM \(from("measured"))
        WHERE \(counts("begun")) AND length >= \(statement.bind(.integer(length))) GROUP BY who
        """
    case .engaged(let total):
      return """
        SELECT who, reached FROM (
          SELECT who, arg_min(begun + length, {'begun': begun, 'id': session_id}) AS reached FROM (
            SELECT who, begun, length, session_id,
              sum(length) OVER (PARTITION BY who ORDER BY begun, session_id) AS total
            FROM \(from("measured")) WHERE \(counts("begun"))
          ) WHERE total >= \(statement.bind(.integer(total))) GROUP BY who
        )\(isFirst ? " WHERE reached < \(statement.bind(.integer(scope.toMs)))" : "")
        """
    case .returned(let later):
      guard !isFirst else { return "SELECT who, moment AS reached FROM seen WHERE false" }
      return """
        SELECT who, min(begun) AS reached FROM \(from("measured"))
        WHERE \(counts("begun")) AND begun // \(Self.day)
          = prior.reached // \(Self.day) + \(statement.bind(.integer(later)))
        GROUP BY who
        """
    case .event(let name):
      let events = parts.events("e.name = \(statement.bind(name))")
      return """
        SELECT who, min(moment) AS reached FROM \(from("(\(events))")) WHERE \(counts("moment"))
        GROUP BY who
        """
    }
  }

  /// Whether a milestone may be of the very moment of the one before.
  private func isOpenAfter(_ index: Int) -> Bool {
    steps[index - 1] == .firstSeen && steps[index] != .firstSeen
  }

  /// How many took each milestone.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Int] {
    var counts = steps.map { _ in 0 }
    for row in rows { counts[Int(try row.integer(0))] = Int(try row.integer(1)) }
    return counts
  }

  /// How many took each milestone by definition.
  public func output(over events: [StoredEvent]) -> [Int] {
    var counts = steps.map { _ in 0 }
    for history in MilestoneHistory.all(scope, events) {
      var before: Int64?
      for (index, step) in steps.enumerated() {
        guard let reached = moment(of: step, index, after: before, history) else { break }
        counts[index] += 1
        before = reached
      }
    }
    return counts
  }

  private func moment(
    of step: Step,
    _ index: Int,
    after before: Int64?,
    _ history: MilestoneHistory
  ) -> Int64? {
    func counts(_ moment: Int64) -> Bool {
      guard let before else { return moment >= scope.fromMs && moment < scope.toMs }
      let isAfter = moment > before || moment == before && isOpenAfter(index)
      return isAfter && moment - before <= windowMs
    }
    let sessions = history.sessions.filter { counts($0.begunMs) }
    switch step {
    case .firstSeen: return counts(history.seenMs) ? history.seenMs : nil
    case .session(let length): return sessions.first { $0.lengthMs >= length }?.begunMs
    case .engaged(let total):
      var sum: Int64 = 0
      for session in sessions {
        sum += session.lengthMs
        guard sum >= total else { continue }
        let end = session.begunMs + session.lengthMs
        return before != nil || end < scope.toMs ? end : nil
      }
      return nil
    case .returned(let later):
      guard let before else { return nil }
      return sessions.first { $0.begunMs / Self.day == before / Self.day + later }?.begunMs
    case .event(let name):
      return history.events.filter { $0.name.utf8.elementsEqual(name.utf8) }
        .map(\.correctedMs).filter(counts).min()
    }
  }
}

/// What milestones are looked for in, in SQL.
struct MilestoneParts {
  private let scope: Scope
  private let source: String
  private let admission: String

  init(_ scope: Scope, _ statement: inout Statement) {
    self.scope = scope
    source = scope.source(needsPerson: scope.needsPerson)
    admission = scope.admission(&statement)
  }

  /// The tables `seen` (who, moment) and `measured` (who, session_id, begun, length), all in milliseconds.
  func tables(_ statement: inout Statement) -> [String] {
    let sessions = ScopeSessions(scope: scope).sql(&statement)
    return [
      "seen AS (SELECT who, min(moment) AS moment FROM (\(events("true"))) GROUP BY who)",
      """
      measured AS (
        SELECT who, session_id, epoch_ms(corrected_at::TIMESTAMP) AS begun, length FROM (\(sessions))
        WHERE length >= \(Milestones.measurableMs)
      )
      """,
    ]
  }

  /// Events as (who, moment).
  func events(_ condition: String) -> String {
    """
    SELECT \(scope.key) AS who, epoch_ms(e.corrected_at::TIMESTAMP) AS moment FROM \(source)
    WHERE \(admission) AND \(scope.key) IS NOT NULL AND \(condition)
    """
  }
}

/// What somebody did, by definition.
struct MilestoneHistory {
  /// The first event's time.
  let seenMs: Int64
  /// In no order.
  let events: [StoredEvent]
  /// Those that count, in the order of their starts.
  let sessions: [ScopeSessions.Session]

  /// Everyone's of a scope, whenever it was.
  static func all(_ scope: Scope, _ all: [StoredEvent]) -> [MilestoneHistory] {
    let reading = ScopeReading(scope, all)
    let admitted = all.filter { reading.admits($0) }
    let sessions = Dictionary(
      grouping: ScopeSessions(scope: scope).sessions(in: all, reading)
        .filter { $0.lengthMs >= Milestones.measurableMs }
    ) { $0.key.who }
    var own: [String: [StoredEvent]] = [:]
    for event in admitted {
      if let who = reading.key(of: event) { own[who, default: []].append(event) }
    }
    return own.map { who, events in
      MilestoneHistory(
        seenMs: events.map(\.correctedMs).min() ?? 0,
        events: events,
        sessions: (sessions[who] ?? []).sorted { a, b in
          a.begunMs == b.begunMs
            ? bytesAscend(a.key.id, b.key.id) : a.begunMs < b.begunMs
        }
      )
    }
  }
}
