public import EventRecord
public import EventStore

/// One event of a project in full; nil when the project has no such event.
///
/// Where a key was stored more than once (own times far apart, see `DuplicateRule`), the event that
/// was received last.
public struct EventDetail: Insight {
  /// The project's number.
  public var project: UInt32
  /// The event's key.
  public var key: EventKey

  /// The question from its parts.
  public init(project: UInt32, key: EventKey) {
    self.project = project
    self.key = key
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT \(EventColumns.list)
      FROM events
      WHERE event_key = $1 AND project_id = $2
      ORDER BY received_at DESC, ts DESC
      LIMIT 1
      """,
      binding: [.key(key), .integer(Int64(project))]
    )
  }

  /// The event.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> StoredEvent? {
    try rows.first.map(EventColumns.event)
  }

  /// The event by definition.
  public func output(over events: [StoredEvent]) -> StoredEvent? {
    events.filter { $0.project == project && $0.key == key }
      .max { ($0.receivedMs, $0.timestampMs) < ($1.receivedMs, $1.timestampMs) }
  }
}
