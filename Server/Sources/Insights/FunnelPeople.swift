import EventRecord
public import EventStore

/// Who came just so far in a funnel, or who came at least so far.
public struct FunnelPeople: Insight {
  /// The answer.
  public struct Output: Sendable, Hashable {
    /// How many they are.
    public var count: Int
    /// Their ids, those of users or of devices without one, by their bytes; at most the limit.
    public var ids: [String]
  }

  /// The funnel.
  public var funnel: Funnel
  /// The step they took last, from 1 on.
  public var level: Int
  /// Whether they took no further one: those who dropped out there.
  public var isLast: Bool
  /// How many ids at most; 1 to 1,000.
  public var limit: Int

  /// The question from its parts.
  public init(_ funnel: Funnel, level: Int, isLast: Bool, limit: Int = 200) {
    self.funnel = funnel
    self.funnel.breakdown = nil
    self.level = level
    self.isLast = isLast
    self.limit = min(max(1, limit), 1_000)
  }

  /// The statement: the number of all in every row, beside the ids.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let scope = funnel.scope
    let reached = funnel.reached(&statement)
    let wide = scope.over(fromMs: scope.fromMs, toMs: funnel.horizonMs)
    return statement.sql(
      """
      \(reached), last_steps AS (SELECT who, max(level) AS highest FROM reached GROUP BY who),
      chosen AS (SELECT who FROM last_steps WHERE highest \(isLast ? "=" : ">=") \(statement.bind(.integer(Int64(level))))),
      named AS (
        SELECT \(scope.key) AS who, min(\(scope.unit == .people ? "e.person_id" : scope.key)) AS id
        FROM \(scope.source(needsPerson: scope.needsPerson))
        WHERE \(scope.admission(&statement)) AND \(wide.time(&statement))
          AND \(scope.key) IN (SELECT who FROM chosen)
        GROUP BY \(scope.key)
      )
      SELECT count(*) OVER (), id FROM named ORDER BY id LIMIT \(statement.bind(.integer(Int64(limit))))
      """
    )
  }

  /// The people.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    Output(
      count: try rows.first.map { Int(try $0.integer(0)) } ?? 0,
      ids: try rows.map { try $0.text(1) }
    )
  }

  /// The people by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let ids = funnel.ways(events).values
      .filter { isLast ? $0.took.count == level : $0.took.count >= level }.map(\.id)
    return Output(count: ids.count, ids: Array(ids.sorted(by: bytesAscend).prefix(limit)))
  }
}
