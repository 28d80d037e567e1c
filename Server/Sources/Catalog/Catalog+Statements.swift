/// A statement of the SQL console that is kept under a name.
public struct KeptStatement: Sendable, Hashable, Identifiable {
  /// Grows by one with every statement.
  public let id: Int64
  /// What it is called; 1 to 100 characters, each once in a project.
  public let name: String
  /// The statement; up to 10,000 characters.
  public let text: String
  /// When it was kept, in milliseconds since 1970.
  public let changedAtMs: Int64
}

extension Catalog {
  /// The most statements of a project.
  public static let maxStatements = 500

  /// A project's statements by their names.
  public func statements(project: UInt32) throws(CatalogError) -> [KeptStatement] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT id, name, text, changed_at FROM statements WHERE project = ? ORDER BY name, id",
        .integer(Int64(project))
      ) {
        KeptStatement(
          id: $0.integer(0),
          name: $0.text(1),
          text: $0.text(2),
          changedAtMs: $0.integer(3)
        )
      }
    }
  }

  /// Keeps a statement; one of that name is replaced.
  ///
  /// - Returns: The statement.
  /// - Throws: `unknownProject`; `invalid` for what is over a limit.
  @discardableResult
  public func keepStatement(
    name: String,
    text: String,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> KeptStatement {
    guard (1...100).contains(name.count), !name.contains("\0") else {
      throw .invalid(field: "name", reason: "A statement's name has 1 to 100 characters.")
    }
    guard (1...10_000).contains(text.unicodeScalars.count), !text.contains("\0") else {
      throw .invalid(field: "text", reason: "A statement has 1 to 10,000 characters.")
    }
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      try database.run(
        """
        INSERT INTO statements (project, name, text, changed_at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (project, name) DO UPDATE SET text = ?3, changed_at = ?4
        """,
        .integer(Int64(project)),
        .text(name),
        .text(text),
        .integer(now)
      )
      let rows = try database.rows(
        """
        SELECT id, (SELECT count(*) FROM statements WHERE project = ?1) FROM statements
        WHERE project = ?1 AND name = ?2
        """,
        .integer(Int64(project)),
        .text(name)
      ) { ($0.integer(0), $0.integer(1)) }
      guard let (id, count) = rows.first, count <= Int64(Self.maxStatements) else {
        throw CatalogError.invalid(
          field: "name",
          reason: "A project keeps at most \(Self.maxStatements) statements; delete one first."
        )
      }
      try note("statement.keep", project: project, "“\(name)”", by: actor, in: database)
      return KeptStatement(id: id, name: name, text: text, changedAtMs: now)
    }
  }

  /// Forgets a statement.
  ///
  /// - Throws: `unknownStatement`.
  public func deleteStatement(
    _ id: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let gone = try database.run(
        "DELETE FROM statements WHERE id = ? AND project = ?",
        .integer(id),
        .integer(Int64(project))
      )
      guard gone == 1 else { throw CatalogError.unknownStatement(id) }
      try note("statement.delete", project: project, "statement \(id)", by: actor, in: database)
    }
  }
}
