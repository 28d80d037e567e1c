import Catalog
import HTTPServing

extension DashboardSite {
  func installSettings(in router: inout Router) {
    router.get(
      "/projects/:id/settings",
      handler: signedIn(.viewProject) { try self.settingsPage($0, $1) }
    )
    router.post(
      "/projects/:id",
      handler: signedInForm(.manageProject) { request, visitor in
        let project = try self.project(request)
        return try self.changeSettings(request, visitor) { () throws(CatalogError) in
          try self.catalog.updateProject(
            project.id,
            name: request.form("name") ?? "",
            timeZone: request.form("time_zone") ?? "",
            reckoning: try Self.reckoning(request, instead: project.reckoning),
            by: visitor.actor
          )
        }
      }
    )
    router.post(
      "/projects/:id/rules",
      handler: signedInForm(.manageProject) { request, visitor in
        let project = try self.project(request)
        let form = RulesForm(
          retentionDays: request.form("retention_days") ?? "",
          eventsPerDay: request.form("events_per_day") ?? "",
          names: request.form("names") ?? ""
        )
        return try self.changeSettings(request, visitor, typed: form) { () throws(CatalogError) in
          try self.catalog.setRules(try form.rules(), project: project.id, by: visitor.actor)
        }
      }
    )
  }

  /// The reckoning that a form tells; what it leaves out stays as it is.
  private static func reckoning(
    _ request: Request,
    instead old: Reckoning
  ) throws(CatalogError) -> Reckoning? {
    var new = old
    if let text = request.form("week_start") {
      guard let day = Reckoning.Weekday(rawValue: text) else {
        throw .invalid(field: "week_start", reason: "“\(text.prefix(100))” is no day of the week.")
      }
      new.weekStart = day
    }
    if let text = request.form("revenue_formula") {
      guard let formula = Reckoning.Formula(rawValue: text) else {
        throw .invalid(
          field: "revenue_formula",
          reason: "Revenue is by “amount” or “price”, not “\(text.prefix(100))”."
        )
      }
      new.formula = formula
    }
    if let text = request.form("rates") { new.rates = try ExchangeRates(written: text) }
    if let code = request.form("currency") { new.currency = code.isEmpty ? nil : code }
    return new == old ? nil : new
  }

  private func changeSettings(
    _ request: Request,
    _ visitor: Visitor,
    typed: RulesForm? = nil,
    _ change: () throws(CatalogError) -> Void
  ) throws -> Reply {
    do {
      try change()
      return .now(.redirect(to: Address("projects", request.parameter("id"), "settings").text))
    } catch {
      guard case .invalid(let field, let reason) = error else { throw error }
      return try settingsPage(request, visitor, problem: reason, typed: typed, status: 422)
        .beside(field, reason, of: request)
    }
  }

  private func settingsPage(
    _ request: Request,
    _ visitor: Visitor,
    problem: String? = nil,
    typed: RulesForm? = nil,
    status: Int = 200
  ) throws -> Reply {
    let project = try project(request)
    let today = clock.nowMs() / 86_400_000
    let page = SettingsPage(
      visitor: visitor,
      project: project,
      rules: try catalog.rules(project: project.id),
      lastRun: try catalog.retentionRun(project: project.id),
      usage: try catalog.usage(project: project.id, fromDay: today - 13).reversed(),
      zone: zone(of: project),
      problem: problem,
      typed: typed
    )
    return .now(self.page(page, in: try frame(visitor, project, .settings), status: status))
  }
}
