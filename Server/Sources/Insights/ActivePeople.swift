import EventRecord
public import EventStore

/// How many people did something in a stretch of time.
///
/// A person is a user, or a device on which no user was seen (see `PeopleMap`): what happened on a
/// device before someone signed in there is theirs.
public struct ActivePeople: Insight {
  /// Which events are something, and whom the question counts.
  public var scope: Scope

  /// How many are active in this scope.
  public init(_ scope: Scope) {
    self.scope = scope
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    // A moment within a quarter of an hour divides what is summed there, unless nothing was before it.
    let isWhole =
      scope.fromMs <= EventTimes.startMs || scope.fromMs > 0 && scope.fromMs.isMultiple(of: 900_000)
    let holders = Holders(scope, partsDo: isWhole)
    return statement.sql(
      """
      WITH found AS (
        SELECT DISTINCT \(holders.key) AS who FROM \(holders.source)
        WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
      )
      SELECT count(DISTINCT who) FROM \(holders.owned("found"))
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
    return Set(reading.admitted(events).compactMap { reading.key(of: $0) }).count
  }
}
