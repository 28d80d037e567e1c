import Catalog
import Foundation
import HTTPServing

/// Making and revoking keys of Phase's read API; they are listed among a project's keys.
extension DashboardSite {
  func installReadKeys(in router: inout Router) {
    router.post(
      "/projects/:id/read-keys",
      handler: signedInForm(.manageKeys) { try self.createReadKey($0, $1) }
    )
    router.get(
      "/projects/:id/read-keys/:key/revoke",
      handler: signedIn(.manageKeys) { request, visitor in
        let (project, key) = try self.readKey(request)
        return .now(
          self.page(
            RevokeReadKeyPage(visitor: visitor, project: project, key: key),
            in: try self.frame(visitor, project, .keys)
          )
        )
      }
    )
    router.post(
      "/projects/:id/read-keys/:key/revoke",
      handler: signedInForm(.manageKeys) { request, visitor in
        let (project, key) = try self.readKey(request)
        try self.catalog.revokePhaseReadKey(key.id, project: project.id, by: visitor.actor)
        return .now(.redirect(to: Address("projects", "\(project.id)", "keys").text))
      }
    )
  }

  /// Makes a key and shows it in the answer to its form, never behind an address.
  private func createReadKey(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let text = (request.form("days") ?? "").trimmingCharacters(in: .whitespaces)
    let days = Int(text)
    guard text.isEmpty || days != nil else {
      let reason = "“\(text)” is not a whole number of days."
      return try keysPage(request, visitor, readKeyProblem: reason, status: 422)
        .beside("days", reason, of: request)
    }
    do {
      let made = try catalog.createPhaseReadKey(
        name: (request.form("name") ?? "").trimmingCharacters(in: .whitespaces),
        days: days,
        project: project.id,
        by: visitor.actor
      )
      return try keysPage(request, visitor, madeReadKey: made.plaintext)
    } catch CatalogError.invalid(let field, let reason) {
      return try keysPage(request, visitor, readKeyProblem: reason, status: 422)
        .beside(field, reason, of: request)
    }
  }

  private func readKey(_ request: Request) throws -> (Project, PhaseReadKey) {
    let project = try project(request)
    let id = Int64(request.parameter("key"))
    guard let key = try catalog.phaseReadKeys(project: project.id).first(where: { $0.id == id }),
      key.revokedAtMs == nil
    else { throw PageProblem.notFound }
    return (project, key)
  }
}
