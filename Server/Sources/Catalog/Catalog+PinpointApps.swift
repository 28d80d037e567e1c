import CSodium

/// An application as Pinpoint's clients name it; its events and endpoints belong to a project.
public struct PinpointApp: Sendable, Hashable, Identifiable {
  /// 32 hexadecimal digits.
  public let id: String
  /// The project that has it.
  public let project: UInt32
  /// What people call it, up to 64 characters.
  public let name: String
  /// When it was made or adopted, in milliseconds since 1970.
  public let createdAtMs: Int64

  /// An application from its parts.
  public init(id: String, project: UInt32, name: String, createdAtMs: Int64) {
    self.id = id
    self.project = project
    self.name = name
    self.createdAtMs = createdAtMs
  }
}

extension Catalog {
  /// Gives a project a Pinpoint application.
  ///
  /// - Parameters:
  ///   - project: The project that gets its events.
  ///   - id: The id that apps send already, 32 hexadecimal digits; nil for a new one.
  ///   - name: 1 to 64 characters; nil for the project's.
  ///   - actor: Who gives it.
  /// - Returns: The application, of which clients may be told at once.
  /// - Throws: `unknownProject`; `invalid` for an id that is none or taken, or a name that is none.
  public func addPinpointApp(
    project: UInt32,
    id: String? = nil,
    name: String? = nil,
    by actor: Actor = .server
  ) throws(CatalogError) -> PinpointApp {
    let id = (id ?? Secrets.hexadecimal(digits: 32)).lowercased()
    guard id.utf8.count == 32, id.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
      throw .invalid(
        field: "id",
        reason: "“\(id)” is no Pinpoint application id, which has 32 hexadecimal digits."
      )
    }
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let found = try database.rows(
        "SELECT name FROM projects WHERE id = ?",
        .integer(Int64(project))
      ) { $0.text(0) }
      guard let projectName = found.first else { throw CatalogError.unknownProject(project) }
      let name = name ?? String(projectName.prefix(64))
      guard (1...64).contains(name.count), !name.contains("\0") else {
        throw CatalogError.invalid(
          field: "name",
          reason: "An application's name has 1 to 64 characters."
        )
      }
      let taken = try database.rows("SELECT project FROM pinpoint_apps WHERE id = ?", .text(id)) {
        $0.project(0)
      }
      if let owner = taken.first {
        throw CatalogError.invalid(
          field: "id",
          reason: "The application \(id) belongs to project \(owner) already."
        )
      }
      try database.run(
        "INSERT INTO pinpoint_apps (id, project, name, created_at) VALUES (?, ?, ?, ?)",
        .text(id),
        .integer(Int64(project)),
        .text(name),
        .integer(now)
      )
      try note("app.add", project: project, "Pinpoint application \(id)", by: actor, in: database)
      return PinpointApp(id: id, project: project, name: name, createdAtMs: now)
    }
  }

  /// Takes a Pinpoint application away; its stored events stay, and new ones are refused.
  ///
  /// - Parameters:
  ///   - id: Its id.
  ///   - project: The project that has it.
  ///   - actor: Who takes it away.
  /// - Returns: What it was, or nil when the project has no such application.
  /// - Throws: What SQLite says when the file cannot be changed.
  @discardableResult
  public func removePinpointApp(
    _ id: String,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> PinpointApp? {
    let found = try pinpointApps(project: project).first { $0.id == id }
    try write { (database) throws(CatalogError) in
      let removed = try database.run(
        "DELETE FROM pinpoint_apps WHERE id = ? AND project = ?",
        .text(id),
        .integer(Int64(project))
      )
      guard removed > 0 else { return }
      try note(
        "app.remove",
        project: project,
        "Pinpoint application \(id)",
        by: actor,
        in: database
      )
    }
    return found
  }

  /// The Pinpoint applications of a project, oldest first.
  public func pinpointApps(project: UInt32) throws(CatalogError) -> [PinpointApp] {
    try read { (database) throws(CatalogError) in try Self.apps(database) }
      .filter { $0.project == project }
  }

  /// The application with this id, from memory; as for `resolve(ingestKey:)`.
  public func pinpointApp(_ id: String) -> PinpointApp? { currentKeys().apps[id] }

  static func apps(_ database: Database) throws(CatalogError) -> [PinpointApp] {
    try database.rows(
      "SELECT id, project, name, created_at FROM pinpoint_apps ORDER BY created_at, id"
    ) { row in
      PinpointApp(
        id: row.text(0),
        project: row.project(1),
        name: row.text(2),
        createdAtMs: row.integer(3)
      )
    }
  }
}
