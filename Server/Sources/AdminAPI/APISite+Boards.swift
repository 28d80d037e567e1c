import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights
import ProjectQuestions

extension APISite {
  /// Calls on boards and the links to them.
  var boardRoutes: [APIRoute] {
    let board = APIRoute.Parameter.path("board", .integer(1...Int64.max), "The board's number.")
    return [
      APIRoute(
        .get,
        "/projects/{project}/boards",
        "listBoards",
        "A project's boards with their cards, oldest first.",
        needs: .viewEvents,
        parameters: [.project],
        answer: .page("boards", of: .board, max: Board.maxBoards)
      ) { call in
        ["boards": .list(try self.catalog.boards(project: call.project).map { JSONValue($0) })]
      },
      APIRoute(
        .post,
        "/projects/{project}/boards",
        "createBoard",
        "Makes a board.",
        needs: .manageBoards,
        parameters: [.project],
        body: .newBoard,
        status: 201,
        answer: .board
      ) { call in
        JSONValue(
          try self.catalog.createBoard(
            name: call.bodyText("name"),
            cards: try self.cards(call),
            project: call.project,
            by: call.actor
          )
        )
      },
      APIRoute(
        .get,
        "/projects/{project}/boards/{board}",
        "getBoard",
        "One board.",
        needs: .viewEvents,
        parameters: [.project, board],
        answer: .board
      ) { JSONValue(try self.board($0)) },
      APIRoute(
        .put,
        "/projects/{project}/boards/{board}",
        "changeBoard",
        "Replaces a board's name and cards.",
        needs: .manageBoards,
        parameters: [.project, board],
        body: .newBoard,
        answer: .board
      ) { call in
        JSONValue(
          try self.catalog.changeBoard(
            call.integer("board") ?? 0,
            project: call.project,
            .replace(name: call.bodyText("name"), cards: try self.cards(call)),
            by: call.actor
          )
        )
      },
      APIRoute(
        .delete,
        "/projects/{project}/boards/{board}",
        "deleteBoard",
        "Removes a board and its links.",
        needs: .manageBoards,
        parameters: [.project, board],
        status: 204,
        answer: nil
      ) { call in
        try self.catalog.deleteBoard(
          call.integer("board") ?? 0,
          project: call.project,
          by: call.actor
        )
        return .null
      },
    ] + linkRoutes(board)
  }

  private func linkRoutes(_ board: APIRoute.Parameter) -> [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/boards/{board}/links",
        "listBoardLinks",
        "The links under which a board can be seen now, oldest first; their secrets are not told.",
        needs: .viewEvents,
        parameters: [.project, board],
        answer: .page("links", of: .boardLink, max: Catalog.maxBoardLinks)
      ) { call in
        let links = try self.catalog.boardLinks(
          board: call.integer("board") ?? 0,
          project: call.project
        )
        return ["links": .list(links.map { JSONValue($0) })]
      },
      APIRoute(
        .post,
        "/projects/{project}/boards/{board}/links",
        "createBoardLink",
        "Makes a link under which anyone can see a board; its address is told only now.",
        needs: .manageBoards,
        parameters: [.project, board],
        body: .object([
          APIField("days", .nullable(.integer(1...3_650)), "Null for as long as nobody revokes it.")
        ]),
        status: 201,
        answer: .object([
          APIField("link", .boardLink),
          APIField("path", .text(1...100), "Where the board is on this server."),
        ])
      ) { call in
        let made = try self.catalog.createBoardLink(
          board: call.integer("board") ?? 0,
          project: call.project,
          days: call.bodyInteger("days"),
          by: call.actor
        )
        return ["link": JSONValue(made.link), "path": .text("/shared/" + made.token)]
      },
      APIRoute(
        .delete,
        "/projects/{project}/boards/{board}/links/{link}",
        "revokeBoardLink",
        "Ends a link.",
        needs: .manageBoards,
        parameters: [
          .project, board, .path("link", .integer(1...Int64.max), "The link's number."),
        ],
        status: 204,
        answer: nil
      ) { call in
        try self.catalog.revokeBoardLink(
          call.integer("link") ?? 0,
          board: call.integer("board") ?? 0,
          project: call.project,
          by: call.actor
        )
        return .null
      },
    ]
  }

  private func board(_ call: APICall) throws -> Board {
    guard let board = try catalog.board(call.integer("board") ?? 0, project: call.project) else {
      throw APIProblem.notFound
    }
    return board
  }

  /// What questions about a project are asked with, now.
  func setting(of project: Project) -> QuestionForm.Setting {
    QuestionForm.Setting(project, in: catalog, nowMs: nowMs())
  }

  /// The cards in the body, whose questions can all be asked.
  private func cards(_ call: APICall) throws -> [BoardCard] {
    guard case .list(let list)? = call.body["cards"] else { return [] }
    let setting = setting(of: try project(call))
    return try list.map { value in
      guard case .object(let members) = value else { throw APIProblem.notFound }
      func text(_ name: String) -> String {
        if case .text(let text)? = members[name] { text } else { "" }
      }
      let content: BoardCard.Content
      if members["question"] == nil || members["question"] == .null {
        content = .text(text("text"))
      } else {
        do {
          let question = try SavedQuestion(word: text("question"), query: text("parameters"))
          try question.check(setting)
          content = .chart(question: question.kind.word, parameters: question.query)
        } catch let problem as QuestionForm.Problem {
          throw APIProblem.invalid("cards", problem.description)
        }
      }
      return BoardCard(
        title: text("title"),
        width: BoardCard.Width(rawValue: text("width")) ?? .half,
        content: content
      )
    }
  }
}

extension APISchema {
  private static let width = choice(BoardCard.Width.allCases.map(\.rawValue))

  fileprivate static let board = object([
    APIField("id", .integer(1...Int64.max)), APIField("name", .text(0...100)),
    APIField("created_at", .time),
    APIField(
      "cards",
      .list(
        .object([
          APIField("id", .integer(1...Int64.max)), APIField("title", .text(0...200)),
          APIField("width", width),
          APIField("question", .nullable(.text(1...40)), "Null for a text."),
          APIField(
            "parameters",
            .nullable(.text(0...8_000)),
            "As in an address: range=7d&by=event."
          ),
          APIField("text", .nullable(.text(0...4_000)), "Null for a chart."),
        ]),
        max: Board.maxCards
      )
    ),
  ])

  fileprivate static let newBoard = object([
    APIField("name", .name),
    APIField(
      "cards",
      .list(
        .object([
          APIField("title", .text(0...200)), APIField("width", width, isRequired: false),
          APIField(
            "question",
            .nullable(.text(1...40)),
            "The word of a question.",
            isRequired: false
          ),
          APIField(
            "parameters",
            .nullable(.text(0...8_000)),
            "What it is asked with, as in an address: range=7d&by=event.",
            isRequired: false
          ),
          APIField(
            "text",
            .nullable(.text(0...4_000)),
            "In place of a question.",
            isRequired: false
          ),
        ]),
        max: Board.maxCards
      ),
      isRequired: false
    ),
  ])

  fileprivate static let boardLink = object([
    APIField("id", .integer(1...Int64.max)),
    APIField("hint", .text(0...10), "How its secret begins."), APIField("created_at", .time),
    APIField("expires_at", .nullable(.time), "Null for as long as nobody revokes it."),
  ])
}

extension JSONValue {
  fileprivate init(_ board: Board) {
    self = [
      "id": .integer(board.id), "name": .text(board.name),
      "created_at": .integer(board.createdAtMs),
      "cards": .list(board.cards.map { JSONValue($0) }),
    ]
  }

  private init(_ card: BoardCard) {
    var question: (word: String, parameters: String)?
    var text: String?
    switch card.content {
    case .chart(let word, let parameters): question = (word, parameters)
    case .text(let words): text = words
    }
    self = [
      "id": .integer(card.id), "title": .text(card.title), "width": .text(card.width.rawValue),
      "question": .optional(question?.word), "parameters": .optional(question?.parameters),
      "text": .optional(text),
    ]
  }

  fileprivate init(_ link: BoardLink) {
    self = [
      "id": .integer(link.id), "hint": .text(link.hint), "created_at": .integer(link.createdAtMs),
      "expires_at": .optional(link.expiresAtMs),
    ]
  }
}
