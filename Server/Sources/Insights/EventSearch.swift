public import EventStore

/// Events of a scope one by one, the last one first.
public struct EventSearch: Insight {
  /// Which events.
  public var scope: Scope
  /// Only events before this place; the place of a page's last event gives the next page.
  public var before: EventPlace?
  /// How many events at most; 1 to 10,000.
  public var limit: Int

  /// The question from its parts.
  public init(_ scope: Scope, before: EventPlace? = nil, limit: Int = 100) {
    self.scope = scope
    self.before = before
    self.limit = min(max(1, limit), 10_000)
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    var scope = scope
    var place = ""
    if let before {
      scope.toMs = min(scope.toMs, before.correctedMs + 1)
      place = """
         AND (e.corrected_at, e.seq, e.event_key) < \
        (\(statement.bind(.time(before.correctedMs))), \(statement.bind(.integer(before.sequence))), \
        \(statement.bind(.key(before.key))))
        """
    }
    let columns = EventColumns.list.split(separator: ",")
      .map { "e." + $0.drop { $0 == " " } }.joined(separator: ", ")
    return statement.sql(
      """
      SELECT \(columns) FROM \(scope.source(needsPerson: false))
      WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))\(place)
      ORDER BY e.corrected_at DESC, e.seq DESC, e.event_key DESC
      LIMIT \(statement.bind(.integer(Int64(limit))))
      """
    )
  }

  /// The events.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [StoredEvent] { try rows.map(EventColumns.event) }

  /// The events by definition.
  public func output(over events: [StoredEvent]) -> [StoredEvent] {
    let found = ScopeReading(scope, events).admitted(events).filter { event in
      before.map { EventPlace(of: event) < $0 } ?? true
    }
    return Array(found.sorted { EventPlace(of: $1) < EventPlace(of: $0) }.prefix(limit))
  }
}
