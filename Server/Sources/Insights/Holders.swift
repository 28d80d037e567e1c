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
  init(_ scope: Scope, for fields: [Field] = [], others: [Condition] = []) {
    let all = fields + (scope.conditions + others).map(\.field)
    guard scope.unit == .people, scope.segment == nil, !all.contains(where: \.isOfPerson) else {
      source = scope.source(for: fields, others: others, needsPerson: scope.needsPerson)
      key = scope.key
      isSomebody = "\(scope.key) IS NOT NULL"
      lateProject = nil
      return
    }
    source = """
      \(scope.source(for: fields, others: others, needsPerson: false))
        LEFT JOIN (SELECT device, person, from_at, to_at FROM device_users
          WHERE project_id = \(scope.project) AND NOT \(Self.isForAllTime)) AS turn
        ON turn.device = e.person AND e.corrected_at >= turn.from_at AND e.corrected_at < turn.to_at
      """
    key = "coalesce(turn.person, e.person)"
    isSomebody = "e.person IS NOT NULL"
    lateProject = scope.project
  }

  /// A table with a column `who` of keys, as a source of rows with those they belong to.
  ///
  /// Rows of a user and of the user's devices stay apart.
  func owned(_ table: String) -> String {
    guard let lateProject else { return table }
    return """
      (SELECT found.* REPLACE (coalesce(owner.person, found.who) AS who) FROM \(table) AS found
        LEFT JOIN (SELECT device, person FROM device_users
          WHERE project_id = \(lateProject) AND \(Self.isForAllTime)) AS owner
        ON owner.device = found.who)
      """
  }

  /// Whether a device's row is its only one.
  private static let isForAllTime = """
    (from_at = make_timestamp_ms(\(EventTimes.startMs))::TIMESTAMP_MS \
    AND to_at = make_timestamp_ms(\(EventTimes.endMs))::TIMESTAMP_MS)
    """
}
