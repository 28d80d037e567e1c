import Catalog
import Foundation
import ServerApp

extension Command {
  /// `footfall catalogue`: what was decided about events by name.
  static let catalogue = Command(
    name: "catalogue",
    summary: "Describe, hide and block events by name",
    usage: """
      Usage: footfall catalogue list [--project P] [--data DIR]
             footfall catalogue set NAME [--description TEXT] [--hidden yes|no] [--blocked yes|no]
                 [--project P] [--data DIR]

      A hidden event is not offered where events are chosen; it counts all the same. A blocked one is
      refused by the collector within a second, and counted as blocked. What is not named stays as it is.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "list": { try EventRuleCommand.list($0, terminal) },
        "set": { try EventRuleCommand.set($0, terminal) },
      ]
    )
  }
}

/// What `footfall catalogue` does.
enum EventRuleCommand {
  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    for rule in try catalog.eventRules(project: project.id) {
      terminal.out(EventLine.printable(rule.summary))
    }
  }

  static func set(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "project", "description", "hidden", "blocked"],
        positional: 1...1,
        word: "NAME"
      )
    )
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    var rule = try catalog.eventRule(arguments.positional[0], project: project.id)
    if let description = arguments.options["description"] { rule.description = description }
    func choice(_ name: String, _ now: Bool) throws -> Bool {
      try arguments.choice(name, of: ["yes", "no"], default: now ? "yes" : "no") == "yes"
    }
    rule.isHidden = try choice("hidden", rule.isHidden)
    rule.isBlocked = try choice("blocked", rule.isBlocked)
    try catalog.setEventRule(rule, project: project.id, by: .commandLine)
    terminal.out(EventLine.printable(rule.summary))
  }
}
