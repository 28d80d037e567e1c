import EventRecord
public import EventStore

/// A project's sessions that began in a stretch of time, the last one first.
///
/// What a session is, and when it begins, is said at `SessionReport`. A session is passive when its events
/// tell of an app that was never in front: those that have the property `app_state` all have
/// `background`, and there is such an event.
public struct RecentSessions: Insight {
  /// One session.
  public struct Session: Sendable, Hashable {
    /// The user's id or, without one, the device's.
    public var person: String
    /// The session's id.
    public var id: String
    /// When it began, in milliseconds since 1970.
    public var begunMs: Int64
    /// From its first to its last event, in milliseconds.
    public var lengthMs: Int64
    /// How many events it has.
    public var events: Int
    /// Whether the app was never in front.
    public var isPassive: Bool
  }

  /// The project's number.
  public var project: UInt32
  /// From when on sessions may begin, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when sessions may begin, this moment excluded.
  public var toMs: Int64
  /// Only sessions of this person.
  public var person: Person?
  /// Only passive sessions, or only others; nil for both.
  public var isPassive: Bool?
  /// Whether test events count.
  public var includesTest: Bool
  /// How many sessions at most; 1 to 1,000.
  public var limit: Int

  /// The question from its parts.
  public init(
    project: UInt32,
    fromMs: Int64,
    toMs: Int64,
    person: Person? = nil,
    isPassive: Bool? = nil,
    includesTest: Bool = false,
    limit: Int = 100
  ) {
    self.project = project
    self.fromMs = fromMs
    self.toMs = toMs
    self.person = person
    self.isPassive = isPassive
    self.includesTest = includesTest
    self.limit = min(max(1, limit), 1_000)
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    statement.bind(
      [
        .integer(Int64(project)), .boolean(includesTest), .time(fromMs), .time(toMs),
      ] + SessionReport.startNames.map { .text($0) } + [
        isPassive.map { .boolean($0) } ?? .null, .integer(Int64(limit)),
      ]
    )
    var source = "person_events"
    if let person {
      let (number, id) = (statement.bind(.integer(person.number)), statement.bind(person.id))
      source = """
        (SELECT e.* EXCLUDE (person), \(number) AS person, \(id) AS person_id
          FROM \(person.source(&statement)))
        """
    }
    return statement.sql(
      """
      WITH candidates AS (
        SELECT person, person_id, session_id, ts, corrected_at,
          CASE WHEN contains(props, '"app_state"') THEN json_extract_string(props, '$.app_state') END
            AS state,
          min(ts) FILTER (WHERE name IN ($5, $6)) OVER (PARTITION BY person, session_id) AS opened
        FROM \(source)
        WHERE project_id = $1 AND kind = 0 AND session_id IS NOT NULL AND person IS NOT NULL
          AND ($2 OR NOT is_test)
      ), sessions AS (
        SELECT min(person_id) AS who, session_id, min(corrected_at) AS begun,
          epoch_ms(max(ts)::TIMESTAMP) - epoch_ms(min(ts)::TIMESTAMP) AS length,
          count(*) AS events, coalesce(bool_and(state = 'background'), false) AS passive
        FROM candidates WHERE opened IS NULL OR ts >= opened
        GROUP BY person, session_id
      )
      SELECT who, session_id, begun, length, events, passive FROM sessions
      WHERE begun >= $3 AND begun < $4 AND ($7 IS NULL OR passive = $7)
      ORDER BY begun DESC, who, session_id LIMIT $8
      """
    )
  }

  /// The sessions.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Session] {
    try rows.map { row in
      Session(
        person: try row.text(0),
        id: try row.text(1),
        begunMs: try row.time(2),
        lengthMs: try row.integer(3),
        events: Int(try row.integer(4)),
        isPassive: try row.boolean(5)
      )
    }
  }

  /// The sessions by definition.
  public func output(over events: [StoredEvent]) -> [Session] {
    struct Key: Hashable {
      var person: Int64
      var id: String
    }
    let people = PeopleMap(events)
    var grouped: [Key: [StoredEvent]] = [:]
    for event in events where event.project == project && event.kind == .event {
      guard !event.sessionID.isEmpty, includesTest || !event.isTest,
        let number = people.person(of: event), person.map({ $0.number == number }) ?? true
      else { continue }
      grouped[Key(person: number, id: event.sessionID), default: []].append(event)
    }
    let sessions = grouped.compactMap { key, events -> Session? in
      let opened = events.filter { SessionReport.startNames.contains($0.name) }
        .map(\.timestampMs).min()
      let own = events.filter { $0.timestampMs >= opened ?? .min }
      guard let begun = own.map(\.correctedMs).min(), begun >= fromMs, begun < toMs,
        let first = own.map(\.timestampMs).min(), let last = own.map(\.timestampMs).max()
      else { return nil }
      let states = own.compactMap { PropertyValue.members(of: $0.properties)?["app_state"] }
        .filter { $0 != .null }
      return Session(
        person: own.map(people.personID).min(by: Self.precedes) ?? "",
        id: key.id,
        begunMs: begun,
        lengthMs: last - first,
        events: own.count,
        isPassive: !states.isEmpty && states.allSatisfy { $0 == .text("background") }
      )
    }
    let listed = sessions.filter { isPassive == nil || $0.isPassive == isPassive }
    return Array(
      listed.sorted { a, b in
        if a.begunMs != b.begunMs { return a.begunMs > b.begunMs }
        return a.person == b.person ? Self.precedes(a.id, b.id) : Self.precedes(a.person, b.person)
      }.prefix(limit)
    )
  }

  /// The order of texts in a store: by their bytes.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}
