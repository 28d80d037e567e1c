import Catalog
import Foundation

/// `footfall project config`: what a project's apps get when they ask for their configuration.
enum RemoteSettingsCommand {
  static func run(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data"], positional: 1...3, word: "NAME")
    )
    let words = arguments.positional
    let action = words.count > 1 ? words[1] : "show"
    guard ["show", "set", "clear"].contains(action) else {
      throw UsageError("“\(action)” is not one of: show, set, clear.")
    }
    guard words.count == (action == "set" ? 3 : min(words.count, 2)) else {
      throw UsageError(
        action == "set" ? "FILE is missing." : "“\(words[2])” was not expected here."
      )
    }
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(named: words[0], in: catalog)
    switch action {
    case "set":
      try set(
        try CatalogueCommand.read(words[2], maxBytes: Catalog.maxRemoteSettingsBytes),
        project,
        in: catalog,
        terminal
      )
    case "clear": try set("{}", project, in: catalog, terminal)
    default: terminal.out(try catalog.remoteSettings(project: project.id).document)
    }
  }

  private static func set(
    _ document: String,
    _ project: Project,
    in catalog: Catalog,
    _ terminal: Terminal
  ) throws {
    let settings = try catalog.setRemoteSettings(
      document,
      project: project.id,
      by: .commandLine
    )
    terminal.out(
      "Apps of project \(project.id) “\(project.name)” get version \(settings.version) "
        + "when they ask next."
    )
  }
}
