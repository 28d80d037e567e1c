import Catalog
import EventStore
import Foundation
import Insights
import ServerApp

extension Command {
  /// `footfall sql`: a statement over a project's own events.
  static let sql = Command(
    name: "sql",
    summary: "Ask a project's events in SQL, and keep statements",
    usage: """
      Usage: footfall sql run STATEMENT|- [--limit N] [--format text|csv] [--project P] [--data DIR]
             footfall sql run --kept NAME [--limit N] [--format text|csv] [--project P] [--data DIR]
             footfall sql keep NAME STATEMENT|- [--project P] [--data DIR]
             footfall sql list [--project P] [--data DIR]
             footfall sql forget NAME [--project P] [--data DIR]

      One SELECT over the tables events and people, which hold the project's own events and nothing else;
      it cannot write, and is stopped after 30 seconds. run asks the store of a server that is not
      running; the page of SQL and the API do while it runs. - reads the statement from standard input.

        --limit N   the most rows (default 1000, at most 10000)
        --kept N    the statement that is kept under this name
        --share DIR the folder with libduckdb
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "run": { try SQLCommand.run($0, terminal) },
        "keep": { try SQLCommand.keep($0, terminal) },
        "list": { try SQLCommand.list($0, terminal) },
        "forget": { try SQLCommand.forget($0, terminal) },
      ]
    )
  }
}

/// What `footfall sql` does.
enum SQLCommand {
  /// Bytes of the longest statement that is taken: 10,000 characters.
  private static let maxBytes = 40_000

  static func run(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "project", "share", "limit", "format", "kept"],
        positional: 0...1
      )
    )
    let format = try arguments.choice("format", of: ["text", "csv"], default: "text")
    let limit = try arguments.integer("limit", in: 1...10_000, default: 1_000)
    let kept = arguments.options["kept"]
    guard (kept == nil) != arguments.positional.isEmpty else {
      throw UsageError("It takes a statement, or --kept with the name of one.")
    }
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let text =
      try kept.map { try statement($0, of: project, in: catalog).text }
      ?? read(arguments.positional[0])
    let store = try StoppedServer.store(try Serving.settings(arguments))
    defer { store.close() }
    do {
      let answer = try store.store.answer(
        ConsoleQuery(
          text: text,
          tables: ConsoleTables.tables(project: project.id),
          maxRows: limit
        ),
        cancellation: nil
      )
      terminal.out(
        format == "csv" ? answer.csv.trimmingCharacters(in: .newlines) : ConsoleText.text(answer)
      )
      if answer.isCut {
        terminal.error("There are more than \(limit) rows; --limit takes up to 10000.")
      }
    } catch let problem as ConsoleProblem {
      throw UsageError(problem.description)
    }
  }

  static func keep(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["data", "project"],
        positional: 2...2,
        word: "NAME or STATEMENT"
      )
    )
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    do {
      let kept = try catalog.keepStatement(
        name: arguments.positional[0],
        text: try read(arguments.positional[1]),
        project: project.id,
        by: .commandLine
      )
      terminal.out(EventLine.printable("“\(kept.name)” is kept."))
    } catch CatalogError.invalid(_, let reason) {
      throw UsageError(reason)
    }
  }

  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    for kept in try catalog.statements(project: project.id) {
      let text = kept.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      terminal.out(EventLine.printable("\(kept.name)  \(text)"))
    }
  }

  static func forget(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: ["data", "project"], positional: 1...1, word: "NAME")
    )
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let kept = try statement(arguments.positional[0], of: project, in: catalog)
    try catalog.deleteStatement(kept.id, project: project.id, by: .commandLine)
    terminal.out(EventLine.printable("“\(kept.name)” is forgotten."))
  }

  private static func statement(
    _ name: String,
    of project: Project,
    in catalog: Catalog
  ) throws -> KeptStatement {
    let kept = try catalog.statements(project: project.id)
    guard let found = kept.first(where: { $0.name == name }) else {
      throw UsageError("No statement “\(name)” is kept; footfall sql list shows them.")
    }
    return found
  }

  private static func read(_ word: String) throws -> String {
    word == "-" ? try CatalogueCommand.read(word, maxBytes: maxBytes) : word
  }
}

/// An answer's rows as lines for a person.
enum ConsoleText {
  static func text(_ answer: ConsoleAnswer) -> String {
    TextTable.lines(
      answer.columns.map { EventLine.printable($0.name) },
      answer.rows.map { row in row.map { EventLine.printable($0 ?? "NULL") } },
      numbers: answer.columns.map(\.isNumber)
    ).joined(separator: "\n")
  }
}
