extension Catalog {
  /// The most names with a retention of their own in one project.
  public static let maxNameRetentions = 200

  /// A project's retention and quota; a project without any has the defaults.
  public func rules(project: UInt32) throws(CatalogError) -> ProjectRules {
    try read { (database) throws(CatalogError) in
      let found = try database.rows(
        "SELECT retention_days, events_per_day FROM project_rules WHERE project = ?",
        .integer(Int64(project))
      ) { ($0.optionalInteger(0), $0.optionalInteger(1)) }.first
      let names = try database.rows(
        "SELECT name, days FROM name_retention WHERE project = ? ORDER BY name",
        .integer(Int64(project))
      ) { ProjectRules.NameRetention(name: $0.text(0), days: Int($0.integer(1))) }
      return ProjectRules(
        retentionDays: found?.0.map { Int($0) },
        names: names,
        eventsPerDay: found?.1.map { Int($0) }
      )
    }
  }

  /// Replaces a project's retention and quota.
  ///
  /// - Throws: `unknownProject`; `invalid` for a number out of its range or a name that is there twice.
  public func setRules(
    _ rules: ProjectRules,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try Self.check(rules)
    try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      let id = SQLValue.integer(Int64(project))
      try database.run(
        """
        INSERT OR REPLACE INTO project_rules (project, retention_days, events_per_day)
        VALUES (?, ?, ?)
        """,
        id,
        .optional(rules.retentionDays.map(Int64.init)),
        .optional(rules.eventsPerDay.map(Int64.init))
      )
      try database.run("DELETE FROM name_retention WHERE project = ?", id)
      for rule in rules.names {
        try database.run(
          "INSERT INTO name_retention (project, name, days) VALUES (?, ?, ?)",
          id,
          .text(rule.name),
          .integer(Int64(rule.days))
        )
      }
      try note("project.rules", project: project, rules.summary, by: actor, in: database)
    }
  }

  /// What the retention did for a project last; nil where it never ran.
  public func retentionRun(project: UInt32) throws(CatalogError) -> RetentionRun? {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT at, removed, removed_total FROM retention_runs WHERE project = ?",
        .integer(Int64(project))
      ) {
        RetentionRun(
          atMs: $0.integer(0),
          removed: Int($0.integer(1)),
          removedInTotal: Int($0.integer(2))
        )
      }.first
    }
  }

  /// Keeps what a run of the retention did.
  public func noteRetention(project: UInt32, removed: Int) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        """
        INSERT INTO retention_runs (project, at, removed, removed_total) VALUES (?1, ?2, ?3, ?3)
        ON CONFLICT (project) DO UPDATE SET at = ?2, removed = ?3,
          removed_total = removed_total + ?3
        """,
        .integer(Int64(project)),
        .integer(clock.nowMs()),
        .integer(Int64(removed))
      )
    }
  }

  private static func check(_ rules: ProjectRules) throws(CatalogError) {
    func refusal(_ field: String, _ reason: String) -> CatalogError {
      .invalid(field: field, reason: reason)
    }
    let days = 1...36_500
    guard rules.retentionDays.map(days.contains) ?? true,
      rules.names.allSatisfy({ days.contains($0.days) })
    else { throw refusal("retention", "Events are kept for 1 to 36,500 days, or for ever.") }
    guard rules.eventsPerDay.map({ (1...1_000_000_000_000).contains($0) }) ?? true else {
      throw refusal("events_per_day", "A day's quota is at least 1 event, or none at all.")
    }
    let names = rules.names.map(\.name)
    guard names.count <= maxNameRetentions else {
      throw refusal("retention", "At most \(maxNameRetentions) names have a time of their own.")
    }
    guard names.allSatisfy({ (1...256).contains($0.count) && !$0.contains("\0") }),
      Set(names).count == names.count
    else { throw refusal("retention", "A name has 1 to 256 characters and stands there once.") }
  }
}

extension ProjectRules {
  /// The rules in a sentence.
  public var summary: String {
    let kept =
      retentionDays.map { "events kept \(Counted.text($0, "day"))" } ?? "events kept for ever"
    let others = names.map { ", “\($0.name)” \(Counted.text($0.days, "day"))" }.joined()
    return kept + others
      + (eventsPerDay.map { "; at most \(Counted.text($0, "event")) a day" } ?? "; no quota")
  }
}
