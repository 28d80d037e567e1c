import Catalog
import Foundation
import Insights

/// One event of the catalogue: its properties, and what is decided about it.
struct CatalogueEventPage: Page {
  let visitor: Visitor
  let project: Project
  let entry: CatalogueEntry
  let members: EventMembers.Output
  let zone: TimeZone
  let nowMs: Int64
  var problem: String?

  var title: String { "\(entry.rule.name) · \(project.name)" }

  private var catalogue: Address { Address("projects", "\(project.id)", "catalogue") }

  var content: HTML {
    let trend = Address("projects", "\(project.id)", "insights", "trend")
      .with("events", EscapedList.text(of: [FunnelStep(entry.rule.name).text], separator: ";"))
    return """
      <div class="page-head"><h1>\(entry.rule.name)</h1>\(entry.tags)\
      <a class="quiet" href="\(catalogue)">All events</a></div>
      \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
      \(entry.rule.description.isEmpty ? nil : #"<p class="board-text">\#(entry.rule.description)</p>"# as HTML)
      <section class="figures" aria-label="In numbers">\(figures)</section>
      <section class="card"><div class="card-head"><h2 class="card-title">Properties</h2>\
      <a class="quiet" href="\(trend)">Show over time</a></div>
      <p class="definition">Of the last \(members.events.grouped) events of this name, test events included, \
      at most \(EventMembers.sample.grouped). “Share” is how many of them have the property at all.</p>
      \(members.members.isEmpty ? #"<p class="empty-line">These events have no properties.</p>"# as HTML : table)
      </section>
      \(visitor.user.role.may(.manageBoards) ? form : nil)
      """
  }

  private var figures: [HTML] {
    let seen = entry.seen
    func figure(_ name: String, _ value: HTML, _ definition: String) -> HTML {
      """
      <div class="figure"><p class="figure-name">\(name)</p><p class="figure-value num">\(value)</p>\
      <p class="definition">\(definition)</p></div>

      """
    }
    func moment(_ ms: Int64?) -> HTML {
      ms.map { Moment(ms: $0, zone: zone).dateElement } ?? "—"
    }
    return [
      figure("30 days", "\((seen?.recentCount ?? 0).grouped)", "Events of the last 30 days."),
      figure("All", "\((seen?.count ?? 0).grouped)", "Events that are kept."),
      figure(
        "Test events",
        "\((seen?.testCount ?? 0).grouped)",
        "Those of them sent by test builds."
      ),
      figure("First seen", moment(seen?.firstSeenMs), "When the first that is kept happened."),
      figure("Last seen", moment(seen?.lastSeenMs), "When the last happened."),
    ]
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-tight"><caption class="hidden">Properties</caption><thead>\
    <tr><th scope="col">Property</th><th scope="col">Type</th><th scope="col" class="end">Share</th>\
    <th scope="col">First seen</th><th scope="col">Last seen</th></tr></thead>
    <tbody>\(members.members.map(row))</tbody></table></div>
    """
  }

  private func row(_ member: EventMembers.Member) -> HTML {
    let kinds = EventMembers.Kind.allCases.filter { member.kinds[$0] != nil }
    let share = members.events == 0 ? 0 : Double(member.count) / Double(members.events)
    return """
      <tr><th scope="row" class="name-cell">\(member.name)</th>\
      <td>\(kinds.map(\.rawValue).joined(separator: " or "))</td>\
      <td class="end num" data-value="\("\(share)")">\(ReportNumber.text(share, .share))</td>\
      <td class="no-wrap" data-value="\(member.firstSeenMs)">\
      \(Moment(ms: member.firstSeenMs, zone: zone).dateElement)</td>\
      <td class="no-wrap" data-value="\(member.lastSeenMs)">\
      \(Moment(ms: member.lastSeenMs, zone: zone).element(nowMs: nowMs))</td></tr>

      """
  }

  private var form: HTML {
    """
    <section class="card"><h2 class="card-title">What this event is</h2>
    <form method="post" action="\(catalogue)" class="stack">\(FormToken.field(visitor.formToken))
    <input type="hidden" name="name" value="\(entry.rule.name)">
    <label class="field"><span>Description</span><textarea name="description" rows="3" maxlength="1000">\
    \(entry.rule.description)</textarea></label>
    <label class="ask-check"><input type="checkbox" name="hidden" value="true"\
    \(" checked", if: entry.rule.isHidden)> Do not offer it where events are chosen</label>
    <label class="ask-check"><input type="checkbox" name="blocked" value="true"\
    \(" checked", if: entry.rule.isBlocked)> Refuse it: the collector turns it away, within a second</label>
    <button type="submit" class="button">Save</button></form></section>
    """
  }
}
