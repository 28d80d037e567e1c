import Catalog
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import IngestLog
import Insights
import ProjectQuestions
import Webhooks

/// Does what alerts say is to be done: asks their questions and tells their messages, on a thread of its own.
///
/// What is due is kept before it is done: a stop in between sends a message again at the next start, with
/// the same number, and loses none. A few questions are asked at once, and messages are told beside them, see
/// `AlertDeliveries`: a webhook that does not answer holds up its own messages only.
final class AlertRunner: Sendable {
  private let catalog: Catalog
  private let store: any EventStore
  private let sender: WebhookSender
  private let intervalSeconds: Double
  private let nowMs: @Sendable () -> Int64
  private let attempts: Attempts
  private let deliveries = AlertDeliveries()
  private let state = Monitor(State())

  private struct State {
    var isStopping = false
    var thread: SystemThread?
  }

  /// How many alerts are looked at at once: as many as questions are answered at once.
  private static let hands = 4
  /// How long after its end a bucket is judged, in milliseconds; five minutes.
  ///
  /// Phones send late, and a number that still grows would look like a fall.
  private static let graceMs: Int64 = 300_000

  /// Looks at what is due every `intervalSeconds`.
  init(
    catalog: Catalog,
    store: any EventStore,
    sender: WebhookSender,
    intervalSeconds: Double = 2,
    nowMs: @escaping @Sendable () -> Int64 = WallClock.milliseconds,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.catalog = catalog
    self.store = store
    self.sender = sender
    self.intervalSeconds = intervalSeconds
    self.nowMs = nowMs
    attempts = Attempts(report: report)
  }

  func start() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard state.thread == nil, !state.isStopping else { return }
      state.thread = try SystemThread(name: "ff-alerts") { [self] in run() }
    }
  }

  /// Ends the threads after what they are at; a message under way takes ten seconds at most.
  func stop() {
    let thread = state.change { state in
      state.isStopping = true
      return state.thread
    }
    thread?.join()
    deliveries.stop()
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  private func run() {
    while !isStopping {
      look()
      _ = state.wait(timeoutSeconds: intervalSeconds) { $0.isStopping ? () : nil }
    }
  }

  /// Begins to tell what is due now, and asks the questions that are; waits for no receiver.
  func look() {
    attempts.attempt("Looking after alerts") {
      let alerts = try catalog.alerts()
      // Most of the time nothing is due, and nothing is to be written.
      let isDue = { (alert: Alert, input: AlertCore.Input) in
        var core = alert.core
        return !core.receive(input, at: self.nowMs()).isEmpty
      }
      attempts.attempt("Telling of alerts") {
        try deliveries.begin(alerts.filter { isDue($0, .timeToTell) }, among: alerts) {
          self.tell($0, $1)
        }
      }
      ask(alerts.filter { isDue($0, .timeToLook) })
    }
  }

  /// Waits until every message under way was taken or not.
  func waitUntilTold() { deliveries.wait() }

  private func ask(_ due: [Alert]) {
    let left = Lock(due)
    let hands = (1..<max(1, min(Self.hands, due.count))).compactMap { index -> SystemThread? in
      do { return try SystemThread(name: "ff-alerts-\(index)") { self.work(off: left) } } catch {
        // This thread does it all, only later.
        return nil
      }
    }
    work(off: left)
    for hand in hands { hand.join() }
  }

  private func work(off left: Lock<[Alert]>) {
    while !isStopping, let alert = left.withLock({ $0.popLast() }) {
      attempts.attempt("Looking after alert \(alert.id)") {
        for case .look in try catalog.tellAlert(.timeToLook, id: alert.id) where !isStopping {
          // What was changed meanwhile is looked at anew, and not by what the old question found.
          _ = try catalog.tellAlert(finding(of: alert), id: alert.id, decided: alert.terms)
        }
      }
    }
  }

  /// Tells an alert's first message if it is due; whether it was taken, or nil where none is.
  private func tell(_ known: Alert, _ receiver: WebhookReceiver) -> Bool? {
    var wasTaken: Bool?
    attempts.attempt("Telling of alert \(known.id)") {
      // Its turn may have come some time after it was due: it may have been changed or have gone.
      guard let alert = try catalog.alert(known.id, project: known.project),
        WebhookReceiver(of: alert) == receiver
      else { return }
      for case .send(let message) in try catalog.tellAlert(.timeToTell, id: alert.id) {
        let outcome = try send(message, of: alert)
        wasTaken = if case .sent = outcome { true } else { false }
        _ = try catalog.tellAlert(outcome, id: alert.id)
      }
    }
    return wasTaken
  }

  private func finding(of alert: Alert) -> AlertCore.Input {
    var fault: (any Error)?
    // Whoever may see the alert reads what is wrong; the whole of it stands in the log.
    defer { attempts.attempt("The question of alert \(alert.id)") { if let fault { throw fault } } }
    do {
      guard let project = try catalog.project(alert.project) else {
        return .foundNothing("The project is gone.")
      }
      let question = try SavedQuestion(word: alert.terms.question, query: alert.terms.parameters)
      let setting = QuestionForm.Setting(project, in: catalog, nowMs: nowMs() - Self.graceMs)
      // What is over since the last look is judged, too: the server may have been down meanwhile.
      let state = alert.state
      let findings = AlertMeasure.all(
        try question.report(setting, on: store),
        after: state.level == .unknown ? nil : state.finding?.bucketMs
      ).map {
        AlertState.Finding(value: $0.value, before: $0.before, bucketMs: $0.bucketMs)
      }
      guard let last = findings.last else {
        return .foundNothing("The question has no number for a time that is over.")
      }
      return findings.count == 1 ? .found(last) : .foundSince(findings)
    } catch {
      fault = error
      return .foundNothing(ClientText.of(error))
    }
  }

  private func send(_ message: AlertState.Message, of alert: Alert) throws -> AlertCore.Input {
    guard let address = WebhookAddress(alert.terms.webhook),
      let secret = try catalog.alertSecret(alert.id)
    else { return .failed(message.number, "its address or its secret cannot be read") }
    let project = try catalog.project(alert.project)?.name ?? ""
    let json = try AlertText(alert, message, project: project).json
    do throws(WebhookSender.Problem) {
      try sender.send(json, to: address, secret: secret, atMs: nowMs())
      return .sent(message.number)
    } catch {
      return .failed(message.number, error.description)
    }
  }
}

/// What a webhook is told, as JSON.
struct AlertText: Encodable {
  private struct Subject: Encodable {
    let id: Int64
    let name: String
  }

  private let id: String
  private let kind: String
  private let at: Int64
  private let alert: Subject
  private let project: Subject
  private let rule: String
  private let amount: Double
  private let value: Double?
  private let before: Double?
  private let bucket: Int64?
  private let question: String
  private let parameters: String

  init(_ alert: Alert, _ message: AlertState.Message, project: String) {
    id = "\(alert.id)-\(message.number)"
    kind = message.kind.rawValue
    at = message.atMs
    self.alert = Subject(id: alert.id, name: alert.terms.name)
    self.project = Subject(id: Int64(alert.project), name: project)
    rule = alert.terms.rule.word
    amount = alert.terms.rule.amount
    value = message.finding?.value
    before = message.finding?.before
    bucket = message.finding?.bucketMs
    question = alert.terms.question
    parameters = alert.terms.parameters
  }

  /// The members in the order of their names.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
