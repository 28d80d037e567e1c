import CDuckDB
import EventStore

/// The tables `activity_parts` and `session_parts`: when whom events are of, and what they tell of
/// sessions, summed.
///
/// A row of `activity_parts` stands for events of one person within one quarter of an hour, from `first_at`
/// to `last_at`; one of `session_parts` for events of one person and session. Together the rows stand for
/// every event of kind 0 with a person (and a session). What belongs together may lie in several rows:
/// loading only adds some, and whoever asks sums them up.
///
/// `person` is that of `events`; a row whose person is a device that changed hands between its first and
/// last event says too little, and the device's events are asked then.
enum ActivityParts {
  /// How long a quarter of an hour is: the clocks of all time zones differ by whole ones.
  static let quarterMs: Int64 = 900_000

  /// The quarter of an hour of a moment, as `quarter` in SQL.
  static func quarter(of ms: Int64) -> Int64 { ms / quarterMs }

  private static func quarter(of column: String) -> String {
    "epoch_us(\(column)::TIMESTAMP) // \(quarterMs * 1_000)"
  }

  static let activityTable = RowTable(
    name: "activity_parts",
    types: [DDB_BIGINT, DDB_BIGINT, DDB_BOOLEAN, DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS]
      .map { Int($0) }
  )

  static let sessionTable = RowTable(
    name: "session_parts",
    types: [
      DDB_BIGINT, DDB_BIGINT, DDB_BOOLEAN, DDB_VARCHAR, DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS,
      DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS, DDB_DOUBLE, DDB_BOOLEAN, DDB_BOOLEAN,
    ].map { Int($0) }
  )

  /// Writes both tables anew from the events.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  static func rebuild(_ connection: Connection) throws(StoreError) {
    try connection.run(
      """
      DELETE FROM activity_parts; DELETE FROM session_parts;
      INSERT INTO activity_parts \(activity("true"));
      INSERT INTO session_parts \(sessions("true"))
      """
    )
  }

  /// Works out anew the rows that stand for removed events, which are in a table `expired` with their
  /// `kind`, `person`, `is_test`, `session_id` and `corrected_at`.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  static func forgetExpired(
    of project: UInt32,
    _ connection: Connection
  ) throws(StoreError) {
    let quarters = "touched.quarter = \(quarter(of: "first_at"))"
    let person =
      "touched.person = activity_parts.person AND touched.is_test = activity_parts.is_test"
    try connection.run(
      """
      CREATE TEMP TABLE touched AS SELECT DISTINCT person, is_test, \(quarter(of: "corrected_at")) AS quarter
        FROM expired WHERE kind = 0 AND person IS NOT NULL;
      DELETE FROM activity_parts USING touched
        WHERE activity_parts.project_id = \(project) AND \(person) AND \(quarters);
      INSERT INTO activity_parts \(activity(
        """
        project_id = \(project) AND EXISTS (SELECT 1 FROM touched WHERE touched.person = events.person
          AND touched.is_test = events.is_test AND touched.quarter = \(quarter(of: "events.corrected_at")))
        """
      ));
      DROP TABLE touched;
      CREATE TEMP TABLE touched AS SELECT DISTINCT person, is_test, session_id
        FROM expired WHERE kind = 0 AND person IS NOT NULL AND session_id IS NOT NULL;
      DELETE FROM session_parts USING touched
        WHERE session_parts.project_id = \(project) AND touched.person = session_parts.person
          AND touched.is_test = session_parts.is_test AND touched.session_id = session_parts.session_id;
      INSERT INTO session_parts \(sessions(
        """
        project_id = \(project) AND EXISTS (SELECT 1 FROM touched WHERE touched.person = events.person
          AND touched.is_test = events.is_test AND touched.session_id = events.session_id)
        """
      ));
      DROP TABLE touched
      """
    )
  }

  /// The rows of `activity_parts` of some events.
  private static func activity(_ condition: String) -> String {
    """
    SELECT project_id, person, is_test, min(corrected_at), max(corrected_at) FROM events
    WHERE kind = 0 AND person IS NOT NULL AND \(condition)
    GROUP BY project_id, person, is_test, \(quarter(of: "corrected_at"))
    """
  }

  /// The rows of `session_parts` of some events.
  private static func sessions(_ condition: String) -> String {
    let starts = SessionVocabulary.startNames.map { "'\($0)'" }.joined(separator: ", ")
    return """
      SELECT project_id, person, is_test, session_id, min(ts), max(ts),
        min(CASE WHEN name IN (\(starts)) THEN ts END), min(corrected_at), max(corrected_at),
        sum(CASE WHEN engaged BETWEEN 0 AND \(SessionVocabulary.longestEngagedMs) THEN engaged END),
        bool_or(name = '\(SessionVocabulary.crashName)'),
        bool_or(CASE WHEN state IS NOT NULL THEN NOT (json_type(state) = 'VARCHAR'
          AND json_extract_string(state, '$') = '\(SessionVocabulary.background)') END)
      FROM (
        SELECT *, CASE WHEN json_type(engaged_json) IN ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE')
            THEN TRY_CAST(engaged_json AS DOUBLE) END AS engaged
        FROM (
          SELECT project_id, person, is_test, session_id, ts, corrected_at, name,
            nullif(footfall_member(props, '\(SessionVocabulary.state)'), 'null') AS state,
            nullif(footfall_member(props, '\(SessionVocabulary.engaged)'), 'null') AS engaged_json
          FROM events
          WHERE kind = 0 AND person IS NOT NULL AND session_id IS NOT NULL AND \(condition)
        )
      )
      GROUP BY project_id, person, is_test, session_id
      """
  }
}
