import Catalog
import HTTPServing

extension DashboardSite {
  func installProjects(in router: inout Router) {
    router.get(
      "/projects/new",
      handler: signedIn(.createProject) { _, visitor in
        .now(self.page(NewProjectPage(visitor: visitor), in: try self.frame(visitor)))
      }
    )
    router.post(
      "/projects",
      handler: signedInForm(.createProject) { try self.createProject($0, $1) }
    )
    router.get(
      "/projects/:id/keys",
      handler: signedIn(.viewKeys) { try self.keysPage($0, $1) }
    )
    router.post(
      "/projects/:id/keys",
      handler: signedInForm(.manageKeys) { request, visitor in
        let project = try self.project(request)
        return try self.changeKeys(request, visitor) {
          let kind = KeyChoice(rawValue: request.form("kind") ?? "") ?? .ingest
          if kind.role == .owner, visitor.user.role != .owner {
            throw PageProblem.forbidden(visitor.user.role, needs: .manageUsers)
          }
          let label = request.form("label") ?? ""
          if kind == .phase {
            return try self.catalog.createPhaseKey(
              project: project.id,
              label: label,
              by: visitor.actor
            )
          }
          return try self.catalog.createKey(
            project: project.id,
            kind: kind.role == nil ? .ingest : .secret,
            label: label,
            role: kind.role ?? .editor,
            isTest: kind == .test,
            by: visitor.actor
          )
        }
      }
    )
    router.post(
      "/projects/:id/keys/adopt",
      handler: signedInForm(.manageKeys) { request, visitor in
        let project = try self.project(request)
        return try self.changeKeys(request, visitor) {
          guard let kind = request.form("kind").flatMap(KeyKind.init) else {
            throw CatalogError.invalid(field: "kind", reason: "Choose where the key comes from.")
          }
          _ = try self.catalog.adoptKey(
            project: project.id,
            kind: kind,
            value: request.form("value") ?? "",
            label: request.form("label") ?? "",
            by: visitor.actor
          )
          return nil
        }
      }
    )
    router.get(
      "/projects/:id/keys/:key/revoke",
      handler: signedIn(.manageKeys) { request, visitor in
        let (project, key) = try self.key(request)
        return .now(
          self.page(
            RevokePage(visitor: visitor, project: project, key: key),
            in: try self.frame(visitor, project, .keys)
          )
        )
      }
    )
    router.post(
      "/projects/:id/keys/:key/revoke",
      handler: signedInForm(.manageKeys) { request, visitor in
        let (project, key) = try self.key(request)
        try self.checkRole(visitor, over: key)
        try self.catalog.revokeKey(key.id, project: project.id, by: visitor.actor)
        return .now(.redirect(to: Address("projects", "\(project.id)", "keys").text))
      }
    )
    router.post(
      "/projects/:id/keys/:key/rotate",
      handler: signedInForm(.manageKeys) { request, visitor in
        let (project, key) = try self.key(request)
        try self.checkRole(visitor, over: key)
        return try self.changeKeys(request, visitor) {
          try self.catalog.rotateKey(key.id, project: project.id, by: visitor.actor)
        }
      }
    )
  }

  /// A key that may do more than the visitor is not theirs to touch.
  private func checkRole(_ visitor: Visitor, over key: Key) throws {
    guard key.role != .owner || visitor.user.role == .owner else {
      throw PageProblem.forbidden(visitor.user.role, needs: .manageUsers)
    }
  }

  private func createProject(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let name = request.form("name") ?? ""
    let timeZone = request.form("time_zone") ?? "UTC"
    do {
      let project = try catalog.createProject(
        name: name,
        timeZone: timeZone,
        by: visitor.actor
      )
      // A project without a key is a dead end; the empty live page shows this one.
      _ = try catalog.createKey(
        project: project.id,
        kind: .ingest,
        label: "First app",
        by: visitor.actor
      )
      // Phase's SDK takes no other form of key, and its dashboard shows one with every new app.
      _ = try catalog.createPhaseKey(
        project: project.id,
        label: "Phase’s SDK",
        by: visitor.actor
      )
      return .now(.redirect(to: LiveQuery().address(project: project.id).text))
    } catch {
      guard case .invalid(let field, let reason) = error else { throw error }
      let page = NewProjectPage(
        visitor: visitor,
        name: name,
        timeZone: timeZone,
        problem: reason
      )
      return .now(self.page(page, in: try frame(visitor), status: 422))
        .beside(field, reason, of: request)
    }
  }

  private func key(_ request: Request) throws -> (Project, Key) {
    let project = try project(request)
    let id = Int64(request.parameter("key"))
    guard let key = try catalog.keys(project: project.id).first(where: { $0.id == id }),
      !key.isRevoked
    else { throw PageProblem.notFound }
    return (project, key)
  }

  /// Does something and shows the keys again, with what came of it.
  ///
  /// A key that was made is shown in the answer to its form, never behind an address: reloading
  /// that address would show a secret again.
  private func changeKeys(
    _ request: Request,
    _ visitor: Visitor,
    _ change: () throws -> CreatedKey?
  ) throws -> Reply {
    do {
      guard let made = try change() else {
        return .now(.redirect(to: Address("projects", request.parameter("id"), "keys").text))
      }
      return try keysPage(request, visitor, made: made)
    } catch let error as CatalogError {
      switch error {
      case .invalid, .keyInUse:
        let page = try keysPage(request, visitor, problem: error.description, status: 422)
        if case .keyInUse = error { return page.beside("value", error.description, of: request) }
        return page.beside(error, of: request)
      default: throw error
      }
    }
  }

  func keysPage(
    _ request: Request,
    _ visitor: Visitor,
    made: CreatedKey? = nil,
    madeReadKey: String? = nil,
    problem: String? = nil,
    readKeyProblem: String? = nil,
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let readKeys = ReadKeysCard(
      visitor: visitor,
      project: project,
      keys: try catalog.phaseReadKeys(project: project.id),
      nowMs: clock.nowMs(),
      zone: zone(of: project),
      made: madeReadKey,
      problem: readKeyProblem
    )
    let page = KeysPage(
      visitor: visitor,
      project: project,
      keys: try catalog.keys(project: project.id),
      zone: zone(of: project),
      readKeys: readKeys,
      made: made,
      problem: problem
    )
    return .now(self.page(page, in: try frame(visitor, project, .keys), status: status))
  }
}
