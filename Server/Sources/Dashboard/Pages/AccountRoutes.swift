import Catalog
import HTTPServing

extension DashboardSite {
  func installAccount(in router: inout Router) {
    router.get(
      "/account",
      handler: signedIn { _, visitor in
        .now(self.page(AccountPage(visitor: visitor), in: try self.frame(visitor)))
      }
    )
    router.post("/account/password", handler: signedInForm { try self.setPassword($0, $1) })
  }

  private func setPassword(_ request: Request, _ visitor: Visitor) throws -> Reply {
    var page = AccountPage(visitor: visitor)
    do {
      try catalog.setPassword(
        request.form("password") ?? "",
        forUser: visitor.user.name,
        keeping: visitor.session
      )
      page.wasSaved = true
    } catch {
      guard case .invalid(_, let reason) = error else { throw error }
      page.problem = reason
    }
    let status = page.problem == nil ? 200 : 422
    return .now(self.page(page, in: try frame(visitor), status: status))
  }
}
