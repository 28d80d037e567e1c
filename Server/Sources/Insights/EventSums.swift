import EventRecord
public import EventStore

/// How many events of each name there were, or how often each screen was seen; the most frequent first.
///
/// A screen view is an event whose context says `is_screen`, as Phase's clients send it.
public struct EventSums: Insight {
  /// One name.
  public struct Sum: Sendable, Hashable {
    /// The events' name.
    public var name: String
    /// How many events.
    public var count: Int
  }

  /// Which events count.
  public var scope: Scope
  /// Whether screen views are counted, or all other events.
  public var isScreen: Bool
  /// How many names at most.
  public var limit: Int

  /// The question from its parts.
  public init(_ scope: Scope, isScreen: Bool, limit: Int) {
    self.scope = scope
    self.isScreen = isScreen
    self.limit = limit
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    return statement.sql(
      """
      SELECT e.name, count(*) AS events FROM \(scope.source(needsPerson: false))
      WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
        AND coalesce(json_extract(e.context, '/is_screen')::VARCHAR = 'true', false) = \(isScreen)
      GROUP BY e.name ORDER BY events DESC, e.name LIMIT \(limit)
      """
    )
  }

  /// The names.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Sum] {
    try rows.map { Sum(name: try $0.text(0), count: Int(try $0.integer(1))) }
  }

  /// The names by definition.
  public func output(over events: [StoredEvent]) -> [Sum] {
    let mine = ScopeReading(scope, events).admitted(events).filter { event in
      let context = PropertyValue.members(of: event.context)
      return (context?["is_screen"] == .boolean(true)) == isScreen
    }
    let sums = Dictionary(grouping: mine, by: \.name).map { Sum(name: $0, count: $1.count) }
    return Array(
      sums.sorted { $0.count == $1.count ? bytesAscend($0.name, $1.name) : $0.count > $1.count }
        .prefix(limit)
    )
  }
}
