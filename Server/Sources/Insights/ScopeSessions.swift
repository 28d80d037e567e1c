internal import EventStore

/// The sessions of a scope's events by whom these count for: when each began, and how long it was.
///
/// What a session is, is said at `SessionReport`.
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

  /// The statement: `who`, `session_id`, `corrected_at` and `length` in milliseconds, of the events that are
  /// admitted.
  func sql(_ statement: inout Statement, source: String, admission: String) -> String {
    let starts = SessionReport.startNames.map { statement.bind($0) }.joined(separator: ", ")
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
            min(e.ts) FILTER (WHERE e.name IN (\(starts)))
              OVER (PARTITION BY \(scope.key), e.session_id) AS opened
          FROM \(source)
          WHERE \(admission) AND \(scope.key) IS NOT NULL AND e.session_id IS NOT NULL
        ) WHERE opened IS NULL OR ts >= opened
        GROUP BY who, session_id
      ) LEFT JOIN (
        \(heartbeats)
      ) USING (who, session_id)
      """
  }

  /// The sessions of some of a store's events by definition; `all` are its events.
  func sessions(
    of events: [StoredEvent],
    in all: [StoredEvent],
    _ reading: ScopeReading
  ) -> [Session] {
    var grouped: [SessionKey: [StoredEvent]] = [:]
    for event in events where !event.sessionID.isEmpty {
      guard let who = reading.key(of: event) else { continue }
      grouped[SessionKey(who: who, id: event.sessionID), default: []].append(event)
    }
    let heartbeats = Heartbeats(scope: scope).last(in: all, key: reading.key)
    return grouped.compactMap { key, events in
      let opened = events.filter { SessionReport.startNames.contains($0.name) }
        .map(\.timestampMs).min()
      let own = events.filter { $0.timestampMs >= opened ?? .min }
      guard let begun = own.map(\.correctedMs).min(), let first = own.map(\.timestampMs).min(),
        let last = own.map(\.timestampMs).max()
      else { return nil }
      let end = max(last, heartbeats[key] ?? last)
      return Session(key: key, begunMs: begun, lengthMs: end - first)
    }
  }
}
