extension Catalog {
  /// A project's boards, oldest first.
  public func boards(project: UInt32) throws(CatalogError) -> [Board] {
    try read { (database) throws(CatalogError) in
      try Self.boards(project: project, board: nil, in: database)
    }
  }

  /// One board of a project, or nil.
  public func board(_ id: Int64, project: UInt32) throws(CatalogError) -> Board? {
    try read { (database) throws(CatalogError) in
      try Self.boards(project: project, board: id, in: database).first
    }
  }

  /// Makes a board.
  ///
  /// - Parameters:
  ///   - name: 1 to 100 characters.
  ///   - cards: What stands on it.
  ///   - project: The project's number.
  ///   - actor: Who makes it.
  /// - Returns: The board.
  /// - Throws: `unknownProject`; `invalid` for what is over a limit.
  public func createBoard(
    name: String,
    cards: [BoardCard] = [],
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> Board {
    var board = Board(id: 0, project: project, name: "", createdAtMs: clock.nowMs(), cards: [])
    try board.receive(.replace(name: name, cards: cards))
    return try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      let count = try database.rows(
        "SELECT count(*) FROM boards WHERE project = ?",
        .integer(Int64(project))
      ) { $0.integer(0) }.first
      guard count ?? 0 < Int64(Board.maxBoards) else {
        throw CatalogError.invalid(
          field: "name",
          reason: "A project has at most \(Board.maxBoards) boards; delete one first."
        )
      }
      let id = try Self.insert(board, into: database)
      try note("board.create", project: project, "“\(board.name)”", by: actor, in: database)
      return try Self.board(id, of: project, in: database)
    }
  }

  /// Makes the board that a new project begins with.
  ///
  /// - Returns: The board.
  /// - Throws: As `createBoard`.
  public func createStartBoard(
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> Board {
    try createBoard(name: StartBoard.name, cards: StartBoard.cards, project: project, by: actor)
  }

  /// Changes a board.
  ///
  /// - Returns: The board as it is now.
  /// - Throws: `unknownBoard`, `unknownCard`, or `invalid` for what is over a limit.
  @discardableResult
  public func changeBoard(
    _ id: Int64,
    project: UInt32,
    _ change: BoardChange,
    by actor: Actor = .server
  ) throws(CatalogError) -> Board {
    try write { (database) throws(CatalogError) in
      var board = try Self.board(id, of: project, in: database)
      try board.receive(change)
      try database.run(
        "UPDATE boards SET name = ? WHERE id = ?",
        .text(board.name),
        .integer(id)
      )
      try database.run("DELETE FROM board_cards WHERE board = ?", .integer(id))
      try Self.insert(board.cards, of: id, into: database)
      let summary = "board \(id): \(change.summary)"
      try note("board.change", project: project, summary, by: actor, in: database)
      return try Self.board(id, of: project, in: database)
    }
  }

  /// Removes a board with its links.
  ///
  /// - Throws: `unknownBoard`.
  public func deleteBoard(
    _ id: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let board = try Self.board(id, of: project, in: database)
      try database.run("DELETE FROM boards WHERE id = ?", .integer(id))
      try note("board.delete", project: project, "“\(board.name)”", by: actor, in: database)
    }
  }

  // MARK: Rows

  static func board(
    _ id: Int64,
    of project: UInt32,
    in database: Database
  ) throws(CatalogError) -> Board {
    guard let board = try boards(project: project, board: id, in: database).first else {
      throw .unknownBoard(id)
    }
    return board
  }

  /// Puts a board without a number into the file.
  @discardableResult
  static func insert(_ board: Board, into database: Database) throws(CatalogError) -> Int64 {
    try database.run(
      "INSERT INTO boards (project, name, created_at) VALUES (?, ?, ?)",
      .integer(Int64(board.project)),
      .text(board.name),
      .integer(board.createdAtMs)
    )
    let id = database.lastRow
    try insert(board.cards, of: id, into: database)
    return id
  }

  private static func insert(
    _ cards: [BoardCard],
    of board: Int64,
    into database: Database
  ) throws(CatalogError) {
    for (place, card) in cards.enumerated() {
      var question: String?
      let body: String
      switch card.content {
      case .chart(let word, let parameters): (question, body) = (word, parameters)
      case .text(let text): body = text
      }
      try database.run(
        """
        INSERT INTO board_cards (id, board, place, title, width, question, body)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        card.id == 0 ? .null : .integer(card.id),
        .integer(board),
        .integer(Int64(place)),
        .text(card.title),
        .text(card.width.rawValue),
        .optional(question),
        .text(body)
      )
    }
  }

  private static func boards(
    project: UInt32,
    board: Int64?,
    in database: Database
  ) throws(CatalogError) -> [Board] {
    let found = try database.rows(
      """
      SELECT id, name, created_at FROM boards WHERE project = ?1 AND (?2 IS NULL OR id = ?2)
      ORDER BY id
      """,
      .integer(Int64(project)),
      .optional(board)
    ) { (id: $0.integer(0), name: $0.text(1), at: $0.integer(2)) }
    let cards = try database.rows(
      """
      SELECT board, board_cards.id, title, width, question, body FROM board_cards
      JOIN boards ON boards.id = board
      WHERE project = ?1 AND (?2 IS NULL OR board = ?2) ORDER BY board, place
      """,
      .integer(Int64(project)),
      .optional(board)
    ) { row in
      (
        board: row.integer(0),
        card: BoardCard(
          id: row.integer(1),
          title: row.text(2),
          width: BoardCard.Width(rawValue: row.text(3)) ?? .half,
          content: row.optionalText(4).map { .chart(question: $0, parameters: row.text(5)) }
            ?? .text(row.text(5))
        )
      )
    }
    let byBoard = Dictionary(grouping: cards, by: \.board)
    return found.map { one in
      Board(
        id: one.id,
        project: project,
        name: one.name,
        createdAtMs: one.at,
        cards: byBoard[one.id]?.map(\.card) ?? []
      )
    }
  }
}
