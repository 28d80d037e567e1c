import Catalog
import EventStore
import Foundation
import Insights

/// Past events one by one, with conditions on any property and columns that are chosen.
struct ExplorePage: Page {
  let project: Project
  /// What stands in the address, by name.
  let values: [String: String]
  /// What was found; nil when it could not be asked.
  let events: [StoredEvent]?
  let columns: [Field]
  let segments: [SavedSegment]
  let zone: TimeZone
  let nowMs: Int64
  var problem: String?
  /// A name that no event has, with what was probably meant.
  var unknown: HTML?

  static let pageSize = 100
  static let maxSaved = 10_000

  var title: String { "Events · \(project.name)" }

  /// The page's address with some values changed; an empty one is left out.
  static func address(
    _ project: UInt32,
    _ values: [String: String],
    _ changes: [String: String] = [:]
  ) -> Address {
    let all = values.merging(changes) { $1 }
    var address = Address("projects", "\(project)", "explore")
    for name in EventSearch.names + ["format"] { address = address.with(name, all[name]) }
    return address
  }

  private func address(_ changes: [String: String] = [:]) -> Address {
    Self.address(project.id, values, changes)
  }

  var content: HTML {
    """
    <div class="page-head"><h1>Past events</h1>\
    <nav class="tabs tabs-page" aria-label="Events"><a href="\(LiveQuery().address(project: project.id))">Live</a> \
    <a href="\(Self.address(project.id, [:]))" aria-current="true">Past</a></nav></div>
    <div id="asked">\(controls)
    <div id="found">\(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(unknown)\(events.map(card))</div></div>
    """
  }

  private static let ranges = [
    ("today", "Today"), ("yesterday", "Yesterday"), ("7d", "7 days"), ("30d", "30 days"),
    ("90d", "90 days"), ("month", "This month"), ("last-month", "Last month"), ("365d", "365 days"),
  ]

  private var controls: HTML {
    let page = Self.address(project.id, [:])
    let fields =
      Field.words.filter { $0 != "event" && $0 != "person" } + ["props.", "user.", "group."]
    return """
      <form class="card ask" id="ask" method="get" action="\(page)" hx-get="\(page)" hx-target="#asked" \
      hx-select="#asked" hx-swap="outerHTML" hx-push-url="true" hx-trigger="submit">
      <div class="ask-row">\(input("name", "Event", "any", list: "names"))\
      \(select("range", "Time", Self.ranges, values["range"] ?? "7d"))\
      \(input("from", "From", "", type: "date"))\(input("to", "To", "", type: "date"))\
      \(segments.isEmpty ? nil : select("segment", "People in", [("", "everyone")] + segments.map { ("\($0.id)", $0.name) }, values["segment"] ?? ""))\
      \(input("columns", "Columns", "platform;props.price", list: "fields"))</div>
      <div class="ask-row ask-filters">\(chips)\(RuleFields.eventCondition)\
      <label class="ask-check"><input type="checkbox" name="test" value="true"\
      \(" checked", if: values["test"] == "true")> Test events, too</label>\
      <button type="submit" class="button button-main button-small">Show</button></div>
      <datalist id="names" data-source="\(Address("projects", "\(project.id)", "names"))"></datalist>
      <datalist id="fields">\(fields.map { #"<option value="\#($0)"></option>"# as HTML })</datalist></form>
      """
  }

  private func input(
    _ name: String,
    _ label: String,
    _ placeholder: String,
    type: String = "text",
    list: String? = nil
  ) -> HTML {
    """
    <label class="ask-field"><span>\(label)</span><input id="ask-\(name)" name="\(name)" type="\(type)" \
    value="\(values[name] ?? "")" placeholder="\(placeholder)"\(list.map { #" list="\#($0)""# as HTML }) \
    autocomplete="off" spellcheck="false" autocapitalize="none"></label>

    """
  }

  private func select(
    _ name: String,
    _ label: String,
    _ options: [(String, String)],
    _ chosen: String
  ) -> HTML {
    let items = options.map { value, title -> HTML in
      #"<option value="\#(value)"\#(" selected", if: value == chosen)>\#(title)</option>"#
    }
    return """
      <label class="ask-field"><span>\(label)</span><select id="ask-\(name)" name="\(name)">\(items)</select></label>

      """
  }

  private var chips: HTML? {
    let texts = EscapedList.parts(of: values["where"] ?? "", separator: ";").filter { !$0.isEmpty }
    guard !texts.isEmpty else { return nil }
    let items = texts.indices.map { index -> HTML in
      let title = Condition(texts[index])?.title ?? texts[index]
      var left = texts
      left.remove(at: index)
      let without = address(["where": EscapedList.text(of: left, separator: ";"), "before": ""])
      return """
        <li class="chip">\(title) <a class="chip-off" href="\(without)" aria-label="Remove the filter \(title)">×</a></li>
        """
    }
    return """
      <input type="hidden" name="where" value="\(values["where"] ?? "")">\
      <ul class="chips" aria-label="Filters">\(items)</ul>
      """
  }

  // MARK: What was found

  private func card(_ events: [StoredEvent]) -> HTML {
    """
    <section class="card"><div class="card-head"><h2 class="card-title">\(events.isEmpty ? "No events" : "Events")</h2>\
    <a class="quiet" href="\(address(["format": "csv", "before": ""]))" download>Save up to \(Self.maxSaved.grouped) as CSV</a></div>
    <p class="definition">Each event by the time when it happened, the last one first\
    \(values["test"] == "true" ? "" : ", tests left out"). Days are those of \(project.timeZone.replacingOccurrences(of: "_", with: " ")).</p>
    \(events.isEmpty ? nothing : table(events))</section>
    """
  }

  private var nothing: HTML {
    """
    <p class="empty-line"><b>Nothing like that happened in this time.</b> A longer time or fewer filters may \
    show more. <a href="\(Self.address(project.id, ["range": "365d"]))">Show all of a year</a></p>
    """
  }

  private func table(_ events: [StoredEvent]) -> HTML {
    let heads = columns.map { field -> HTML in
      #"<th scope="col"><span class="cut" title="\#(field.title)">\#(field.title)</span></th>"#
    }
    let next = events.last.map { address(["before": EventPlace(of: $0).text]) }
    return """
      <div class="scroll" tabindex="0"><table class="table table-tight table-stack"><caption class="hidden">Events</caption><thead><tr>\
      <th scope="col">Happened</th><th scope="col">Event</th><th scope="col">Person</th>\(heads)\
      \(columns.isEmpty ? #"<th scope="col">Properties</th>"# as HTML : nil)</tr></thead>\
      <tbody>\(events.map(row))</tbody></table></div>
      <nav class="pages" aria-label="Pages">\
      \(values["before"] == nil ? nil : #"<a class="button button-small" href="\#(address(["before": ""]))">First page</a>"# as HTML)\
      \(events.count == Self.pageSize ? next.map { #"<a class="button button-small" rel="next" href="\#($0)">Older events</a>"# as HTML } : nil)</nav>
      """
  }

  private func row(_ event: StoredEvent) -> HTML {
    let moment = Moment(ms: event.correctedMs, zone: zone)
    let id = event.userID.isEmpty ? event.deviceID : event.userID
    let person = PersonAddress(id, isDevice: event.userID.isEmpty).address(project: project.id)
    let cells = columns.map { field -> HTML in
      "<td class=\"name-cell\" data-label=\"\(field.title)\">\(field.value(in: event).map(PropertyText.text) ?? "")</td>"
    }
    let preview: HTML? =
      columns.isEmpty
      ? #"<td class="faint" data-label="Properties"><span class="cut cut-wide">\#(PropertyText.preview(PropertyValue.members(of: event.properties) ?? [:], limit: 6))</span></td>"#
      : nil
    return """
      <tr><td class="no-wrap"><time datetime="\(moment.iso)" title="\(moment.full)">\(moment.shortDate), \(moment.clock.prefix(8))</time></td>\
      <td class="name-cell strong" data-label="Event"><a href="\(EventRow.address(of: event, project: project.id))">\(event.displayName)</a>\
      \(event.isTest ? #" <span class="tag tag-test">test</span>"# as HTML : nil)</td>\
      <td class="name-cell" data-label="Person">\(id.isEmpty ? #"<span class="faint">nobody</span>"# as HTML : #"<a href="\#(person)">\#(id)</a>"#)</td>\
      \(cells)\(preview)</tr>

      """
  }
}
