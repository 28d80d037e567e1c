import Catalog
import EventStore
import HTTPServing
import Insights

extension DashboardSite {
  func installSessions(in router: inout Router) {
    router.get(
      "/projects/:id/sessions",
      handler: signedIn(.viewEvents) { request, visitor in
        let project = try self.project(request)
        let shown = request.query("show").flatMap(SessionsPage.Shown.init) ?? .all
        let now = self.clock.nowMs()
        let sessions = try RecentSessions(
          Scope(
            project: project.id,
            fromMs: now - SessionsPage.days * 86_400_000,
            // What a client's clock puts a little ahead is there, too.
            toMs: now + 86_400_000
          ),
          isPassive: shown.isPassive,
          limit: SessionsPage.pageSize
        ).run(on: self.store)
        let page = SessionsPage(
          project: project,
          shown: shown,
          sessions: sessions,
          zone: self.zone(of: project),
          nowMs: now
        )
        return .now(self.page(page, in: try self.frame(visitor, project, .sessions)))
      }
    )
  }
}
