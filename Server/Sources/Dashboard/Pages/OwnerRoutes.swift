import Catalog
import HTTPServing

/// The pages for owners that are about no project: audit log and system.
extension DashboardSite {
  func installOwner(in router: inout Router) {
    router.get(
      "/audit",
      handler: signedIn(.viewAudit) { request, visitor in
        let before = request.query("before").flatMap { Int64($0) }
        let page = AuditPage(
          entries: try self.catalog.audit(before: before, limit: AuditPage.pageSize),
          projects: try self.catalog.projects(),
          isFirst: before == nil
        )
        return .now(self.page(page, in: try self.frame(visitor)))
      }
    )
    router.get("/system", handler: signedIn(.operate) { try self.system($0, $1) })
    router.post(
      "/system/replay",
      handler: signedInForm(.operate) { request, visitor in
        let count = try self.operations.replay()
        try self.catalog.note("poison.replay", "\(count) records", by: visitor.actor)
        return try self.system(request, visitor, replayed: count)
      }
    )
  }

  private func system(
    _ request: Request,
    _ visitor: Visitor,
    replayed: Int? = nil
  ) throws -> Reply {
    let (records, count) = try operations.setAside(50)
    let page = SystemPage(
      visitor: visitor,
      checks: operations.checks(),
      setAside: records,
      setAsideCount: count,
      replayed: replayed
    )
    return .now(self.page(page, in: try frame(visitor)))
  }
}
