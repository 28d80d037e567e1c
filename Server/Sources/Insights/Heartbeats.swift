import EventRecord
internal import EventStore

/// What shows that a session goes on without being an event: identifies of the name `$ping` under the
/// session's id, which is what the collector makes of Phase's pings.
///
/// A session lasts up to the last of them where that is later than its last event. They make no session,
/// do not move its start, and belong to a session whatever conditions its events were chosen by.
struct Heartbeats {
  /// The name they have.
  static let name = "$ping"

  let scope: Scope

  /// The statement: `who`, `session_id`, and `last_ms` by the client's clock.
  func sql(_ statement: inout Statement, key: String, isOfPerson: Bool) -> String {
    """
    SELECT \(key) AS who, e.session_id, epoch_ms(max(e.ts)::TIMESTAMP) AS last_ms
      FROM \(isOfPerson ? "person_events" : "events") AS e
      WHERE e.project_id = \(statement.bind(.integer(Int64(scope.project)))) AND e.kind = 1
        AND e.name = \(statement.bind(Self.name)) AND e.session_id IS NOT NULL
        AND \(key) IS NOT NULL \(scope.includesTest ? "" : "AND NOT e.is_test")
      GROUP BY 1, 2
    """
  }

  /// Sessions with their lengths: the rows of a table (person, session_id, begun, finished), of which person
  /// is as in `SessionPieces` and the last two by the client's clock in milliseconds, with `length`.
  func lengths(of table: String, _ statement: inout Statement) -> String {
    """
    SELECT \(table).*, greatest(finished, coalesce(last_ms, finished)) - begun AS length
      FROM \(table) LEFT JOIN (
        \(sql(&statement, key: scope.sessionKey, isOfPerson: !scope.hasSessionsOfDevices))
      ) AS beats ON beats.who = \(table).person AND beats.session_id = \(table).session_id
    """
  }

  /// When the last one was by the client's clock, by person and session: by definition.
  func last(in events: [StoredEvent], of people: PeopleMap) -> [SessionKey: Int64] {
    last(in: events) { people.person(of: $0).map { String($0) } }
  }

  /// When the last one was by the client's clock, by whom and session: by definition.
  func last(
    in events: [StoredEvent],
    key: (StoredEvent) -> String?
  ) -> [SessionKey: Int64] {
    var last: [SessionKey: Int64] = [:]
    for event in events
    where event.project == scope.project && event.kind == .identify && event.name == Self.name
      && !event.sessionID.isEmpty && (scope.includesTest || !event.isTest)
    {
      guard let who = key(event) else { continue }
      let key = SessionKey(who: who, id: event.sessionID)
      last[key] = max(last[key] ?? .min, event.timestampMs)
    }
    return last
  }
}

/// A session by whom it counts for and its id.
struct SessionKey: Hashable {
  var who: String
  var id: String

  init(who: String, id: String) {
    self.who = who
    self.id = id
  }

  /// The session of a person, by their number.
  init(person: Int64, id: String) {
    self.init(who: String(person), id: id)
  }
}
