extension Catalog {
  /// Makes an access key for AWS clients.
  ///
  /// - Parameters:
  ///   - project: The project whose applications and streams it is for.
  ///   - label: What people call it, up to 100 characters.
  ///   - rights: What it may do.
  ///   - actor: Who makes it.
  /// - Returns: The key and its secret, which nobody sees again.
  /// - Throws: `unknownProject`, `invalid` for a label that is too long, `masterKey`.
  public func createAWSKey(
    project: UInt32,
    label: String = "",
    rights: AWSRights = .all,
    by actor: Actor = .server
  ) throws(CatalogError) -> CreatedKey {
    // As AWS writes them: 20 capitals and digits, 40 letters and digits.
    let id = "AKIA" + Secrets.token(length: 16, of: Secrets.capitals)
    let secret = Secrets.token(length: 40)
    let key = try adoptAWSKey(
      project: project,
      id: id,
      secret: secret,
      label: label,
      rights: rights,
      by: actor
    )
    return CreatedKey(key: key, plaintext: secret)
  }

  /// Takes over an access key that AWS clients already sign with.
  ///
  /// The secret is kept encrypted under the master key, since a signature is checked with the secret
  /// itself.
  ///
  /// - Parameters:
  ///   - project: The project whose applications and streams it is for.
  ///   - id: The access key id, 4 to 128 letters, digits and signs.
  ///   - secret: The secret access key, 16 to 256 letters, digits and signs; AWS's have 40.
  ///   - label: What people call it, up to 100 characters.
  ///   - rights: What it may do.
  ///   - actor: Who adopts it.
  /// - Returns: The key as listed from now on.
  /// - Throws: `unknownProject`; `keyInUse` when a working key has this id; `invalid`; `masterKey`.
  public func adoptAWSKey(
    project: UInt32,
    id: String,
    secret: String,
    label: String = "",
    rights: AWSRights = .all,
    by actor: Actor = .server
  ) throws(CatalogError) -> Key {
    let signs = Set("-_.+=@")
    guard (4...128).contains(id.utf8.count),
      id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || signs.contains($0)) })
    else {
      throw .invalid(
        field: "id",
        reason: "An access key id has 4 to 128 letters, digits and signs, without slashes."
      )
    }
    guard (16...256).contains(secret.utf8.count),
      secret.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else {
      throw .invalid(
        field: "secret",
        reason:
          "A secret access key has 16 to 256 letters, digits and signs, without spaces; AWS's have 40. "
          + "This one has \(secret.utf8.count)."
      )
    }
    let label = try Self.checkedLabel(label)
    let lists = try Self.checkedRights(rights)
    let sealed = try MasterKey.made(at: masterKeyPath).seal(secret, of: id)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let key = try Self.insertAdopted(
        project: project,
        kind: .aws,
        value: id,
        label: label,
        nowMs: now,
        into: database
      )
      try database.run(
        "INSERT INTO aws_keys (key, secret, actions, resources) VALUES (?, ?, ?, ?)",
        .integer(key.id),
        .bytes(sealed),
        .text(lists.actions),
        .text(lists.resources)
      )
      try note("key.adopt", project: project, key.summary, by: actor, in: database)
      return key
    }
  }

  /// What the AWS keys of a project may do, by the key's number.
  public func awsRights(project: UInt32) throws(CatalogError) -> [Int64: AWSRights] {
    let rows = try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT id, actions, resources FROM keys JOIN aws_keys ON key = id WHERE project = ?
        """,
        .integer(Int64(project))
      ) { ($0.integer(0), Self.rights($0, actions: 1, resources: 2)) }
    }
    return Dictionary(rows) { first, _ in first }
  }

  /// The working key with this access key id, from memory; as for `resolve(ingestKey:)`.
  public func awsKey(_ accessKeyID: String) -> AWSKey? {
    currentKeys().aws.keys[accessKeyID] ?? keysAfterMiss()?.aws.keys[accessKeyID]
  }

  /// Why some AWS keys cannot be used, in a sentence; nil when all can.
  public var awsKeyProblem: String? { currentKeys().aws.problem }

  private static func checkedRights(
    _ rights: AWSRights
  ) throws(CatalogError) -> (actions: String, resources: String) {
    for pattern in rights.actions + rights.resources {
      guard !pattern.isEmpty, pattern.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
        !pattern.contains(",")
      else {
        throw .invalid(
          field: "rights",
          reason: "“\(pattern)” is no pattern of an action or a resource, such as apps/0123*."
        )
      }
    }
    for action in rights.actions where action != "*" && !action.contains(":") {
      throw .invalid(
        field: "rights",
        reason: "“\(action)” names no service; an action is written mobiletargeting:PutEvents."
      )
    }
    return (rights.actions.joined(separator: ","), rights.resources.joined(separator: ","))
  }

  static func rights(_ row: SQLRow, actions: Int32, resources: Int32) -> AWSRights {
    func list(_ column: Int32) -> [String] {
      row.text(column).split(separator: ",").map(String.init)
    }
    return AWSRights(actions: list(actions), resources: list(resources))
  }
}

/// The AWS keys that work, in memory.
struct AWSKeyRing: Sendable {
  /// By access key id.
  var keys: [String: AWSKey] = [:]
  /// Why some cannot be used; nil when all can.
  var problem: String?

  /// No keys.
  init() {}

  /// Reads and opens the keys.
  init(_ database: Database, masterKeyPath: String) throws(CatalogError) {
    let rows = try database.rows(
      """
      SELECT value, id, project, secret, actions, resources FROM keys JOIN aws_keys ON key = id
      WHERE revoked_at IS NULL
      """
    ) { row in
      (
        id: row.text(0), number: row.integer(1), project: row.project(2), sealed: row.bytes(3),
        rights: Catalog.rights(row, actions: 4, resources: 5)
      )
    }
    guard !rows.isEmpty else { return }
    let master: MasterKey
    do throws(CatalogError) {
      guard let found = try MasterKey.existing(at: masterKeyPath) else {
        throw .masterKey(path: masterKeyPath, reason: "it is missing")
      }
      master = found
    } catch {
      // All other keys go on working.
      problem = "No AWS key works: \(error)"
      return
    }
    var unopened: [Int64] = []
    for row in rows {
      if let secret = master.unseal(row.sealed, of: row.id) {
        keys[row.id] = AWSKey(
          keyID: row.number,
          project: row.project,
          secret: secret,
          rights: row.rights
        )
      } else {
        unopened.append(row.number)
      }
    }
    guard !unopened.isEmpty else { return }
    problem =
      "The AWS keys \(unopened.map(String.init).joined(separator: ", ")) do not work, because "
      + "\(masterKeyPath) is not the file they were encrypted under: put that one back, or revoke them."
  }
}
