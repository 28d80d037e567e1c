import Catalog
import EventStore
import Foundation
import Insights

/// All that is known of one person.
struct ProfilePage: Page {
  /// What a store told of them.
  struct Facts {
    var totals: PersonTotals.Output
    var revenue: [PersonRevenue.Amount]
    /// What holds now, also of what events said that are not kept any more.
    var state: PropertyState
    var history: PropertyTimeline.Output
    var sessions: [RecentSessions.Session]
    var events: [StoredEvent]
  }

  let visitor: Visitor
  let project: Project
  let person: Person
  let facts: Facts
  /// Only events of this name are in the timeline.
  let name: String?
  /// Only events before this one are.
  let before: EventPlace?
  let zone: TimeZone
  let nowMs: Int64

  static let timelinePage = 100
  static let shownSessions = 20

  var title: String { "\(person.id) · \(project.name)" }

  private var place: PersonAddress { PersonAddress(person.id, isDevice: !person.isUser) }

  var content: HTML {
    """
    <p class="crumbs crumbs-wide"><a href="\(PeopleQuery().address(project: project.id))">People</a></p>
    <div class="page-head profile-head"><h1 class="name-cell">\(person.id)</h1>\
    \(person.isUser ? nil : #"<span class="tag">device</span>"# as HTML)\(actions)</div>
    \(person.isUser ? nil : #"<p class="hint profile-hint">Nobody has signed in on this device.</p>"# as HTML)
    \(figures)
    <div class="two">\(properties)\(devices)</div>
    \(timeline)
    \(PropertyEdits(edits: facts.history.edits, project: project.id, zone: zone, nowMs: nowMs).html)
    \(sessions)
    """
  }

  // MARK: What may be done

  private var actions: HTML {
    let field = person.isUser ? "user" : "device"
    let data = Address("projects", "\(project.id)", "data").with(field, person.id)
    let role = visitor.user.role
    var live = LiveQuery()
    live.person = person.id
    return """
      <div class="actions profile-actions">\
      <a class="button button-small" href="\(live.address(project: project.id))">Watch live</a>\
      \(role.may(.exportEvents) ? #"<a class="button button-small" href="\#(data.with("form", "export"))">Export…</a>"# as HTML : nil)\
      \(role.may(.changeEvents) ? #"<a class="button button-small button-danger" href="\#(data.with("form", "erase"))">Erase…</a>"# as HTML : nil)</div>
      """
  }

  // MARK: In numbers

  private var figures: HTML {
    let money = facts.revenue.map { amount -> HTML in
      figure(
        "Revenue, \(amount.currency)",
        "\(ReportNumber.text(Double(amount.micros) / RevenueFact.micros, .money))",
        "What their purchases come to, refunds taken off; other currencies are not added."
      )
    }
    return """
      <section class="figures" aria-label="In numbers">
      \(figure("Events", facts.totals.events.grouped, "All events of all their devices, tests left out."))
      \(figure("Sessions", facts.totals.sessions.grouped, "Different sessions that their events belong to."))
      \(moment("First seen", facts.totals.firstSeenMs, "Their first event or identify."))
      \(moment("Last seen", facts.totals.lastSeenMs, "Their last event or identify."))
      \(money)</section>
      """
  }

  private func figure(_ title: String, _ value: String, _ definition: String) -> HTML {
    """
    <div class="figure"><p class="figure-name">\(title)</p><p class="figure-value num">\(value)</p>\
    <p class="definition">\(definition)</p></div>

    """
  }

  private func moment(_ title: String, _ ms: Int64?, _ definition: String) -> HTML {
    let value = ms.map { Moment(ms: $0, zone: zone).element(nowMs: nowMs) } ?? "—"
    return """
      <div class="figure"><p class="figure-name">\(title)</p><p class="figure-value num">\(value)</p>\
      <p class="definition">\(definition)</p></div>

      """
  }

  // MARK: What holds now

  private var properties: HTML {
    let state = facts.state
    let rows = state.properties.keys.map { name -> HTML in
      """
      <div><dt>\(name)</dt><dd>\(PropertyText.text(state.properties[name] ?? .null))</dd></div>

      """
    }
    return """
      <section class="card"><h2 class="card-title">Properties</h2>
      <p class="definition">What holds now, by all that was ever set.</p>
      \(rows.isEmpty ? #"<p class="empty-line">None was set.</p>"# as HTML : #"<dl class="facts">\#(rows)</dl>"#)
      \(groups)</section>
      """
  }

  private var groups: HTML? {
    let groups = facts.state.groups
    guard !groups.isEmpty else { return nil }
    let rows = groups.keys.map { type -> HTML in
      let names = (groups[type] ?? .null).values.map { value -> HTML in
        let name = PropertyText.text(value)
        return
          #"<a href="\#(GroupAddress(type, name).address(project: project.id))">\#(name)</a> "#
      }
      return "<div><dt>\(type)</dt><dd>\(names)</dd></div>\n"
    }
    return #"<h3 class="part-title">Groups</h3><dl class="facts">\#(rows)</dl>"#
  }

  private var devices: HTML {
    """
    <section class="card"><h2 class="card-title">Devices</h2>
    <p class="definition">Where their events came from\
    \(facts.totals.devices.count > 1 && person.isUser ? "; all of them count as this one person" : "").</p>
    \(facts.totals.devices.isEmpty ? #"<p class="empty-line">None but of tests.</p>"# as HTML : nil)
    <ul class="plain-list">\(facts.totals.devices.map(device))</ul></section>
    """
  }

  private func device(_ device: PersonTotals.Device) -> HTML {
    let words = DeviceWords(client: device.client, context: device.context)
    return """
      <li><p><b class="mono name-cell">\(device.id.isEmpty ? "(without a device)" : device.id)</b></p>\
      <p class="remark">\(words.text)</p><p class="remark num">\(device.events.grouped) \
      \(device.events == 1 ? "event" : "events"), last seen \
      \(Moment(ms: device.lastSeenMs, zone: zone).element(nowMs: nowMs))</p></li>

      """
  }

  // MARK: What happened

  private var timeline: HTML {
    let page = place.address(project: project.id)
    let options = facts.totals.names.map { name -> HTML in
      """
      <option value="\(name.name)"\(" selected", if: name.name == self.name)>\
      \(name.name.isEmpty ? "(no name)" : name.name) (\(name.count.grouped))</option>
      """
    }
    return """
      <section class="card list-card" id="timeline" aria-labelledby="timeline-title">
      <div class="card-head"><h2 class="card-title" id="timeline-title">Timeline</h2>
      <form class="line-form" method="get" action="\(page)" hx-get="\(page)" hx-target="#timeline" \
      hx-select="#timeline" hx-swap="outerHTML" hx-push-url="true" hx-trigger="submit, change">
      <input type="hidden" name="id" value="\(person.id)">\
      \(person.isUser ? nil : #"<input type="hidden" name="device" value="true">"# as HTML)
      <label><span class="hidden">Only events named</span><select id="timeline-name" name="name">\
      <option value="">All events</option>\(options)</select></label>
      <button type="submit" class="button button-small filter-go">Show</button></form></div>
      <p class="definition list-note">What they did, the last thing first, test events included. Days are \
      those of \(project.timeZone.replacingOccurrences(of: "_", with: " ")).</p>
      <ol class="events events-own" aria-label="What they did, the last thing first">\(days)</ol>
      \(facts.events.isEmpty ? #"<p class="nothing">\#(name == nil ? "Nothing is kept of what they did." : "They did nothing of this name.")</p>"# as HTML : nil)
      </section>
      """
  }

  private var days: HTML {
    var html = HTML.empty
    var last = ""
    for event in facts.events {
      let moment = Moment(ms: event.correctedMs, zone: zone)
      let day = moment.longDate
      if day != last { html += #"<li class="day"><h3>\#(day)</h3></li>"# }
      last = day
      html +=
        EventRow(
          event: event,
          project: project.id,
          zone: zone,
          nowMs: nowMs,
          day: moment,
          isOfOnePerson: true
        ).html
    }
    guard facts.events.count == Self.timelinePage, let event = facts.events.last else {
      return html
    }
    let older = place.address(project: project.id).with("name", name)
      .with("before", EventPlace(of: event).text)
    return html + """
      <li class="older"><a href="\(older)">Older events</a></li>
      """
  }

  // MARK: Sessions

  private var sessions: HTML? {
    guard !facts.sessions.isEmpty else { return nil }
    let rows = facts.sessions.map { session -> HTML in
      """
      <tr><td class="no-wrap"><a href="\(SessionPage.address(session, project: project.id))">\
      \(Moment(ms: session.begunMs, zone: zone).element(nowMs: nowMs))</a></td>\
      <td class="mono name-cell">\(session.id)</td><td class="end num" data-value="\(session.lengthMs)">\(Moment.span(session.lengthMs / 1_000))</td>\
      <td class="end num">\(session.events.grouped)</td></tr>

      """
    }
    return """
      <section class="card"><h2 class="card-title">Sessions</h2>
      <p class="definition">The last \(Self.shownSessions), tests left out. A session lasts from its first to \
      its last event or ping.</p>
      <div class="scroll" tabindex="0"><table class="table"><caption class="hidden">Sessions</caption>
      <thead><tr><th scope="col">Began</th><th scope="col">Session</th><th scope="col" class="end">Length</th>\
      <th scope="col" class="end">Events</th></tr></thead><tbody>\(rows)</tbody></table></div></section>
      """
  }
}

/// What an event says of its device, in a few words.
struct DeviceWords {
  let text: String

  init(client: String, context: String) {
    let (own, client) = (JSONText(context), JSONText(client))
    func word(_ names: String...) -> String? {
      for source in [own, client] {
        for name in names {
          if let value = source?[name], value != .null, !value.plain.isEmpty { return value.plain }
        }
      }
      return nil
    }
    let version = word("version_name", "app").map { "app \($0)" }
    let parts = [
      word("platform"), word("model", "device_model"), word("os", "os_name"), version,
      word("country"), word("locale", "language"),
    ]
    text = parts.compactMap { $0 }.joined(separator: "  ·  ")
  }
}

/// Asks whose profile is wanted, or says that there is nobody of that id.
struct ProfileSearchPage: Page {
  let project: Project
  let id: String

  var title: String { "People · \(project.name)" }

  var content: HTML {
    """
    <section class="sheet sheet-narrow"><h1>\(id.isEmpty ? "Whose profile?" : "Nobody has this id")</h1>
    \(id.isEmpty ? nil : #"<p>There is no user and no device <b class="mono name-cell">\#(id)</b> in \#(project.name).</p>"# as HTML)
    <form method="get" action="\(Address("projects", "\(project.id)", "people", "profile"))" class="stack">
    <label class="field"><span>A user’s or a device’s id</span><input name="id" value="\(id)" autocomplete="off" \
    spellcheck="false" autocapitalize="none"></label>
    <button type="submit" class="button button-main">Show</button></form>
    <p><a href="\(PeopleQuery().address(project: project.id))">Search among all people</a></p></section>
    """
  }
}
