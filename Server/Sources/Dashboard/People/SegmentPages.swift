import Catalog
import Foundation
import Insights

/// Where the pages of segments and lists are.
enum SegmentAddress {
  static func all(_ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "segments")
  }
  static func new(_ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "segments", "new")
  }
  static func one(_ id: Int64, _ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "segments", "\(id)")
  }
  static func removal(_ id: Int64, _ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "segments", "\(id)", "remove")
  }
  static func count(_ segment: Segment, _ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "segments", "count")
      .with("definition", segment.text)
  }
  static func lists(_ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "lists")
  }
  static func list(_ id: Int64, _ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "lists", "\(id)")
  }
  static func listRemoval(_ id: Int64, _ project: UInt32) -> Address {
    Address("projects", "\(project)", "people", "lists", "\(id)", "remove")
  }
}

/// How many people a segment has, asked for when the page is there.
struct SegmentCountView {
  let segment: Segment
  let project: UInt32

  var html: HTML {
    let address = SegmentAddress.count(segment, project)
    return """
      <span class="num" hx-get="\(address)" hx-trigger="load" hx-swap="innerHTML" aria-live="polite">\
      <a class="quiet" href="\(address)">Count</a></span>
      """
  }
}

/// A project's segments.
struct SegmentsPage: Page {
  let visitor: Visitor
  let project: Project
  let segments: [SavedSegment]
  let lists: [Int64: String]
  let zone: TimeZone
  let nowMs: Int64

  var title: String { "Segments · \(project.name)" }

  static let definition = """
    A segment is people who have something in common: properties, what they did or did not do, when they \
    were seen, groups, lists. Nothing of it is fixed: who belongs is worked out whenever it is asked. Test \
    events are not looked at.
    """

  var content: HTML {
    let new: HTML? =
      visitor.user.role.may(.manageProject)
      ? #"<a class="button button-main button-small" href="\#(SegmentAddress.new(project.id))">New segment</a>"#
      : nil
    return """
      <div class="page-head"><h1>Segments</h1>\(PeopleTabs.segments.html(project: project.id))</div>
      <section class="card"><div class="card-head"><h2 class="card-title">Saved segments</h2>\(new)</div>
      <p class="definition">\(Self.definition)</p>
      \(segments.isEmpty ? nothing : table)</section>
      """
  }

  private var nothing: HTML {
    """
    <p class="empty-line"><b>None was saved.</b> A segment narrows down every question and list.</p>
    """
  }

  private var table: HTML {
    """
    <div class="scroll" tabindex="0"><table class="table"><caption class="hidden">Segments</caption>
    <thead><tr><th scope="col">Segment</th><th scope="col">Who belongs</th><th scope="col" class="end">People</th>\
    <th scope="col" class="end">Changed</th></tr></thead>
    <tbody>\(segments.map(row))</tbody></table></div>
    """
  }

  private func row(_ saved: SavedSegment) -> HTML {
    let segment = Segment(saved.definition)
    let title = segment.map { $0.title(lists: lists) } ?? "cannot be read by this program"
    let moment = Moment(ms: saved.changedAtMs, zone: zone)
    return """
      <tr><td class="name-cell"><a href="\(SegmentAddress.one(saved.id, project.id))">\(saved.name)</a></td>\
      <td class="name-cell faint">\(title)</td>\
      <td class="end">\(segment.map { SegmentCountView(segment: $0, project: project.id).html })</td>\
      <td class="end no-wrap">\(moment.element(nowMs: nowMs))</td></tr>

      """
  }
}

/// One segment, saved or not: its rules, how many belong, and a way to save it.
struct SegmentPage: Page {
  let visitor: Visitor
  let project: Project
  let saved: SavedSegment?
  let segment: Segment
  let lists: [SavedList]
  var typedName: String?
  var problem: String?

  var title: String { "\(saved?.name ?? "New segment") · \(project.name)" }

  private var mayChange: Bool { visitor.user.role.may(.manageProject) }
  private var page: Address {
    saved.map { SegmentAddress.one($0.id, project.id) } ?? SegmentAddress.new(project.id)
  }
  private var names: [Int64: String] {
    Dictionary(uniqueKeysWithValues: lists.map { ($0.id, $0.name) })
  }
  private var isChanged: Bool { saved.map { Segment($0.definition) != segment } ?? true }

  var content: HTML {
    """
    <p class="crumbs crumbs-wide"><a href="\(SegmentAddress.all(project.id))">Segments</a></p>
    <div class="page-head profile-head"><h1 class="name-cell">\(saved?.name ?? "New segment")</h1>\(actions)</div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    <section class="card"><div class="card-head"><h2 class="card-title">Who belongs</h2>\
    <p>\(SegmentCountView(segment: segment, project: project.id).html)</p></div>
    <p class="definition">\(segment.title(lists: names)). Worked out whenever it is asked; this address says \
    all of it and can be shared.</p>
    \(rules)</section>
    <section class="card"><h2 class="card-title">Add a rule</h2>
    <datalist id="names" data-source="\(Address("projects", "\(project.id)", "names"))"></datalist>
    <datalist id="fields">\(RuleFields.options)</datalist>
    \(additions)</section>
    \(mayChange ? saving : nil)
    """
  }

  private var actions: HTML? {
    guard let saved else { return nil }
    var query = PeopleQuery()
    query.segment = "\(saved.id)"
    let trend = Address("projects", "\(project.id)", "insights", "trend").with(
      "segment",
      "\(saved.id)"
    )
    return """
      <div class="actions profile-actions">\
      <a class="button button-small" href="\(query.address(project: project.id))">Show the people</a>\
      <a class="button button-small" href="\(trend)">What they do</a>\
      \(mayChange ? #"<a class="button button-small button-danger" href="\#(SegmentAddress.removal(saved.id, project.id))">Remove…</a>"# as HTML : nil)</div>
      """
  }

  private static let matches = [
    (Segment.Match.all, "all of these hold"), (.any, "any of these holds"),
    (.none, "none of these holds"),
  ]

  private var rules: HTML {
    guard !segment.groups.isEmpty else {
      return #"<p class="empty-line">No rule yet, so everyone belongs.</p>"#
    }
    let groups = segment.groups.indices.map { index -> HTML in
      """
      <fieldset class="rule-group"><legend>\(segment.groups.count > 1 ? "Group \(index + 1): " : "People of whom ")\
      \(match("match-\(index)", segment.groups[index].match))</legend>
      <ul class="chips">\(chips(index))</ul></fieldset>
      """
    }
    return """
      <form method="get" action="\(page)" class="stack">\
      <input type="hidden" name="definition" value="\(segment.text)">
      \(segment.groups.count > 1 ? "<p>People of whom \(match("match", segment.match)):</p>" as HTML : nil)
      \(groups)
      <button type="submit" class="button button-small">Apply</button></form>
      """
  }

  private func match(_ name: String, _ chosen: Segment.Match) -> HTML {
    let options = Self.matches.map { match, title -> HTML in
      #"<option value="\#(match.rawValue)"\#(" selected", if: match == chosen)>\#(title)</option>"#
    }
    return #"<select name="\#(name)" aria-label="How rules are joined">\#(options)</select>"#
  }

  private func chips(_ group: Int) -> [HTML] {
    segment.groups[group].rules.indices.map { index in
      let title = segment.groups[group].rules[index].title(lists: names)
      let less = segment.without(rule: index, of: group)
      // Without any rule the address must say so, since a saved segment has its own.
      let address = page.with("definition", less.text)
      return """
        <li class="chip">\(title) <a class="chip-off" href="\(address)" aria-label="Remove the rule \(title)">×</a></li>
        """
    }
  }

  private var additions: [HTML] {
    let events =
      #"<label class="ask-field"><span>Event</span><input name="event" required list="names" placeholder="event" autocomplete="off" spellcheck="false" autocapitalize="none"></label>"#
      as HTML
    let times =
      #"<label class="ask-field ask-short"><span>Times</span><input name="times" type="number" min="0" max="1000000" value="1"></label>"#
      as HTML
    let days =
      #"<label class="ask-field ask-short"><span>In the last days</span><input name="days" type="number" min="1" max="3660" placeholder="ever"></label>"#
      as HTML
    let span =
      #"<label class="ask-field ask-short"><span>Days</span><input name="days" type="number" min="1" max="3660" value="30" required></label>"#
      as HTML
    var forms = [
      addition("What they have", RuleFields.condition),
      addition(
        "What they did",
        kinds([
          ("did", "did at least so often"), ("did-at-most", "did at most so often"),
          ("did-not", "did not do"),
        ]) + events + times + days
      ),
      addition(
        "When they were seen",
        kinds([
          ("active", "active in the last"), ("inactive", "not active in the last"),
          ("new", "first seen in the last"), ("old", "first seen before the last"),
        ]) + span
      ),
    ]
    if !lists.isEmpty {
      let options = lists.map { #"<option value="\#($0.id)">\#($0.name)</option>"# as HTML }
      forms.append(
        addition(
          "Lists",
          kinds([("in-list", "is on"), ("not-in-list", "is not on")])
            + #"<label class="ask-field"><span>List</span><select name="v">\#(options)</select></label>"#
        )
      )
    }
    return forms
  }

  private func kinds(_ kinds: [(String, String)]) -> HTML {
    let options = kinds.map { #"<option value="\#($0.0)">\#($0.1)</option>"# as HTML }
    return
      #"<label class="ask-field"><span>Rule</span><select name="kind">\#(options)</select></label>"#
  }

  private func addition(_ title: String, _ fields: HTML) -> HTML {
    let groups = segment.groups.indices.map { index -> HTML in
      #"<option value="\#(index)">group \#(index + 1)</option>"#
    }
    let to: HTML? =
      segment.groups.isEmpty
      ? nil
      : """
      <label class="ask-field ask-short"><span>Into</span><select name="to">\(groups)\
      <option value="new">a new group</option></select></label>
      """
    return """
      <form method="get" action="\(page)" class="add-rule" aria-label="Add: \(title)">
      <h3>\(title)</h3><div class="ask-row">\
      <input type="hidden" name="definition" value="\(segment.text)">\(fields)\(to)\
      <button type="submit" class="button button-small">Add</button></div></form>
      """
  }

  private var saving: HTML {
    let action =
      saved.map { SegmentAddress.one($0.id, project.id) } ?? SegmentAddress.all(project.id)
    return """
      <section class="card"><h2 class="card-title">\(saved == nil ? "Save" : "Save changes")</h2>
      <p class="definition">\(saved != nil && isChanged
        ? "Questions that use this segment mean the changed one from then on."
        : "A saved segment can narrow down every question.")</p>
      <form method="post" action="\(action)" class="row-form">\(FormToken.field(visitor.formToken))\
      <input type="hidden" name="definition" value="\(segment.text)">
      <label class="field"><span>Name</span><input name="name" value="\(typedName ?? saved?.name ?? "")" required \
      maxlength="100" autocomplete="off"></label>
      <button type="submit" class="button button-main">Save</button></form></section>
      """
  }
}

/// Asks whether a segment or a list is to go, and says what uses it.
struct SegmentRemovalPage: Page {
  let visitor: Visitor
  let project: Project
  /// Such as `segment` or `list`.
  let what: String
  let name: String
  /// What uses it, each as a sentence's part.
  let uses: [String]
  let action: Address
  let back: Address

  var title: String { "Remove \(name)?" }

  var content: HTML {
    let used: HTML =
      uses.isEmpty
      ? "<p>Nothing that is saved uses it. An address that names it will say that it is gone.</p>"
      : """
      <p><b>It is used by:</b></p><ul class="plain-list">\(uses.map { "<li>\($0)</li>" as HTML })</ul>
      <p>They will say that it is gone.</p>
      """
    return """
      <section class="sheet sheet-narrow"><h1>Remove the \(what) <span class="name-cell">\(name)</span>?</h1>
      \(used)
      <form method="post" action="\(action)" class="stack">\(FormToken.field(visitor.formToken))
      <div class="actions"><button type="submit" class="button button-danger">Remove</button>\
      <a class="button" href="\(back)">Keep it</a></div></form></section>
      """
  }
}
