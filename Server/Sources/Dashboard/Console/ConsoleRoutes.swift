import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

/// The SQL console.
extension DashboardSite {
  func installConsole(in router: inout Router) {
    router.get(
      "/projects/:id/sql",
      handler: signedIn(.runStatements) { request, visitor in
        let project = try self.project(request)
        let asked = Int64(request.query("statement") ?? "")
        let kept = try self.catalog.statements(project: project.id).first { $0.id == asked }
        return try self.consolePage(
          project,
          visitor,
          text: kept?.text ?? "",
          name: kept?.name ?? ""
        )
      }
    )
    router.post(
      "/projects/:id/sql",
      handler: signedInForm(.runStatements) { try self.runStatement($0, $1) }
    )
    router.post(
      "/projects/:id/sql/csv",
      handler: signedInForm(.runStatements) { try self.saveAnswer($0, $1) }
    )
    router.post(
      "/projects/:id/sql/cancel",
      handler: signedInForm(.runStatements) { request, visitor in
        let isRunning = self.consoleRuns.cancel(Self.runName(request, visitor))
        let note = isRunning ? "Cancelled." : "Nothing runs that could be cancelled."
        return .now(
          .html((#"<p class="hint" id="sql-note" role="status">\#(note)</p>"# as HTML).text)
        )
      }
    )
    router.post(
      "/projects/:id/sql/keep",
      handler: signedInForm(.runStatements) { request, visitor in
        let project = try self.project(request)
        let (name, text) = (request.form("name") ?? "", request.form("sql") ?? "")
        do throws(CatalogError) {
          let kept = try self.catalog.keepStatement(
            name: name.trimmingCharacters(in: .whitespaces),
            text: text,
            project: project.id,
            by: visitor.actor
          )
          let page = Address("projects", "\(project.id)", "sql")
          return .now(.redirect(to: page.with("statement", "\(kept.id)").text))
        } catch {
          guard case .invalid(_, let reason) = error else { throw error }
          return try self.consolePage(
            project,
            visitor,
            text: text,
            outcome: .problem(reason),
            name: name,
            status: 422
          )
        }
      }
    )
    router.post(
      "/projects/:id/sql/:statement/delete",
      handler: signedInForm(.runStatements) { request, visitor in
        let project = try self.project(request)
        guard let id = Int64(request.parameter("statement")) else { throw PageProblem.notFound }
        do throws(CatalogError) {
          try self.catalog.deleteStatement(id, project: project.id, by: visitor.actor)
        } catch {
          guard case .unknownStatement = error else { throw error }
          throw PageProblem.notFound
        }
        return .now(.redirect(to: Address("projects", "\(project.id)", "sql").text))
      }
    )
  }

  /// What a run is called: by whoever has this session, nobody else can cancel it.
  private static func runName(_ request: Request, _ visitor: Visitor) -> String {
    visitor.session + " " + (request.form("run") ?? "").prefix(100)
  }

  private func answer(
    _ request: Request,
    _ visitor: Visitor,
    _ project: Project,
    maxRows: Int,
    maxBytes: Int = ConsoleQuery.usualMaxBytes
  ) throws -> ConsoleAnswer {
    let query = ConsoleQuery(
      text: request.form("sql") ?? "",
      tables: ConsoleTables.tables(project: project.id),
      maxRows: maxRows,
      maxBytes: maxBytes
    )
    return try consoleRuns.run(
      Self.runName(request, visitor),
      while: { !request.isAbandoned }
    ) { cancellation in
      try store.answer(query, cancellation: cancellation)
    }
  }

  /// What went wrong with a statement, for who wrote it; nil for what is not about it.
  private func problem(_ error: any Error) -> String? {
    switch error {
    case let problem as ConsoleProblem: ClientText.of(problem)
    case StoreError.timedOut(let seconds):
      "This took longer than \(Int(seconds)) seconds and was stopped. Fewer days answer sooner."
    case StoreError.cancelled: "Cancelled."
    case StoreError.busy: "Other statements run already; try again when they are done."
    case StoreError.crowded: ClientText.of(error)
    case let error as StoreError: settings.faults.note(error)
    default: nil
    }
  }

  private func runStatement(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let text = request.form("sql") ?? ""
    do {
      let answer = try answer(request, visitor, project, maxRows: ConsolePage.maxRows)
      return try consolePage(project, visitor, text: text, outcome: .answer(answer))
    } catch {
      guard let problem = problem(error) else { throw error }
      // A page all the same: the script puts only what it asked for in its place.
      return try consolePage(project, visitor, text: text, outcome: .problem(problem))
    }
  }

  private func saveAnswer(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    do {
      let answer = try answer(
        request,
        visitor,
        project,
        maxRows: ConsolePage.maxFileRows,
        maxBytes: ConsolePage.maxFileBytes
      )
      return .now(
        Response(
          headers: [
            Header("Content-Type", "text/csv; charset=utf-8"),
            Header("Content-Disposition", "attachment; filename=\"answer.csv\""),
          ],
          body: Array(answer.csv.utf8)
        )
      )
    } catch {
      guard let problem = problem(error) else { throw error }
      return try consolePage(
        project,
        visitor,
        text: request.form("sql") ?? "",
        outcome: .problem(problem),
        status: 422
      )
    }
  }

  private func consolePage(
    _ project: Project,
    _ visitor: Visitor,
    text: String,
    outcome: ConsolePage.Outcome = .none,
    name: String = "",
    status: Int = 200
  ) throws -> Reply {
    let page = ConsolePage(
      visitor: visitor,
      project: project,
      statements: try catalog.statements(project: project.id),
      text: text,
      outcome: outcome,
      run: FormToken.newCookie() ?? "",
      name: name
    )
    return .now(self.page(page, in: try frame(visitor, project, .sql), status: status))
  }
}
