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

  /// Whether all of an event is told; else its own id, its session and, where the user is known, its
  /// device are left out, which a store reads many times faster.
  public var isWhole: Bool

  /// The question from its parts.
  public init(
    _ person: Person,
    name: String? = nil,
    before: EventPlace? = nil,
    isWhole: Bool = true,
    limit: Int = 200
  ) {
    self.person = person
    self.name = name
    self.before = before
    self.isWhole = isWhole
    self.limit = min(max(1, limit), 1_000)
  }

  /// The statement: first where the events lie, then these alone whole.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    var conditions = ["kind <> 2"]
    if let name { conditions.append("name = \(statement.bind(name))") }
    if let before {
      let at = statement.bind(.time(before.correctedMs))
      conditions.append("corrected_at <= \(at)")
      conditions.append(
        "(corrected_at, seq, event_key) < (\(at), \(statement.bind(.integer(before.sequence))), \(statement.bind(.key(before.key))))"
      )
    }
    let condition = conditions.joined(separator: " AND ")
    let parts = person.parts(&statement).map { part in
      "SELECT rowid AS place, corrected_at, seq, event_key FROM events WHERE \(part) AND \(condition)"
    }
    let left = isWhole ? [] : ["event_id", "device_id", "user_id", "session_id"]
    let columns = EventColumns.list.split(separator: ",").map { column in
      let name = String(column.drop { $0 == " " })
      return left.contains(name) ? "NULL::VARCHAR" : "e." + name
    }
    return statement.sql(
      """
      WITH places AS MATERIALIZED (
        SELECT place FROM (\(parts.joined(separator: "\nUNION ALL ")))
        ORDER BY corrected_at DESC, seq DESC, event_key DESC
        LIMIT \(statement.bind(.integer(Int64(limit))))
      )
      SELECT \(columns.joined(separator: ", ")), e.person
      FROM places JOIN events AS e ON e.rowid = places.place
      ORDER BY e.corrected_at DESC, e.seq DESC, e.event_key DESC
      """
    )
  }

  /// The events.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [StoredEvent] {
    let devices = Dictionary(person.spans.map { ($0.device, $0.deviceID) }) { $1 }
    return try rows.map { row in
      var event = try EventColumns.event(in: row)
      guard !isWhole else { return event }
      let number = try row.integer(18)
      if person.isUser, number == person.number {
        event.userID = person.id
      } else {
        event.deviceID = devices[number] ?? person.id
      }
      return event
    }
  }

  /// The events by definition.
  public func output(over events: [StoredEvent]) -> [StoredEvent] {
    let listed = person.events(events).filter { event in
      (name.map { event.name == $0 } ?? true)
        && before.map { EventPlace(of: event) < $0 } ?? true
    }
    let page = listed.sorted { EventPlace(of: $1) < EventPlace(of: $0) }.prefix(limit)
    return page.map { event in
      guard !isWhole else { return event }
      var event = event
      (event.id, event.sessionID) = ("", "")
      if !event.userID.isEmpty { event.deviceID = "" }
      return event
    }
  }
}

extension EventPlace {
  /// The place written by `text`; nil for any other text, and for a moment no event can have.
  public init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let correctedMs = Int64(parts[0]), let sequence = Int64(parts[1]),
      (EventTimes.startMs..<EventTimes.endMs).contains(correctedMs),
      let key = EventKey(String(parts[2]))
    else { return nil }
    self.init(correctedMs: correctedMs, sequence: sequence, key: key)
  }

  /// The place as a text that is safe in an address.
  public var text: String { "\(correctedMs).\(sequence).\(key.description)" }
}
