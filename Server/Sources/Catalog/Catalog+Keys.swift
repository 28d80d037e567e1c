extension Catalog {
  /// Makes a key of our own: `ff_pub_…` (`.ingest`) or `ff_sec_…` (`.secret`).
  ///
  /// - Parameters:
  ///   - project: Its project.
  ///   - kind: `.ingest` or `.secret`.
  ///   - label: What people call it, up to 100 characters.
  ///   - role: What a secret key may do; an owner's administers the whole server.
  ///   - isTest: Whether all that is sent with it are test events.
  ///   - actor: Who makes it.
  /// - Returns: The key with its text. A secret key's text is kept nowhere: show it once.
  /// - Throws: `unknownProject`; `invalid` for a kind that is adopted, or a label over 100 characters.
  public func createKey(
    project: UInt32,
    kind: KeyKind,
    label: String = "",
    role: Role = .editor,
    isTest: Bool = false,
    by actor: Actor = .server
  ) throws(CatalogError) -> CreatedKey {
    guard kind.isMadeHere else {
      throw .invalid(field: "kind", reason: "A key of kind \(kind.rawValue) is adopted, not made.")
    }
    let label = try Self.checkedLabel(label)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let made = try Self.insertKey(
        project: project,
        kind: kind,
        label: label,
        role: role,
        isTest: isTest,
        nowMs: now,
        into: database
      )
      try note("key.create", project: project, made.key.summary, by: actor, in: database)
      return made
    }
  }

  /// Makes a key that takes another's place, which goes on working for a while.
  ///
  /// - Parameters:
  ///   - id: The key to replace, made by us and working.
  ///   - project: Its project.
  ///   - overlap: How long the old one goes on working; a day unless told otherwise, 0 to 400 days.
  ///   - actor: Who replaces it.
  /// - Returns: The new key, with its text: of the same kind, role and label.
  /// - Throws: `unknownKey`; `invalid` for a key that was adopted, is revoked or is being replaced.
  public func rotateKey(
    _ id: Int64,
    project: UInt32,
    overlap: Duration = .seconds(86_400),
    by actor: Actor = .server
  ) throws(CatalogError) -> CreatedKey {
    guard let old = try keys(project: project).first(where: { $0.id == id }) else {
      throw .unknownKey(id)
    }
    guard old.kind.isMadeHere, !old.isRevoked, old.endsAtMs == nil else {
      throw .invalid(
        field: "key",
        reason: "Only a key that was made here, works and was not replaced before can be replaced."
      )
    }
    let seconds = overlap.components.seconds
    guard (0...400 * 86_400).contains(seconds) else {
      throw .invalid(field: "overlap", reason: "Both keys can work for 0 to 400 days.")
    }
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let changed = try database.run(
        "UPDATE keys SET ends_at = ? WHERE id = ? AND revoked_at IS NULL AND ends_at IS NULL",
        .integer(now + seconds * 1_000),
        .integer(id)
      )
      guard changed == 1 else { throw CatalogError.unknownKey(id) }
      let made = try Self.insertKey(
        project: project,
        kind: old.kind,
        label: old.label,
        role: old.role ?? .editor,
        isTest: old.isTest,
        nowMs: now,
        into: database
      )
      try note(
        "key.rotate",
        project: project,
        "key \(id) by \(made.key.summary), both working for \(seconds) s",
        by: actor,
        in: database
      )
      return made
    }
  }

  /// Takes over a key that apps already ship with another vendor's SDK.
  ///
  /// - Parameters:
  ///   - project: The project whose events come with this key.
  ///   - kind: The vendor's protocol.
  ///   - value: As the apps send it, 4 to 200 printable ASCII characters without spaces.
  ///   - label: What people call it, up to 100 characters.
  ///   - isTest: Whether all that is sent with it are test events.
  ///   - actor: Who adopts it.
  /// - Returns: The key as listed from now on.
  /// - Throws: `unknownProject`; `keyInUse` when a working key has this value; `invalid` for a
  ///   value that cannot be a key.
  public func adoptKey(
    project: UInt32,
    kind: KeyKind,
    value: String,
    label: String = "",
    isTest: Bool = false,
    by actor: Actor = .server
  ) throws(CatalogError) -> Key {
    guard kind.isAdopted else {
      throw .invalid(field: "kind", reason: "A key of kind \(kind.rawValue) is made, not adopted.")
    }
    let isPrintable = value.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    guard isPrintable, (4...200).contains(value.utf8.count) else {
      throw .invalid(
        field: "value",
        reason: "A key has 4 to 200 letters, digits and signs, without spaces."
      )
    }
    guard !value.hasPrefix("ff_sec_") else {
      throw .invalid(field: "value", reason: "This is a secret key; it must not be in an app.")
    }
    // Adopted, a key that was revoked would work again, and bring another project's events here.
    guard !value.hasPrefix("ff_pub_") else {
      throw .invalid(
        field: "value",
        reason: "This is a key that a Footfall server made. Create one here, or replace it there."
      )
    }
    let label = try Self.checkedLabel(label)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let key = try Self.insertAdopted(
        project: project,
        kind: kind,
        value: value,
        label: label,
        isTest: isTest,
        nowMs: now,
        into: database
      )
      try note("key.adopt", project: project, key.summary, by: actor, in: database)
      return key
    }
  }

  /// Refuses a key from now on; a key that is refused already stays as it is.
  ///
  /// In effect at once in this process and within 1 s in others.
  ///
  /// - Parameters:
  ///   - id: The key.
  ///   - project: Its project.
  ///   - actor: Who revokes it.
  /// - Returns: When it had been revoked before, in milliseconds since 1970; nil when it was not.
  /// - Throws: `unknownKey` when the project has no such key.
  @discardableResult
  public func revokeKey(
    _ id: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> Int64? {
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let known = try database.rows(
        "SELECT revoked_at FROM keys WHERE id = ? AND project = ?",
        .integer(id),
        .integer(Int64(project))
      ) { $0.optionalInteger(0) }
      guard let before = known.first else { throw CatalogError.unknownKey(id) }
      if let before { return before }
      try database.run(
        "UPDATE keys SET revoked_at = ? WHERE id = ?",
        .integer(now),
        .integer(id)
      )
      try note("key.revoke", project: project, "key \(id)", by: actor, in: database)
      return nil
    }
  }

  /// Revokes keys whose replacement has taken over by now, so that they do not work again when the clock is set
  /// back.
  ///
  /// Changes nothing, and costs one reading, while there is none.
  public func endReplacedKeys() throws(CatalogError) {
    let now = clock.nowMs()
    let due = try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT 1 FROM keys WHERE revoked_at IS NULL AND ends_at <= ? LIMIT 1",
        .integer(now)
      ) { _ in true }
    }
    guard !due.isEmpty else { return }
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "UPDATE keys SET revoked_at = ends_at WHERE revoked_at IS NULL AND ends_at <= ?",
        .integer(now)
      )
    }
  }

  /// The project's keys, oldest first, revoked ones included.
  public func keys(project: UInt32) throws(CatalogError) -> [Key] {
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT id, project, kind, label, value, hint, created_at,
          CASE WHEN revoked_at IS NULL AND ends_at <= ?2 THEN ends_at ELSE revoked_at END,
          ends_at, is_test, role
        FROM keys WHERE project = ?1 ORDER BY id
        """,
        .integer(Int64(project)),
        .integer(now),
        read: Self.key
      )
    }
  }

  /// The project a secret key reads and administers, or nil for one that is unknown or revoked.
  public func project(secretKey: String) throws(CatalogError) -> UInt32? {
    try holder(ofSecretKey: secretKey)?.project
  }

  /// Who a program with this secret key is, or nil for one that is unknown or revoked.
  public func holder(ofSecretKey secretKey: String) throws(CatalogError) -> SecretKeyHolder? {
    guard secretKey.hasPrefix("ff_sec_") else { return nil }
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT id, project, role FROM keys
        WHERE hash = ? AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > ?)
        """,
        .bytes(Secrets.digest(secretKey)),
        .integer(now)
      ) { row in
        SecretKeyHolder(
          keyID: row.integer(0),
          project: row.project(1),
          role: Role(rawValue: row.text(2)) ?? .viewer
        )
      }.first
    }
  }

  static func insertKey(
    project: UInt32,
    kind: KeyKind,
    label: String,
    role: Role = .editor,
    isTest: Bool = false,
    nowMs: Int64,
    into database: Database
  ) throws(CatalogError) -> CreatedKey {
    let isSecret = kind == .secret
    let text = (isSecret ? "ff_sec_" : "ff_pub_") + Secrets.token(length: 32)
    let key = try insert(
      project: project,
      kind: kind,
      label: label,
      value: isSecret ? nil : text,
      hash: isSecret ? Secrets.digest(text) : nil,
      hint: hint(text),
      role: role,
      isTest: isTest,
      nowMs: nowMs,
      into: database
    )
    return CreatedKey(key: key, plaintext: text)
  }

  static func insertAdopted(
    project: UInt32,
    kind: KeyKind,
    value: String,
    label: String,
    isTest: Bool = false,
    nowMs: Int64,
    into database: Database
  ) throws(CatalogError) -> Key {
    let taken = try database.rows(
      "SELECT 1 FROM keys WHERE value = ? AND revoked_at IS NULL",
      .text(value)
    ) { _ in true }
    guard taken.isEmpty else { throw .keyInUse }
    return try insert(
      project: project,
      kind: kind,
      label: label,
      value: value,
      hash: nil,
      hint: hint(value),
      isTest: isTest,
      nowMs: nowMs,
      into: database
    )
  }

  private static func insert(
    project: UInt32,
    kind: KeyKind,
    label: String,
    value: String?,
    hash: [UInt8]?,
    hint: String,
    role: Role = .editor,
    isTest: Bool,
    nowMs: Int64,
    into database: Database
  ) throws(CatalogError) -> Key {
    try requireProject(project, in: database)
    try database.run(
      """
      INSERT INTO keys (project, kind, label, value, hash, hint, created_at, role, is_test)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(Int64(project)),
      .text(kind.rawValue),
      .text(label),
      .optional(value),
      hash.map(SQLValue.bytes) ?? .null,
      .text(hint),
      .integer(nowMs),
      .text(role.rawValue),
      .integer(isTest ? 1 : 0)
    )
    return Key(
      id: database.lastRow,
      project: project,
      kind: kind,
      label: label,
      value: value,
      hint: hint,
      createdAtMs: nowMs,
      revokedAtMs: nil,
      endsAtMs: nil,
      isTest: isTest,
      role: kind == .secret ? role : nil
    )
  }

  static func checkedLabel(_ label: String) throws(CatalogError) -> String {
    guard label.count <= 100, !label.contains("\0") else {
      throw .invalid(field: "label", reason: "A key's label has up to 100 characters.")
    }
    return label
  }

  private static func hint(_ key: String) -> String {
    let shown = key.hasPrefix("ff_") ? 11 : min(4, key.count / 2)
    return key.prefix(shown) + "…"
  }

  private static func key(_ row: SQLRow) -> Key {
    // A kind this program does not know can only come from a newer format, which is refused.
    let kind = KeyKind(rawValue: row.text(2)) ?? .ingest
    return Key(
      id: row.integer(0),
      project: row.project(1),
      kind: kind,
      label: row.text(3),
      value: row.optionalText(4),
      hint: row.text(5),
      createdAtMs: row.integer(6),
      revokedAtMs: row.optionalInteger(7),
      endsAtMs: row.optionalInteger(8),
      isTest: row.integer(9) == 1,
      role: kind == .secret ? Role(rawValue: row.text(10)) ?? .viewer : nil
    )
  }
}

extension Key {
  /// The key for the audit log: which one it is, without its text.
  var summary: String {
    "key \(id) \(hint) (\(role.map { "secret, \($0.rawValue)" } ?? kind.rawValue)"
      + "\(isTest ? ", test" : ""))\(label.isEmpty ? "" : " “\(label)”")"
  }
}
