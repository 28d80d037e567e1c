/// The catalogue's tables, as the steps that lead from an empty file to the current format.
///
/// A step that was released never changes. The format is SQLite's `user_version`; `meta` names the
/// oldest Footfall that reads it, so that an older program can say what it needs.
enum Schema {
  struct Step {
    /// The oldest version of Footfall that reads a file after this step.
    let needs: String
    let sql: String
  }

  static let steps = [
    Step(needs: "0.1.0", sql: first), Step(needs: "0.1.0", sql: remoteSettings),
    Step(needs: "0.1.0", sql: aws), Step(needs: "0.1.0", sql: administration),
    Step(needs: "0.1.0", sql: streams),
    Step(needs: "0.1.0", sql: erasures),
    Step(needs: "0.1.0", sql: jobs),
    Step(needs: "0.1.0", sql: reckoning),
    Step(needs: "0.1.0", sql: segments),
    Step(needs: "0.1.0", sql: boards),
    Step(needs: "0.1.0", sql: exchangeRates),
  ]

  /// Brings the file to the current format, or refuses one that is newer.
  static func migrate(_ database: Database) throws(CatalogError) {
    if try format(of: database) == steps.count { return }
    try database.transaction { () throws(CatalogError) in
      // Read again: another process may have migrated while we waited for the lock.
      let found = try format(of: database)
      guard found <= steps.count else {
        throw .newerFormat(found: found, supported: steps.count, needs: try needs(of: database))
      }
      for step in steps.dropFirst(found) {
        try database.script(step.sql)
        try database.run("INSERT OR REPLACE INTO meta VALUES ('needs', ?)", .text(step.needs))
      }
      try database.script("PRAGMA user_version = \(steps.count)")
    }
  }

  /// What makes a file of an older format.
  static func script(ofFormat format: Int) -> String {
    steps.prefix(format).map(\.sql).joined(separator: ";\n") + ";\nPRAGMA user_version = \(format)"
  }

  private static func format(of database: Database) throws(CatalogError) -> Int {
    try Int(database.rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0)
  }

  private static func needs(of database: Database) throws(CatalogError) -> String {
    let version = try database.rows("SELECT value FROM meta WHERE name = 'needs'") { $0.text(0) }
    return version.first ?? "(a version that is not named in the file)"
  }

  private static let first = """
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

    CREATE TABLE projects (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      time_zone TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;

    -- A key that apps ship is public and kept as it is; a secret key only as SHA-256.
    CREATE TABLE keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      kind TEXT NOT NULL,
      label TEXT NOT NULL,
      value TEXT,
      hash BLOB,
      hint TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      revoked_at INTEGER,
      CHECK ((value IS NULL) <> (hash IS NULL))
    ) STRICT;
    CREATE INDEX keys_by_project ON keys (project);
    CREATE UNIQUE INDEX working_keys_by_value ON keys (value) WHERE revoked_at IS NULL;
    CREATE UNIQUE INDEX keys_by_hash ON keys (hash);

    CREATE TABLE users (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      password TEXT,
      created_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE sign_in_links (
      hash BLOB PRIMARY KEY,
      user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      expires_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE dashboard_sessions (
      hash BLOB PRIMARY KEY,
      user INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT;
    """

  private static let remoteSettings = """
    -- What a project's apps are told when they ask for their configuration; no row says {}.
    CREATE TABLE remote_settings (
      project INTEGER PRIMARY KEY REFERENCES projects (id),
      version INTEGER NOT NULL,
      document TEXT NOT NULL,
      changed_at INTEGER NOT NULL
    ) STRICT;
    """

  private static let aws = """
    -- What an AWS key has beside its row in keys. Signatures are checked with the secret itself, so it
    -- is kept, encrypted under a key that is not in this file. Patterns are separated by commas.
    CREATE TABLE aws_keys (
      key INTEGER PRIMARY KEY REFERENCES keys (id),
      secret BLOB NOT NULL,
      actions TEXT NOT NULL,
      resources TEXT NOT NULL
    ) STRICT;

    CREATE TABLE pinpoint_apps (
      id TEXT PRIMARY KEY,
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    """

  private static let administration = """
    -- Who may do what: 'owner', 'editor' or 'viewer'. A secret key has a role too.
    ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'owner';
    ALTER TABLE keys ADD COLUMN role TEXT NOT NULL DEFAULT 'editor';
    -- Events that come with a test key are test events.
    ALTER TABLE keys ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
    -- When a key that was replaced by another stops working.
    ALTER TABLE keys ADD COLUMN ends_at INTEGER;
    ALTER TABLE dashboard_sessions ADD COLUMN browser TEXT NOT NULL DEFAULT '';

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      actor TEXT NOT NULL,
      action TEXT NOT NULL,
      project INTEGER,
      detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX audit_by_project ON audit (project, id);

    -- No row keeps events for ever and takes any number.
    CREATE TABLE project_rules (
      project INTEGER PRIMARY KEY REFERENCES projects (id),
      retention_days INTEGER,
      events_per_day INTEGER
    ) STRICT;
    CREATE TABLE name_retention (
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      days INTEGER NOT NULL,
      PRIMARY KEY (project, name)
    ) STRICT;
    CREATE TABLE retention_runs (
      project INTEGER PRIMARY KEY REFERENCES projects (id),
      at INTEGER NOT NULL,
      removed INTEGER NOT NULL,
      removed_total INTEGER NOT NULL
    ) STRICT;

    -- Days since 1970, UTC.
    CREATE TABLE usage (
      project INTEGER NOT NULL,
      day INTEGER NOT NULL,
      events INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      refused INTEGER NOT NULL,
      PRIMARY KEY (project, day)
    ) STRICT;
    -- How large the data folder was at the end of a day.
    CREATE TABLE disk_days (day INTEGER PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
    """

  private static let streams = """
    -- What clients of Kinesis and Firehose put records into; a number is never given again, so that
    -- records of a stream that was deleted are not those of one made later by its name.
    CREATE TABLE streams (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      shards INTEGER NOT NULL,
      records_per_second INTEGER NOT NULL,
      bytes_per_second INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (project, kind, name)
    ) STRICT;
    """

  private static let erasures = """
    -- What was erased; nothing here names anybody. done_at is NULL until the last step is done.
    CREATE TABLE erasures (
      id INTEGER PRIMARY KEY,
      project INTEGER NOT NULL,
      asked_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      removed INTEGER,
      done_at INTEGER
    ) STRICT;
    """

  private static let segments = """
    -- Who belongs to a segment is said in definition, which only questions read.
    CREATE TABLE segments (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      definition TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      UNIQUE (project, name)
    ) STRICT;
    -- Imported lists; members are numbers of users and devices, 8 bytes each, and name nobody.
    CREATE TABLE people_lists (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      members BLOB NOT NULL,
      member_count INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      failures TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      UNIQUE (project, name)
    ) STRICT;
    """

  private static let jobs = """
    -- What the server was asked to do; document may name a person and is emptied when it is over.
    CREATE TABLE jobs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      project INTEGER,
      document TEXT NOT NULL,
      summary TEXT NOT NULL,
      actor TEXT NOT NULL,
      state TEXT NOT NULL,
      asked_at INTEGER NOT NULL,
      started_at INTEGER,
      ended_at INTEGER,
      starts INTEGER NOT NULL DEFAULT 0,
      progress INTEGER,
      counts TEXT NOT NULL DEFAULT '{}',
      problem TEXT,
      is_stopping INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX jobs_by_state ON jobs (state);
    """

  private static let reckoning = """
    -- How a project's numbers are reckoned; no currency is none in particular.
    ALTER TABLE projects ADD COLUMN week_start TEXT NOT NULL DEFAULT 'mon';
    ALTER TABLE projects ADD COLUMN currency TEXT;
    ALTER TABLE projects ADD COLUMN revenue_formula TEXT NOT NULL DEFAULT 'amount';
    """

  private static let exchangeRates = """
    -- What other currencies are worth in the project's: EUR=1.10 GBP=1.27.
    ALTER TABLE projects ADD COLUMN rates TEXT NOT NULL DEFAULT '';
    """

  private static let boards = """
    CREATE TABLE boards (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX boards_by_project ON boards (project);
    -- A chart has a question, and what it is asked with as its body; a text is its body.
    CREATE TABLE board_cards (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      board INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
      place INTEGER NOT NULL,
      title TEXT NOT NULL,
      width TEXT NOT NULL,
      question TEXT,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX board_cards_by_board ON board_cards (board, place);
    CREATE TABLE board_links (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      board INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
      hash BLOB NOT NULL UNIQUE,
      hint TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER
    ) STRICT;

    -- What was decided about events of a name; no row offers and takes them.
    CREATE TABLE event_rules (
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      is_hidden INTEGER NOT NULL,
      is_blocked INTEGER NOT NULL,
      PRIMARY KEY (project, name)
    ) STRICT;

    -- What was decided about crashes that have something in common; signatures are Insights'.
    CREATE TABLE crash_decisions (
      project INTEGER NOT NULL REFERENCES projects (id),
      signature TEXT NOT NULL,
      state TEXT NOT NULL,
      at INTEGER NOT NULL,
      mended TEXT NOT NULL,
      seen TEXT NOT NULL,
      actor TEXT NOT NULL,
      PRIMARY KEY (project, signature)
    ) STRICT;

    -- What came and was not kept, by day (UTC): refused events and requests, repeats, and what clients
    -- say they dropped. Kept every two seconds, so a crash forgets that much.
    CREATE TABLE losses (
      project INTEGER NOT NULL,
      day INTEGER NOT NULL,
      kind TEXT NOT NULL,
      reason TEXT NOT NULL,
      library TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (project, day, kind, reason, library)
    ) STRICT;

    -- The secret signs what is told and is encrypted under a key that is not in this file; amount is a
    -- decimal number, state is AlertState as JSON.
    CREATE TABLE alerts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      question TEXT NOT NULL,
      parameters TEXT NOT NULL,
      rule TEXT NOT NULL,
      amount TEXT NOT NULL,
      every_minutes INTEGER NOT NULL,
      webhook TEXT NOT NULL,
      secret BLOB NOT NULL,
      state TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE alert_notes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      alert INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      detail TEXT NOT NULL
    ) STRICT;
    CREATE INDEX alert_notes_by_alert ON alert_notes (alert, id);

    -- Keys of Phase's read API: only SHA-256 and the first letters of each.
    CREATE TABLE phase_read_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      hash BLOB NOT NULL UNIQUE,
      prefix TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER,
      revoked_at INTEGER,
      used_at INTEGER
    ) STRICT;

    -- Statements of the SQL console that are kept under a name.
    CREATE TABLE statements (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      project INTEGER NOT NULL REFERENCES projects (id),
      name TEXT NOT NULL,
      text TEXT NOT NULL,
      changed_at INTEGER NOT NULL,
      UNIQUE (project, name)
    ) STRICT;
    """
}
