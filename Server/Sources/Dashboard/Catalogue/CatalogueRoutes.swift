import Catalog
import EventRecord
import EventStore
import Foundation
import HTTPServing
import Insights

/// The event catalogue.
extension DashboardSite {
  private static let recentMs: Int64 = 30 * 86_400_000

  func installCatalogue(in router: inout Router) {
    router.get(
      "/projects/:id/catalogue",
      handler: signedIn(.viewEvents) { request, visitor in
        try request.query("name").map { try self.catalogueEvent($0, request, visitor) }
          ?? self.catalogue(request, visitor)
      }
    )
    router.post(
      "/projects/:id/catalogue",
      handler: signedInForm(.manageBoards) { request, visitor in
        let project = try self.project(request)
        let rule = EventRule(
          name: request.form("name") ?? "",
          description: (request.form("description") ?? "")
            .trimmingCharacters(in: .whitespacesAndNewlines),
          isHidden: request.form("hidden") == "true",
          isBlocked: request.form("blocked") == "true"
        )
        do throws(CatalogError) {
          try self.catalog.setEventRule(rule, project: project.id, by: visitor.actor)
          return .now(.redirect(to: CataloguePage.address(project.id, rule.name).text))
        } catch {
          guard case .invalid(let field, let reason) = error else { throw error }
          return try self.catalogueEvent(rule.name, request, visitor, problem: reason, status: 422)
            .beside(field, reason, of: request)
        }
      }
    )
  }

  func installQuality(in router: inout Router) {
    router.get(
      "/projects/:id/quality",
      handler: signedIn(.viewEvents) { request, visitor in
        let project = try self.project(request)
        let asked = request.query("range")
        let range = QualityPage.ranges.first { $0.0 == asked }?.0 ?? "30d"
        let form = QuestionForm(["range": range, "interval": "day"], self.setting(of: project))
        let report = try QuestionKind.arrival.report(form, on: self.store)
        let zone = self.zone(of: project)
        let page = QualityPage(
          visitor: visitor,
          project: project,
          range: range,
          report: report,
          view: ReportView(report: report, csv: nil, hidesFirstTable: true),
          losses: QualityPage.Losses(
            try self.catalog.losses(project: project.id, fromDay: report.fromMs / 86_400_000)
          ),
          zone: zone
        )
        return .now(self.page(page, in: try self.frame(visitor, project, .quality)))
      }
    )
  }

  private func directory(_ project: Project) throws -> EventDirectory.Output {
    try EventDirectory(project: project.id, sinceMs: clock.nowMs() - Self.recentMs).run(on: store)
  }

  private func catalogue(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let seen = try directory(project)
    let page = CataloguePage(
      visitor: visitor,
      project: project,
      entries: CatalogueEntry.all(
        seen.entries,
        try catalog.eventRules(project: project.id)
      ),
      isCut: seen.isCut,
      zone: zone(of: project),
      nowMs: clock.nowMs()
    )
    return .now(self.page(page, in: try frame(visitor, project, .catalogue)))
  }

  private func catalogueEvent(
    _ name: String,
    _ request: Request,
    _ visitor: Visitor,
    problem: String? = nil,
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let page = CatalogueEventPage(
      visitor: visitor,
      project: project,
      entry: CatalogueEntry(
        rule: try catalog.eventRule(name, project: project.id),
        seen: try directory(project).entries.first { $0.name.hasBytes(of: name) }
      ),
      members: try EventMembers(project: project.id, name: name).run(on: store),
      zone: zone(of: project),
      nowMs: clock.nowMs(),
      problem: problem
    )
    return .now(self.page(page, in: try frame(visitor, project, .catalogue), status: status))
  }
}
