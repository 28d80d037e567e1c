extension Catalog {
  /// The most names of a project about which something is decided.
  public static let maxEventRules = 5_000

  /// What was decided about a project's events, by name.
  public func eventRules(project: UInt32) throws(CatalogError) -> [EventRule] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT name, description, is_hidden, is_blocked FROM event_rules
        WHERE project = ? ORDER BY name
        """,
        .integer(Int64(project)),
        read: Self.rule
      )
    }
  }

  /// What was decided about events of one name; nothing unless somebody did.
  public func eventRule(_ name: String, project: UInt32) throws(CatalogError) -> EventRule {
    try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT name, description, is_hidden, is_blocked FROM event_rules
        WHERE project = ? AND name = ?
        """,
        .integer(Int64(project)),
        .text(name),
        read: Self.rule
      ).first ?? EventRule(name: name)
    }
  }

  /// Decides about events of one name; what is blocked is refused within a second.
  ///
  /// - Throws: `unknownProject`; `invalid` for a name of no or over 1,024 bytes, a description over 1,000
  ///   characters, or too many names.
  public func setEventRule(
    _ rule: EventRule,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    guard (1...1_024).contains(rule.name.utf8.count), !rule.name.contains("\0") else {
      throw .invalid(field: "name", reason: "An event's name has 1 to 1,024 bytes.")
    }
    guard rule.description.count <= 1_000, !rule.description.contains("\0") else {
      throw .invalid(field: "description", reason: "A description has up to 1,000 characters.")
    }
    try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      let id = SQLValue.integer(Int64(project))
      if rule.isPlain {
        try database.run(
          "DELETE FROM event_rules WHERE project = ? AND name = ?",
          id,
          .text(rule.name)
        )
      } else {
        try database.run(
          """
          INSERT OR REPLACE INTO event_rules (project, name, description, is_hidden, is_blocked)
          VALUES (?, ?, ?, ?, ?)
          """,
          id,
          .text(rule.name),
          .text(rule.description),
          .integer(rule.isHidden ? 1 : 0),
          .integer(rule.isBlocked ? 1 : 0)
        )
      }
      let count = try database.rows("SELECT count(*) FROM event_rules WHERE project = ?", id) {
        $0.integer(0)
      }.first
      guard count ?? 0 <= Int64(Self.maxEventRules) else {
        throw CatalogError.invalid(
          field: "name",
          reason: "Something is decided about at most \(Self.maxEventRules) names of a project."
        )
      }
      try note("event.rule", project: project, rule.summary, by: actor, in: database)
    }
  }

  /// The names that a project's collector refuses; nil where there are none.
  ///
  /// Any thread. Answers from memory; a change is in effect within 1 s.
  public func blockedNames(project: UInt32) -> BlockedNames? { currentKeys().blocked[project] }

  static func blockedNames(
    _ database: Database
  ) throws(CatalogError) -> [UInt32: BlockedNames] {
    let rows = try database.rows(
      "SELECT project, name FROM event_rules WHERE is_blocked = 1"
    ) { ($0.project(0), $0.text(1)) }
    return Dictionary(grouping: rows, by: \.0).compactMapValues { BlockedNames($0.map(\.1)) }
  }

  private static func rule(_ row: SQLRow) -> EventRule {
    EventRule(
      name: row.text(0),
      description: row.text(1),
      isHidden: row.integer(2) == 1,
      isBlocked: row.integer(3) == 1
    )
  }
}
