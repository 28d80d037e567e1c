import EventRecord
import EventStore

/// The tables and their versions.
///
/// `events` holds all tiers: new rows in the order of arrival, older ones sorted (`SortingRule`); JSON as
/// text. `load_positions` says up to where each ingest log has been loaded. `device_users` says whose what
/// happened on a device is, see `DeviceRuns`, `current_properties` what holds of people and groups now, `revenues` what events tell of
/// money, `activity_parts` and `session_parts` the events summed (`ActivityParts`): all of these follow
/// from the events alone (`DerivedTables`), and what holds also from `kept_changes`: what events said of
/// properties that were kept for long enough and are gone. `person_events` are the events with
/// the person they belong to. `footfall_schema` holds one row: the version of the tables and the
/// program that made them so.
///
/// Test events and others tell nothing of each other: a device has another number in tests, and what they
/// say of somebody stands under another one, see `PersonNumber`.
enum Schema {
  /// The version this program reads and writes.
  static let version = 8

  /// Brings a database to this program's version.
  ///
  /// - Throws: `.newerSchema` when a newer program wrote it; nothing is changed then.
  static func prepare(_ connection: Connection, programVersion: String) throws(StoreError) {
    let found = try supportedVersion(connection)
    guard found < version else { return }
    try connection.run("BEGIN")
    do {
      for step in migrations[found...] { try connection.run(step) }
      if found > 0 {
        if found < 3 {
          try DerivedTables(connection).rebuild()
        } else {
          if found < 5 { try ActivityParts.rebuild(connection) }
          if found < 8 { try DerivedTables(connection).separateTests() }
        }
      }
      try connection.run("DELETE FROM footfall_schema")
      _ = try connection.rows(
        SQL(
          "INSERT INTO footfall_schema VALUES ($1, $2)",
          binding: [.integer(Int64(version)), .text(programVersion)]
        )
      )
      try connection.run("COMMIT")
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Whether a database has the tables, of this version or of an older one.
  ///
  /// - Throws: `.newerSchema` when a newer program wrote it.
  static func isMade(in connection: Connection) throws(StoreError) -> Bool {
    try supportedVersion(connection) > 0
  }

  /// The version that was found, 0 for none.
  private static func supportedVersion(_ connection: Connection) throws(StoreError) -> Int {
    let found = try foundVersion(connection)
    guard found.version <= version else {
      throw .newerSchema(
        found: found.version,
        supported: version,
        writtenBy: found.writtenBy
      )
    }
    return found.version
  }

  private static func foundVersion(
    _ connection: Connection
  ) throws(StoreError) -> (version: Int, writtenBy: String) {
    let tables = try connection.rows(
      SQL("SELECT 1 FROM duckdb_tables() WHERE table_name = 'footfall_schema'")
    )
    guard !tables.isEmpty else { return (0, "") }
    let rows = try connection.rows(SQL("SELECT version, written_by FROM footfall_schema"))
    guard let row = rows.first else { return (0, "") }
    return (Int(try row.integer(0)), try row.text(1))
  }

  /// `migrations[n]` turns version n into version n + 1.
  private static let migrations = [
    """
    CREATE TABLE IF NOT EXISTS footfall_schema (
      version INTEGER NOT NULL,     -- of these tables
      written_by VARCHAR NOT NULL   -- the program that made them so
    );
    CREATE TABLE load_positions (
      log_id VARCHAR NOT NULL,      -- 32 hexadecimal digits
      segment UBIGINT NOT NULL,
      byte_offset UBIGINT NOT NULL
    );
    CREATE TABLE events (
      event_key UUID NOT NULL,      -- counts once
      key_plan UTINYINT NOT NULL,   -- where a repeat of the key is looked for: KeyPlan
      project_id UINTEGER NOT NULL,
      kind UTINYINT NOT NULL,       -- 0 event, 1 identify, 2 group identify
      is_test BOOLEAN NOT NULL,
      name VARCHAR NOT NULL,
      ts TIMESTAMP_MS NOT NULL,            -- the event's own time, as sent
      corrected_at TIMESTAMP_MS NOT NULL,  -- without the client's clock error
      received_at TIMESTAMP_MS NOT NULL,
      seq BIGINT NOT NULL,
      event_id VARCHAR,
      device_id VARCHAR,
      user_id VARCHAR,
      session_id VARCHAR,
      props VARCHAR,                -- these five are JSON objects
      groups VARCHAR,
      ops VARCHAR,
      context VARCHAR,
      client VARCHAR                -- the same text for a whole request
    );
    """,
    """
    ALTER TABLE events ADD COLUMN person BIGINT;  -- its user's number, or its device's: PersonNumber
    CREATE TABLE device_users (
      device BIGINT NOT NULL,       -- PersonNumber
      project_id BIGINT NOT NULL,
      device_id VARCHAR NOT NULL,
      person BIGINT,                -- the user's number; NULL: shared by too many
      user_id VARCHAR,
      from_at TIMESTAMP_MS NOT NULL,
      to_at TIMESTAMP_MS NOT NULL,
      seen_at TIMESTAMP_MS,
      seen_seq BIGINT NOT NULL
    );
    CREATE VIEW person_events AS
      SELECT events.* EXCLUDE (person), coalesce(owner.person, events.person) AS person,
        coalesce(events.user_id, owner.user_id, events.device_id) AS person_id
      FROM events LEFT JOIN device_users AS owner
        -- The number of an event with a user is no device's.
        ON owner.device = events.person
          AND events.corrected_at >= owner.from_at AND events.corrected_at < owner.to_at;
    """,
    """
    CREATE TABLE current_properties (
      subject BIGINT NOT NULL,      -- of a user, a device without one, or a group: PersonNumber
      project_id BIGINT NOT NULL,
      corrected_at TIMESTAMP_MS NOT NULL,  -- the place of the last operation, with the next two
      seq BIGINT NOT NULL,
      event_key UUID NOT NULL,
      properties VARCHAR NOT NULL,  -- JSON objects
      groups VARCHAR NOT NULL,
      ignored BIGINT NOT NULL       -- operations that could not be applied
    );
    CREATE TABLE revenues (
      event_key UUID NOT NULL,
      project_id BIGINT NOT NULL,
      corrected_at TIMESTAMP_MS NOT NULL,
      person BIGINT,                -- as in events
      is_test BOOLEAN NOT NULL,
      amount BIGINT NOT NULL,       -- millionths of the currency's unit, negative for a refund
      price DOUBLE,
      quantity DOUBLE NOT NULL,
      currency VARCHAR,             -- NULL: the project's own
      product VARCHAR,
      revenue_type VARCHAR,
      is_verifiable BOOLEAN NOT NULL
    );
    """,
    """
    CREATE TABLE erasures_done (erasure BIGINT NOT NULL);  -- Erasure.id
    """,
    """
    CREATE TABLE activity_parts (
      project_id BIGINT NOT NULL,
      person BIGINT NOT NULL,       -- as in events
      is_test BOOLEAN NOT NULL,
      first_at TIMESTAMP_MS NOT NULL,  -- corrected; both within one quarter of an hour
      last_at TIMESTAMP_MS NOT NULL
    );
    CREATE TABLE session_parts (
      project_id BIGINT NOT NULL,
      person BIGINT NOT NULL,       -- as in events
      is_test BOOLEAN NOT NULL,
      session_id VARCHAR NOT NULL,
      begun TIMESTAMP_MS NOT NULL,     -- the first of the events' own times
      finished TIMESTAMP_MS NOT NULL,  -- the last of them
      opened TIMESTAMP_MS,             -- the first of events that mark a start
      first_at TIMESTAMP_MS NOT NULL,  -- corrected
      last_at TIMESTAMP_MS NOT NULL,
      engaged DOUBLE,                  -- milliseconds in front
      crashed BOOLEAN NOT NULL,
      in_front BOOLEAN                 -- whether some event says so; NULL: none says anything
    );
    """,
    """
    ALTER TABLE events ADD COLUMN tier UTINYINT DEFAULT 0;  -- Tier; what was there before is hot
    DROP VIEW person_events;
    CREATE VIEW person_events AS
      SELECT events.* EXCLUDE (person, tier), coalesce(owner.person, events.person) AS person,
        coalesce(events.user_id, owner.user_id, events.device_id) AS person_id
      FROM events LEFT JOIN device_users AS owner
        ON owner.device = events.person
          AND events.corrected_at >= owner.from_at AND events.corrected_at < owner.to_at;
    """,
    """
    CREATE TABLE kept_changes (     -- columns as in events
      project_id UINTEGER NOT NULL,
      kind UTINYINT NOT NULL,
      name VARCHAR NOT NULL,
      corrected_at TIMESTAMP_MS NOT NULL,
      seq BIGINT NOT NULL,
      event_key UUID NOT NULL,
      device_id VARCHAR,
      user_id VARCHAR,
      person BIGINT,
      ops VARCHAR,
      groups VARCHAR
    );
    CREATE VIEW property_changes AS
      SELECT changes.* EXCLUDE (person), coalesce(owner.person, changes.person) AS person
      FROM (
        SELECT project_id, kind, corrected_at, seq, event_key, person, ops, groups FROM events
          WHERE ops IS NOT NULL OR kind = 1 AND groups IS NOT NULL
        UNION ALL
        SELECT project_id, kind, corrected_at, seq, event_key, person, ops, groups FROM kept_changes
      ) AS changes LEFT JOIN device_users AS owner
        ON owner.device = changes.person
          AND changes.corrected_at >= owner.from_at AND changes.corrected_at < owner.to_at;
    """,
    """
    UPDATE events SET person = xor(person, \(PersonNumber.testMark))
      WHERE is_test AND user_id IS NULL AND person IS NOT NULL;
    ALTER TABLE kept_changes ADD COLUMN is_test BOOLEAN DEFAULT false;
    ALTER TABLE current_properties ADD COLUMN is_test BOOLEAN DEFAULT false;  -- said by test events alone
    DROP VIEW property_changes;
    CREATE VIEW property_changes AS
      SELECT changes.* EXCLUDE (person), CASE
          WHEN is_test THEN xor(coalesce(owner.person, changes.person), \(PersonNumber.saidByTestsMark))
          ELSE coalesce(owner.person, changes.person) END AS subject
      FROM (
        SELECT project_id, kind, is_test, corrected_at, seq, event_key, person, ops, groups FROM events
          WHERE ops IS NOT NULL OR kind = 1 AND groups IS NOT NULL
        UNION ALL
        SELECT project_id, kind, is_test, corrected_at, seq, event_key, person, ops, groups
          FROM kept_changes
      ) AS changes LEFT JOIN device_users AS owner
        ON owner.device = changes.person
          AND changes.corrected_at >= owner.from_at AND changes.corrected_at < owner.to_at;
    """,
  ]
}
