import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

/// A project's groups, with search, by type.
struct GroupsPage: Page {
  let project: Project
  let type: String
  let search: String
  let order: GroupList.Order
  let offset: Int
  let groups: [GroupList.Entry]
  let zone: TimeZone
  let nowMs: Int64
  var problem: String?

  static let pageSize = 50

  var title: String { "Groups · \(project.name)" }

  var content: HTML {
    """
    <div class="page-head"><h1>Groups</h1>\(PeopleTabs.groups.html(project: project.id))</div>
    <form class="card ask" method="get" action="\(address())" role="search"><div class="ask-row">\
    <label class="ask-field"><span>Type</span><input name="type" value="\(type)" placeholder="any, such as org" \
    autocomplete="off" spellcheck="false" autocapitalize="none"></label>\
    <label class="ask-field ask-wide"><span>Name</span><input name="q" type="search" value="\(search)" \
    placeholder="contains" autocomplete="off" spellcheck="false" autocapitalize="none"></label>\
    <button type="submit" class="button button-main button-small">Show</button></div></form>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    <section class="card"><h2 class="card-title">Accounts, teams and other groups</h2>
    <p class="definition">A group is there once something was done in it, someone was put into it, or \
    something was said of it. People count who did something in it or are in it now; events those that name it. \
    Test events are left out.</p>
    \(groups.isEmpty ? nothing : table)</section>
    """
  }

  private func address(_ order: GroupList.Order? = nil, offset: Int = 0) -> Address {
    let order = order ?? self.order
    return Address("projects", "\(project.id)", "people", "groups")
      .with("type", type).with("q", search)
      .with("sort", order == .people ? nil : order.rawValue)
      .with("offset", offset == 0 ? nil : "\(offset)")
  }

  private var nothing: HTML {
    guard type.isEmpty, search.isEmpty, offset == 0 else {
      let all = Address("projects", "\(project.id)", "people", "groups")
      return #"<p class="empty-line"><b>No such group.</b> <a href="\#(all)">Show all</a></p>"#
    }
    return """
      <p class="empty-line"><b>No groups yet.</b> They come with events that name groups, and with \
      <code>setGroup</code>.</p>
      """
  }

  private func head(_ title: String, _ order: GroupList.Order) -> HTML {
    let isSorted = order == self.order
    return """
      <th scope="col" class="end"\(isSorted ? #" aria-sort="descending""# as HTML : nil)>\
      <a class="sort" href="\(address(order))">\(title)</a></th>
      """
  }

  private var table: HTML {
    let next: HTML? =
      groups.count == Self.pageSize
      ? #"<a class="button button-small" rel="next" href="\#(address(offset: offset + Self.pageSize))">Next page</a>"#
      : nil
    let first: HTML? =
      offset > 0 ? #"<a class="button button-small" href="\#(address())">First page</a>"# : nil
    return """
      <div class="scroll" tabindex="0"><table class="table"><caption class="hidden">Groups</caption><thead><tr>\
      <th scope="col">Group</th><th scope="col">Type</th>\(head("People", .people))\(head("Events", .events))\
      \(head("Last seen", .lastSeen))</tr></thead><tbody>\(groups.map(row))</tbody></table></div>
      <nav class="pages" aria-label="Pages">\(first)\(next)</nav>
      """
  }

  private func row(_ group: GroupList.Entry) -> HTML {
    let address = GroupAddress(group.type, group.name).address(project: project.id)
    let seen = group.lastSeenMs.map { Moment(ms: $0, zone: zone).element(nowMs: nowMs) } ?? "—"
    return """
      <tr><td class="name-cell"><a href="\(address)">\(group.name)</a></td><td class="name-cell faint">\(group.type)</td>\
      <td class="end num">\(group.people.grouped)</td><td class="end num\(" zero", if: group.events == 0)" data-value="\(group.events)">\(group.events == 0 ? "—" : group.events.grouped)</td>\
      <td class="end no-wrap">\(seen)</td></tr>

      """
  }
}

/// All that is known of one group.
struct GroupPage: Page {
  let project: Project
  let type: String
  let name: String
  /// Nil when nothing was ever seen of it.
  let entry: GroupList.Entry?
  /// What holds now, also of what events said that are not kept any more.
  let state: PropertyState
  let history: PropertyTimeline.Output
  let people: PeopleList.Output
  let events: [StoredEvent]
  let zone: TimeZone
  let nowMs: Int64

  static let shownPeople = 20
  static let shownEvents = 50

  var title: String { "\(name) · \(project.name)" }

  private var rule: PersonRule { .holds(Condition(.group(type), .equals, name)) }

  var content: HTML {
    """
    <p class="crumbs crumbs-wide"><a href="\(PeopleTabs.groups.address(project: project.id))">Groups</a></p>
    <div class="page-head profile-head"><h1 class="name-cell">\(name.isEmpty ? "Which group?" : name)</h1>\
    <span class="tag">\(type)</span></div>
    <section class="figures" aria-label="In numbers">
    \(figure("People", "\((entry?.people ?? 0).grouped)", "Who did something in it or is in it now."))
    \(entry.flatMap { $0.events == 0 ? nil : figure("Events", "\($0.events.grouped)", "Events that name it, tests left out.") })
    \(figure("First seen", moment(entry?.firstSeenMs), "The first event in it or about it."))
    \(figure("Last seen", moment(entry?.lastSeenMs), "The last event in it or about it."))</section>
    <div class="two">\(properties)\(members)</div>
    \(timeline)
    \(PropertyEdits(edits: history.edits, project: project.id, zone: zone, nowMs: nowMs).html)
    """
  }

  private func moment(_ ms: Int64?) -> HTML {
    ms.map { Moment(ms: $0, zone: zone).element(nowMs: nowMs) } ?? "—"
  }

  private func figure(_ title: String, _ value: HTML, _ definition: String) -> HTML {
    """
    <div class="figure"><p class="figure-name">\(title)</p><p class="figure-value num">\(value)</p>\
    <p class="definition">\(definition)</p></div>

    """
  }

  private var properties: HTML {
    let rows = state.properties.keys.map { name -> HTML in
      "<div><dt>\(name)</dt><dd>\(PropertyText.text(state.properties[name] ?? .null))</dd></div>\n"
    }
    return """
      <section class="card"><h2 class="card-title">Properties</h2>
      <p class="definition">What holds of the group now, by all that was ever set.</p>
      \(rows.isEmpty ? #"<p class="empty-line">None was set.</p>"# as HTML : #"<dl class="facts">\#(rows)</dl>"#)</section>
      """
  }

  private var members: HTML {
    var query = PeopleQuery()
    query.rules = [rule.text]
    let rows = people.people.map { person -> HTML in
      let address = PersonAddress(person.id, isDevice: !person.isUser(in: project.id))
        .address(project: project.id)
      return """
        <li><a href="\(address)" class="name-cell">\(person.id)</a><p class="remark num">\(person.events.grouped) events</p></li>

        """
    }
    return """
      <section class="card"><div class="card-head"><h2 class="card-title">People</h2>\
      <a class="quiet" href="\(query.address(project: project.id))">Show all \(people.total.grouped)</a></div>
      <p class="definition">Those who were seen last.</p>
      \(rows.isEmpty ? #"<p class="empty-line">Nobody.</p>"# as HTML : nil)<ul class="plain-list">\(rows)</ul></section>
      """
  }

  private var timeline: HTML {
    let rows = events.map {
      EventRow(event: $0, project: project.id, zone: zone, nowMs: nowMs).html
    }
    let search = Address("projects", "\(project.id)", "explore")
      .with(
        "where",
        EscapedList.text(of: [Condition(.group(type), .equals, name).text], separator: ";")
      )
      .with("range", "365d")
    return """
      <section class="card list-card"><div class="card-head"><h2 class="card-title">Events</h2>\
      <a class="quiet" href="\(search)">Search among them</a></div>
      <p class="definition list-note">The last events of a year that were done in it, tests left out.</p>
      <ol class="events" aria-label="The last events">\(rows)</ol>
      \(rows.isEmpty ? #"<p class="nothing">No events.</p>"# as HTML : nil)</section>
      """
  }
}

extension DashboardSite {
  func installGroups(in router: inout Router) {
    router.get(
      "/projects/:id/people/groups",
      handler: signedIn(.viewEvents) { try self.groups($0, $1) }
    )
    router.get(
      "/projects/:id/people/group",
      handler: signedIn(.viewEvents) { try self.group($0, $1) }
    )
  }

  private func groups(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let order = request.query("sort").flatMap(GroupList.Order.init) ?? .people
    let offset = min(max(0, request.query("offset").flatMap { Int($0) } ?? 0), 10_000_000)
    func field(_ name: String) -> String {
      String((request.query(name) ?? "").trimmingCharacters(in: .whitespaces).prefix(1_000))
    }
    var found: [GroupList.Entry] = []
    var problem: String?
    do {
      found = try GroupList(
        project: project.id,
        type: field("type"),
        search: field("q"),
        order: order,
        offset: offset,
        limit: GroupsPage.pageSize
      ).run(on: store)
    } catch let error as StoreError { problem = Self.sentence(error) }
    let page = GroupsPage(
      project: project,
      type: field("type"),
      search: field("q"),
      order: order,
      offset: offset,
      groups: found,
      zone: zone(of: project),
      nowMs: clock.nowMs(),
      problem: problem
    )
    return .now(
      self.page(
        page,
        in: try frame(visitor, project, .people),
        status: problem == nil ? 200 : 503
      )
    )
  }

  private func group(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let (type, name) = (request.query("type") ?? "", request.query("name") ?? "")
    let now = clock.nowMs()
    let condition = Condition(.group(type), .equals, name)
    let found = try GroupList(project: project.id, type: type, name: name).run(on: store)
    let page = GroupPage(
      project: project,
      type: type,
      name: name,
      entry: found.first { $0.type == type && $0.name == name },
      state: try CurrentProperties(project: project.id, of: .group(type: type, name: name))
        .run(on: store),
      history: try PropertyTimeline(
        project: project.id,
        subject: .group(type: type, name: name)
      ).run(on: store),
      people: try PeopleList(
        project: project.id,
        rules: [.holds(condition)],
        setting: PeopleSetting(nowMs: now),
        limit: GroupPage.shownPeople
      ).run(on: store),
      events: try EventSearch(
        Scope(
          project: project.id,
          fromMs: now - 365 * 86_400_000,
          toMs: now + 86_400_000,
          conditions: [condition]
        ),
        limit: GroupPage.shownEvents
      ).run(on: store),
      zone: zone(of: project),
      nowMs: now
    )
    return .now(self.page(page, in: try frame(visitor, project, .people)))
  }
}
