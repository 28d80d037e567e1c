import Catalog
import HTTPServing

extension DashboardSite {
  func installPeople(in router: inout Router) {
    router.get("/people", handler: signedIn(.manageUsers) { try self.people($0, $1) })
    router.post(
      "/people",
      handler: signedInForm(.manageUsers) { request, visitor in
        try self.changePeople(request, visitor) {
          let user = try self.catalog.createUser(
            name: request.form("name") ?? "",
            role: try self.role(request),
            by: visitor.actor
          )
          return try self.link(for: user.name, request, visitor)
        }
      }
    )
    router.post(
      "/people/role",
      handler: signedInForm(.manageUsers) { request, visitor in
        try self.changePeople(request, visitor) {
          try self.catalog.setRole(
            try self.role(request),
            ofUser: request.form("name") ?? "",
            by: visitor.actor
          )
          return nil
        }
      }
    )
    router.post(
      "/people/link",
      handler: signedInForm(.manageUsers) { request, visitor in
        try self.changePeople(request, visitor) {
          try self.link(for: request.form("name") ?? "", request, visitor)
        }
      }
    )
    router.get(
      "/people/remove",
      handler: signedIn(.manageUsers) { request, visitor in
        let name = request.query("name")
        guard let person = try self.catalog.users().first(where: { $0.name == name }) else {
          throw PageProblem.notFound
        }
        let page = RemovePersonPage(visitor: visitor, person: person)
        return .now(self.page(page, in: try self.frame(visitor)))
      }
    )
    router.post(
      "/people/remove",
      handler: signedInForm(.manageUsers) { request, visitor in
        try self.changePeople(request, visitor) {
          try self.catalog.removeUser(request.form("name") ?? "", by: visitor.actor)
          return nil
        }
      }
    )
    router.post(
      "/people/sessions/end",
      handler: signedInForm(.manageUsers) { request, visitor in
        try self.changePeople(request, visitor) {
          try self.catalog.endSession(request.form("session") ?? "", by: visitor.actor)
          return nil
        }
      }
    )
  }

  private func role(_ request: Request) throws -> Role {
    guard let role = request.form("role").flatMap(Role.init(rawValue:)) else {
      throw CatalogError.invalid(field: "role", reason: "Choose what they may do.")
    }
    return role
  }

  private func link(
    for name: String,
    _ request: Request,
    _ visitor: Visitor
  ) throws -> (name: String, address: String) {
    let token = try catalog.createSignInLink(user: name, by: visitor.actor)
    return (name, endpoint(for: request) + Address("sign-in", token).text)
  }

  /// Does something and shows the people again, with what came of it.
  private func changePeople(
    _ request: Request,
    _ visitor: Visitor,
    _ change: () throws -> (name: String, address: String)?
  ) throws -> Reply {
    do {
      guard let made = try change() else { return .now(.redirect(to: Address("people").text)) }
      return try people(request, visitor, link: made)
    } catch let error as CatalogError {
      switch error {
      case .invalid, .userExists, .lastOwner, .unknownUser, .unknownSession:
        let page = try people(request, visitor, problem: error.description, status: 422)
        if case .userExists = error { return page.beside("name", error.description, of: request) }
        return page.beside(error, of: request)
      default: throw error
      }
    }
  }

  private func people(
    _ request: Request,
    _ visitor: Visitor,
    link: (name: String, address: String)? = nil,
    problem: String? = nil,
    status: Int = 200
  ) throws -> Reply {
    let page = PeoplePage(
      visitor: visitor,
      people: try catalog.users(),
      sessions: try catalog.sessions(),
      link: link,
      problem: problem
    )
    return .now(self.page(page, in: try frame(visitor), status: status))
  }
}
