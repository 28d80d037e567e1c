import Foundation

extension Catalog {
  /// Makes a project.
  ///
  /// - Parameters:
  ///   - name: 1 to 100 characters after trimming.
  ///   - timeZone: An IANA name; days and weeks are counted in it.
  ///   - actor: Who makes it.
  /// - Returns: The project with its number.
  /// - Throws: `invalid` for a name or zone that cannot be used.
  public func createProject(
    name: String,
    timeZone: String = "UTC",
    by actor: Actor = .server
  ) throws(CatalogError) -> Project {
    let name = try Self.checkedName(name)
    let timeZone = try Self.checkedTimeZone(timeZone)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let project = try Self.insertProject(
        name: name,
        timeZone: timeZone,
        nowMs: now,
        into: database
      )
      try note(
        "project.create",
        project: project.id,
        "“\(name)”, \(timeZone)",
        by: actor,
        in: database
      )
      return project
    }
  }

  /// Every project, oldest first.
  public func projects() throws(CatalogError) -> [Project] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT id, name, time_zone, created_at FROM projects ORDER BY id",
        read: Self.project
      )
    }
  }

  /// The project with this number, or nil.
  public func project(_ id: UInt32) throws(CatalogError) -> Project? {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT id, name, time_zone, created_at FROM projects WHERE id = ?",
        .integer(Int64(id)),
        read: Self.project
      ).first
    }
  }

  /// Changes a project's name and time zone; the rules are those of `createProject`.
  public func updateProject(
    _ id: UInt32,
    name: String,
    timeZone: String,
    by actor: Actor = .server
  ) throws(CatalogError) {
    let name = try Self.checkedName(name)
    let timeZone = try Self.checkedTimeZone(timeZone)
    try write { (database) throws(CatalogError) in
      let changed = try database.run(
        "UPDATE projects SET name = ?, time_zone = ? WHERE id = ?",
        .text(name),
        .text(timeZone),
        .integer(Int64(id))
      )
      guard changed == 1 else { throw CatalogError.unknownProject(id) }
      try note("project.update", project: id, "“\(name)”, \(timeZone)", by: actor, in: database)
    }
  }

  /// Checks that a project exists.
  static func requireProject(_ id: UInt32, in database: Database) throws(CatalogError) {
    let known = try database.rows(
      "SELECT 1 FROM projects WHERE id = ?",
      .integer(Int64(id))
    ) { _ in true }
    guard !known.isEmpty else { throw .unknownProject(id) }
  }

  static func insertProject(
    name: String,
    timeZone: String,
    nowMs: Int64,
    into database: Database
  ) throws(CatalogError) -> Project {
    try database.run(
      "INSERT INTO projects (name, time_zone, created_at) VALUES (?, ?, ?)",
      .text(name),
      .text(timeZone),
      .integer(nowMs)
    )
    let id = UInt32(clamping: database.lastRow)
    try insert(
      Board(
        id: 0,
        project: id,
        name: StartBoard.name,
        createdAtMs: nowMs,
        cards: StartBoard.cards
      ),
      into: database
    )
    return Project(id: id, name: name, timeZone: timeZone, createdAtMs: nowMs)
  }

  static func checkedName(_ name: String) throws(CatalogError) -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...100).contains(name.count), !name.contains("\0") else {
      throw .invalid(field: "name", reason: "A project's name has 1 to 100 characters.")
    }
    return name
  }

  static func checkedTimeZone(_ name: String) throws(CatalogError) -> String {
    guard TimeZone.knownTimeZoneIdentifiers.contains(name) || name == "UTC" else {
      throw .invalid(
        field: "timeZone",
        reason: "“\(name)” is not a time zone; one is written Europe/Berlin."
      )
    }
    return name
  }

  private static func project(_ row: SQLRow) -> Project {
    Project(
      id: row.project(0),
      name: row.text(1),
      timeZone: row.text(2),
      createdAtMs: row.integer(3)
    )
  }
}
