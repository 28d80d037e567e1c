import Catalog
import EventStore
import Foundation
import Insights

/// Crashes of one signature: when, where, for whom, the stack, and what was before.
struct CrashPage: Page {
  let visitor: Visitor
  let project: Project
  let range: String
  let entry: CrashEntry
  let startsMs: [Int64]
  let interval: TimeAxis.Interval
  let scope: Scope
  /// The latest crash of the group that can be looked at; nil where it is long ago.
  let latest: StoredEvent?
  /// What its device did before, the last first.
  let before: [StoredEvent]
  let zone: TimeZone
  let nowMs: Int64

  var title: String { "\(entry.title) · \(project.name)" }

  private var group: Crashes.Group { entry.group }

  var content: HTML {
    """
    <div class="page-head"><h1>\(entry.title)</h1>\(entry.tag)\
    <a class="quiet" href="\(CrashesPage.address(project.id, range))">All crashes</a></div>
    \(group.signature.frame.isEmpty ? nil : #"<p class="mono crash-frame">\#(group.signature.frame)</p>"# as HTML)
    \(view.period)<section class="figures" aria-label="In numbers">\(view.figureItems)</section>
    <section class="card chart-card"><div class="card-head"><h2 class="card-title" id="report-title">\
    When</h2><div class="card-actions">\(view.pictureButton)</div></div>\(view.chart)\(view.note)\
    \(view.toggled)</section>
    \(visitor.user.role.may(.manageBoards) ? form : decided)
    <section class="card"><h2 class="card-title">By version</h2><div class="scroll" tabindex="0">\
    \(view.table(1))</div></section>
    \(stack)
    \(past)
    """
  }

  private var view: ReportView {
    ReportView(report: report, csv: nil, hidesFirstTable: true, name: entry.title)
  }

  private var report: Report {
    var report = Report(
      title: "Crashes of this kind",
      definition: "How many there were, by the time of the crash.",
      fromMs: scope.fromMs,
      toMs: scope.toMs,
      interval: interval
    )
    report.timeZone = zone
    let noun = scope.unit.noun
    report.figures = [
      Report.Figure("Crashes", Double(group.count), .count, "How many there were in this time."),
      Report.Figure(
        "\(noun.capitalized) affected",
        Double(group.people),
        .count,
        "How many different \(noun) met it."
      ),
      Report.Figure(
        "Versions",
        Double(group.versions.count { !$0.version.isEmpty }),
        .count,
        "In how many versions of the app that were told."
      ),
    ]
    let values = startsMs.map { Double(group.times[$0] ?? 0) }
    report.chart = Report.Chart(
      .stack,
      places: startsMs.map { .time($0) },
      unit: .count,
      lines: [Report.Line("Crashes", values)],
      isLastOpen: nowMs < scope.toMs
    )
    let word = interval.rawValue
    report.tables = [
      Report.Table(
        "\(word.capitalized) by \(word)",
        [Report.Column(word.capitalized, .time), Report.Column("Crashes", .count)],
        zip(startsMs, values).map { [.time($0), .number($1)] }
      ),
      Report.Table(
        "By version",
        [
          Report.Column("Version", .text), Report.Column("Crashes", .count),
          Report.Column("Last", .text),
        ],
        group.versions.map { version in
          let last = Moment(ms: version.lastMs, zone: zone)
          return [
            .text(version.version.isEmpty ? "(not told)" : version.version), .count(version.count),
            .text("\(last.date), \(last.minute)"),
          ]
        }
      ),
    ]
    return report
  }

  // MARK: What was decided

  private var decided: HTML? {
    guard let decision = entry.decision else { return nil }
    return #"<section class="card"><p>\#(sentence(decision))</p></section>"#
  }

  private func sentence(_ decision: CrashDecision) -> String {
    let at = Moment(ms: decision.atMs, zone: zone)
    let version = decision.mended.isEmpty ? "" : " in version \(decision.mended)"
    let what = decision.state == .hidden ? "Hidden" : "Said to be mended\(version)"
    return "\(what) on \(at.date), \(at.minute), by \(decision.actor)."
  }

  private var form: HTML {
    let action = Address("projects", "\(project.id)", "crashes")
    return """
      <section class="card"><h2 class="card-title">What becomes of it</h2>
      \(entry.decision.map { #"<p>\#(sentence($0))</p>"# as HTML })
      <p class="definition">A resolved crash comes back by itself when it happens in the mended version or, if \
      none is named, in one newer than all before. A hidden one stays away.</p>
      <form method="post" action="\(action)" class="row-form">\(FormToken.field(visitor.formToken))
      <input type="hidden" name="signature" value="\(group.signature.id)">\
      <input type="hidden" name="range" value="\(range)">
      <label class="field"><span>Mended in version</span><input name="version" maxlength="100" \
      value="\(entry.decision?.mended ?? "")" placeholder="the next one" autocomplete="off"></label>
      <button type="submit" name="state" value="resolved" class="button">Resolve</button>
      <button type="submit" name="state" value="hidden" class="button">Hide</button>
      \(entry.decision == nil ? nil : #"<button type="submit" name="state" value="open" class="button">Open again</button>"# as HTML)
      </form></section>
      """
  }

  // MARK: The latest

  private func text(_ name: String, _ event: StoredEvent) -> String {
    if case .string(let text)? = JSONText(event.properties)?[name] { text } else { "" }
  }

  private var stack: HTML? {
    guard let latest else { return nil }
    let moment = Moment(ms: latest.correctedMs, zone: zone)
    let (reason, stack) = (text("reason", latest), text("stack", latest))
    return """
      <section class="card"><div class="card-head"><h2 class="card-title">The latest</h2>\
      <a class="quiet" href="\(EventRow.address(of: latest, project: project.id))">The whole event</a></div>
      <p class="definition">\(moment.date), \(moment.clock)</p>
      \(reason.isEmpty ? nil : #"<p class="board-text">\#(reason)</p>"# as HTML)
      \(stack.isEmpty ? #"<p class="empty-line">It came without a stack.</p>"# as HTML : Snippet(
        id: "crash-stack", label: "the stack", language: "Stack", code: stack).html)</section>
      """
  }

  /// How long before the crash an event was, in words; events of one moment are told apart by their order
  /// alone.
  private static func before(_ ms: Int64) -> String {
    ms == 0 ? "at the same time" : "\(Moment.fineSpan(ms)) before"
  }

  private var past: HTML? {
    guard let latest else { return nil }
    let crash = Moment(ms: latest.correctedMs, zone: zone)
    let rows = before.map { event -> HTML in
      let moment = Moment(ms: event.correctedMs, zone: zone)
      let sinceMs = crash.ms - moment.ms
      return """
        <tr><td class="no-wrap num" data-value="\(event.correctedMs)">\(moment.clock(besides: crash))</td>\
        <th scope="row" class="name-cell"><a href="\(EventRow.address(of: event, project: project.id))">\
        \(event.name)</a></th><td data-value="\(sinceMs)">\(Self.before(sinceMs))</td></tr>

        """
    }
    let table: HTML = """
      <div class="scroll"><table class="table table-tight"><caption class="hidden">Events before the crash\
      </caption><thead><tr><th scope="col">Time</th><th scope="col">Event</th><th scope="col">How long \
      before</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
    return """
      <section class="card"><h2 class="card-title">What was before it</h2>
      <p class="definition">The last events of the same device before its crash on \(crash.date), \
      the last first.</p>
      \(before.isEmpty ? #"<p class="empty-line">Nothing is known of this device before.</p>"# as HTML : table)
      </section>
      """
  }
}
