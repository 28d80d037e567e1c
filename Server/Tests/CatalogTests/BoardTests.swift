import Catalog
import Foundation
import Testing

@Suite struct `Boards of a project` {
  private static let chart = BoardCard(
    title: "Songs",
    content: .chart(question: "trend", parameters: "events=Song%20Played")
  )

  private static func cards(_ board: Board) -> [String] { board.cards.map(\.title) }

  @Test func `a new project has one with the usual charts`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    let board = try #require(try catalog.boards(project: project).first)
    #expect(board.name == "Overview")
    #expect(board.cards.count == 6)
    #expect(try catalog.boards(project: project).count == 1)
    let first = try #require(try catalog.prepareFirstStart())
    #expect(try catalog.boards(project: first.project.id).map(\.name) == ["Overview"])
  }

  @Test(arguments: ["a\u{1b}[31m", "a\nb"])
  func `a name has no control characters`(name: String) throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    #expect(throws: CatalogError.self) { try catalog.createBoard(name: name, project: project) }
    #expect(try catalog.boards(project: project).count == 1)
  }

  @Test func `cards are added, changed, moved and taken away, and keep their numbers`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes").id
    let id = try catalog.createBoard(name: " Team ", project: project).id
    func change(_ change: BoardChange) throws -> Board {
      try catalog.changeBoard(id, project: project, change, by: .user("ada"))
    }
    _ = try change(.add(Self.chart))
    _ = try change(.add(BoardCard(title: "", width: .full, content: .text("Why we look"))))
    var board = try change(.add(BoardCard(title: "Third", content: .text("x"))))
    let numbers = board.cards.map(\.id)
    #expect(Set(numbers).count == 3 && !numbers.contains(0))
    board = try change(.move(numbers[2], by: -5))
    #expect(board.cards.map(\.id) == [numbers[2], numbers[0], numbers[1]])
    board = try change(.edit(numbers[1], title: "Why", width: .half, text: "Because"))
    #expect(board.cards[2].content == .text("Because"))
    #expect(board.cards[2].width == .half)
    // A chart's question is not changed by a text.
    board = try change(.edit(numbers[0], title: "Tunes", width: .full, text: "x"))
    #expect(board.cards[1].content == Self.chart.content)
    board = try change(.remove(numbers[2]))
    #expect(Self.cards(board) == ["Tunes", "Why"])
    #expect(try fixture.open().board(id, project: project) == board)
    #expect(board.name == "Team")
    let audit = try catalog.audit(project: project)
    #expect(audit.first?.action == "board.change")
    #expect(audit.first?.actor == "user ada")
  }

  @Test func `what is over a limit is refused and changes nothing`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    let board = try catalog.createBoard(name: "Team", cards: [Self.chart], project: project)
    let many = Array(repeating: Self.chart, count: Board.maxCards + 1)
    for change: BoardChange in [
      .rename(" "), .rename(String(repeating: "x", count: 101)),
      .add(BoardCard(title: "x", content: .text(""))),
      .add(BoardCard(title: "", content: .chart(question: "trend", parameters: ""))),
      .add(BoardCard(title: "x", content: .text(String(repeating: "x", count: 4_001)))),
      .replace(name: "Team", cards: many), .move(77, by: 1), .remove(77),
      .edit(77, title: "x", width: .half, text: nil),
    ] {
      #expect(throws: CatalogError.self, "\(change)") {
        try catalog.changeBoard(board.id, project: project, change)
      }
    }
    #expect(try catalog.board(board.id, project: project) == board)
  }

  @Test func `another project's board is none`() throws {
    let catalog = try Fixture().open()
    let one = try catalog.createProject(name: "One").id
    let other = try catalog.createProject(name: "Other").id
    let board = try #require(try catalog.boards(project: one).first)
    #expect(try catalog.board(board.id, project: other) == nil)
    #expect(throws: CatalogError.unknownBoard(board.id)) {
      try catalog.changeBoard(board.id, project: other, .rename("Mine"))
    }
    #expect(throws: CatalogError.unknownBoard(board.id)) {
      try catalog.deleteBoard(board.id, project: other)
    }
    #expect(throws: CatalogError.unknownBoard(board.id)) {
      _ = try catalog.createBoardLink(board: board.id, project: other)
    }
  }

  @Test func `a link shows its board until it is revoked, over, or the board is gone`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes").id
    let board = try #require(try catalog.boards(project: project).first)
    let lasting = try catalog.createBoardLink(board: board.id, project: project)
    let short = try catalog.createBoardLink(board: board.id, project: project, days: 2)
    #expect(lasting.token.utf8.count == 43 && lasting.token != short.token)
    for token in [lasting.token, short.token] {
      #expect(try catalog.sharedBoard(token: token) == board)
    }
    for token in ["", lasting.link.hint, String(lasting.token.dropLast())] {
      #expect(try catalog.sharedBoard(token: token) == nil)
    }
    fixture.advance(milliseconds: 2 * 86_400_000)
    #expect(try catalog.sharedBoard(token: short.token) == nil)
    #expect(try catalog.boardLinks(board: board.id, project: project) == [lasting.link])
    try catalog.revokeBoardLink(lasting.link.id, board: board.id, project: project)
    #expect(try catalog.sharedBoard(token: lasting.token) == nil)
    let last = try catalog.createBoardLink(board: board.id, project: project)
    try catalog.deleteBoard(board.id, project: project)
    #expect(try catalog.sharedBoard(token: last.token) == nil)
    #expect(try catalog.audit().allSatisfy { !$0.detail.contains(last.token) })
    let file = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    #expect(file.range(of: Data(last.token.utf8)) == nil)
  }
}

@Suite struct `Rules for events` {
  @Test func `a name is described, hidden and blocked, and plain again`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    #expect(try catalog.eventRule("Tap", project: project) == EventRule(name: "Tap"))
    let rule = EventRule(name: "Tap", description: "A tap", isHidden: true, isBlocked: true)
    try catalog.setEventRule(rule, project: project, by: .user("ada"))
    #expect(try catalog.eventRules(project: project) == [rule])
    #expect(try catalog.audit().first?.detail == "“Tap”: refused, hidden; “A tap”")
    try catalog.setEventRule(EventRule(name: "Tap"), project: project)
    #expect(try catalog.eventRules(project: project).isEmpty)
  }

  @Test func `what one process blocks another refuses within a second`() throws {
    let fixture = try Fixture()
    let (one, other) = (try fixture.open(), try fixture.open())
    let project = try one.createProject(name: "Notes").id
    func isBlocked(_ name: String, in catalog: Catalog, _ project: UInt32) -> Bool {
      Array(name.utf8).withUnsafeBytes {
        catalog.blockedNames(project: project)?.contains($0) ?? false
      }
    }
    try one.setEventRule(EventRule(name: "Tap", isBlocked: true), project: project)
    #expect(isBlocked("Tap", in: one, project))
    fixture.advance(milliseconds: 999)
    #expect(isBlocked("Tap", in: other, project))
    #expect(!isBlocked("tap", in: other, project))
    #expect(!isBlocked("Tap", in: other, project + 1))
    try one.setEventRule(EventRule(name: "Tap", isHidden: true), project: project)
    fixture.advance(milliseconds: 999)
    #expect(!isBlocked("Tap", in: other, project))
  }

  @Test func `what cannot be a name is refused`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    for name in ["", "a\0b", String(repeating: "x", count: 1_025)] {
      #expect(throws: CatalogError.self) {
        try catalog.setEventRule(EventRule(name: name, isHidden: true), project: project)
      }
    }
    #expect(throws: CatalogError.unknownProject(99)) {
      try catalog.setEventRule(EventRule(name: "a", isHidden: true), project: 99)
    }
  }
}
