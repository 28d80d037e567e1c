extension Catalog {
  /// How long a session lasts after its sign-in.
  public static let sessionDays: Int64 = 30

  /// Makes a link that signs this user in once: `/sign-in/<token>`.
  ///
  /// - Parameters:
  ///   - name: The user's name.
  ///   - validFor: How long it can be used, an hour unless told otherwise.
  ///   - actor: Who asked for it.
  /// - Returns: The token, of which the catalogue keeps only a hash.
  /// - Throws: `unknownUser`.
  public func createSignInLink(
    user name: String,
    validFor: Duration = .seconds(3_600),
    by actor: Actor = .server
  ) throws(CatalogError) -> String {
    let expires = clock.nowMs() + validFor.components.seconds * 1_000
    return try write { (database) throws(CatalogError) in
      guard let user = try Self.user(named: name, in: database) else {
        throw CatalogError.unknownUser(name)
      }
      let token = try Self.insertLink(user: user.id, expiresAtMs: expires, into: database)
      try note("user.sign-in-link", "for \(name)", by: actor, in: database)
      return token
    }
  }

  /// Whether a link would still sign someone in, without using it up.
  public func isSignInLinkValid(_ token: String) throws(CatalogError) -> Bool {
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) in
      try !database.rows(
        "SELECT 1 FROM sign_in_links WHERE hash = ? AND expires_at > ?",
        .bytes(Secrets.digest(token)),
        .integer(now)
      ) { _ in true }.isEmpty
    }
  }

  /// Uses a link up and begins a session, or returns nil when it was used, has ended or never was.
  ///
  /// - Parameters:
  ///   - token: The link's secret.
  ///   - browser: The kind of browser, for the list of sessions.
  /// - Returns: The session.
  /// - Throws: What SQLite says when the file cannot be changed.
  public func signIn(link token: String, browser: String = "") throws(CatalogError) -> NewSession? {
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) -> NewSession? in
      let hash = SQLValue.bytes(Secrets.digest(token))
      let user = try database.rows(
        Self.selectUser
          + "WHERE id = (SELECT user FROM sign_in_links WHERE hash = ? AND expires_at > ?)",
        hash,
        .integer(now),
        read: Self.user
      ).first
      try database.run(
        "DELETE FROM sign_in_links WHERE hash = ? OR expires_at <= ?",
        hash,
        .integer(now)
      )
      guard let user else { return nil }
      return try begin(user, browser: browser, nowMs: now, in: database)
    }
  }

  /// Begins a session for a name and its password, or returns nil.
  ///
  /// The answer takes as long whatever was wrong, about 0.1 s and 64 MiB of memory: call it on a
  /// thread that may block, and bound how often.
  public func signIn(
    name: String,
    password: String,
    browser: String = ""
  ) throws(CatalogError) -> NewSession? {
    let stored = try passwordHash(ofUser: name)
    let isRight = Secrets.verify(password, against: stored ?? Self.nobodysHash)
    guard isRight, let stored else { return nil }
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) -> NewSession? in
      // The password may have been changed while we compared.
      let user = try database.rows(
        Self.selectUser + "WHERE name = ? AND password = ?",
        .text(name),
        .text(stored),
        read: Self.user
      ).first
      guard let user else { return nil }
      return try begin(user, browser: browser, nowMs: now, in: database)
    }
  }

  /// Whether a password is that of a user.
  ///
  /// The answer takes as long whatever was wrong, as with `signIn`.
  public func isPassword(
    _ password: String,
    ofUser name: String
  ) throws(CatalogError) -> Bool {
    let stored = try passwordHash(ofUser: name)
    return Secrets.verify(password, against: stored ?? Self.nobodysHash) && stored != nil
  }

  /// Nil for nobody, and for whoever has no password.
  private func passwordHash(ofUser name: String) throws(CatalogError) -> String? {
    try read { (database) throws(CatalogError) in
      try database.rows("SELECT password FROM users WHERE name = ?", .text(name)) {
        $0.optionalText(0)
      }.first ?? nil
    }
  }

  /// Whether a session began just now, by a link or a password: within ten minutes.
  ///
  /// Whoever forgot a password signs in by a link and sets another.
  public func hasJustSignedIn(session token: String) throws(CatalogError) -> Bool {
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT created_at FROM dashboard_sessions WHERE hash = ? AND created_at BETWEEN ? AND ?",
        .bytes(Secrets.digest(token)),
        .integer(now - 600_000),
        .integer(now)
      ) { $0.integer(0) }
    }.first != nil
  }

  /// Who a session's token belongs to, or nil when it has ended or never was.
  public func user(session token: String) throws(CatalogError) -> User? {
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) in
      try database.rows(
        Self.selectUser
          + "WHERE id = (SELECT user FROM dashboard_sessions WHERE hash = ? AND expires_at > ?)",
        .bytes(Secrets.digest(token)),
        .integer(now),
        read: Self.user
      ).first
    }
  }

  /// Ends a session; one that has ended is left alone.
  public func signOut(session token: String) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "DELETE FROM dashboard_sessions WHERE hash = ?",
        .bytes(Secrets.digest(token))
      )
    }
  }

  static func insertLink(
    user: Int64,
    expiresAtMs: Int64,
    into database: Database
  ) throws(CatalogError) -> String {
    let token = Secrets.token(length: 43)
    try database.run(
      "INSERT INTO sign_in_links (hash, user, expires_at) VALUES (?, ?, ?)",
      .bytes(Secrets.digest(token)),
      .integer(user),
      .integer(expiresAtMs)
    )
    return token
  }

  private func begin(
    _ user: User,
    browser: String,
    nowMs: Int64,
    in database: Database
  ) throws(CatalogError) -> NewSession {
    let token = Secrets.token(length: 43)
    let expires = nowMs + Self.sessionDays * Self.dayMs
    try database.run("DELETE FROM dashboard_sessions WHERE expires_at <= ?", .integer(nowMs))
    try database.run(
      """
      INSERT INTO dashboard_sessions (hash, user, created_at, expires_at, browser)
      VALUES (?, ?, ?, ?, ?)
      """,
      .bytes(Secrets.digest(token)),
      .integer(user.id),
      .integer(nowMs),
      .integer(expires),
      .text(String(browser.prefix(60)))
    )
    try note(
      "session.begin",
      "session \(Self.sessionID(ofToken: token))",
      by: .user(user.name),
      in: database
    )
    return NewSession(user: user, token: token, expiresAtMs: expires)
  }

  /// What a password is compared with when nobody has that name, so that both answers take as long.
  ///
  /// argon2id of a random text with the same limits; made once.
  private static let nobodysHash: String = {
    do { return try Secrets.passwordHash(Secrets.token(length: 43)) } catch { return "" }
  }()
}
