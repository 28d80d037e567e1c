import Catalog
import Foundation
import Insights

/// A project's alerts and how they stand.
struct AlertsPage: Page {
  let visitor: Visitor
  let project: Project
  let alerts: [Alert]
  let zone: TimeZone
  let nowMs: Int64
  /// An alert that was just made, with its secret; shown this once.
  var made: (alert: Alert, secret: String)?
  var problem: String?
  var form = AlertForm()

  var title: String { "Alerts of \(project.name)" }

  private var mayChange: Bool { visitor.user.role.may(.manageBoards) }
  private var page: Address { Address("projects", "\(project.id)", "alerts") }

  var content: HTML {
    """
    <div class="page-head"><h1>Alerts</h1></div>
    \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
    \(made.map { notice($0.secret) })
    <section class="card"><h2 class="card-title">Alerts of \(project.name)</h2>
    <p class="definition">The server asks each question again and again and compares the number of the last hour, \
    day, week or month that is complete; where a chart has several lines, that of the first one. You are told once when \
    the number passes its limit, and once when it is back.</p>
    \(alerts.isEmpty ? nothing : table)</section>
    \(mayChange ? AlertFields(visitor: visitor, action: page, form: form, title: "New alert", button: "Make alert").html : nil)
    """
  }

  private var nothing: HTML {
    """
    <p class="empty-line"><b>No alert yet.</b> An alert tells another program, such as a chat, when a number passes a \
    limit.</p>
    """
  }

  private func notice(_ secret: String) -> HTML {
    """
    <section class="card card-new" role="status"><h2 class="card-title">Copy the alert’s secret now</h2>
    <p class="definition">It is shown this once. Every message is signed with it: the header \
    <code>Footfall-Signature: t=SECONDS,v1=HEX</code> holds the HMAC-SHA256 of the seconds, a point and the \
    body.</p>
    \(Snippet(id: "made-secret", label: "the secret", language: "Secret", code: secret).html)</section>
    """
  }

  private var table: HTML {
    """
    <div class="scroll"><table class="table table-stack"><caption class="hidden">Alerts</caption><thead><tr>\
    <th scope="col">Alert</th><th scope="col">State</th><th scope="col" class="end">Last number</th>\
    <th scope="col">Last checked</th></tr></thead><tbody>\(alerts.map(row))</tbody></table></div>
    """
  }

  private func row(_ alert: Alert) -> HTML {
    let looked: HTML? = alert.state.lookedMs.map {
      Moment(ms: $0, zone: zone).element(nowMs: nowMs)
    }
    let value = ReportNumber.text(alert.state.finding?.value, .number)
    return """
      <tr><th scope="row" class="name-cell"><a href="\(alert.address())">\(alert.terms.name)</a>\
      <span class="remark">\(alert.terms.sentence)</span></th><td data-label="State"><span>\(alert.tag)</span></td>\
      <td class="end num" data-label="Last number" data-value="\("\(alert.state.finding?.value ?? 0)")">\
      <span>\(value)</span></td><td class="no-wrap" data-label="Last checked">\(looked)</td></tr>

      """
  }
}

/// One alert: how it stands, what happened, how it is changed.
struct AlertPage: Page {
  let visitor: Visitor
  let project: Project
  let alert: Alert
  let notes: [AlertNote]
  let zone: TimeZone
  let nowMs: Int64
  var problem: String?
  /// What was typed, when that was refused.
  var typed: AlertForm?

  var title: String { "\(alert.terms.name) · \(project.name)" }

  private var mayChange: Bool { visitor.user.role.may(.manageBoards) }

  var content: HTML {
    let question = BoardCard(
      title: "",
      content: .chart(question: alert.terms.question, parameters: alert.terms.parameters)
    ).question(ofProject: alert.project)
    return """
      <div class="page-head"><h1>\(alert.terms.name)</h1>\(alert.tag)\
      <a class="quiet" href="\(Address("projects", "\(project.id)", "alerts"))">All alerts</a></div>
      \(problem.map { #"<p class="alert" role="alert">\#($0)</p>"# as HTML })
      <section class="figures" aria-label="In numbers">\(figures)</section>
      <section class="card"><div class="card-head"><h2 class="card-title">State</h2>\
      \(question.map { #"<a class="quiet" href="\#($0)">Show the question</a>"# as HTML })</div>
      <p>\(alert.terms.sentence.prefix(1).uppercased())\(String(alert.terms.sentence.dropFirst())), checked every \
      \(alert.terms.everyMinutes) min, sent to <code>\(alert.terms.webhook(shownTo: visitor.user.role))</code>.</p>
      \(alert.state.problem.map { #"<p class="alert" role="alert">The last check found no number: \#($0)</p>"# as HTML })
      \(alert.state.messages.isEmpty ? nil : waiting)
      \(mayChange ? actions : nil)</section>
      \(history)
      \(mayChange ? AlertFields(visitor: visitor, action: alert.address(), form: typed ?? AlertForm(alert.terms),
        title: "Change", button: "Save").html : nil)
      """
  }

  private var figures: [HTML] {
    func figure(_ name: String, _ value: HTML, _ definition: String) -> HTML {
      """
      <div class="figure"><p class="figure-name">\(name)</p><p class="figure-value num">\(value)</p>\
      <p class="definition">\(definition)</p></div>

      """
    }
    let finding = alert.state.finding
    func moment(_ ms: Int64?) -> HTML {
      ms.map { Moment(ms: $0, zone: zone).element(nowMs: nowMs) } ?? "—"
    }
    return [
      figure(
        "Last number",
        "\(ReportNumber.text(finding?.value, .number))",
        "Of the last hour, day, week or month that is complete."
      ),
      figure("Before", "\(ReportNumber.text(finding?.before, .number))", "Of the one before."),
      figure("In this state", moment(alert.state.sinceMs), "When the state changed last."),
      figure("Last checked", moment(alert.state.lookedMs), "When the question was asked last."),
    ]
  }

  private var waiting: HTML {
    let items = alert.state.messages.map { message -> HTML in
      let tries =
        message.attempts == 0
        ? "" : ", tried \(message.attempts) of \(AlertCore.maxAttempts) times"
      return #"<li>Message \#(message.number) (\#(message.kind.rawValue)) waits\#(tries).</li>"#
    }
    return #"<ul class="remark">\#(items)</ul>"#
  }

  private var actions: HTML {
    func button(_ name: String, _ label: String, _ style: HTML) -> HTML {
      """
      <form method="post" action="\(alert.address(name))">\(FormToken.field(visitor.formToken))\
      <button type="submit" class="\(style)">\(label)</button></form>
      """
    }
    return """
      <div class="actions">\(button("test", "Send a test", "button"))\
      \(alert.state.isPaused ? button("resume", "Resume", "button") : button("pause", "Pause", "button"))\
      \(button("delete", "Delete", "button button-danger"))</div>
      """
  }

  private var history: HTML {
    let rows = notes.map { note -> HTML in
      let moment = Moment(ms: note.atMs, zone: zone)
      return """
        <tr><td class="no-wrap num" data-value="\(note.atMs)">\(moment.date), \(moment.clock)</td>\
        <td>\(AlertCore.Note(rawValue: note.kind)?.title ?? note.kind)</td><td>\(note.detail)</td></tr>

        """
    }
    let table: HTML = """
      <div class="scroll scroll-tall" tabindex="0"><table class="table table-tight">\
      <caption class="hidden">What happened</caption><thead><tr><th scope="col">When</th>\
      <th scope="col">What</th><th scope="col">More</th></tr></thead><tbody>\(rows)</tbody></table></div>
      """
    return """
      <section class="card"><h2 class="card-title">What happened</h2>
      \(notes.isEmpty ? #"<p class="empty-line">Nothing yet.</p>"# as HTML : table)</section>
      """
  }
}

extension Alert {
  /// Where something of the alert is.
  func address(_ parts: String...) -> Address {
    Address(segments: ["projects", "\(project)", "alerts", "\(id)"] + parts)
  }

  /// How it stands, in a word.
  var tag: HTML {
    if state.isPaused { return #"<span class="tag">paused</span>"# }
    return switch state.level {
    case .unknown: #"<span class="tag">not checked yet</span>"#
    case .calm: #"<span class="tag">within its limit</span>"#
    case .firing: #"<span class="tag tag-test">past its limit</span>"#
    }
  }
}

extension AlertCore.Note {
  /// What happened, as people say it.
  var title: String {
    switch self {
    case .firing: "passed its limit"
    case .calm: "back within its limit"
    case .sent: "message sent"
    case .failed: "message not taken"
    case .dropped: "message given up"
    case .paused: "paused"
    case .resumed: "resumed"
    }
  }
}

extension AlertState.Message.Kind {
  /// What it tells, as people say it.
  fileprivate var title: String {
    switch self {
    case .firing: "passed its limit"
    case .calm: "back within its limit"
    case .test: "a test"
    }
  }
}

extension Alert.Terms {
  /// What is asked about and by what time, such as ` of Song Played by hour`; empty where nothing is chosen.
  private var asked: String {
    let values: [String: String]
    // A question that a later version took away is told by its word alone.
    do { values = try SavedQuestion(word: question, query: parameters).values } catch { return "" }
    let names = ["events", "event", "steps", "where"].compactMap { values[$0] }.first
    return (names.map { " of \($0)" } ?? "") + (values["interval"].map { " by \($0)" } ?? "")
  }

  /// When it fires, as people say it.
  var sentence: String {
    let amount = ReportNumber.text(rule.amount, .number)
    let share = ReportNumber.text(rule.amount, .share)
    let title = (QuestionKind.all.first { $0.word == question }?.title ?? question) + asked
    return switch rule {
    case .over: "when “\(title)” is over \(amount)"
    case .under: "when “\(title)” is under \(amount)"
    case .rise: "when “\(title)” rises by more than \(share)"
    case .fall: "when “\(title)” falls by more than \(share)"
    }
  }
}
