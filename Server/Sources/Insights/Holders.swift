internal import EventStore

/// Whom events count for, with the devices' users looked up once for each group instead of once for each
/// event.
///
/// Nearly every device has one user for all time, so whose its events are does not depend on the event:
/// events are grouped by their user's or device's own number first, and the groups are given to users
/// by `owned`. Only devices that changed hands need each event's time; those few are looked up with
/// every event. Where more is asked of people than who they are, everything is looked up with every event.
struct Holders {
  /// The rows, as the events `e`.
  let source: String
  /// Whom an event counts for, as far as it is known before `owned`; NULL for nobody.
  let key: String
  /// Whether an event counts for somebody.
  let isSomebody: String
  /// The project, if users are looked up afterwards.
  private let lateProject: UInt32?

  /// Those of a scope's events, read with these fields.
  ///
  /// - Parameters:
  ///   - scope: which events.
  ///   - fields: what is read of events beside whom they count for.
  ///   - others: conditions beside the scope's.
  ///   - partsDo: whether the question asks only who did something in which buckets, and when first: then
  ///     one row may stand for all that someone did in a quarter of an hour, with the time of the first.
  init(
    _ scope: Scope,
    for fields: [Field] = [],
    others: [Condition] = [],
    partsDo: Bool = false
  ) {
    let all = fields + (scope.conditions + others).map(\.field)
    guard scope.unit == .people, scope.segment == nil, !all.contains(where: \.isOfPerson) else {
      source = scope.source(for: fields, others: others, needsPerson: scope.needsPerson)
      key = scope.key
      isSomebody = "\(scope.key) IS NOT NULL"
      lateProject = nil
      return
    }
    let rows =
      partsDo && all.isEmpty
      ? Self.parts(of: scope.project)
      : scope.source(for: fields, others: others, needsPerson: false)
    source = """
      \(rows)
        LEFT JOIN (SELECT device, person, from_at, to_at FROM device_users
          WHERE project_id = \(scope.project) AND NOT \(PartsOfDevices.isForAllTime)) AS turn
        ON turn.device = e.person AND e.corrected_at >= turn.from_at AND e.corrected_at < turn.to_at
      """
    key = "coalesce(turn.person, e.person)"
    isSomebody = "e.person IS NOT NULL"
    lateProject = scope.project
  }

  /// The rows of `activity_parts` as the events `e`.
  ///
  /// Of someone whose device changed hands within a row, the events themselves.
  private static func parts(of project: UInt32) -> String {
    let divided = PartsOfDevices.divided("activity_parts", project: project)
    return """
      (SELECT project_id, person, is_test, 0 AS kind, first_at AS corrected_at FROM activity_parts AS part
        WHERE NOT EXISTS (SELECT 1 FROM (\(divided)) AS divided WHERE divided.person = part.person)
        UNION ALL
        SELECT project_id, person, is_test, kind, corrected_at FROM events WHERE person IN (\(divided))) AS e
      """
  }

  /// A table with a column `who` of keys, as a source of rows with those they belong to.
  ///
  /// Rows of a user and of the user's devices stay apart.
  func owned(_ table: String) -> String {
    guard let lateProject else { return table }
    return """
      (SELECT found.* REPLACE (coalesce(owner.person, found.who) AS who) FROM \(table) AS found
        LEFT JOIN (SELECT device, person FROM device_users
          WHERE project_id = \(lateProject) AND \(PartsOfDevices.isForAllTime)) AS owner
        ON owner.device = found.who)
      """
  }
}

/// The tables that sum events, `activity_parts` and `session_parts`, against that of devices.
enum PartsOfDevices {
  /// Whether a device's row is its only one.
  static let isForAllTime = """
    (from_at = make_timestamp_ms(\(EventTimes.startMs))::TIMESTAMP_MS \
    AND to_at = make_timestamp_ms(\(EventTimes.endMs))::TIMESTAMP_MS)
    """

  /// The devices with a row within which they changed hands; nearly always none.
  static func divided(_ table: String, project: UInt32) -> String {
    """
    SELECT part.person FROM \(table) AS part JOIN device_users AS turn ON turn.device = part.person
      AND turn.from_at > part.first_at AND turn.from_at <= part.last_at
    WHERE turn.project_id = \(project)
    """
  }
}
