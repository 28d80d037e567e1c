import EventRecord
public import EventStore

/// How many people did something for the first time in a stretch of time.
///
/// A person is new at the first event that meets the scope's conditions, whenever that was: property
/// changes make nobody new.
public struct NewPeople: Insight {
  /// What makes someone new, and whom the question counts.
  public var scope: Scope

  /// How many are new in this scope.
  public init(_ scope: Scope) {
    self.scope = scope
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    return statement.sql(
      """
      SELECT count(*) FROM (
        SELECT min(e.corrected_at) AS corrected_at
        FROM \(scope.source(needsPerson: scope.needsPerson))
        WHERE \(scope.admission(&statement)) AND \(scope.key) IS NOT NULL
        GROUP BY \(scope.key)
      ) AS e WHERE \(scope.time(&statement))
      """
    )
  }

  /// The number.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Int {
    guard let row = rows.first else { return 0 }
    return Int(try row.integer(0))
  }

  /// The number by definition.
  public func output(over events: [StoredEvent]) -> Int {
    let reading = ScopeReading(scope, events)
    var first: [String: Int64] = [:]
    for event in events where reading.admits(event) {
      guard let key = reading.key(of: event) else { continue }
      first[key] = min(first[key] ?? .max, event.correctedMs)
    }
    return first.values.count { $0 >= scope.fromMs && $0 < scope.toMs }
  }
}
