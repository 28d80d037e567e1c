import Catalog
import EventRecord
import EventStore
import Foundation
import Insights

/// The pages that tell what events a project has and how well they arrive.
enum CatalogueTab: String, CaseIterable {
  case catalogue
  case quality
  case sql

  var title: String {
    switch self {
    case .catalogue: "Event names"
    case .quality: "Data quality"
    case .sql: "SQL"
    }
  }

  /// The way to the others.
  static func tabs(_ project: UInt32, _ current: CatalogueTab, for visitor: Visitor) -> HTML {
    let items = allCases.filter { visitor.user.role.may($0.permission) }.map { tab -> HTML in
      """
      <a href="\(Address("projects", "\(project)", tab.rawValue))"\
      \(#" aria-current="page""#, if: tab == current)>\(tab.title)</a>
      """
    }
    return #"<nav class="tabs tabs-page" aria-label="About events">\#(items)</nav>"#
  }

  private var permission: Permission { self == .sql ? .runStatements : .viewEvents }
}

/// One event of the catalogue: what came, and what was decided about it.
struct CatalogueEntry {
  let rule: EventRule
  /// Nil where none came yet.
  let seen: EventDirectory.Entry?

  /// Every event that came or about which something was decided.
  static func all(_ seen: [EventDirectory.Entry], _ rules: [EventRule]) -> [CatalogueEntry] {
    let byName = Members(rules.map { ($0.name, $0) })
    let known = Set(seen.map { ExactText($0.name) })
    return seen.map { CatalogueEntry(rule: byName[$0.name] ?? EventRule(name: $0.name), seen: $0) }
      + rules.filter { !known.contains(ExactText($0.name)) }.map {
        CatalogueEntry(rule: $0, seen: nil)
      }
  }

  /// Whether it is hidden or refused.
  var tags: HTML {
    """
    \(rule.isBlocked ? #" <span class="tag tag-test">refused</span>"# as HTML : nil)\
    \(rule.isHidden ? #" <span class="tag">hidden</span>"# as HTML : nil)
    """
  }
}

/// A project's events by name.
struct CataloguePage: Page {
  let visitor: Visitor
  let project: Project
  let entries: [CatalogueEntry]
  /// Whether more names came than are told.
  let isCut: Bool
  let zone: TimeZone
  let nowMs: Int64

  var title: String { "Event names of \(project.name)" }

  var content: HTML {
    """
    <div class="page-head"><h1>Event names</h1>\(CatalogueTab.tabs(project.id, .catalogue, for: visitor))</div>
    <section class="card"><h2 class="card-title">Every event by its name</h2>
    <p class="definition">Every name that came, test events included, with what your team wrote about it. \
    “30 days” counts events by the time when they happened. Hidden events are not offered where events are \
    chosen; refused ones are turned away by the collector.\(cut)</p>
    \(entries.isEmpty ? nothing : table)</section>
    """
  }

  /// What is not told must be said.
  private var cut: String {
    isCut ? " Only the \(EventDirectory.limit.grouped) most frequent names are told here." : ""
  }

  private var nothing: HTML {
    """
    <p class="empty-line"><b>No event yet.</b> As soon as an app sends one, its name stands here.</p>
    """
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-stack"><caption class="hidden">Events by name</caption><thead><tr>\
    <th scope="col">Event</th><th scope="col" class="end">30 days</th><th scope="col" class="end">All</th>\
    <th scope="col">First seen</th><th scope="col">Last seen</th></tr></thead>
    <tbody>\(entries.map(row))</tbody></table></div>
    """
  }

  private func row(_ entry: CatalogueEntry) -> HTML {
    let description: HTML? =
      entry.rule.description.isEmpty
      ? nil : #"<span class="remark">\#(entry.rule.description)</span>"#
    return """
      <tr><th scope="row" class="name-cell" data-value="\(entry.rule.name)">\
      <a href="\(Self.address(project.id, entry.rule.name))">\(entry.rule.name)</a>\(entry.tags)\
      \(description)</th>\(numbers(entry.seen))</tr>

      """
  }

  private func numbers(_ seen: EventDirectory.Entry?) -> HTML {
    guard let seen else {
      return
        #"<td class="end num zero" data-label="30 days">0</td><td class="end num zero" data-label="All">0</td><td></td><td></td>"#
    }
    let first = Moment(ms: seen.firstSeenMs, zone: zone)
    let last = Moment(ms: seen.lastSeenMs, zone: zone)
    return """
      <td class="end num\(" zero", if: seen.recentCount == 0)" data-label="30 days">\(seen.recentCount.grouped)</td>\
      <td class="end num" data-label="All">\(seen.count.grouped)</td>\
      <td class="no-wrap" data-label="First seen" data-value="\(seen.firstSeenMs)">\(first.dateElement)</td>\
      <td class="no-wrap" data-label="Last seen" data-value="\(seen.lastSeenMs)">\(last.element(nowMs: nowMs))</td>
      """
  }

  static func address(_ project: UInt32, _ name: String) -> Address {
    Address("projects", "\(project)", "catalogue").with("name", name)
  }
}
