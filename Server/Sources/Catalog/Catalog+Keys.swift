extension Catalog {
  /// Makes a key of our own: `ff_pub_…` (`.ingest`) or `ff_sec_…` (`.secret`).
  ///
  /// - Returns: The key with its text. A secret key's text is kept nowhere: show it once.
  /// - Throws: `unknownProject`; `invalid` for a kind that is adopted, or a label over 100 characters.
  public func createKey(
    project: UInt32,
    kind: KeyKind,
    label: String = ""
  ) throws(CatalogError) -> CreatedKey {
    guard kind == .ingest || kind == .secret else {
      throw .invalid(field: "kind", reason: "A key of kind \(kind.rawValue) is adopted, not made.")
    }
    let label = try Self.checkedLabel(label)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.insertKey(project: project, kind: kind, label: label, nowMs: now, into: database)
    }
  }

  /// Takes over a key that apps already ship with another vendor's SDK.
  ///
  /// - Parameters:
  ///   - project: The project whose events come with this key.
  ///   - kind: The vendor's protocol.
  ///   - value: As the apps send it, 4 to 200 printable ASCII characters without spaces.
  ///   - label: What people call it, up to 100 characters.
  /// - Returns: The key as listed from now on.
  /// - Throws: `unknownProject`; `keyInUse` when a working key has this value; `invalid` for a
  ///   value that cannot be a key.
  public func adoptKey(
    project: UInt32,
    kind: KeyKind,
    value: String,
    label: String = ""
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
    let label = try Self.checkedLabel(label)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.insertAdopted(
        project: project,
        kind: kind,
        value: value,
        label: label,
        nowMs: now,
        into: database
      )
    }
  }

  /// Refuses a key from now on; a key that is refused already stays as it is.
  ///
  /// In effect at once in this process and within 1 s in others.
  /// - Throws: `unknownKey` when the project has no such key.
  public func revokeKey(_ id: Int64, project: UInt32) throws(CatalogError) {
    let now = clock.nowMs()
    try write { (database) throws(CatalogError) in
      let changed = try database.run(
        "UPDATE keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ? AND project = ?",
        .integer(now),
        .integer(id),
        .integer(Int64(project))
      )
      guard changed == 1 else { throw CatalogError.unknownKey(id) }
    }
  }

  /// The project's keys, oldest first, revoked ones included.
  public func keys(project: UInt32) throws(CatalogError) -> [Key] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT id, project, kind, label, value, hint, created_at, revoked_at FROM keys
        WHERE project = ? ORDER BY id
        """,
        .integer(Int64(project)),
        read: Self.key
      )
    }
  }

  /// The project a secret key reads and administers, or nil for one that is unknown or revoked.
  public func project(secretKey: String) throws(CatalogError) -> UInt32? {
    guard secretKey.hasPrefix("ff_sec_") else { return nil }
    return try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT project FROM keys WHERE hash = ? AND revoked_at IS NULL",
        .bytes(Secrets.digest(secretKey))
      ) { $0.project(0) }.first
    }
  }

  static func insertKey(
    project: UInt32,
    kind: KeyKind,
    label: String,
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
    nowMs: Int64,
    into database: Database
  ) throws(CatalogError) -> Key {
    let known = try database.rows(
      "SELECT 1 FROM projects WHERE id = ?",
      .integer(Int64(project))
    ) { _ in true }
    guard !known.isEmpty else { throw .unknownProject(project) }
    try database.run(
      """
      INSERT INTO keys (project, kind, label, value, hash, hint, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(Int64(project)),
      .text(kind.rawValue),
      .text(label),
      .optional(value),
      hash.map(SQLValue.bytes) ?? .null,
      .text(hint),
      .integer(nowMs)
    )
    return Key(
      id: database.lastRow,
      project: project,
      kind: kind,
      label: label,
      value: value,
      hint: hint,
      createdAtMs: nowMs,
      revokedAtMs: nil
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
    Key(
      id: row.integer(0),
      project: row.project(1),
      // A kind this program does not know can only come from a newer format, which is refused.
      kind: KeyKind(rawValue: row.text(2)) ?? .ingest,
      label: row.text(3),
      value: row.optionalText(4),
      hint: row.text(5),
      createdAtMs: row.integer(6),
      revokedAtMs: row.optionalInteger(7)
    )
  }
}
