import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights
import ProjectQuestions

/// Boards: looking at them, changing them, and links to them.
extension DashboardSite {
  func installBoards(in router: inout Router) {
    router.get(
      "/projects/:id/boards",
      handler: signedIn(.viewEvents) { try self.boardsPage($0, $1) }
    )
    router.post(
      "/projects/:id/boards",
      handler: signedInForm(.manageBoards) { try self.makeBoard($0, $1) }
    )
    router.get(
      "/projects/:id/boards/:board",
      handler: signedIn(.viewEvents) { try self.boardPage($0, $1) }
    )
    router.get(
      "/projects/:id/boards/:board/cards/:card",
      handler: signedIn(.viewEvents) { request, _ in
        let board = try self.board(request)
        return try self.answer(of: board, request, isShared: false)
      }
    )
    installBoardForms(in: &router)
    router.get("/shared/:token") { request in
      self.guarded(request) {
        let (board, token) = try self.sharedBoard(request)
        return .now(self.page(SharedBoardPage(board: board, token: token)))
      }
    }
    router.get("/shared/:token/cards/:card") { request in
      self.guarded(request) {
        try self.answer(of: try self.sharedBoard(request).board, request, isShared: true)
      }
    }
  }

  private func installBoardForms(in router: inout Router) {
    router.post(
      "/projects/:id/charts",
      handler: signedInForm(.manageBoards) { try self.saveChart($0, $1) }
    )
    router.post(
      "/projects/:id/boards/:board",
      handler: signedInForm(.manageBoards) { request, visitor in
        try self.change(request, visitor, .rename(request.form("name") ?? ""))
      }
    )
    router.post(
      "/projects/:id/boards/:board/delete",
      handler: signedInForm(.manageBoards) { request, visitor in
        let board = try self.board(request)
        try self.catalog.deleteBoard(board.id, project: board.project, by: visitor.actor)
        return .now(.redirect(to: Address("projects", "\(board.project)", "boards").text))
      }
    )
    router.post(
      "/projects/:id/boards/:board/cards",
      handler: signedInForm(.manageBoards) { request, visitor in
        let card = BoardCard(
          title: request.form("title") ?? "",
          content: .text(request.form("text") ?? "")
        )
        return try self.change(request, visitor, .add(card))
      }
    )
    router.post(
      "/projects/:id/boards/:board/cards/:card",
      handler: signedInForm(.manageBoards) { request, visitor in
        try self.change(request, visitor, Self.cardChange(request))
      }
    )
    router.post(
      "/projects/:id/boards/:board/links",
      handler: signedInForm(.manageBoards) { try self.shareBoard($0, $1) }
    )
    router.post(
      "/projects/:id/boards/:board/links/:link/revoke",
      handler: signedInForm(.manageBoards) { request, visitor in
        let board = try self.board(request)
        guard let link = Int64(request.parameter("link")) else { throw PageProblem.notFound }
        try self.catalog.revokeBoardLink(
          link,
          board: board.id,
          project: board.project,
          by: visitor.actor
        )
        return .now(.redirect(to: board.address.text))
      }
    )
  }

  // MARK: Looking

  private func boardsPage(
    _ request: Request,
    _ visitor: Visitor,
    problem: String? = nil,
    typed: String = "",
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let page = BoardsPage(
      visitor: visitor,
      project: project,
      boards: try catalog.boards(project: project.id),
      problem: problem,
      typed: typed
    )
    return .now(self.page(page, in: try frame(visitor, project, .boards), status: status))
  }

  private func boardPage(
    _ request: Request,
    _ visitor: Visitor,
    made: String? = nil,
    problem: String? = nil,
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let board = try board(request)
    let page = BoardPage(
      visitor: visitor,
      board: board,
      links: try catalog.boardLinks(board: board.id, project: project.id),
      zone: zone(of: project),
      made: made,
      problem: problem
    )
    return .now(self.page(page, in: try frame(visitor, project, .boards), status: status))
  }

  private func board(_ request: Request) throws -> Board {
    let project = try project(request)
    guard let id = Int64(request.parameter("board")),
      let board = try catalog.board(id, project: project.id)
    else { throw PageProblem.notFound }
    return board
  }

  private func sharedBoard(_ request: Request) throws -> (board: Board, token: String) {
    let token = request.parameter("token")
    guard let board = try catalog.sharedBoard(token: token) else { throw PageProblem.notFound }
    return (board, token)
  }

  private func answer(of board: Board, _ request: Request, isShared: Bool) throws -> Reply {
    guard let id = Int64(request.parameter("card")),
      let card = board.cards.first(where: { $0.id == id }),
      let project = try catalog.project(board.project)
    else { throw PageProblem.notFound }
    let answer = BoardAnswer(card: card, setting: setting(of: project), isShared: isShared)
    if isShared {
      let key = SharedCards.Key(board: board.id, card: card)
      return sharedCards.reply(key) { [store] in answer.html(store, cancellation: nil).text }
    }
    let cancellation = Cancellation(while: { !request.isAbandoned })
    return .now(.html(answer.html(store, cancellation: cancellation).text))
  }

  /// What questions about a project are asked with, now.
  func setting(of project: Project) -> QuestionForm.Setting {
    QuestionForm.Setting(project, in: catalog, nowMs: clock.nowMs())
  }

  // MARK: Changing

  private func makeBoard(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request).id
    let name = request.form("name") ?? ""
    do throws(CatalogError) {
      let board =
        request.form("kind") == "start"
        ? try catalog.createStartBoard(project: project, by: visitor.actor)
        : try catalog.createBoard(name: name, project: project, by: visitor.actor)
      return .now(.redirect(to: board.address.text))
    } catch {
      guard case .invalid(let field, let reason) = error else { throw error }
      return try boardsPage(request, visitor, problem: reason, typed: name, status: 422)
        .beside(field, reason, of: request)
    }
  }

  private static func cardChange(_ request: Request) throws -> BoardChange {
    guard let id = Int64(request.parameter("card")) else { throw PageProblem.notFound }
    switch request.form("move") {
    case "remove": return .remove(id)
    case let text?: return .move(id, by: Int(text).map { min(max($0, -1), 1) } ?? 0)
    case nil:
      return .edit(
        id,
        title: request.form("title") ?? "",
        width: BoardCard.Width(rawValue: request.form("width") ?? "") ?? .half,
        text: request.form("text")
      )
    }
  }

  private func change(
    _ request: Request,
    _ visitor: Visitor,
    _ change: BoardChange
  ) throws -> Reply {
    let board = try board(request)
    do throws(CatalogError) {
      try catalog.changeBoard(board.id, project: board.project, change, by: visitor.actor)
      return .now(.redirect(to: board.address.text))
    } catch {
      switch error {
      case .invalid(let field, let reason):
        return try boardPage(request, visitor, problem: reason, status: 422)
          .beside(field, reason, of: request)
      case .unknownCard: throw PageProblem.notFound
      default: throw error
      }
    }
  }

  private func shareBoard(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let board = try board(request)
    let text = (request.form("days") ?? "").trimmingCharacters(in: .whitespaces)
    let days = Int(text)
    guard text.isEmpty || days != nil else {
      let reason = "“\(text)” is not a whole number of days."
      return try boardPage(request, visitor, problem: reason, status: 422)
        .beside("days", reason, of: request)
    }
    let token: String
    do throws(CatalogError) {
      token = try catalog.createBoardLink(
        board: board.id,
        project: board.project,
        days: days,
        by: visitor.actor
      ).token
    } catch {
      guard case .invalid(let field, let reason) = error else { throw error }
      return try boardPage(request, visitor, problem: reason, status: 422)
        .beside(field, reason, of: request)
    }
    let address = endpoint(for: request) + Address("shared", token).text
    return try boardPage(request, visitor, made: address)
  }

  private func saveChart(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    do {
      let question = try SavedQuestion(
        word: request.form("question") ?? "",
        query: request.form("parameters") ?? ""
      )
      try question.check(setting(of: project))
      let card = BoardCard(
        title: request.form("title") ?? "",
        width: BoardCard.Width(rawValue: request.form("width") ?? "") ?? .half,
        content: .chart(question: question.kind.word, parameters: question.query)
      )
      let board: Board
      if let id = Int64(request.form("board") ?? "") {
        board = try catalog.changeBoard(id, project: project.id, .add(card), by: visitor.actor)
      } else {
        board = try catalog.createBoard(
          name: "New board",
          cards: [card],
          project: project.id,
          by: visitor.actor
        )
      }
      return .now(.redirect(to: board.address.text))
    } catch let problem as QuestionForm.Problem {
      return try boardsPage(request, visitor, problem: problem.description, status: 422)
    } catch CatalogError.invalid(_, let reason) {
      return try boardsPage(request, visitor, problem: reason, status: 422)
    } catch CatalogError.unknownBoard {
      throw PageProblem.notFound
    }
  }
}
