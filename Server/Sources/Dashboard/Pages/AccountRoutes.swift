import Catalog
import FootfallSystem
import HTTPServing

extension DashboardSite {
  func installAccount(in router: inout Router) {
    router.get(
      "/account",
      handler: signedIn(.ownAccount) { _, visitor in
        .now(self.page(try self.accountPage(visitor), in: try self.frame(visitor)))
      }
    )
    router.post(
      "/account/password",
      handler: signedInForm(.ownAccount) { try self.setPassword($0, $1) }
    )
    router.post(
      "/account/sessions/end",
      handler: signedInForm(.ownAccount) { request, visitor in
        do {
          try self.catalog.endSession(
            request.form("session") ?? "",
            ofUser: visitor.user.name,
            by: visitor.actor
          )
        } catch CatalogError.unknownSession {
          // Ended or gone: either way it is no longer listed.
        }
        return .now(.redirect(to: Address("account").text))
      }
    )
  }

  private func accountPage(_ visitor: Visitor) throws -> AccountPage {
    AccountPage(
      visitor: visitor,
      sessions: try catalog.sessions(user: visitor.user.name),
      asksForPassword: try asksForPassword(visitor)
    )
  }

  /// A browser that somebody left open must not be enough to take the account over.
  private func asksForPassword(_ visitor: Visitor) throws -> Bool {
    try visitor.user.hasPassword && !catalog.hasJustSignedIn(session: visitor.session)
  }

  private func setPassword(_ request: Request, _ visitor: Visitor) throws -> Reply {
    if try asksForPassword(visitor) {
      if let seconds = attempt(request) { return tooMany(seconds, request) }
      let isRight = try catalog.isPassword(
        request.form("current") ?? "",
        ofUser: visitor.user.name
      )
      guard isRight else {
        var page = try accountPage(visitor)
        let problem = "This is not your current password."
        page.problem = problem
        return .now(self.page(page, in: try frame(visitor), status: 422))
          .beside("current", problem, of: request)
      }
      limiter.withLock { $0.succeeded(from: request.remoteAddress) }
    }
    var problem: String?
    do {
      try catalog.setPassword(
        request.form("password") ?? "",
        forUser: visitor.user.name,
        keeping: visitor.session,
        by: visitor.actor
      )
    } catch {
      guard case .invalid(_, let reason) = error else { throw error }
      problem = reason
    }
    // Read anew: now there is a password.
    let now = try catalog.user(session: visitor.session).map {
      Visitor(user: $0, session: visitor.session)
    }
    let visitor = now ?? visitor
    var page = try accountPage(visitor)
    page.problem = problem
    page.wasSaved = problem == nil
    let status = page.problem == nil ? 200 : 422
    let answer = Reply.now(self.page(page, in: try frame(visitor), status: status))
    return problem.map { answer.beside("password", $0, of: request) } ?? answer
  }
}
