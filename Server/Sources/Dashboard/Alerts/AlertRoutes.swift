import Catalog
import Foundation
import HTTPServing
import Insights

/// Alerts: looking at them, making, changing and trying them.
extension DashboardSite {
  func installAlerts(in router: inout Router) {
    router.get(
      "/projects/:id/alerts",
      handler: signedIn(.viewEvents) { try self.alertsPage($0, $1) }
    )
    router.post(
      "/projects/:id/alerts",
      handler: signedInForm(.manageBoards) { try self.makeAlert($0, $1) }
    )
    router.get(
      "/projects/:id/alerts/:alert",
      handler: signedIn(.viewEvents) { try self.alertPage($0, $1) }
    )
    router.post(
      "/projects/:id/alerts/:alert",
      handler: signedInForm(.manageBoards) { try self.changeAlert($0, $1) }
    )
    for (word, input) in [("test", AlertCore.Input.test), ("pause", .pause), ("resume", .resume)] {
      router.post(
        "/projects/:id/alerts/:alert/\(word)",
        handler: signedInForm(.manageBoards) { request, visitor in
          let alert = try self.alert(request)
          _ = try self.catalog.tellAlert(input, id: alert.id, by: visitor.actor)
          return .now(.redirect(to: alert.address().text))
        }
      )
    }
    router.post(
      "/projects/:id/alerts/:alert/delete",
      handler: signedInForm(.manageBoards) { request, visitor in
        let alert = try self.alert(request)
        try self.catalog.deleteAlert(alert.id, project: alert.project, by: visitor.actor)
        return .now(.redirect(to: Address("projects", "\(alert.project)", "alerts").text))
      }
    )
  }

  private func alert(_ request: Request) throws -> Alert {
    let project = try project(request)
    guard let id = Int64(request.parameter("alert")),
      let alert = try catalog.alert(id, project: project.id)
    else { throw PageProblem.notFound }
    return alert
  }

  private func alertsPage(
    _ request: Request,
    _ visitor: Visitor,
    made: (alert: Alert, secret: String)? = nil,
    problem: String? = nil,
    form: AlertForm? = nil,
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    var asked = AlertForm()
    // From a question's page its address comes along.
    asked.question = String((request.query("question") ?? "").prefix(8_000))
    let page = AlertsPage(
      visitor: visitor,
      project: project,
      alerts: try catalog.alerts(project: project.id),
      zone: zone(of: project),
      nowMs: clock.nowMs(),
      made: made,
      problem: problem,
      form: form ?? asked
    )
    return .now(self.page(page, in: try frame(visitor, project, .alerts), status: status))
  }

  private func alertPage(
    _ request: Request,
    _ visitor: Visitor,
    problem: String? = nil,
    typed: AlertForm? = nil,
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let alert = try alert(request)
    let page = AlertPage(
      visitor: visitor,
      project: project,
      alert: alert,
      notes: try catalog.alertNotes(alert.id),
      zone: zone(of: project),
      nowMs: clock.nowMs(),
      problem: problem,
      typed: typed
    )
    return .now(self.page(page, in: try frame(visitor, project, .alerts), status: status))
  }

  /// The terms that a form says, if what it says can be told at all.
  private func terms(_ form: AlertForm, of project: Project) throws -> Alert.Terms {
    let terms = try form.terms(setting(of: project))
    if let reason = settings.webhookRefusal(terms.webhook) {
      throw CatalogError.invalid(field: "webhook", reason: reason)
    }
    return terms
  }

  private func makeAlert(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let form = AlertForm { request.form($0) }
    do {
      let made = try catalog.createAlert(
        try terms(form, of: project),
        project: project.id,
        by: visitor.actor
      )
      return try alertsPage(request, visitor, made: made)
    } catch CatalogError.invalid(let field, let reason) {
      return try alertsPage(request, visitor, problem: reason, form: form, status: 422)
        .beside(field, reason, of: request)
    } catch let problem as QuestionForm.Problem {
      return try alertsPage(
        request,
        visitor,
        problem: problem.description,
        form: form,
        status: 422
      ).beside("question", problem.description, of: request)
    }
  }

  private func changeAlert(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let alert = try alert(request)
    let form = AlertForm { request.form($0) }
    do {
      try catalog.changeAlert(
        alert.id,
        to: try terms(form, of: project),
        project: project.id,
        by: visitor.actor
      )
      return .now(.redirect(to: alert.address().text))
    } catch CatalogError.invalid(let field, let reason) {
      return try alertPage(request, visitor, problem: reason, typed: form, status: 422)
        .beside(field, reason, of: request)
    } catch let problem as QuestionForm.Problem {
      return try alertPage(
        request,
        visitor,
        problem: problem.description,
        typed: form,
        status: 422
      ).beside("question", problem.description, of: request)
    }
  }
}
