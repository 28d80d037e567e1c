/// Who changes something in the catalogue.
public enum Actor: Sendable, Hashable, CustomStringConvertible {
  /// Someone who is signed in, by name.
  case user(String)
  /// A program with a secret key, by the key's number.
  case key(Int64)
  /// The command line, on the server's machine.
  case commandLine
  /// The server by itself, as at its first start.
  case server

  /// As the audit log has it.
  public var description: String {
    switch self {
    case .user(let name): "user \(name)"
    case .key(let id): "key \(id)"
    case .commandLine: "command line"
    case .server: "server"
    }
  }

  /// Reads back how the audit log has it; the server where it is none of these.
  public init(description: String) {
    let words = description.split(separator: " ", maxSplits: 1).map(String.init)
    switch (words.first, words.count == 2 ? words[1] : "") {
    case ("user", let name) where !name.isEmpty: self = .user(name)
    case ("key", let id): self = Int64(id).map(Actor.key) ?? .server
    case ("command", "line"): self = .commandLine
    default: self = .server
    }
  }
}

/// What kind of change an entry of the audit log is about, such as `key.revoke`.
public struct AuditAction: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
  /// The text in the log: a thing and a verb with a dot between.
  public let rawValue: String

  /// An action from its text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An action from its text.
  public init(stringLiteral value: String) { rawValue = value }
}

/// One change, as the audit log keeps it; holds no secret.
public struct AuditEntry: Sendable, Hashable, Identifiable {
  /// Grows by one with every entry.
  public let id: Int64
  /// When, in milliseconds since 1970.
  public let atMs: Int64
  /// Who, see `Actor`.
  public let actor: String
  /// What, see `AuditAction`.
  public let action: String
  /// The project it concerns; nil where it concerns the server.
  public let project: UInt32?
  /// What was changed and to what, for people.
  public let detail: String
}

extension Catalog {
  /// How many entries are kept; the oldest go first.
  public static let maxAuditEntries: Int64 = 100_000

  /// The latest changes, newest first.
  ///
  /// - Parameters:
  ///   - project: Only changes of this project; nil for all.
  ///   - before: Only entries older than this one, for the next page.
  ///   - limit: How many at most, 1 to 1,000.
  /// - Returns: The entries.
  /// - Throws: What SQLite says when the file cannot be read.
  public func audit(
    project: UInt32? = nil,
    before: Int64? = nil,
    limit: Int = 100
  ) throws(CatalogError) -> [AuditEntry] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT id, at, actor, action, project, detail FROM audit
        WHERE (?1 IS NULL OR project = ?1) AND (?2 IS NULL OR id < ?2)
        ORDER BY id DESC LIMIT ?3
        """,
        .optional(project.map(Int64.init)),
        .optional(before),
        .integer(Int64(min(max(1, limit), 1_000)))
      ) { row in
        AuditEntry(
          id: row.integer(0),
          atMs: row.integer(1),
          actor: row.text(2),
          action: row.text(3),
          project: row.isNull(4) ? nil : row.project(4),
          detail: row.text(5)
        )
      }
    }
  }

  /// Writes down a change that is none of the catalogue's, such as events loaded again.
  public func note(
    _ action: AuditAction,
    project: UInt32? = nil,
    _ detail: String,
    by actor: Actor
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      try note(action, project: project, detail, by: actor, in: database)
    }
  }

  /// Writes down a change in the transaction that makes it.
  func note(
    _ action: AuditAction,
    project: UInt32? = nil,
    _ detail: String,
    by actor: Actor,
    in database: Database
  ) throws(CatalogError) {
    try database.run(
      "INSERT INTO audit (at, actor, action, project, detail) VALUES (?, ?, ?, ?, ?)",
      .integer(clock.nowMs()),
      .text(actor.description),
      .text(action.rawValue),
      .optional(project.map(Int64.init)),
      .text(detail)
    )
    try database.run(
      "DELETE FROM audit WHERE id <= ?",
      .integer(database.lastRow - Self.maxAuditEntries)
    )
  }
}
