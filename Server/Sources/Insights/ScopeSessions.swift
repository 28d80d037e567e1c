internal import EventStore

/// The sessions of a scope's events by whom these count for: when each began, and how long it was.
///
/// What a session is, is said at `SessionTrend`. With conditions one counts as a whole when one of its
/// events meets all of them.
struct ScopeSessions {
  /// One session.
  struct Session {
    var key: SessionKey
    /// When it began, without the client's clock error, in milliseconds since 1970.
    var begunMs: Int64
    /// How long it was, in milliseconds.
    var lengthMs: Int64
  }

  let scope: Scope
  /// What else one event must meet.
  var conditions: [Condition] = []

  /// The statement: `who`, `session_id`, `corrected_at` and `length` in milliseconds.
  func sql(_ statement: inout Statement) -> String {
    let asked = (scope.conditions + conditions).map { $0.sql(&statement) }
    let starts = SessionVocabulary.startNames.map { statement.bind($0) }.joined(separator: ", ")
    let heartbeats = Heartbeats(scope: scope)
      .sql(&statement, key: scope.key, isOfPerson: scope.needsPerson)
    return """
      SELECT who, session_id, corrected_at,
        greatest(finished, coalesce(last_ms, finished)) - begun AS length
      FROM (
        SELECT who, session_id, min(corrected_at) AS corrected_at,
          epoch_ms(min(ts)::TIMESTAMP) AS begun, epoch_ms(max(ts)::TIMESTAMP) AS finished
        FROM (
          SELECT \(scope.key) AS who, e.session_id, e.ts, e.corrected_at,
            \(asked.isEmpty ? "true" : asked.joined(separator: " AND ")) AS meets,
            min(e.ts) FILTER (WHERE e.name IN (\(starts)))
              OVER (PARTITION BY \(scope.key), e.session_id) AS opened
          FROM \(scope.source(others: conditions, needsPerson: scope.needsPerson))
          WHERE \(scope.unconditional.admission(&statement))
            AND \(scope.key) IS NOT NULL AND e.session_id IS NOT NULL
        ) WHERE opened IS NULL OR ts >= opened
        GROUP BY who, session_id HAVING bool_or(meets)
      ) LEFT JOIN (
        \(heartbeats)
      ) USING (who, session_id)
      """
  }

  /// The sessions in a store by definition; `all` are its events.
  func sessions(in all: [StoredEvent], _ reading: ScopeReading) -> [Session] {
    var grouped: [SessionKey: [StoredEvent]] = [:]
    for event in all where reading.belongs(event) && !event.sessionID.isEmpty {
      guard let who = reading.key(of: event) else { continue }
      grouped[SessionKey(who: who, id: event.sessionID), default: []].append(event)
    }
    let heartbeats = Heartbeats(scope: scope).last(in: all, key: reading.key)
    return grouped.compactMap { key, events in
      let own = SessionVocabulary.own(events)
      let asked = scope.conditions + conditions
      guard own.contains(where: { event in asked.allSatisfy { reading.meets($0, event) } }),
        let begun = own.map(\.correctedMs).min(), let first = own.map(\.timestampMs).min(),
        let last = own.map(\.timestampMs).max()
      else { return nil }
      let end = max(last, heartbeats[key] ?? last)
      return Session(key: key, begunMs: begun, lengthMs: end - first)
    }
  }
}

extension SessionVocabulary {
  /// Those of a session's events that are its own: what is from before its start was sent in it and is of
  /// an earlier time.
  static func own(_ events: [StoredEvent]) -> [StoredEvent] {
    let opened = events.filter { startNames.contains($0.name) }.map(\.timestampMs).min()
    return events.filter { $0.timestampMs >= opened ?? .min }
  }
}
