import EventRecord
public import EventStore

/// What a person did, the last thing first: events and identifies, test events among them.
public struct PersonTimeline: Insight {
  /// Whose.
  public var person: Person
  /// Only events of this name.
  public var name: String?
  /// Only events before this place; the place of a page's last event gives the next page.
  public var before: EventPlace?
  /// How many events at most; 1 to 1,000.
  public var limit: Int

  /// The question from its parts.
  public init(_ person: Person, name: String? = nil, before: EventPlace? = nil, limit: Int = 200) {
    self.person = person
    self.name = name
    self.before = before
    self.limit = min(max(1, limit), 1_000)
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    var conditions = ["e.kind <> 2"]
    if let name { conditions.append("e.name = \(statement.bind(name))") }
    if let before {
      let at = statement.bind(.time(before.correctedMs))
      conditions.append("e.corrected_at <= \(at)")
      conditions.append(
        "(e.corrected_at, e.seq, e.event_key) < (\(at), \(statement.bind(.integer(before.sequence))), \(statement.bind(.key(before.key))))"
      )
    }
    return statement.sql(
      """
      SELECT \(EventColumns.list) FROM \(person.source(&statement))
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY corrected_at DESC, seq DESC, event_key DESC
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
    let listed = person.events(events).filter { event in
      (name.map { event.name == $0 } ?? true)
        && before.map { EventPlace(of: event) < $0 } ?? true
    }
    return Array(listed.sorted { EventPlace(of: $1) < EventPlace(of: $0) }.prefix(limit))
  }
}

extension EventPlace {
  /// The place written by `text`; nil for any other text.
  public init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let correctedMs = Int64(parts[0]), let sequence = Int64(parts[1]),
      let key = EventKey(String(parts[2]))
    else { return nil }
    self.init(correctedMs: correctedMs, sequence: sequence, key: key)
  }

  /// The place as a text that is safe in an address.
  public var text: String { "\(correctedMs).\(sequence).\(key.description)" }
}
