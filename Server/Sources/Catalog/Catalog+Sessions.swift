/// A session of someone who is signed in, as pages and the command line list it.
public struct DashboardSession: Sendable, Hashable, Identifiable {
  /// Names the session, and is no secret: the first half of its token's hash.
  public let id: String
  /// Whose it is.
  public let user: String
  /// When it began, in milliseconds since 1970.
  public let createdAtMs: Int64
  /// When it ends by itself, in milliseconds since 1970.
  public let expiresAtMs: Int64
  /// The kind of browser, such as `Firefox on Linux`; empty where it did not say.
  public let browser: String
}

extension Catalog {
  /// The sessions that have not ended, newest first; of one user, or of all.
  public func sessions(user name: String? = nil) throws(CatalogError) -> [DashboardSession] {
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT lower(hex(hash)), users.name, sessions.created_at, expires_at, browser
        FROM dashboard_sessions AS sessions JOIN users ON users.id = sessions.user
        WHERE expires_at > ?1 AND (?2 IS NULL OR users.name = ?2)
        ORDER BY sessions.created_at DESC, hash
        """,
        .integer(now),
        .optional(name)
      ) { row in
        DashboardSession(
          id: String(row.text(0).prefix(Self.sessionIDLength)),
          user: row.text(1),
          createdAtMs: row.integer(2),
          expiresAtMs: row.integer(3),
          browser: row.text(4)
        )
      }
    }
  }

  /// The name under which a session is listed.
  public static func sessionID(ofToken token: String) -> String {
    let digits = Secrets.digest(token).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return String(digits.joined().prefix(sessionIDLength))
  }

  /// Ends a session, in effect with its next request.
  ///
  /// - Parameters:
  ///   - id: As listed.
  ///   - name: The user whose session it must be; nil for anyone's.
  ///   - actor: Who ends it.
  /// - Throws: `unknownSession`.
  public func endSession(
    _ id: String,
    ofUser name: String? = nil,
    by actor: Actor = .server
  ) throws(CatalogError) {
    guard id.utf8.count == Self.sessionIDLength,
      let found = try sessions(user: name).first(where: { $0.id == id })
    else { throw .unknownSession(id) }
    try write { (database) throws(CatalogError) in
      let ended = try database.run(
        "DELETE FROM dashboard_sessions WHERE lower(substr(hex(hash), 1, ?)) = ?",
        .integer(Int64(Self.sessionIDLength)),
        .text(id)
      )
      guard ended > 0 else { throw CatalogError.unknownSession(id) }
      try note("session.end", "session \(id) of \(found.user)", by: actor, in: database)
    }
  }

  private static let sessionIDLength = 16
}
