import EventRecord
public import EventStore

/// The latest crashes of a scope as events, the last first: to look at one and what was before it.
public struct CrashEvents: Insight {
  /// How many are looked through for one of a group.
  public static let limit = 500

  /// Which crashes.
  public var scope: Scope

  /// The crashes of this scope.
  public init(_ scope: Scope) {
    self.scope = scope.with(.name(CrashSignature.eventName))
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let columns = EventColumns.list.split(separator: ", ").map { "e.\($0)" }.joined(separator: ", ")
    return statement.sql(
      """
      SELECT \(columns) FROM \(scope.source(needsPerson: false))
      WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
      ORDER BY e.corrected_at DESC, e.event_key DESC LIMIT \(Self.limit)
      """
    )
  }

  /// The crashes.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [StoredEvent] { try rows.map(EventColumns.event) }

  /// The crashes by definition.
  public func output(over events: [StoredEvent]) -> [StoredEvent] {
    let crashes = ScopeReading(scope, events).admitted(events)
    return Array(crashes.sorted(by: Self.isLater).prefix(Self.limit))
  }

  static func isLater(_ a: StoredEvent, _ b: StoredEvent) -> Bool {
    (a.correctedMs, a.key.high, a.key.low) > (b.correctedMs, b.key.high, b.key.low)
  }
}

/// What a device did before something happened on it, the last first.
public struct EventsBefore: Insight {
  /// The event before which it was.
  public var event: StoredEvent
  /// How many events at most.
  public var limit: Int

  /// What the device of this event did before it.
  public init(_ event: StoredEvent, limit: Int = 25) {
    self.event = event
    self.limit = limit
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT \(EventColumns.list) FROM events
      WHERE project_id = $1 AND kind = 0 AND device_id = $2 AND corrected_at <= $3
        AND event_key <> $4
      ORDER BY corrected_at DESC, seq DESC, event_key DESC LIMIT \(limit)
      """,
      binding: [
        .integer(Int64(event.project)), .text(event.deviceID), .time(event.correctedMs),
        .key(event.key),
      ]
    )
  }

  /// The events.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [StoredEvent] { try rows.map(EventColumns.event) }

  /// The events by definition.
  public func output(over events: [StoredEvent]) -> [StoredEvent] {
    guard !event.deviceID.isEmpty else { return [] }
    let before = events.filter {
      $0.project == event.project && $0.kind == .event && $0.deviceID == event.deviceID
        && $0.correctedMs <= event.correctedMs && $0.key != event.key
    }
    return Array(
      before.sorted {
        ($0.correctedMs, $0.sequence, $0.key.high, $0.key.low)
          > ($1.correctedMs, $1.sequence, $1.key.high, $1.key.low)
      }.prefix(limit)
    )
  }
}
