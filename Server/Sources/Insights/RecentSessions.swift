import EventRecord
public import EventStore

/// A project's sessions that began in a stretch of time, the last one first.
///
/// What a session is, and when it begins, is said at `SessionTrend`. A session is passive when its events
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
    /// From its first to its last event or heartbeat, in milliseconds.
    public var lengthMs: Int64
    /// How many events it has.
    public var events: Int
    /// Whether the app was never in front.
    public var isPassive: Bool
  }

  /// Which events sessions are made of.
  ///
  /// Its time is that in which sessions begin; whom it counts plays no part, since a session is a
  /// person's.
  public var scope: Scope
  /// Only sessions of this person.
  public var person: Person?
  /// Only passive sessions, or only others; nil for both.
  public var isPassive: Bool?
  /// How many sessions at most; 1 to 1,000.
  public var limit: Int

  /// The question from its parts.
  public init(_ scope: Scope, person: Person? = nil, isPassive: Bool? = nil, limit: Int = 100) {
    self.scope = scope
    self.person = person
    self.isPassive = isPassive
    self.limit = min(max(1, limit), 1_000)
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let state = Field.property("app_state").json(&statement)
    let admission = scope.unconditional.admission(&statement)
    let asked = scope.conditions.map { $0.sql(&statement) }
    let starts = SessionVocabulary.startNames.map { statement.bind($0) }.joined(separator: ", ")
    let chosen = isPassive.map { "AND passive = \(statement.bind(.boolean($0)))" } ?? ""
    var source = scope.source(needsPerson: true)
    var ofPeople = scope
    ofPeople.unit = .people
    if let person {
      let (number, id) = (statement.bind(.integer(person.number)), statement.bind(person.id))
      source = """
        (SELECT e.* EXCLUDE (person), \(number) AS person, \(id) AS person_id
          FROM \(person.source(&statement))) AS e
        """
    }
    return statement.sql(
      """
      WITH candidates AS (
        SELECT e.person, e.person_id, e.session_id, e.ts, e.corrected_at, \(state) AS state,
          \(asked.isEmpty ? "true" : asked.joined(separator: " AND ")) AS meets,
          min(e.ts) FILTER (WHERE e.name IN (\(starts)))
            OVER (PARTITION BY e.person, e.session_id) AS opened
        FROM \(source)
        WHERE \(admission) AND e.person IS NOT NULL
          -- Other sessions did not begin then; NULL is in no list.
          AND e.session_id IN (SELECT e.session_id FROM events AS e WHERE \(scope.time(&statement)))
      ), sessions AS (
        SELECT person, min(person_id) AS who, session_id, min(corrected_at) AS corrected_at,
          epoch_ms(min(ts)::TIMESTAMP) AS begun, epoch_ms(max(ts)::TIMESTAMP) AS finished,
          count(*) AS events, coalesce(bool_and(CASE WHEN state IS NOT NULL
            THEN json_type(state) = 'VARCHAR' AND json_extract_string(state, '$') = 'background'
            END), false) AS passive
        FROM candidates WHERE opened IS NULL OR ts >= opened
        GROUP BY person, session_id HAVING bool_or(meets)
      )
      SELECT who, session_id, corrected_at, length, events, passive
      FROM (\(Heartbeats(scope: ofPeople).lengths(of: "sessions", &statement))) AS e
      WHERE \(scope.time(&statement)) \(chosen)
      ORDER BY corrected_at DESC, who, session_id LIMIT \(statement.bind(.integer(Int64(limit))))
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
    let reading = ScopeReading(scope, events)
    let people = reading.people
    var grouped: [SessionKey: [StoredEvent]] = [:]
    for event in events where reading.belongs(event) && !event.sessionID.isEmpty {
      guard let number = people.person(of: event), person.map({ $0.number == number }) ?? true
      else {
        continue
      }
      grouped[SessionKey(person: number, id: event.sessionID), default: []].append(event)
    }
    let heartbeats = Heartbeats(scope: scope).last(in: events, of: people)
    let sessions = grouped.compactMap { key, events -> Session? in
      let own = SessionVocabulary.own(events)
      guard own.contains(where: reading.admits), let begun = own.map(\.correctedMs).min(),
        begun >= scope.fromMs, begun < scope.toMs,
        let first = own.map(\.timestampMs).min(), let last = own.map(\.timestampMs).max()
      else { return nil }
      let states = own.compactMap { reading.value(of: .property("app_state"), $0) }
      return Session(
        person: own.map(people.personID).min(by: Self.precedes) ?? "",
        id: key.id,
        begunMs: begun,
        lengthMs: max(last, heartbeats[key] ?? last) - first,
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
