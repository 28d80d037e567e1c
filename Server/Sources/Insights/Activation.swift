import EventRecord
public import EventStore

/// How many of those who came in a stretch of time for the first time were held: used the app for ten minutes
/// within three days, and came back on the second and the fourth day.
///
/// Each of the three is told of everyone who came, whether or not they did the others. What a first open and
/// a session that counts are, is said at `Milestones`.
///
/// Source: Phase's built-in funnel, `phase.md` section 8.
public struct Activation: Insight {
  /// The answer.
  public struct Output: Sendable, Hashable {
    /// Whose first open lies in the scope's time.
    public var opened = 0
    /// Whose sessions that began within 72 hours of it last 10 minutes together.
    public var engaged = 0
    /// Of whom a session began 24 to 48 hours after it.
    public var dayOne = 0
    /// Of whom a session began 72 to 96 hours after it.
    public var dayThree = 0
  }

  private static let hour: Int64 = 3_600_000
  private static let engagedMs: Int64 = 600_000
  private static let engagedWithin = 0..<72 * hour
  private static let dayOne = 24 * hour..<48 * hour
  private static let dayThree = 72 * hour..<96 * hour

  /// Which events, and whom the question counts; its time is that of the first opens.
  public var scope: Scope

  /// The activation of those who came in this scope.
  public init(_ scope: Scope) {
    self.scope = scope
  }

  /// The statement: the four numbers.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let tables = MilestoneParts(scope, &statement).tables(&statement)
    func isWithin(_ range: Range<Int64>) -> String {
      "begun - moment >= \(range.lowerBound) AND begun - moment < \(range.upperBound)"
    }
    return statement.sql(
      """
      WITH \(tables.joined(separator: ",\n")), each_one AS (
        SELECT who,
          coalesce(sum(length) FILTER (WHERE \(isWithin(Self.engagedWithin))), 0) AS length,
          coalesce(bool_or(\(isWithin(Self.dayOne))), false) AS one,
          coalesce(bool_or(\(isWithin(Self.dayThree))), false) AS three
        FROM seen LEFT JOIN measured USING (who)
        WHERE moment >= \(statement.bind(.integer(scope.fromMs)))
          AND moment < \(statement.bind(.integer(scope.toMs)))
        GROUP BY who
      )
      SELECT count(*), count(*) FILTER (WHERE length >= \(Self.engagedMs)),
        count(*) FILTER (WHERE one), count(*) FILTER (WHERE three)
      FROM each_one
      """
    )
  }

  /// The numbers.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    guard let row = rows.first else { return Output() }
    return Output(
      opened: Int(try row.integer(0)),
      engaged: Int(try row.integer(1)),
      dayOne: Int(try row.integer(2)),
      dayThree: Int(try row.integer(3))
    )
  }

  /// The numbers by definition.
  public func output(over events: [StoredEvent]) -> Output {
    var output = Output()
    for history in MilestoneHistory.all(scope, events)
    where history.seenMs >= scope.fromMs && history.seenMs < scope.toMs {
      func sessions(_ range: Range<Int64>) -> [ScopeSessions.Session] {
        history.sessions.filter { range.contains($0.begunMs - history.seenMs) }
      }
      output.opened += 1
      let length = sessions(Self.engagedWithin).reduce(0) { $0 + $1.lengthMs }
      if length >= Self.engagedMs { output.engaged += 1 }
      if !sessions(Self.dayOne).isEmpty { output.dayOne += 1 }
      if !sessions(Self.dayThree).isEmpty { output.dayThree += 1 }
    }
    return output
  }
}
