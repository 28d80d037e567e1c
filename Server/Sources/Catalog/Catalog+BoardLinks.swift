extension Catalog {
  /// The most links of one board.
  public static let maxBoardLinks = 50

  /// Makes a link under which anyone may look at a board; its secret is told only now.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - project: The board's project.
  ///   - days: Days after which it ends, 1 to 3,650; nil for never.
  ///   - actor: Who makes it.
  /// - Returns: The link, and its secret of 43 letters and digits (256 random bits).
  /// - Throws: `unknownBoard`; `invalid` for days out of their range or too many links.
  public func createBoardLink(
    board: Int64,
    project: UInt32,
    days: Int? = nil,
    by actor: Actor = .server
  ) throws(CatalogError) -> (link: BoardLink, token: String) {
    guard days.map((1...3_650).contains) ?? true else {
      throw .invalid(field: "days", reason: "A link ends after 1 to 3,650 days, or never.")
    }
    let now = clock.nowMs()
    let ends = days.map { now + Int64($0) * Self.dayMs }
    let token = Secrets.token(length: 43)
    return try write { (database) throws(CatalogError) in
      let found = try Self.board(board, of: project, in: database)
      guard try Self.links(of: board, nowMs: now, in: database).count < Self.maxBoardLinks else {
        throw CatalogError.invalid(
          field: "board",
          reason: "A board has at most \(Self.maxBoardLinks) links; revoke one first."
        )
      }
      try database.run(
        "INSERT INTO board_links (board, hash, hint, created_at, expires_at) VALUES (?, ?, ?, ?, ?)",
        .integer(board),
        .bytes(Secrets.digest(token)),
        .text(String(token.prefix(6))),
        .integer(now),
        .optional(ends)
      )
      let link = BoardLink(
        id: database.lastRow,
        board: board,
        hint: String(token.prefix(6)),
        createdAtMs: now,
        expiresAtMs: ends
      )
      let end = days.map { ", for \($0) days" } ?? ""
      try note(
        "board.share",
        project: project,
        "“\(found.name)”, link \(link.id)\(end)",
        by: actor,
        in: database
      )
      return (link, token)
    }
  }

  /// The links under which a board can be looked at now, oldest first.
  ///
  /// - Throws: `unknownBoard`.
  public func boardLinks(board: Int64, project: UInt32) throws(CatalogError) -> [BoardLink] {
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) in
      _ = try Self.board(board, of: project, in: database)
      return try Self.links(of: board, nowMs: now, in: database)
    }
  }

  /// Ends a link; whoever has it sees nothing from now on.
  ///
  /// - Throws: `unknownBoard`; `unknownLink`.
  public func revokeBoardLink(
    _ id: Int64,
    board: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let found = try Self.board(board, of: project, in: database)
      let gone = try database.run(
        "DELETE FROM board_links WHERE id = ? AND board = ?",
        .integer(id),
        .integer(board)
      )
      guard gone == 1 else { throw CatalogError.unknownLink(id) }
      try note(
        "board.unshare",
        project: project,
        "“\(found.name)”, link \(id)",
        by: actor,
        in: database
      )
    }
  }

  /// The board that a link's secret shows; nil when it never was, was revoked, or is over.
  public func sharedBoard(token: String) throws(CatalogError) -> Board? {
    let now = clock.nowMs()
    return try read { (database) throws(CatalogError) -> Board? in
      let found = try database.rows(
        """
        SELECT boards.id, project FROM board_links JOIN boards ON boards.id = board
        WHERE hash = ? AND (expires_at IS NULL OR expires_at > ?)
        """,
        .bytes(Secrets.digest(token)),
        .integer(now)
      ) { ($0.integer(0), $0.project(1)) }.first
      guard let (board, project) = found else { return nil }
      return try Self.board(board, of: project, in: database)
    }
  }

  private static func links(
    of board: Int64,
    nowMs: Int64,
    in database: Database
  ) throws(CatalogError) -> [BoardLink] {
    try database.rows(
      """
      SELECT id, hint, created_at, expires_at FROM board_links
      WHERE board = ? AND (expires_at IS NULL OR expires_at > ?) ORDER BY id
      """,
      .integer(board),
      .integer(nowMs)
    ) { row in
      BoardLink(
        id: row.integer(0),
        board: board,
        hint: row.text(1),
        createdAtMs: row.integer(2),
        expiresAtMs: row.optionalInteger(3)
      )
    }
  }
}
