import Catalog
import Foundation
import ServerApp

extension Command {
  /// `footfall read-key`: keys of Phase's read API.
  static let readKey = Command(
    name: "read-key",
    summary: "Create, list and revoke keys of Phase's read API",
    usage: """
      Usage: footfall read-key create NAME [--days N] [--project P] [--data DIR]
             footfall read-key list [--project P] [--data DIR]
             footfall read-key revoke ID [--project P] [--data DIR]

      Such a key reads a project's reports under /public-api/v1/apps/PROJECT, as programs do that were
      written for Phase's server, and can do nothing else. Its text is printed this once.

        --days N  the key ends after so many days (default: when it is revoked)
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "create": { try PhaseReadKeyCommand.create($0, terminal) },
        "list": { try PhaseReadKeyCommand.list($0, terminal) },
        "revoke": { try PhaseReadKeyCommand.revoke($0, terminal) },
      ]
    )
  }
}

/// What `footfall read-key` does.
enum PhaseReadKeyCommand {
  static func create(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "project", "days"],
        positional: 1...1,
        word: "NAME"
      )
    )
    let days = try arguments.options["days"].map { _ in
      try arguments.integer("days", in: 1...3_650, default: 1)
    }
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let made = try catalog.createPhaseReadKey(
      name: arguments.positional[0],
      days: days,
      project: project.id,
      by: .commandLine
    )
    terminal.out(made.plaintext)
  }

  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    for key in try catalog.phaseReadKeys(project: project.id) {
      let used = key.usedAtMs.map { "used \(CatalogueCommand.day($0))" } ?? "never used"
      terminal.out(
        "\(key.id)  \(key.prefix)…  \(EventLine.printable(key.name))  \(key.state(atMs: now).rawValue), \(used)"
      )
    }
  }

  static func revoke(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "project"], positional: 1...1, word: "ID")
    )
    guard let id = Int64(arguments.positional[0]) else {
      throw UsageError("ID is a key's number; footfall read-key list shows them.")
    }
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    try catalog.revokePhaseReadKey(id, project: project.id, by: .commandLine)
    terminal.out("Key \(id) reads nothing any more.")
  }
}
