import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

/// Crashes: what there was, what is decided about it.
extension DashboardSite {
  func installCrashes(in router: inout Router) {
    router.get(
      "/projects/:id/crashes",
      handler: signedIn(.viewEvents) { try self.crashes($0, $1) }
    )
    router.post(
      "/projects/:id/crashes",
      handler: signedInForm(.manageBoards) { try self.decideCrash($0, $1) }
    )
  }

  /// The question about a project's crashes in one of the ranges that the page offers.
  private func crashes(
    _ project: Project,
    range: String
  ) throws -> (form: QuestionForm, crashes: Crashes) {
    let form = QuestionForm(["range": range], setting(of: project))
    let days = try TimeRange(form)
    let interval: TimeAxis.Interval = days.days > 124 ? .week : .day
    let scope = Scope(project: project.id, fromMs: days.fromMs, toMs: days.toMs)
    return (form, Crashes(scope, axis: TimeAxis(interval, timeZone: zone(of: project))))
  }

  private static func range(_ text: String?) -> String {
    CrashesPage.ranges.first { $0.0 == text }?.0 ?? "30d"
  }

  private func entries(_ project: Project, _ crashes: Crashes) throws -> [CrashEntry] {
    let decisions = try catalog.crashDecisions(project: project.id)
    return try crashes.run(on: store).map { group in
      CrashEntry(group: group, decision: decisions[group.signature.id])
    }
  }

  private func crashes(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let range = Self.range(request.query("range"))
    let (form, crashes) = try crashes(project, range: range)
    let entries = try entries(project, crashes)
    if let id = request.query("group") {
      guard let entry = entries.first(where: { $0.group.signature.id == id }) else {
        throw PageProblem.notFound
      }
      let page = try crashPage(entry, crashes, project, range, visitor)
      return .now(self.page(page, in: try frame(visitor, project, .crashes)))
    }
    let report = try QuestionKind.crashes.report(form, on: store)
    let page = CrashesPage(
      project: project,
      shownRange: range,
      showsAll: request.query("show") == "all",
      report: report,
      view: ReportView(report: report, csv: nil, hidesFirstTable: true),
      entries: entries,
      zone: zone(of: project),
      nowMs: clock.nowMs()
    )
    return .now(self.page(page, in: try frame(visitor, project, .crashes)))
  }

  private func crashPage(
    _ entry: CrashEntry,
    _ crashes: Crashes,
    _ project: Project,
    _ range: String,
    _ visitor: Visitor
  ) throws -> CrashPage {
    let latest = try CrashEvents(crashes.scope).run(on: store).first { event in
      CrashSignature(of: event) == entry.group.signature
    }
    return CrashPage(
      visitor: visitor,
      project: project,
      range: range,
      entry: entry,
      startsMs: crashes.bucketStartsMs,
      interval: crashes.axis.interval,
      scope: crashes.scope,
      latest: latest,
      before: try latest.map { try EventsBefore($0).run(on: store) } ?? [],
      zone: zone(of: project),
      nowMs: clock.nowMs()
    )
  }

  private func decideCrash(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let range = Self.range(request.form("range"))
    let signature = request.form("signature") ?? ""
    let group = try crashes(project, range: range).crashes.run(on: store)
      .first { $0.signature.id == signature }
    do throws(CatalogError) {
      try catalog.decideCrash(
        CrashDecision.State(rawValue: request.form("state") ?? ""),
        signature: signature,
        mended: (request.form("version") ?? "").trimmingCharacters(in: .whitespaces),
        seen: group?.newestVersion ?? "",
        project: project.id,
        by: visitor.actor
      )
    } catch {
      guard case .invalid(_, let reason) = error else { throw error }
      throw PageProblem(status: 422, title: "That did not work", message: reason)
    }
    let address = CrashesPage.address(project.id, range)
    return .now(.redirect(to: (group == nil ? address : address.with("group", signature)).text))
  }
}
