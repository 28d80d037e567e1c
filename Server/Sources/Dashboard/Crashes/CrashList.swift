import Catalog
import Foundation
import Insights
import ProjectQuestions

/// Crashes that have something in common, and how they stand.
struct CrashEntry {
  let group: Crashes.Group
  let decision: CrashDecision?

  var standing: CrashStanding { CrashStanding(decision, of: group) }

  /// What it is called.
  var title: String {
    group.signature.exception.isEmpty ? "Crash without a name" : group.signature.exception
  }

  /// How it stands, in a word or two.
  var tag: HTML? {
    switch standing {
    case .open: nil
    case .hidden: #"<span class="tag">hidden</span>"#
    case .resolved: #"<span class="tag">resolved</span>"#
    case .cameBack(let version):
      #"<span class="tag tag-test">came back\#(version.isEmpty ? "" : " in \(version)")</span>"#
    }
  }

  /// Its versions, the last first.
  var versions: String {
    let known = group.versions.map(\.version).filter { !$0.isEmpty }
    guard !known.isEmpty else { return "(not told)" }
    return known.prefix(4).joined(separator: ", ") + (known.count > 4 ? " …" : "")
  }
}

/// A project's crashes: how many, for whom, and what they have in common.
struct CrashesPage: Page {
  let project: Project
  let shownRange: String
  /// Whether hidden and resolved ones are listed, too.
  let showsAll: Bool
  let report: Report
  let view: ReportView
  let entries: [CrashEntry]
  let zone: TimeZone
  let nowMs: Int64

  var title: String { "Crashes of \(project.name)" }

  private var shown: [CrashEntry] { showsAll ? entries : entries.filter(\.standing.needsWork) }

  var content: HTML {
    """
    <div class="page-head"><h1>Crashes</h1><nav class="tabs tabs-page" aria-label="Time">\
    \(Self.ranges.map(tab))</nav></div>
    \(view.period)<section class="figures" aria-label="In numbers">\(view.figureItems)</section>
    \(report.isEmpty ? nothing : chart)
    \(entries.isEmpty ? nil : list)
    """
  }

  static let ranges: [(word: String, title: String)] = [
    ("7d", "7 days"), ("30d", "30 days"), ("90d", "90 days"), ("365d", "Year"),
  ]

  static func address(_ project: UInt32, _ range: String, all: Bool = false) -> Address {
    Address("projects", "\(project)", "crashes").with("range", range == "30d" ? nil : range)
      .with("show", all ? "all" : nil)
  }

  private func tab(_ range: (word: String, title: String)) -> HTML {
    """
    <a href="\(Self.address(project.id, range.word, all: showsAll))"\
    \(#" aria-current="page""#, if: range.word == shownRange)>\(range.title)</a>
    """
  }

  private var nothing: HTML {
    """
    <section class="card"><p class="empty-line"><b>No crash was told in this time.</b></p>
    <p class="hint">Apps tell of a crash at their next start, as the event \
    <code>\(CrashSignature.eventName)</code>; SimpleDataLogs’ clients do so with \
    <code>autocapture: .crashes</code>.</p></section>
    """
  }

  private var chart: HTML {
    let question = Address("projects", "\(project.id)", "insights", "crashes")
      .with("range", shownRange)
    return """
      <section class="card chart-card"><div class="card-head"><h2 class="card-title" id="report-title">\
      Crashes</h2><div class="card-actions">\(view.pictureButton)\
      <a class="quiet" href="\(question)">Ask further</a></div></div>
      \(view.chart)\(view.note)\(view.toggled)</section>
      """
  }

  private var list: HTML {
    let left = entries.count - entries.count { $0.standing.needsWork }
    let other: HTML =
      showsAll
      ? #"<a class="quiet" href="\#(Self.address(project.id, shownRange))">Only those to look at</a>"#
      : #"<a class="quiet" href="\#(Self.address(project.id, shownRange, all: true))">All, with \#(left) hidden or resolved</a>"#
    return """
      <section class="card"><div class="card-head"><h2 class="card-title">What they have in common</h2>\
      \(left > 0 || showsAll ? other : nil)</div>
      <p class="definition">Crashes with the same exception whose first frame outside the system is the \
      same. “People” counts everyone who met it once.</p>
      \(shown.isEmpty ? #"<p class="empty-line">Nothing to look at: all of them are hidden or resolved.</p>"# as HTML : table)
      </section>
      """
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-stack"><caption class="hidden">Crashes</caption><thead><tr>\
    <th scope="col">Crash</th><th scope="col" class="end">Crashes</th><th scope="col" class="end">People</th>\
    <th scope="col">Versions</th><th scope="col">Last</th></tr></thead><tbody>\(shown.map(row))</tbody>\
    </table></div>
    """
  }

  private func row(_ entry: CrashEntry) -> HTML {
    let group = entry.group
    let address = Self.address(project.id, shownRange).with("group", group.signature.id)
    return """
      <tr><th scope="row" class="name-cell" data-value="\(entry.title)"><a href="\(address)">\(entry.title)</a> \
      \(entry.tag)<span class="remark mono">\(group.signature.frame)</span></th>\
      <td class="end num" data-label="Crashes">\(group.count.grouped)</td>\
      <td class="end num" data-label="People">\(group.people.grouped)</td>\
      <td data-label="Versions">\(entry.versions)</td><td class="no-wrap" data-label="Last" data-value="\(group.lastMs)">\
      \(Moment(ms: group.lastMs, zone: zone).element(nowMs: nowMs))</td></tr>

      """
  }
}
