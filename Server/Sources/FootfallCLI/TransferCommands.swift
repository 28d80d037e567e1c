import Catalog
import EventStore
import Foundation
import ServerApp

extension Command {
  /// `footfall export`: events into a file.
  static let export = Command(
    name: "export",
    summary: "Write events into a file",
    usage: """
      Usage: footfall export FILE [--format ndjson|csv|parquet] [--name NAME] [--person ID]
                             [--from TIME] [--to TIME] [--project P] [--data DIR] [--share DIR]

      Writes a project's events, in the order of their times, into a file that footfall import reads
      again. The server must not be running.

        --format FORMAT     ndjson, csv or parquet (default: by the file's name, else ndjson)
        --name NAME         only events of this name
        --person ID         only events of this user or device
        --from TIME         events from this moment on: 2026-12-01, or 2026-12-01T09:30:00Z
        --to TIME           events before this moment
        --project P         the project's number or name; not needed while there is one project
        --data DIR          the data folder (default ./data)
        --share DIR         the folder with libduckdb
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["format", "name", "person", "from", "to", "project", "data", "share"],
        positional: 1...1,
        word: "FILE"
      )
    )
    let path = arguments.positional[0]
    let format = try arguments.transferFormat(of: path, among: [.ndjson, .csv, .parquet])
    var request = ExportRequest(project: 0, format: format)
    request.name = arguments.options["name"]
    request.person = arguments.options["person"]
    request.fromMs = try arguments.moment("from")
    request.toMs = try arguments.moment("to")
    request.project = try CatalogueCommand.project(
      arguments,
      in: try CatalogueCommand.open(arguments)
    ).id
    let server = try StoppedServer(try Serving.settings(arguments))
    defer { server.close() }
    terminal.error("Writing \(path) …")
    // A file of that name is a whole one: what a stop leaves has another.
    let draft = path + ".part"
    let count = try server.store.export(request, to: draft)
    guard rename(draft, path) == 0 else {
      throw UsageError("\(draft) could not be renamed to \(path).")
    }
    terminal.out("\(count) events are in \(path) (\(format.rawValue)).")
  }

  /// `footfall import`: events from a file.
  static let importing = Command(
    name: "import",
    summary: "Add the events of a file",
    usage: """
      Usage: footfall import FILE… [--format ndjson|csv|parquet|amplitude] [--project P] [--data DIR]
                             [--share DIR]

      Adds the events of files: what footfall export wrote, lines of JSON with at least name and ts (in
      milliseconds), or the lines of an Amplitude export archive (the .json.gz files in it; unzip it
      first). What the store has already is not added, so an import may be repeated. The server must
      not be running.

        --format FORMAT     ndjson, csv, parquet or amplitude (default: by the file's name, else ndjson)
        --project P         the project's number or name; not needed while there is one project
        --data DIR          the data folder (default ./data)
        --share DIR         the folder with libduckdb
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["format", "project", "data", "share"],
        positional: 1...100_000,
        word: "FILE"
      )
    )
    for path in arguments.positional where !FileManager.default.isReadableFile(atPath: path) {
      throw UsageError("The file \(path) cannot be read.")
    }
    let formats = try arguments.positional.map {
      try arguments.transferFormat(of: $0, among: TransferFormat.allCases)
    }
    let project = try CatalogueCommand.project(
      arguments,
      in: try CatalogueCommand.open(arguments)
    ).id
    let server = try StoppedServer(try Serving.settings(arguments))
    defer { server.close() }
    for (path, format) in zip(arguments.positional, formats) {
      let result = try server.store.importEvents(
        from: path,
        format: format,
        project: project,
        erased: try server.erasing.erased()
      ) { terminal.error("\(path): \($0.total) lines …") }
      terminal.out(
        "\(path): \(result.stored) events added, \(result.duplicates) were there already, "
          + "\(result.erased) had been erased, \(result.unreadable) lines are no event."
      )
    }
  }
}

extension Arguments {
  /// The form of a file: as told, or by its name.
  fileprivate func transferFormat(
    of path: String,
    among formats: [TransferFormat]
  ) throws(UsageError) -> TransferFormat {
    let name = path.hasSuffix(".gz") ? String(path.dropLast(3)) : path
    let guess: TransferFormat =
      name.hasSuffix(".csv") ? .csv : name.hasSuffix(".parquet") ? .parquet : .ndjson
    let word = try choice("format", of: formats.map(\.rawValue), default: guess.rawValue)
    return TransferFormat(rawValue: word) ?? guess
  }
}
