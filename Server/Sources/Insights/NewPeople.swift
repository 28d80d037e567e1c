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
    let holders = Holders(scope, partsDo: true)
    return statement.sql(
      """
      WITH found AS (
        SELECT \(holders.key) AS who, min(e.corrected_at) AS corrected_at FROM \(holders.source)
        WHERE \(scope.admission(&statement)) AND \(holders.isSomebody) GROUP BY 1
      )
      SELECT count(*) FROM (
        SELECT min(corrected_at) AS corrected_at FROM \(holders.owned("found")) GROUP BY who
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
