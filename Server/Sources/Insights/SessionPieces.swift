internal import EventStore

/// The sessions of a scope in SQL, summed up from `session_parts` where nothing is asked that is not there,
/// else from the events.
///
/// With conditions a session counts as a whole when one of its events meets all of them.
///
/// Gives a table `sessions` (person, session_id, begun, finished, corrected_at, engaged, crashed, passive,
/// field): the person is a device where sessions are of devices, and the first two times are by the
/// client's clock in milliseconds since 1970. What a session is, is said at `SessionTrend`.
struct SessionPieces {
  let scope: Scope
  /// What is read of a session's first event; nil for nothing.
  let breakdown: Field?
  /// Only sessions with an event in the scope's time, which need not be all of theirs.
  let isWithin: Bool

  /// The tables, the last of them `sessions`; `field` is what is read, in SQL.
  func tables(_ statement: inout Statement, field: String) -> String {
    let whole = scope.unconditional
    let admission = whole.admission(&statement)
    let events = Events(self, &statement, field: field)
    // The parts do not tell the device of an event that has a user.
    let hasParts = scope.segment == nil && breakdown == nil && !scope.hasSessionsOfDevices
    let source = whole.source(
      for: breakdown.map { [$0] } ?? [],
      needsPerson: !scope.hasSessionsOfDevices
    )
    let within = isWithin && !(hasParts && scope.conditions.isEmpty) ? within(&statement) : ""
    return """
      pieces AS NOT MATERIALIZED (
        \(hasParts ? parts(events, admission) : events.pieces(source, admission + within))
      ), whole AS MATERIALIZED (\(sums("pieces"))),
      -- Of few sessions there is anything from before their start: those are read again without it.
      early AS MATERIALIZED (
        SELECT person, session_id, opened AS start FROM whole WHERE begun < opened
      ), late AS NOT MATERIALIZED (
        \(events.pieces(source, admission + " AND e.session_id IN (SELECT session_id FROM early)"))
      ), \(scope.conditions.isEmpty ? "sessions" : "unasked") AS (
        SELECT * FROM whole WHERE opened IS NULL OR begun >= opened
        UNION ALL
        \(sums("late JOIN early USING (person, session_id) WHERE \(milliseconds(of: "late.begun")) >= early.start"))
      )\(scope.conditions.isEmpty ? "" : asked(&statement, within))
      """
  }

  /// From all sessions those with an event that meets the conditions; one from before a session's own
  /// start is none of its events.
  private func asked(_ statement: inout Statement, _ within: String) -> String {
    """
    , matching AS (
      SELECT \(scope.sessionKey) AS person, e.session_id, \(milliseconds(of: "max(e.ts)")) AS last
      FROM \(scope.source(needsPerson: !scope.hasSessionsOfDevices))
      WHERE \(scope.admission(&statement))\(within) AND \(scope.sessionKey) IS NOT NULL AND e.session_id IS NOT NULL
      GROUP BY \(scope.sessionKey), e.session_id
    ), sessions AS (
      SELECT unasked.* FROM unasked JOIN matching USING (person, session_id)
      WHERE matching.last >= unasked.begun
    )
    """
  }

  /// Sessions of some pieces.
  private func sums(_ source: String) -> String {
    """
    SELECT person, session_id, \(milliseconds(of: "min(begun)")) AS begun,
      \(milliseconds(of: "max(finished)")) AS finished, \(milliseconds(of: "min(opened)")) AS opened,
      min(corrected_at) AS corrected_at, sum(engaged) AS engaged, bool_or(is_crash) AS crashed,
      coalesce(bool_and(NOT in_front), false) AS passive,
      \(breakdown == nil ? "NULL" : "arg_min([field], place)[1]") AS field
    FROM \(source) GROUP BY person, session_id
    """
  }

  /// Each event as a piece.
  private struct Events {
    private let columns: String
    private let key: String

    init(_ pieces: SessionPieces, _ statement: inout Statement, field: String) {
      key = pieces.scope.sessionKey
      let starts = SessionVocabulary.startNames.map { statement.bind($0) }.joined(separator: ", ")
      let state = Field.property(SessionVocabulary.state).json(&statement)
      let engaged = Condition.number(Field.property(SessionVocabulary.engaged).json(&statement))
      columns = """
        \(key) AS person, e.session_id, e.ts AS begun, e.ts AS finished,
          CASE WHEN e.name IN (\(starts)) THEN e.ts END AS opened, e.corrected_at,
          CASE WHEN \(engaged) BETWEEN 0 AND \(SessionVocabulary.longestEngagedMs) THEN \(engaged) END AS engaged,
          e.name = \(statement.bind(SessionVocabulary.crashName)) AS is_crash,
          CASE WHEN \(state) IS NOT NULL THEN NOT (json_type(\(state)) = 'VARCHAR'
            AND json_extract_string(\(state), '$') = '\(SessionVocabulary.background)') END AS in_front,
          {'at': e.corrected_at, 'seq': e.seq, 'key': e.event_key} AS place, \(field) AS field
        """
    }

    func pieces(_ source: String, _ condition: String) -> String {
      """
      SELECT \(columns) FROM \(source)
      WHERE \(condition) AND \(key) IS NOT NULL AND e.session_id IS NOT NULL
      """
    }
  }

  /// The rows of `session_parts`; of someone whose device changed hands within a row, the events.
  private func parts(_ events: Events, _ admission: String) -> String {
    let divided = PartsOfDevices.divided("session_parts", project: scope.project)
    let own = """
      (SELECT events.* EXCLUDE (person), coalesce(owner.person, events.person) AS person
        FROM events LEFT JOIN device_users AS owner ON owner.device = events.person
          AND events.corrected_at >= owner.from_at AND events.corrected_at < owner.to_at
        WHERE events.person IN (\(divided))) AS e
      """
    return """
      SELECT coalesce(owner.person, e.person) AS person, e.session_id, e.begun, e.finished, e.opened,
          e.first_at AS corrected_at, e.engaged, e.crashed AS is_crash, e.in_front, NULL AS place, NULL AS field
        FROM (SELECT *, 0 AS kind FROM session_parts AS part
          WHERE NOT EXISTS (SELECT 1 FROM (\(divided)) AS divided WHERE divided.person = part.person)) AS e
        LEFT JOIN device_users AS owner ON owner.device = e.person
          AND e.first_at >= owner.from_at AND e.first_at < owner.to_at
        WHERE \(admission)
        UNION ALL
        \(events.pieces(own, admission))
      """
  }

  /// Leaves out sessions that cannot have begun in the scope's time: those without any event in it.
  private func within(_ statement: inout Statement) -> String {
    let project = statement.bind(.integer(Int64(scope.project)))
    return """
       AND e.session_id IN (SELECT e.session_id FROM events AS e
          WHERE e.project_id = \(project) AND \(scope.time(&statement)))
      """
  }
}
