import Catalog
import Foundation

/// `footfall project rules`: how long a project's events are kept, and how many it may send.
enum ProjectRulesCommand {
  static func run(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "keep", "keep-name", "quota"],
        positional: 1...1,
        word: "NAME"
      )
    )
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(named: arguments.positional[0], in: catalog)
    let old = try catalog.rules(project: project.id)
    let rules = try changed(old, arguments)
    if rules != old { try catalog.setRules(rules, project: project.id, by: .commandLine) }
    terminal.out("Project \(project.id) “\(project.name)”: \(rules.summary).")
    if let run = try catalog.retentionRun(project: project.id) {
      terminal.out(
        "Last looked at on \(CatalogueCommand.day(run.atMs)): \(Counted.text(run.removed, "event")) removed, "
          + "\(run.removedInTotal) in total."
      )
    }
  }

  private static func changed(
    _ rules: ProjectRules,
    _ arguments: Arguments
  ) throws(UsageError) -> ProjectRules {
    var rules = rules
    if let keep = arguments.options["keep"] {
      rules.retentionDays =
        keep == "forever" ? nil : try arguments.integer("keep", in: 1...36_500, default: 1)
    }
    if let quota = arguments.options["quota"] {
      rules.eventsPerDay =
        quota == "none" ? nil : try arguments.integer("quota", in: 1...Int.max, default: 1)
    }
    if let text = arguments.options["keep-name"] {
      let rule = try nameRule(text)
      rules.names.removeAll { $0.name == rule.name }
      if let days = rule.days {
        rules.names.append(ProjectRules.NameRetention(name: rule.name, days: days))
      }
    }
    return rules
  }

  /// Reads `NAME=DAYS`, or `NAME=default` for no time of its own.
  private static func nameRule(_ text: String) throws(UsageError) -> (name: String, days: Int?) {
    guard let equals = text.lastIndex(of: "="), equals > text.startIndex else {
      throw UsageError("--keep-name takes NAME=DAYS or NAME=default, not “\(text)”.")
    }
    let value = text[text.index(after: equals)...]
    if value == "default" { return (String(text[..<equals]), nil) }
    guard let days = Int(value), (1...36_500).contains(days) else {
      throw UsageError("--keep-name takes 1 to 36500 days or default, not “\(value)”.")
    }
    return (String(text[..<equals]), days)
  }
}
