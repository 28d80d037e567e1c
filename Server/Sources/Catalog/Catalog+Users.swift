extension Catalog {
  /// Makes an owner, a project with a key, and a sign-in link, if nobody can sign in yet.
  ///
  /// - Returns: What was made, or nil when the catalogue has users already.
  public func prepareFirstStart(
    projectName: String = "My app",
    timeZone: String = "UTC",
    ownerName: String = "owner"
  ) throws(CatalogError) -> FirstStart? {
    let projectName = try Self.checkedName(projectName)
    let timeZone = try Self.checkedTimeZone(timeZone)
    try Self.checkUserName(ownerName)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) -> FirstStart? in
      let users = try database.rows("SELECT count(*) FROM users") { $0.integer(0) }
      guard users.first == 0 else { return nil }
      let owner = try Self.insertUser(
        name: ownerName,
        role: .owner,
        nowMs: now,
        into: database
      )
      let project = try Self.insertProject(
        name: try Self.freeName(projectName, in: database),
        timeZone: timeZone,
        nowMs: now,
        into: database
      )
      let key = try Self.insertKey(
        project: project.id,
        kind: .ingest,
        label: "First app",
        nowMs: now,
        into: database
      )
      let token = try Self.insertLink(
        user: owner.id,
        expiresAtMs: now + Self.dayMs,
        into: database
      )
      try note(
        "server.first-start",
        project: project.id,
        "user \(owner.name), project “\(project.name)” and key \(key.key.hint)",
        by: .server,
        in: database
      )
      return FirstStart(owner: owner, project: project, ingestKey: key, signInToken: token)
    }
  }

  /// Adds someone who may sign in.
  ///
  /// - Throws: `userExists`; `invalid` for a name that is empty, longer than 100 characters, or has control
  ///   characters in it.
  public func createUser(
    name: String,
    role: Role = .owner,
    by actor: Actor = .server
  ) throws(CatalogError) -> User {
    try Self.checkUserName(name)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      guard try Self.user(named: name, in: database) == nil else {
        throw CatalogError.userExists(name)
      }
      let user = try Self.insertUser(name: name, role: role, nowMs: now, into: database)
      try note("user.create", "\(name) as \(role.rawValue)", by: actor, in: database)
      return user
    }
  }

  /// Names are shown in terminals and logs, which control characters steer.
  private static func checkUserName(_ name: String) throws(CatalogError) {
    guard (1...100).contains(name.count) else {
      throw .invalid(field: "name", reason: "A user's name has 1 to 100 characters.")
    }
    try checkControls("A user's name", name)
  }

  /// Sees that a name steers no terminal.
  ///
  /// - Throws: `invalid` for one with control characters; `what` begins the sentence.
  static func checkControls(_ what: String, _ name: String) throws(CatalogError) {
    guard name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return }
    throw .invalid(
      field: "name",
      reason: "\(what) has no control characters, such as tabs and ends of lines."
    )
  }

  /// Changes what someone may do, in effect with their next request.
  ///
  /// - Throws: `unknownUser`; `lastOwner` when nobody would be left to administer the server.
  public func setRole(
    _ role: Role,
    ofUser name: String,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let user = try Self.requireUser(name, in: database)
      if role != .owner { try Self.requireOtherOwner(than: user, in: database) }
      try database.run(
        "UPDATE users SET role = ? WHERE id = ?",
        .text(role.rawValue),
        .integer(user.id)
      )
      try note(
        "user.role",
        "\(name) from \(user.role.rawValue) to \(role.rawValue)",
        by: actor,
        in: database
      )
    }
  }

  /// Takes someone's access away: their sessions and links end at once.
  ///
  /// - Throws: `unknownUser`; `lastOwner` when nobody would be left to administer the server.
  public func removeUser(_ name: String, by actor: Actor = .server) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let user = try Self.requireUser(name, in: database)
      try Self.requireOtherOwner(than: user, in: database)
      try database.run("DELETE FROM users WHERE id = ?", .integer(user.id))
      try note("user.remove", name, by: actor, in: database)
    }
  }

  private static func requireUser(
    _ name: String,
    in database: Database
  ) throws(CatalogError) -> User {
    guard let user = try user(named: name, in: database) else { throw .unknownUser(name) }
    return user
  }

  private static func requireOtherOwner(
    than user: User,
    in database: Database
  ) throws(CatalogError) {
    let others = try database.rows(
      "SELECT 1 FROM users WHERE role = ? AND id <> ? LIMIT 1",
      .text(Role.owner.rawValue),
      .integer(user.id)
    ) { _ in true }
    guard !others.isEmpty || user.role != .owner else { throw .lastOwner }
  }

  /// Everyone who may sign in, oldest first.
  public func users() throws(CatalogError) -> [User] {
    try read { (database) throws(CatalogError) in
      try database.rows(Self.selectUser + "ORDER BY id", read: Self.user)
    }
  }

  /// Sets or replaces a password and ends the user's other sessions and open links.
  ///
  /// Takes about 0.1 s: call it on a thread that may block.
  /// - Parameters:
  ///   - password: 10 to 1,000 characters.
  ///   - name: The user's name.
  ///   - token: The token of the session that goes on, usually the one that asked.
  ///   - actor: Who sets it.
  /// - Throws: `invalid` for a password of another length, `unknownUser`.
  public func setPassword(
    _ password: String,
    forUser name: String,
    keeping token: String? = nil,
    by actor: Actor = .server
  ) throws(CatalogError) {
    guard (10...1_000).contains(password.count) else {
      throw .invalid(field: "password", reason: "A password has 10 to 1,000 characters.")
    }
    let hash = try Secrets.passwordHash(password)
    let kept = token.map(Secrets.digest) ?? []
    try write { (database) throws(CatalogError) in
      guard let user = try Self.user(named: name, in: database) else {
        throw CatalogError.unknownUser(name)
      }
      let id = SQLValue.integer(user.id)
      try database.run("UPDATE users SET password = ? WHERE id = ?", .text(hash), id)
      try database.run("DELETE FROM sign_in_links WHERE user = ?", id)
      try database.run(
        "DELETE FROM dashboard_sessions WHERE user = ? AND hash <> ?",
        id,
        .bytes(kept)
      )
      try note("user.password", "of \(name)", by: actor, in: database)
    }
  }

  static let dayMs: Int64 = 86_400_000

  static let selectUser = "SELECT id, name, password IS NOT NULL, created_at, role FROM users "

  static func user(_ row: SQLRow) -> User {
    User(
      id: row.integer(0),
      name: row.text(1),
      hasPassword: row.integer(2) == 1,
      createdAtMs: row.integer(3),
      // A role this program does not know is trusted with as little as there is.
      role: Role(rawValue: row.text(4)) ?? .viewer
    )
  }

  static func user(named name: String, in database: Database) throws(CatalogError) -> User? {
    try database.rows(selectUser + "WHERE name = ?", .text(name), read: user).first
  }

  private static func insertUser(
    name: String,
    role: Role,
    nowMs: Int64,
    into database: Database
  ) throws(CatalogError) -> User {
    try database.run(
      "INSERT INTO users (name, role, created_at) VALUES (?, ?, ?)",
      .text(name),
      .text(role.rawValue),
      .integer(nowMs)
    )
    return User(
      id: database.lastRow,
      name: name,
      hasPassword: false,
      createdAtMs: nowMs,
      role: role
    )
  }
}
