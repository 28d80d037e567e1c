import Catalog
import EventStore
import Foundation
import Insights

/// A project's people, with search, filters and pages.
struct PersonListPage: Page {
  let project: Project
  let query: PeopleQuery
  let segments: [SavedSegment]
  let lists: [Int64: String]
  /// What was found; nil when it could not be asked.
  let found: PeopleList.Output?
  let zone: TimeZone
  let nowMs: Int64
  /// Who is here now and was in the last day; nil when that was not asked.
  var activity: PeopleActivity?
  var problem: String?

  var title: String { "People · \(project.name)" }

  /// Who a person is, and what the list says of them.
  static let definition = """
    A person is a user with all devices, or a device on which nobody signed in. Seen are people when \
    they do something; test events are left out.
    """

  var content: HTML {
    """
    <div class="page-head"><h1>People</h1>\(PeopleTabs.people.html(project: project.id))</div>
    <div id="asked">\(controls)
    <div id="found">
    \(activity.map(figures))
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(found.map(card))
    </div></div>
    """
  }

  // MARK: What is asked

  private var controls: HTML {
    let page = PeopleQuery().address(project: project.id)
    var kept = query
    kept.search = ""
    return """
      <form class="card ask" id="ask" method="get" action="\(page)" role="search" hx-get="\(page)" \
      hx-target="#asked" hx-select="#asked" hx-swap="outerHTML" hx-push-url="true" \
      hx-trigger="submit">
      <div class="ask-row"><label class="ask-field ask-wide"><span>Search</span><input id="ask-q" \
      name="q" type="search" value="\(query.search)" placeholder="User id, device id or a property’s value" \
      autocomplete="off" spellcheck="false" autocapitalize="none" enterkeyhint="search"></label>\(segmentField)</div>
      <div class="ask-row ask-filters">\(chips)\(RuleFields.condition)
      <button type="submit" class="button button-main button-small">Show</button></div>
      \(hidden("sort", query.order == .lastSeen ? "" : query.order.rawValue))\
      \(hidden("dir", query.isAscending ? "up" : ""))
      <datalist id="fields">\(RuleFields.options)</datalist>
      <p class="hint">Or at once: \(shortcuts)</p>
      </form>
      """
  }

  private var segmentField: HTML? {
    guard !segments.isEmpty || query.segment != nil else { return nil }
    let items = segments.map { segment -> HTML in
      """
      <option value="\(segment.id)"\(" selected", if: "\(segment.id)" == query.segment)>\(segment.name)</option>
      """
    }
    return """
      <label class="ask-field"><span>Segment</span><select id="ask-segment" name="segment">\
      <option value="">everyone</option>\(items)</select></label>
      """
  }

  private func hidden(_ name: String, _ value: String) -> HTML? {
    guard !value.isEmpty else { return nil }
    return #"<input type="hidden" name="\#(name)" value="\#(value)">"#
  }

  private var shortcuts: [HTML] {
    [
      ("new in 7 days", "first-seen within 7d"), ("active in 7 days", "active within 7d"),
      ("away for 30 days", "active not-within 30d"),
    ].map { title, rule in
      var query = PeopleQuery()
      query.rules = [rule]
      return #"<a href="\#(query.address(project: project.id))">\#(title)</a> "#
    }
  }

  private var chips: HTML? {
    guard !query.rules.isEmpty else { return nil }
    let items = query.rules.indices.map { index -> HTML in
      let title = PersonRule(query.rules[index])?.title(lists: lists) ?? query.rules[index]
      let without = query.without(rule: index).address(project: project.id)
      return """
        <li class="chip">\(title) <a class="chip-off" href="\(without)" \
        aria-label="Remove the filter \(title)">×</a></li>
        """
    }
    return """
      <input type="hidden" name="where" value="\(EscapedList.text(of: query.rules, separator: ";"))">\
      <ul class="chips" aria-label="Filters">\(items)</ul>
      """
  }

  // MARK: What was found

  private func figures(_ activity: PeopleActivity) -> HTML {
    """
    <section class="figures" aria-label="In numbers">
    \(figure("People", (found?.total ?? 0).grouped, "Everyone with an event or an identify."))
    \(figure("Active in 24 hours", activity.active.grouped, "People with an event in the last 24 hours."))
    \(figure("Online", activity.online.grouped, "Devices that something came of in the last \(OnlineDevices.peopleSeconds) seconds."))</section>
    """
  }

  private func figure(_ title: String, _ value: String, _ definition: String) -> HTML {
    """
    <div class="figure"><p class="figure-name">\(title)</p><p class="figure-value num">\(value)</p>\
    <p class="definition">\(definition)</p></div>

    """
  }

  private func card(_ found: PeopleList.Output) -> HTML {
    """
    <section class="card"><div class="card-head"><h2 class="card-title">\(count(found))</h2></div>
    <p class="definition">\(Self.definition)</p>
    \(found.people.isEmpty ? nothing : table(found))
    </section>
    """
  }

  private func count(_ found: PeopleList.Output) -> String {
    guard !found.people.isEmpty else { return "Nobody" }
    let noun = found.total == 1 ? "person" : "people"
    return "\(found.total.grouped) \(noun)" + (query.isFiltered ? " found" : "")
  }

  private var nothing: HTML {
    let all = PeopleQuery().address(project: project.id)
    guard query.isFiltered || query.after != nil else {
      return """
        <p class="empty-line"><b>Nobody was here yet.</b> People appear with their first event.</p>
        """
    }
    return """
      <p class="empty-line"><b>Nobody like that.</b> <a href="\(all)">Show everyone</a></p>
      """
  }

  private func table(_ found: PeopleList.Output) -> HTML {
    """
    <div class="scroll" tabindex="0"><table class="table table-stack"><caption class="hidden">People</caption>
    <thead><tr><th scope="col">Person</th><th scope="col">Properties</th>\
    \(head("Events", .events))\(head("First seen", .firstSeen))\(head("Last seen", .lastSeen))</tr></thead>
    <tbody>\(found.people.map(row))</tbody></table></div>
    \(pages(found))
    """
  }

  private func head(_ title: String, _ order: PeopleList.Order) -> HTML {
    let address = query.sorted(by: order).address(project: project.id)
    let isSorted = order == query.order
    let direction = query.isAscending ? "ascending" : "descending"
    return """
      <th scope="col" class="end"\(isSorted ? #" aria-sort="\#(direction)""# as HTML : nil)>\
      <a class="sort" href="\(address)">\(title)</a></th>
      """
  }

  private func row(_ entry: PeopleList.Entry) -> HTML {
    let isUser = entry.isUser(in: project.id)
    let address = PersonAddress(entry.id, isDevice: !isUser).address(project: project.id)
    return """
      <tr><td class="name-cell"><a href="\(address)">\(entry.id)</a>\
      \(isUser ? nil : #" <span class="tag">device</span>"# as HTML)</td>\
      <td class="faint" data-label="Properties">\(PropertyText.preview(entry.properties))</td>\
      <td class="end num" data-label="Events">\(entry.events.grouped)</td>\
      <td class="end no-wrap" data-label="First seen">\(Moment(ms: entry.firstSeenMs, zone: zone).element(nowMs: nowMs))</td>\
      <td class="end no-wrap" data-label="Last seen">\(Moment(ms: entry.lastSeenMs, zone: zone).element(nowMs: nowMs))</td></tr>

      """
  }

  private func pages(_ found: PeopleList.Output) -> HTML? {
    var first = query
    first.after = nil
    var next = query
    next.after = found.people.last.map { PeopleList.Place(of: $0, in: query.order) }
    let hasNext = found.people.count == PeopleQuery.pageSize
    guard hasNext || query.after != nil else { return nil }
    return """
      <nav class="pages" aria-label="Pages">\
      \(query.after == nil ? nil : #"<a class="button button-small" href="\#(first.address(project: project.id))">First page</a>"# as HTML)\
      \(hasNext ? #"<a class="button button-small" href="\#(next.address(project: project.id))" rel="next">Next page</a>"# as HTML : nil)</nav>
      """
  }
}

/// How many people are here now and were in the last day.
struct PeopleActivity {
  /// People with an event in the last 24 hours.
  let active: Int
  /// Devices that something came of in the last minute.
  let online: Int

  init(project: UInt32, nowMs: Int64, store: any EventStore) throws {
    active = try ActivePeople(
      Scope(project: project, fromMs: nowMs - 86_400_000, toMs: nowMs + 86_400_000)
    ).run(on: store)
    online = try OnlineDevices(
      project: project,
      nowMs: nowMs,
      seconds: OnlineDevices.peopleSeconds
    ).run(on: store)
  }
}

/// Where somebody's profile is.
struct PersonAddress {
  let id: String
  let isDevice: Bool

  init(_ id: String, isDevice: Bool = false) {
    self.id = id
    self.isDevice = isDevice
  }

  func address(project: UInt32) -> Address {
    // An id may be anything, also what a path cannot hold.
    Address("projects", "\(project)", "people", "profile")
      .with("id", id).with("device", isDevice ? "true" : nil)
  }
}

/// Properties as text on one line.
enum PropertyText {
  static func preview(_ properties: Members<PropertyValue>, limit: Int = 4) -> String {
    properties.keys.filter { !$0.hasPrefix("$") }.prefix(limit)
      .map { "\($0): \(text(properties[$0] ?? .null).prefix(40))" }
      .joined(separator: "  ·  ")
  }

  static func text(_ value: PropertyValue) -> String {
    switch value {
    case .null: "null"
    case .boolean(let truth): truth ? "true" : "false"
    case .integer(let number): String(number)
    case .decimal(let number): String(number)
    case .text(let text): text
    case .list(let values): values.map(text).joined(separator: ", ")
    case .object: PropertyValue.json(["": value]).dropFirst(4).dropLast().description
    }
  }
}
