public import EventStore

/// The tables that a statement of Phase's “Query” may name, of one project.
///
/// Test events are in none of them, and a user is a device. What only shows that a device or a session is
/// there, such as a ping, counts for both. Source of names and columns: `phase.md` section 7.2.
public enum PhaseTables: String, Sendable, CaseIterable {
  /// `timestamp`, `user_id`, `name`, `params`.
  case events
  /// `user_id`, `platform`, `country`, `locale`, `model`, `os_version`, `first_seen`, `properties`: what was
  /// said of the device last, and the properties of whom it belongs to as they are now.
  case users
  /// `session_id`, `user_id`, `started_at`, `last_activity_at`, `duration_seconds`.
  case sessions

  /// The table of a project; the two numbers are all of it that goes into the text.
  ///
  /// - Parameters:
  ///   - project: whose events.
  ///   - fromMs: only what is of then or later, in milliseconds since 1970; nil for all.
  /// - Returns: the table under its name.
  public func table(project: UInt32, fromMs: Int64?) -> ConsoleQuery.Table {
    func since(_ column: String) -> String {
      fromMs.map { " AND \(column) >= make_timestamp_ms(\($0))" } ?? ""
    }
    let mine = "project_id = \(project) AND NOT is_test AND device_id IS NOT NULL"
    let sql =
      switch self {
      case .events:
        """
        SELECT corrected_at::TIMESTAMP AS timestamp, device_id AS user_id, name, props AS params
        FROM main.events
        WHERE \(mine) AND kind = 0 AND name <> 'session_start'\(since("corrected_at"))
        """
      case .users:
        """
        SELECT seen.* EXCLUDE (person), nullif(holder.properties, '{}') AS properties FROM (
          SELECT device_id AS user_id, \(Self.last(["platform"])) AS platform,
            \(Self.last(["country"])) AS country, \(Self.last(["locale", "language"])) AS locale,
            \(Self.last(["model"])) AS model, \(Self.last(["os_version", "os"])) AS os_version,
            min(corrected_at)::TIMESTAMP AS first_seen, arg_max(person, corrected_at) AS person
          FROM main.person_events WHERE \(mine) GROUP BY device_id
        ) AS seen LEFT JOIN main.current_properties AS holder
          ON holder.subject = seen.person AND holder.project_id = \(project)
        WHERE true\(since("first_seen"))
        """
      case .sessions:
        """
        SELECT * FROM (
          SELECT session_id, user_id, started_at, last_activity_at,
            (epoch_ms(last_activity_at) - epoch_ms(started_at)) / 1000.0 AS duration_seconds
          FROM (
            -- What happened before a session's own start was only sent in it.
            SELECT session_id, device_id AS user_id, coalesce(
                min(corrected_at) FILTER (name IN (\(Self.startNames))), min(corrected_at)
              )::TIMESTAMP AS started_at, max(corrected_at)::TIMESTAMP AS last_activity_at
            FROM main.events WHERE \(mine) AND session_id IS NOT NULL GROUP BY session_id, device_id
          )
        ) WHERE true\(since("started_at"))
        """
      }
    return ConsoleQuery.Table(rawValue, sql)
  }

  private static let startNames =
    SessionVocabulary.startNames.map { "'\($0)'" }.joined(separator: ", ")

  /// The last value of the first of these members that a row has; rows without one say nothing.
  private static func last(_ members: [String]) -> String {
    let values = members.flatMap { member in
      ["context", "client"].map { "json_extract_string(\($0), '$.\(member)')" }
    }
    return "arg_max(coalesce(\(values.joined(separator: ", "))), corrected_at)"
  }
}
