import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights
import ProjectQuestions

extension DashboardSite {
  func installLists(in router: inout Router) {
    let root = "/projects/:id/people/lists"
    router.get(root, handler: signedIn(.viewEvents) { try self.listsPage($0, $1) })
    router.get("\(root)/:list", handler: signedIn(.viewEvents) { try self.listPage($0, $1) })
    router.get(
      "\(root)/:list/remove",
      handler: signedIn(.manageProject) { request, visitor in
        let project = try self.project(request)
        let list = try self.list(request)
        let page = SegmentRemovalPage(
          visitor: visitor,
          project: project,
          what: "list",
          name: list.name,
          uses: try self.catalog.uses(ofList: list.id, project: project.id),
          action: SegmentAddress.listRemoval(list.id, project.id),
          back: SegmentAddress.list(list.id, project.id)
        )
        return .now(self.page(page, in: try self.frame(visitor, project, .people)))
      }
    )
    var options = RouteOptions()
    options.maxBodyBytes = Self.maxListBytes
    router.post(root, options: options, handler: signedInForm { try self.importList($0, $1) })
    router.post(
      "\(root)/:list/remove",
      handler: signedInForm { request, visitor in
        let project = try self.project(request)
        try self.catalog.removeList(
          try self.list(request).id,
          project: project.id,
          by: visitor.actor
        )
        return .now(.redirect(to: SegmentAddress.lists(project.id).text))
      }
    )
  }

  private func list(_ request: Request) throws -> SavedList {
    let project = try project(request)
    guard let id = Int64(request.parameter("list")),
      let list = try catalog.list(id, project: project.id)
    else { throw PageProblem.notFound }
    return list
  }

  private func listsPage(
    _ request: Request,
    _ visitor: Visitor,
    problem: String? = nil,
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let page = ListsPage(
      visitor: visitor,
      project: project,
      lists: try catalog.lists(project: project.id),
      zone: zone(of: project),
      nowMs: clock.nowMs(),
      problem: problem
    )
    return .now(self.page(page, in: try frame(visitor, project, .people), status: status))
  }

  private func listPage(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let list = try list(request)
    let segment = Segment(.all, [Segment.Group(.all, [.inList(list.id)])])
    var known: Int?
    do {
      let filter = try shelf(of: project.id).filter(segment, nowMs: clock.nowMs())
      known = try SegmentCount(project: project.id, filter).run(on: store)
    } catch is StoreError {
      // The list itself can be shown without the store.
    }
    let page = ListPage(
      visitor: visitor,
      project: project,
      list: list,
      known: known,
      zone: zone(of: project)
    )
    return .now(self.page(page, in: try frame(visitor, project, .people)))
  }

  private func importList(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    do {
      let file = ListFile(request.formFile("file") ?? [], inflate: settings.inflate)
      let read = try file.read(project: project.id)
      let list = try catalog.addList(
        name: request.form("name") ?? "",
        members: read.members,
        count: read.count,
        failed: read.failed,
        failures: read.failures.map { .init(line: $0.line, reason: $0.reason) },
        project: project.id,
        by: visitor.actor
      )
      return .now(.redirect(to: SegmentAddress.list(list.id, project.id).text))
    } catch let problem as ListFile.Problem {
      return try listsPage(request, visitor, problem: problem.description, status: 422)
        .beside("file", problem.description, of: request)
    } catch CatalogError.invalid(let field, let reason) {
      return try listsPage(request, visitor, problem: reason, status: 422)
        .beside(field, reason, of: request)
    }
  }
}
