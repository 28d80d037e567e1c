/// A key that reads a project's reports through Phase's read API, and can do nothing else.
public struct PhaseReadKey: Sendable, Hashable, Identifiable {
  /// Whether it works.
  public enum State: String, Sendable {
    case active
    case expired
    case revoked
  }

  /// Grows by one with every key.
  public let id: Int64
  /// The project it reads.
  public let project: UInt32
  /// What it is called; 1 to 100 characters.
  public let name: String
  /// Its first 18 characters, by which people tell keys apart.
  public let prefix: String
  /// When it was made, in milliseconds since 1970.
  public let createdAtMs: Int64
  /// When it ends by itself; nil for never.
  public let expiresAtMs: Int64?
  /// When it was revoked; nil while it was not.
  public let revokedAtMs: Int64?
  /// When it was used last, to the minute; nil for never.
  public let usedAtMs: Int64?

  /// Whether it works at a moment.
  public func state(atMs now: Int64) -> State {
    if revokedAtMs != nil { return .revoked }
    return expiresAtMs.map { $0 <= now } == true ? .expired : .active
  }
}

extension Catalog {
  /// How a key of Phase's read API begins.
  public static let phaseReadPrefix = "phase_public_"

  /// Makes a key; its text is told only now.
  ///
  /// - Parameters:
  ///   - name: 1 to 100 characters.
  ///   - days: Days after which it ends, 1 to 3,650; nil for never.
  ///   - project: The project it reads.
  ///   - actor: Who makes it.
  /// - Returns: The key, and its text.
  /// - Throws: `unknownProject`; `invalid` for a name or days out of their range.
  public func createPhaseReadKey(
    name: String,
    days: Int? = nil,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> (key: PhaseReadKey, plaintext: String) {
    guard (1...100).contains(name.count), !name.contains("\0") else {
      throw .invalid(field: "name", reason: "A key's name has 1 to 100 characters.")
    }
    guard days.map((1...3_650).contains) ?? true else {
      throw .invalid(field: "days", reason: "A key ends after 1 to 3,650 days, or never.")
    }
    let now = clock.nowMs()
    let text = Self.phaseReadPrefix + Secrets.token(length: 32)
    return try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      try database.run(
        """
        INSERT INTO phase_read_keys (project, name, hash, prefix, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        .integer(Int64(project)),
        .text(name),
        .bytes(Secrets.digest(text)),
        .text(String(text.prefix(18))),
        .integer(now),
        .optional(days.map { now + Int64($0) * Self.dayMs })
      )
      let id = database.lastRow
      try note("phase-key.create", project: project, "“\(name)”", by: actor, in: database)
      guard let key = try Self.readKeys("id = ?", .integer(id), in: database).first else {
        throw CatalogError.unknownKey(id)
      }
      return (key, text)
    }
  }

  /// A project's keys of Phase's read API, oldest first, revoked ones included.
  public func phaseReadKeys(project: UInt32) throws(CatalogError) -> [PhaseReadKey] {
    try read { (database) throws(CatalogError) in
      try Self.readKeys("project = ? ORDER BY id", .integer(Int64(project)), in: database)
    }
  }

  /// Revokes a key; what comes with it is refused from now on.
  ///
  /// - Throws: `unknownKey` for one that is not there or was revoked before.
  public func revokePhaseReadKey(
    _ id: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    let now = clock.nowMs()
    try write { (database) throws(CatalogError) in
      let changed = try database.run(
        """
        UPDATE phase_read_keys SET revoked_at = ?
        WHERE id = ? AND project = ? AND revoked_at IS NULL
        """,
        .integer(now),
        .integer(id),
        .integer(Int64(project))
      )
      guard changed == 1 else { throw CatalogError.unknownKey(id) }
      try note("phase-key.revoke", project: project, "key \(id)", by: actor, in: database)
    }
  }

  /// The key of this text, whether it works or not; nil for none.
  ///
  /// Notes its use, once a minute at most.
  public func phaseReadKey(_ text: String) throws(CatalogError) -> PhaseReadKey? {
    guard text.hasPrefix(Self.phaseReadPrefix) else { return nil }
    let digest = Secrets.digest(text)
    let found = try read { (database) throws(CatalogError) in
      try Self.readKeys("hash = ?", .bytes(digest), in: database).first
    }
    let now = clock.nowMs()
    guard let key = found, key.state(atMs: now) == .active,
      key.usedAtMs.map({ now - $0 >= 60_000 }) ?? true
    else { return found }
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "UPDATE phase_read_keys SET used_at = ? WHERE id = ?",
        .integer(now),
        .integer(key.id)
      )
    }
    return key
  }

  private static func readKeys(
    _ condition: String,
    _ value: SQLValue,
    in database: Database
  ) throws(CatalogError) -> [PhaseReadKey] {
    try database.rows(
      """
      SELECT id, project, name, prefix, created_at, expires_at, revoked_at, used_at
      FROM phase_read_keys WHERE \(condition)
      """,
      value
    ) { row in
      PhaseReadKey(
        id: row.integer(0),
        project: row.project(1),
        name: row.text(2),
        prefix: row.text(3),
        createdAtMs: row.integer(4),
        expiresAtMs: row.optionalInteger(5),
        revokedAtMs: row.optionalInteger(6),
        usedAtMs: row.optionalInteger(7)
      )
    }
  }
}
