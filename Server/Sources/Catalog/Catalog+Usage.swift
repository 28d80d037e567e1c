extension Catalog {
  /// Days of usage that are kept: the latest on which anything was sent.
  public static let usageDays: Int64 = 400

  /// Adds what was taken since the last time.
  ///
  /// - Parameters:
  ///   - usage: what to add; events that turned out to be repeats are below zero.
  ///   - mark: up to where of the ingest log it counts, in words of whoever counts; nil leaves that as it was.
  /// - Throws: what SQLite says; nothing was added then.
  public func addUsage(_ usage: [DayUsage], upTo mark: String? = nil) throws(CatalogError) {
    guard !usage.isEmpty || mark != nil else { return }
    try write { (database) throws(CatalogError) in
      if let mark {
        try database.run("INSERT OR REPLACE INTO meta VALUES ('usage_up_to', ?)", .text(mark))
      }
      guard !usage.isEmpty else { return }
      for day in usage {
        try database.run(
          """
          INSERT INTO usage (project, day, events, bytes, refused)
          VALUES (?1, ?2, max(0, ?3), ?4, ?5)
          ON CONFLICT (project, day) DO UPDATE SET events = max(0, events + ?3), bytes = bytes + ?4,
            refused = refused + ?5
          """,
          .integer(Int64(day.project)),
          .integer(day.day),
          .integer(Int64(day.events)),
          .integer(Int64(day.bytes)),
          .integer(Int64(day.refused))
        )
      }
      // By how many there are, not by how old they are: a clock that leaps ahead leaves today's.
      try database.run(
        "DELETE FROM usage WHERE day < (SELECT DISTINCT day FROM usage ORDER BY day DESC LIMIT 1 OFFSET ?)",
        .integer(Self.usageDays - 1)
      )
    }
  }

  /// Up to where of the ingest log usage was counted, as `addUsage` was told; nil where it never was.
  public func usageMark() throws(CatalogError) -> String? {
    try read { (database) throws(CatalogError) in
      try database.rows("SELECT value FROM meta WHERE name = 'usage_up_to'") { $0.text(0) }.first
    }
  }

  /// What was taken from a day on, oldest first; of one project or of all.
  public func usage(
    project: UInt32? = nil,
    fromDay: Int64
  ) throws(CatalogError) -> [DayUsage] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT project, day, events, bytes, refused FROM usage
        WHERE day >= ?1 AND (?2 IS NULL OR project = ?2) ORDER BY day, project
        """,
        .integer(fromDay),
        .optional(project.map(Int64.init))
      ) {
        DayUsage(
          project: $0.project(0),
          day: $0.integer(1),
          events: Int($0.integer(2)),
          bytes: Int($0.integer(3)),
          refused: Int($0.integer(4))
        )
      }
    }
  }

  /// Every project's events a day that are taken, where there is such a number.
  public func quotas() throws(CatalogError) -> [UInt32: Int] {
    try read { (database) throws(CatalogError) in
      let rows = try database.rows(
        "SELECT project, events_per_day FROM project_rules WHERE events_per_day IS NOT NULL"
      ) { ($0.project(0), Int($0.integer(1))) }
      return Dictionary(rows, uniquingKeysWith: max)
    }
  }

  /// Keeps how large the data folder is today.
  public func noteDisk(bytes: UInt64) throws(CatalogError) {
    let today = clock.nowMs() / Self.dayMs
    try write { (database) throws(CatalogError) in
      try database.run(
        "INSERT OR REPLACE INTO disk_days (day, bytes) VALUES (?, ?)",
        .integer(today),
        .integer(Int64(clamping: bytes))
      )
      try database.run("DELETE FROM disk_days WHERE day < ?", .integer(today - Self.usageDays))
    }
  }

  /// How large the data folder was on each day from a day on, oldest first.
  public func diskDays(fromDay: Int64) throws(CatalogError) -> [DiskDay] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT day, bytes FROM disk_days WHERE day >= ? ORDER BY day",
        .integer(fromDay)
      ) { DiskDay(day: $0.integer(0), bytes: $0.integer(1)) }
    }
  }
}
