import Catalog
import Foundation
import ServerApp

extension Command {
  /// `footfall board`: a project's boards and the links to them.
  static let board = Command(
    name: "board",
    summary: "List boards, and share them by links",
    usage: """
      Usage: footfall board list [--project P] [--data DIR]
             footfall board link BOARD [--days N] [--address URL] [--project P] [--data DIR]
             footfall board links BOARD [--project P] [--data DIR]
             footfall board unlink BOARD --link N [--project P] [--data DIR]

      A link shows one board to anyone who has it, and nothing else; charts that tell people apart are
      left out. It is printed this once. BOARD is a board's number, as list shows it.

        --days N       the link ends after so many days (default: when it is revoked)
        --address URL  where people reach the server (default: where it last listened)
        --link N       the link's number, as links shows it
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "list": { try BoardCommand.list($0, terminal) },
        "link": { try BoardCommand.link($0, terminal) },
        "links": { try BoardCommand.links($0, terminal) },
        "unlink": { try BoardCommand.unlink($0, terminal) },
      ]
    )
  }
}

/// What `footfall board` does.
enum BoardCommand {
  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    for board in try catalog.boards(project: project.id) {
      terminal.out("\(board.id)  \(EventLine.printable(board.name))  \(board.cards.count) cards")
    }
  }

  static func link(_ words: [String], _ terminal: Terminal) throws {
    let (arguments, catalog, board, project) = try named(words, ["days", "address"])
    let days = try arguments.options["days"].map { _ in
      try arguments.integer("days", in: 1...3_650, default: 1)
    }
    let site = try SiteAddress.of(arguments)
    let made = try catalog.createBoardLink(
      board: board,
      project: project,
      days: days,
      by: .commandLine
    )
    terminal.out("\(site)/shared/\(made.token)")
  }

  static func links(_ words: [String], _ terminal: Terminal) throws {
    let (_, catalog, board, project) = try named(words, [])
    for link in try catalog.boardLinks(board: board, project: project) {
      let end = link.expiresAtMs.map { "until \(CatalogueCommand.day($0))" } ?? "until revoked"
      terminal.out("\(link.id)  \(link.hint)…  \(end)")
    }
  }

  static func unlink(_ words: [String], _ terminal: Terminal) throws {
    let (arguments, catalog, board, project) = try named(words, ["link"])
    guard let link = arguments.options["link"].flatMap(Int64.init) else {
      throw UsageError("--link is missing: the number of the link that is to end.")
    }
    try catalog.revokeBoardLink(link, board: board, project: project, by: .commandLine)
    terminal.out("Link \(link) shows nothing any more.")
  }

  private static func named(
    _ words: [String],
    _ options: Set<String>
  ) throws -> (Arguments, Catalog, board: Int64, project: UInt32) {
    let (arguments, board, catalog, project) = try CatalogueCommand.numbered(
      words,
      options,
      word: "BOARD",
      of: "a board",
      "board"
    )
    return (arguments, catalog, board, project.id)
  }
}
