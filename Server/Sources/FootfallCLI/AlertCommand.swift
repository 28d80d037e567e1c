import Catalog
import Foundation
import Insights
import ProjectQuestions
import ServerApp
import Webhooks

extension Command {
  /// `footfall alert`: what is told when a number goes too far.
  static let alert = Command(
    name: "alert",
    summary: "Make, list, change, pause, try and remove alerts",
    usage: """
      Usage: footfall alert list [--project P] [--data DIR]
             footfall alert create NAME --question Q --rule R --amount N --webhook URL [--every M]
             footfall alert change ID [--name NAME] [--question Q] [--rule R] [--amount N]
                                      [--webhook URL] [--every M]
             footfall alert pause|resume|test|remove ID [--project P] [--data DIR]
             footfall alert history ID [--project P] [--data DIR]

      The server asks the question every M minutes and compares the number of the last hour, day, week or
      month that is complete, of the first line where there are several. It tells the webhook once when
      the number passes the limit and once when it is back. create
      prints the secret that every message is signed with, this once. Everything works while the server
      runs; only a server that runs looks and tells.

        --question Q   as in the address of its page: trend?events=Bought&interval=hour
        --rule R       over, under, rise or fall
        --amount N     the number; of a rise or a fall a share, 0.5 for half
        --webhook URL  an address of http or https
        --every M      minutes between two looks, 1 to 1440 (default 15)
        --allow-private-webhooks  take an address of this machine or of a private network, too: for a
                       server that runs with this option, as others tell those nothing
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "list": { try AlertCommand.list($0, terminal) },
        "create": { try AlertCommand.create($0, terminal) },
        "change": { try AlertCommand.change($0, terminal) },
        "pause": { try AlertCommand.tell(.pause, "is paused", $0, terminal) },
        "resume": { try AlertCommand.tell(.resume, "goes on", $0, terminal) },
        "test": { try AlertCommand.tell(.test, "sends a test", $0, terminal) },
        "remove": { try AlertCommand.remove($0, terminal) },
        "history": { try AlertCommand.history($0, terminal) },
      ]
    )
  }
}

/// What `footfall alert` does.
enum AlertCommand {
  private static let terms: Set<String> = ["question", "rule", "amount", "webhook", "every"]
  private static let privacy = "allow-private-webhooks"

  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    for alert in try catalog.alerts(project: project.id) { terminal.out(line(alert)) }
  }

  static func create(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: terms.union(["data", "project"]),
        switches: [privacy],
        positional: 1...1,
        word: "NAME"
      )
    )
    for name in ["question", "rule", "amount", "webhook"] where arguments.options[name] == nil {
      throw UsageError("--\(name) is missing.")
    }
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let terms = try terms(
      of: arguments,
      name: arguments.positional[0],
      changing: nil,
      project,
      in: catalog
    )
    let made = try invalidIsUsage {
      try catalog.createAlert(terms, project: project.id, by: .commandLine)
    }
    terminal.error("Alert \(made.alert.id) is made. Its secret, told this once:")
    terminal.out(made.secret)
  }

  static func change(_ words: [String], _ terminal: Terminal) throws {
    let (arguments, catalog, project, alert) = try named(
      words,
      terms.union(["name"]),
      switches: [privacy]
    )
    let terms = try terms(
      of: arguments,
      name: arguments.options["name"] ?? alert.terms.name,
      changing: alert.terms,
      project,
      in: catalog
    )
    let changed = try invalidIsUsage {
      try catalog.changeAlert(alert.id, to: terms, project: project.id, by: .commandLine)
    }
    terminal.out(line(changed))
  }

  static func tell(
    _ input: AlertCore.Input,
    _ what: String,
    _ words: [String],
    _ terminal: Terminal
  ) throws {
    let (_, catalog, _, alert) = try named(words)
    _ = try catalog.tellAlert(input, id: alert.id, by: .commandLine)
    terminal.out("Alert \(alert.id) \(what).")
  }

  static func remove(_ words: [String], _ terminal: Terminal) throws {
    let (_, catalog, project, alert) = try named(words)
    try catalog.deleteAlert(alert.id, project: project.id, by: .commandLine)
    terminal.out("Alert \(alert.id) is gone, with its history.")
  }

  static func history(_ words: [String], _ terminal: Terminal) throws {
    let (_, catalog, _, alert) = try named(words)
    for note in try catalog.alertNotes(alert.id, limit: Int(Catalog.maxAlertNotes)).reversed() {
      let moment = Date(timeIntervalSince1970: Double(note.atMs) / 1_000).formatted(.iso8601)
      terminal.out(EventLine.printable("\(moment)  \(note.kind)  \(note.detail)"))
    }
  }

  // MARK: Reading

  private static func named(
    _ words: [String],
    _ options: Set<String> = [],
    switches: Set<String> = []
  ) throws -> (Arguments, Catalog, Project, Alert) {
    let (arguments, id, catalog, project) = try CatalogueCommand.numbered(
      words,
      options,
      switches: switches,
      word: "ID",
      of: "an alert",
      "alert"
    )
    guard let alert = try catalog.alert(id, project: project.id) else {
      throw CatalogError.unknownAlert(id)
    }
    return (arguments, catalog, project, alert)
  }

  private static func terms(
    of arguments: Arguments,
    name: String,
    changing old: Alert.Terms?,
    _ project: Project,
    in catalog: Catalog
  ) throws -> Alert.Terms {
    let written =
      arguments.options["question"] ?? old.map { "\($0.question)?\($0.parameters)" } ?? ""
    let parts = written.split(separator: "?", maxSplits: 1).map(String.init)
    let rule = try arguments.choice(
      "rule",
      of: AlertRule.words,
      default: old?.rule.word ?? AlertRule.words[0]
    )
    let amount = arguments.options["amount"] ?? old.map { "\($0.rule.amount)" } ?? ""
    guard let number = Double(amount), let rule = AlertRule(rule, number) else {
      throw UsageError(
        "--amount takes a number, of a rise at least 0, of a fall 0 to 1; not “\(amount)”."
      )
    }
    if let webhook = arguments.options["webhook"] { try check(webhook: webhook, arguments) }
    do {
      let question = try SavedQuestion(
        word: parts.first ?? "",
        query: parts.count == 2 ? parts[1] : ""
      )
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      try question.checkWatched(QuestionForm.Setting(project, in: catalog, nowMs: now))
      return Alert.Terms(
        name: name,
        question: question.kind.word,
        parameters: question.query,
        rule: rule,
        everyMinutes: try arguments.integer(
          "every",
          in: 1...1_440,
          default: old?.everyMinutes ?? 15
        ),
        webhook: arguments.options["webhook"] ?? old?.webhook ?? ""
      )
    } catch let problem as QuestionForm.Problem {
      throw UsageError("--question: \(problem.description)")
    }
  }

  /// Refuses what a server that runs as it should would never send to.
  private static func check(webhook: String, _ arguments: Arguments) throws(UsageError) {
    let sender = WebhookSender(allowsPrivate: arguments.switches.contains(privacy))
    guard let reason = sender.refusal(of: webhook) else { return }
    throw UsageError("\(reason) If it runs so, say --\(privacy) here as well.")
  }

  private static func invalidIsUsage<Made>(_ make: () throws -> Made) throws -> Made {
    do { return try make() } catch CatalogError.invalid(_, let reason) { throw UsageError(reason) }
  }

  private static func line(_ alert: Alert) -> String {
    let (terms, state) = (alert.terms, alert.state)
    let level = state.isPaused ? "paused" : state.level.rawValue
    let value = state.finding.map { ", last \($0.value)" } ?? ""
    return EventLine.printable(
      "\(alert.id)  \(terms.name)  \(level)\(value)  \(terms.question)?\(terms.parameters) \(terms.rule.word) \(terms.rule.amount), every \(terms.everyMinutes) min, to \(terms.webhook)"
    )
  }
}
