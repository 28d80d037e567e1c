import Catalog
import EventRecord
import EventStore
import HTTPServing
import Insights

extension DashboardSite {
  func installSessions(in router: inout Router) {
    router.get(
      "/projects/:id/sessions",
      handler: signedIn(.viewEvents) { request, visitor in
        let project = try self.project(request)
        if let id = request.query("session") {
          return try self.session(id, of: request.query("person") ?? "", project, visitor)
        }
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

  /// One session of a person, who may have had several devices in it.
  private func session(
    _ id: String,
    of personID: String,
    _ project: Project,
    _ visitor: Visitor
  ) throws -> Reply {
    var found = try PersonLookup(project: project.id, id: personID, isDevice: false).run(on: store)
    if case .device(let users) = found, let user = users.last {
      found = try PersonLookup(project: project.id, id: user, isDevice: false).run(on: store)
    }
    guard case .person(let person) = found else { throw PageProblem.notFound }
    let always = Scope(
      project: project.id,
      fromMs: -62_135_596_800_000,
      toMs: 253_402_300_800_000
    )
    let sessions = try RecentSessions(always, person: person, limit: 1_000).run(on: store)
    guard let session = sessions.first(where: { $0.id == id }) else { throw PageProblem.notFound }
    // A session is as long as its events' own times say; corrected ones may be a little apart.
    let slackMs: Int64 = 3_600_000
    let end = EventPlace(
      correctedMs: session.begunMs + session.lengthMs + slackMs,
      sequence: .max,
      key: EventKey(high: 0, low: 0)
    )
    let events = try PersonTimeline(person, before: end, limit: SessionPage.shownEvents)
      .run(on: store).filter { $0.sessionID == id && $0.kind == .event }
    let page = SessionPage(
      project: project,
      session: session,
      events: events.reversed(),
      zone: zone(of: project),
      nowMs: clock.nowMs()
    )
    return .now(self.page(page, in: try frame(visitor, project, .sessions)))
  }
}
