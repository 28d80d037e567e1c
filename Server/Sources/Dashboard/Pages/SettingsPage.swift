import Catalog
import Foundation

/// A project's name, how long its events are kept, and how many it may send.
struct SettingsPage: Page {
  let visitor: Visitor
  let project: Project
  let rules: ProjectRules
  let lastRun: RetentionRun?
  /// The last days, newest first.
  let usage: [DayUsage]
  let zone: TimeZone
  var problem: String?
  /// What was typed into the rules, when that was refused.
  var typed: RulesForm?

  var title: String { "Settings of \(project.name)" }

  private var mayChange: Bool { visitor.user.role.may(.manageProject) }

  var content: HTML {
    """
    <div class="page-head"><h1>Settings</h1></div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(mayChange ? projectForm : projectFacts)
    <section class="card"><h2 class="card-title">Rules</h2>
    <p class="definition">\(rules.summary.prefix(1).uppercased() + rules.summary.dropFirst()). \
    \(lastRunText)</p>
    \(mayChange ? rulesForm : nil)</section>
    <section class="card"><h2 class="card-title">Received</h2>
    <p class="definition">Events a day (UTC), and those turned away over the quota.</p>
    \(usage.isEmpty ? #"<p class="empty-line">Nothing was received lately.</p>"# as HTML : usageTable)
    </section>
    """
  }

  private var lastRunText: String {
    guard let lastRun else { return "Old events are removed once an hour, a little at a time." }
    let moment = Moment(ms: lastRun.atMs, zone: zone)
    return "Last looked at on \(moment.date), \(moment.minute): \(lastRun.removed.grouped) events "
      + "removed, \(lastRun.removedInTotal.grouped) in total."
  }

  /// What a viewer may know, and who can change it.
  private var projectFacts: HTML {
    let reckoning = project.reckoning
    func fact(_ name: String, _ value: String) -> HTML {
      "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n"
    }
    func title(_ of: String, _ choices: [(String, String)]) -> String {
      choices.first { $0.0 == of }?.1 ?? of
    }
    return """
      <section class="card"><h2 class="card-title">Project</h2>
      <p class="definition">Editors and owners change this; ask one of them.</p>
      <dl class="facts">\(fact("Name", project.name))\(fact("Time zone", project.timeZone))\
      \(fact("Weeks begin on", title(reckoning.weekStart.rawValue, Self.weekdays)))\
      \(fact("Currency", reckoning.currency ?? "the most used"))\
      \(fact("Exchange rates", reckoning.rates.description.isEmpty ? "none" : reckoning.rates.description))\
      \(fact("Revenue is", title(reckoning.formula.rawValue, Self.formulas)))</dl></section>
      """
  }

  private var projectForm: HTML {
    """
    <section class="card"><h2 class="card-title">Project</h2>
    <form method="post" action="\(Address("projects", "\(project.id)"))" class="row-form">
    \(FormToken.field(visitor.formToken))
    <label class="field"><span>Name</span><input name="name" value="\(project.name)" required \
    maxlength="100" autocomplete="off"></label>
    \(TimeZoneField(value: project.timeZone).html)
    \(select("week_start", "Weeks begin on", Self.weekdays, project.reckoning.weekStart.rawValue))
    <label class="field"><span>Currency</span><input name="currency" \
    value="\(project.reckoning.currency ?? "")" maxlength="3" placeholder="the most used" \
    autocomplete="off" spellcheck="false"></label>
    <label class="field"><span>Exchange rates</span><input name="rates" \
    value="\(project.reckoning.rates.description)" placeholder="EUR 1.10, GBP 1.27" autocomplete="off" \
    spellcheck="false"></label>
    \(select("revenue_formula", "Revenue is", Self.formulas, project.reckoning.formula.rawValue))
    <button type="submit" class="button">Save</button></form>
    <p class="definition">Days begin at midnight in the project’s time zone, in every chart. Revenue is \
    told in the project’s currency; other currencies are listed apart, and only what has a rate is in the sum of all: a rate says \
    what one unit is worth in the project’s currency.</p>
    </section>
    """
  }

  static let weekdays = Reckoning.Weekday.allCases.map { ($0.rawValue, $0.title) }
  static let formulas = [
    (Reckoning.Formula.amount.rawValue, "price times quantity"),
    (Reckoning.Formula.price.rawValue, "price alone (AWS)"),
  ]

  private func select(
    _ name: String,
    _ label: String,
    _ options: [(String, String)],
    _ chosen: String
  ) -> HTML {
    let items = options.map { value, title -> HTML in
      #"<option value="\#(value)"\#(" selected", if: value == chosen)>\#(title)</option>"#
    }
    return
      #"<label class="field"><span>\#(label)</span><select name="\#(name)">\#(items)</select></label>"#
  }

  private var rulesForm: HTML {
    let form = typed ?? RulesForm(rules)
    return """
      <form method="post" action="\(Address("projects", "\(project.id)", "rules"))" class="stack">
      \(FormToken.field(visitor.formToken))
      <div class="two"><label class="field"><span>Keep events for days</span><input \
      name="retention_days" value="\(form.retentionDays)" inputmode="numeric" \
      placeholder="for ever" autocomplete="off"></label>
      <label class="field"><span>Events a day, at most</span><input name="events_per_day" \
      value="\(form.eventsPerDay)" inputmode="numeric" placeholder="no limit" \
      autocomplete="off"></label></div>
      <label class="field"><span>Names kept for another time, one a line: name = days</span>\
      <textarea name="names" rows="3" spellcheck="false" placeholder="Song Played = 30">\
      \(form.names)</textarea></label>
      <p class="hint">What is older is removed for good. Over the day’s number apps are told to try \
      again later; they keep their events meanwhile.</p>
      <button type="submit" class="button">Save rules</button></form>
      """
  }

  private var usageTable: HTML {
    let rows = usage.map { day -> HTML in
      let moment = Moment(ms: day.day * 86_400_000, zone: .gmt)
      return """
        <tr><td>\(moment.dateElement)</td><td class="end num">\(day.events.grouped)</td>\
        <td class="end num" data-value="\(day.bytes)">\(day.bytes.byteSize)</td><td class="end num">\(day.refused.grouped)</td></tr>

        """
    }
    return """
      <div class="scroll"><table class="table table-tight"><thead><tr><th scope="col">Day</th>\
      <th scope="col" class="end">Events</th><th scope="col" class="end">Size</th>\
      <th scope="col" class="end">Turned away</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
  }
}

/// The rules as text fields.
struct RulesForm {
  var retentionDays = ""
  var eventsPerDay = ""
  var names = ""

  init(_ rules: ProjectRules) {
    retentionDays = rules.retentionDays.map(String.init) ?? ""
    eventsPerDay = rules.eventsPerDay.map(String.init) ?? ""
    names = rules.names.map { "\($0.name) = \($0.days)" }.joined(separator: "\n")
  }

  init(retentionDays: String, eventsPerDay: String, names: String) {
    self.retentionDays = retentionDays
    self.eventsPerDay = eventsPerDay
    self.names = names
  }

  /// What they say.
  ///
  /// - Throws: `CatalogError.invalid` for what is no number or no line of that form.
  func rules() throws(CatalogError) -> ProjectRules {
    var rules = ProjectRules(
      retentionDays: try Self.number(retentionDays, "days", of: "retention_days"),
      eventsPerDay: try Self.number(eventsPerDay, "events", of: "events_per_day")
    )
    for line in names.split(whereSeparator: \.isNewline) {
      let text = line.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty else { continue }
      // A name may hold the sign itself.
      guard let equals = text.lastIndex(of: "=") else {
        throw .invalid(field: "names", reason: "“\(text)” is not written name = days.")
      }
      let name = text[..<equals].trimmingCharacters(in: .whitespaces)
      guard
        let days = try Self.number(String(text[text.index(after: equals)...]), "days", of: "names")
      else {
        throw .invalid(field: "names", reason: "“\(text)” is not written name = days.")
      }
      rules.names.append(ProjectRules.NameRetention(name: name, days: days))
    }
    return rules
  }

  private static func number(
    _ text: String,
    _ what: String,
    of field: String
  ) throws(CatalogError) -> Int? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty else { return nil }
    guard let number = Int(text) else {
      throw .invalid(field: field, reason: "“\(text)” is not a whole number of \(what).")
    }
    return number
  }
}
