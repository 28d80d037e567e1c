import Catalog
import Foundation
import Insights

/// The form that a question is asked with; everything in it stands in the page's address.
struct QuestionControls {
  let kind: QuestionKind
  let project: UInt32
  /// What stands in the address, by name.
  let values: [String: String]
  /// What holds where the address says nothing.
  let reckoning: Reckoning
  /// Saved segments: numbers and names.
  var segments: [(String, String)] = []

  /// A condition that is being put together: its field, comparison and value.
  static let parts = ["f", "op", "v"]
  /// The steps one by one, as the form sends them.
  static let stepNames = (1...10).map { "s\($0)" }

  var html: HTML {
    """
    <form class="card ask" id="ask" method="get" action="\(address([:]))" hx-get="\(address([:]))" \
    hx-target="#insight" hx-select="#insight" hx-select-oob="#questions" hx-swap="outerHTML" \
    hx-push-url="true" hx-trigger="submit, change from:#ask-choices">
    <div class="ask-choices" id="ask-choices">
    <div class="ask-row">\(own)</div>
    <div class="ask-row">\(segments("range", "Time", Self.ranges, chosen: range))\
    \(hasInterval ? segments("interval", "By", Self.intervals(kind), chosen: values["interval"] ?? "") : nil)\
    \(select("unit", "Counting", Self.units))\
    \(segments.isEmpty && values["segment"] == nil ? nil : select("segment", "People in", [("", "everyone")] + segments))</div>
    <details class="more"\(" open", if: isCustom)><summary>More</summary>
    <div class="ask-row">\(input("from", "From", type: "date"))\(input("to", "To", type: "date"))\
    \(select("week", "Weeks begin on", Self.weekdays, standard: reckoning.weekStart.rawValue))\
    \(input("zone", "Time zone", placeholder: "the project’s", list: "zones"))\
    \(kind.own.contains { $0.name == "compare" } ? check("compare", "Compare with the period before") : nil)\
    \(check("test", "Test events, too"))</div></details>
    </div>
    <div class="ask-row ask-filters">\(chips)\(newCondition)\
    <button type="submit" class="button button-main button-small">Show</button></div>
    <datalist id="names" data-source="\(Address("projects", "\(project)", "names"))"></datalist>
    <datalist id="fields">\(Field.words.map { #"<option value="\#($0)"></option>"# as HTML })\
    <option value="props."></option><option value="user."></option></datalist>
    <datalist id="zones">\(TimeZone.knownTimeZoneIdentifiers.map { #"<option value="\#($0)"></option>"# as HTML })</datalist>
    </form>
    """
  }

  /// The page's address with some values changed; an empty one is left out.
  func address(_ changes: [String: String]) -> Address {
    var address = Address("projects", "\(project)", "insights", kind.word)
    guard !changes.isEmpty else { return address }
    let all = values.merging(changes) { $1 }
    for parameter in kind.parameters { address = address.with(parameter.name, all[parameter.name]) }
    return address.with("format", changes["format"])
  }

  /// Where a form stops the question.
  var stopAddress: Address {
    var address = Address("projects", "\(project)", "insights", kind.word, "stop")
    for parameter in kind.parameters {
      address = address.with(parameter.name, values[parameter.name])
    }
    return address
  }

  private static let ranges = [
    ("today", "Today"), ("yesterday", "Yesterday"), ("7d", "7 days"), ("30d", "30 days"),
    ("90d", "90 days"), ("month", "This month"), ("last-month", "Last month"), ("365d", "Year"),
  ]
  private static let units = [("people", "People"), ("devices", "Devices"), ("users", "Users")]
  private static let weekdays = Reckoning.Weekday.allCases.map { ($0.rawValue, $0.title) }

  private static func intervals(_ kind: QuestionKind) -> [(String, String)] {
    // The form says when it chooses by itself, so that the length of the time may change later.
    let all = [("hour", "Hour"), ("day", "Day"), ("week", "Week"), ("month", "Month")]
    return [("", "Auto")] + (kind.word == "retention" ? Array(all.dropFirst()) : all)
  }

  private var hasInterval: Bool { !["funnel", "paths", "hours"].contains(kind.word) }
  private var isCustom: Bool {
    ["from", "to", "week", "zone", "compare", "test"].contains { values[$0] != nil }
  }
  private var range: String {
    values["from"] == nil && values["to"] == nil ? values["range"] ?? TimeRange.standard : ""
  }

  // MARK: What only this question has

  private var own: HTML {
    switch kind.word {
    case "trend": trend
    case "active": input("events", "Active are those with", placeholder: "any event", list: "names")
    case "funnel": funnel
    case "sessions": sessions
    case "paths": paths
    case "hours": input("event", "Event", placeholder: "any event", list: "names")
    case "sign-ins": signIns
    case "revenue": revenue
    case "crashes": input("by", "Broken down by", placeholder: "nothing", list: "fields")
    case "arrival": arrival
    case "messages": ""
    default: retention
    }
  }

  private var trend: HTML {
    let measures = [
      ("events", "Number of events"), ("people", "Different people"),
      ("per-person", "Events per person"), ("per-session", "Events per session"),
      ("sum", "Sum of a property"), ("average", "Average of a property"),
      ("median", "Median of a property"), ("minimum", "Smallest of a property"),
      ("maximum", "Largest of a property"), ("p90", "90th percentile"), ("p95", "95th percentile"),
      ("p99", "99th percentile"),
    ]
    let isOfProperty = !["events", "people", "per-person", "per-session"].contains(
      values["measure"] ?? "events"
    )
    return """
      \(input("events", "Events", placeholder: "all; several with ; between", list: "names"))\
      \(select("measure", "Measured as", measures))\
      \(isOfProperty || values["property"] != nil ? input("property", "Property", placeholder: "price") : nil)\
      \(input("by", "Broken down by", placeholder: "nothing", list: "fields"))\
      \(input("formula", "Formula", placeholder: "such as A / B * 100"))
      """
  }

  private var funnel: HTML {
    let steps = EscapedList.parts(of: values["steps"] ?? "", separator: ";").filter { !$0.isEmpty }
    let count = min(10, max(3, steps.count + 1))
    let inputs = (0..<count).map { index in
      input(
        Self.stepNames[index],
        "Step \(index + 1)",
        placeholder: index < 2 ? "event" : "one more event",
        list: "names",
        value: index < steps.count ? steps[index] : ""
      )
    }
    let orders = [
      ("ordered", "One after the other"), ("strict", "Directly one after the other"),
      ("any", "In any order"),
    ]
    let windows = [
      ("1", "1 hour"), ("24", "1 day"), ("72", "3 days"), ("168", "7 days"), ("336", "14 days"),
      ("720", "30 days"),
    ]
    return """
      \(inputs)</div><div class="ask-row">\
      \(select("order", "Order", orders))\(select("window", "Within", windows, standard: "168"))\
      \(select("window-from", "Of", [("start", "the first step"), ("step", "the step before")]))\
      \(input("without", "Without", placeholder: "nothing in between", list: "names"))\
      \(input("same", "With the same", placeholder: "nothing", list: "fields"))\
      \(input("by", "Broken down by", placeholder: "nothing", list: "fields"))
      """
  }

  private var sessions: HTML {
    let lengths = [
      ("0", "any length"), ("5", "5 seconds"), ("10", "10 seconds"), ("60", "1 minute"),
    ]
    let bounces = [
      ("5", "5 seconds"), ("10", "10 seconds"), ("20", "20 seconds"), ("60", "1 minute"),
    ]
    return """
      \(select("minimum", "Sessions of at least", lengths))\
      \(select("bounce", "Bounced when under", bounces, standard: "20"))\
      \(input("by", "Broken down by", placeholder: "nothing", list: "fields"))
      """
  }

  private var paths: HTML {
    let counts = Paths.stepLimits.map { ("\($0)", "\($0) events") }
    return """
      \(select("direction", "Paths", [("from", "from"), ("to", "to")]))\
      \(input("event", "Event", placeholder: "the start or the end", list: "names"))\
      \(select("within", "Within", [("session", "a session"), ("day", "a day")]))\
      \(select("steps", "Up to", counts, standard: "5"))\
      \(check("merge", "Repeated events as one"))
      """
  }

  private var signIns: HTML {
    """
    \(input("sign-in", "Signed in", placeholder: "by the usual names", list: "names"))\
    \(input("sign-up", "Signed up", placeholder: "by the usual names", list: "names"))\
    \(input("failure", "Failed", placeholder: "by the usual names", list: "names"))
    """
  }

  private var arrival: HTML {
    let hours = [
      ("1", "1 hour"), ("24", "1 day"), ("168", "7 days"), ("720", "30 days"),
    ]
    return select("late", "Late after", hours, standard: "24")
  }

  private var revenue: HTML {
    """
    \(input("currency", "Currency", placeholder: reckoning.currency ?? "the most used"))\
    \(select("formula", "Counted as", SettingsPage.formulas, standard: reckoning.formula.rawValue))
    """
  }

  private var retention: HTML {
    """
    \(input("first", "First did", placeholder: "anything", list: "names"))\
    \(select("entry", "For the first time", [("any", "in this time"), ("new", "ever")]))\
    \(input("again", "Came back with", placeholder: "anything", list: "names"))\
    \(select("bound", "Came back", [("in", "in just that period"), ("on-or-after", "in it or later")]))\
    \(input("by", "Broken down by", placeholder: "nothing", list: "fields"))
    """
  }

  // MARK: Conditions

  private var chips: HTML? {
    let texts = EscapedList.parts(of: values["where"] ?? "", separator: ";").filter { !$0.isEmpty }
    guard !texts.isEmpty else { return nil }
    let items = texts.indices.map { index -> HTML in
      let title = Condition(texts[index])?.title ?? texts[index]
      var left = texts
      left.remove(at: index)
      let without = address(["where": EscapedList.text(of: left, separator: ";")])
      return """
        <li class="chip">\(title) <a class="chip-off" href="\(without)" \
        aria-label="Remove the filter \(title)">×</a></li>
        """
    }
    return """
      <input type="hidden" name="where" value="\(values["where"] ?? "")">\
      <ul class="chips" aria-label="Filters">\(items)</ul>
      """
  }

  private var newCondition: HTML {
    let comparisons = Condition.Comparison.allCases.map { ($0.rawValue, $0.title) }
    return """
      \(input("f", "Only where", placeholder: "field, such as platform", list: "fields"))\
      \(select("op", "Comparison", comparisons))\(input("v", "Value", placeholder: "value"))
      """
  }

  // MARK: Controls

  private func input(
    _ name: String,
    _ label: String,
    type: String = "text",
    placeholder: String = "",
    list: String? = nil,
    value: String? = nil
  ) -> HTML {
    """
    <label class="ask-field"><span>\(label)</span><input id="ask-\(name)" name="\(name)" type="\(type)" \
    value="\(value ?? values[name] ?? "")" placeholder="\(placeholder)"\
    \(list.map { #" list="\#($0)""# as HTML }) autocomplete="off" spellcheck="false" \
    autocapitalize="none"></label>

    """
  }

  private func select(
    _ name: String,
    _ label: String,
    _ options: [(String, String)],
    standard: String? = nil
  ) -> HTML {
    let standard = standard ?? options[0].0
    let chosen = values[name] ?? standard
    // What somebody wrote into the address stays, also where the list does not offer it.
    let known = options.contains { $0.0 == chosen } ? options : options + [(chosen, chosen)]
    let items = known.map { value, title -> HTML in
      // What holds anyway is left out of the address.
      """
      <option value="\(value == standard ? "" : value)"\(" selected", if: value == chosen)>\(title)</option>
      """
    }
    return """
      <label class="ask-field"><span>\(label)</span><select id="ask-\(name)" name="\(name)">\(items)</select></label>

      """
  }

  private func segments(
    _ name: String,
    _ label: String,
    _ options: [(String, String)],
    chosen: String
  ) -> HTML {
    let items = options.map { value, title -> HTML in
      """
      <label><input type="radio" id="ask-\(name)-\(value)" name="\(name)" value="\(value)"\
      \(" checked", if: value == chosen)><span>\(title)</span></label>
      """
    }
    return """
      <fieldset class="segments"><legend>\(label)</legend><div>\(items)</div></fieldset>

      """
  }

  private func check(_ name: String, _ label: String) -> HTML {
    """
    <label class="ask-check"><input type="checkbox" id="ask-\(name)" name="\(name)" value="true"\
    \(" checked", if: values[name] == "true")> \(label)</label>

    """
  }
}
