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
      Usage: footfall export FILE [--format ndjson|csv|parquet] [--user ID] [--device ID] [--person ID]
                             [--name NAME] [--from TIME] [--to TIME] [--project P] [--data DIR] [--share DIR]

      Writes a project's events, in the order of their times, into a file that footfall import reads
      again. A server that runs is asked and does it; it goes on taking and loading events.

        --format FORMAT     ndjson, csv or parquet (default: by the file's name, else ndjson)
      \(ConditionOptions.usage)
        --person ID         events of this user or device
      \(PlaceOptions.usage)
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ConditionOptions.names.union(PlaceOptions.names).union(["format", "person"]),
        positional: 1...1,
        word: "FILE"
      )
    )
    let path = arguments.positional[0]
    let target = try TransferPath.target(path)
    let format = try arguments.transferFormat(of: path, among: [.ndjson, .csv, .parquet])
    var request = ExportRequest(project: 0, format: format)
    request.conditions = try ConditionOptions.conditions(arguments)
    request.person = arguments.options["person"]
    request.project = try CatalogueCommand.project(
      arguments,
      in: try CatalogueCommand.open(arguments)
    ).id
    let place = try Workplace.open(arguments)
    defer { place.close() }
    terminal.error("Writing \(path) …")
    // A file of that name is a whole one: what a stop leaves has another.
    let draft = target + ".part"
    let count = try place.export(request, to: draft, CatalogueCommand.folder(arguments), terminal)
    guard rename(draft, target) == 0 else {
      throw UsageError("\(draft) could not be renamed to \(target).")
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
      milliseconds), or the .zip of an Amplitude export as it is downloaded (or the .json.gz files in
      it). What the store has already is not added, so an import may be repeated. A server that runs is
      asked and does it; its process must be able to read the files.

        --format FORMAT     ndjson, csv, parquet or amplitude (default: by the file's name, amplitude
                            for a .zip, else ndjson)
      \(PlaceOptions.usage)
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: PlaceOptions.names.union(["format"]),
        positional: 1...100_000,
        word: "FILE"
      )
    )
    for path in arguments.positional { try TransferPath.checkSource(path) }
    let formats = try arguments.positional.map {
      try arguments.transferFormat(of: $0, among: TransferFormat.allCases)
    }
    let project = try CatalogueCommand.project(
      arguments,
      in: try CatalogueCommand.open(arguments)
    ).id
    let place = try Workplace.open(arguments)
    defer { place.close() }
    for (path, format) in zip(arguments.positional, formats) {
      let result = try place.importEvents(from: path, format, project: project, terminal)
      terminal.out(
        "\(path): \(result.stored) events added, \(result.duplicates) were there already, "
          + "\(result.erased) had been erased, \(result.unreadable) lines are no event."
      )
    }
  }
}

extension Workplace {
  fileprivate func export(
    _ request: ExportRequest,
    to path: String,
    _ folder: DataFolder,
    _ terminal: Terminal
  ) throws -> Int {
    switch self {
    case .stopped(let server): return try server.store.export(request, to: path)
    case .running(let server):
      let work = StoreWork.export(request.format, request.conditions, person: request.person)
      let job = try server.perform(work, project: request.project, terminal)
      guard let file = ExportFile(of: job, in: folder.exports) else {
        throw JobProblem.failed(job.id, "its file is not there")
      }
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
      try FileManager.default.copyItem(atPath: file.path, toPath: path)
      // It was asked for by this command alone.
      try FileManager.default.removeItem(atPath: file.path)
      return job.counts["events"] ?? 0
    }
  }

  fileprivate func importEvents(
    from path: String,
    _ format: TransferFormat,
    project: UInt32,
    _ terminal: Terminal
  ) throws -> ImportResult {
    switch self {
    case .stopped(let server):
      return try server.store.importEvents(
        from: path,
        format: format,
        project: project,
        erased: try server.erasing.erased()
      ) { terminal.error("\(path): \($0.total) lines …") }
    case .running(let server):
      let file = URL(fileURLWithPath: path).standardizedFileURL.path
      let job = try server.perform(
        .importing(file: file, format, isSent: false),
        project: project,
        terminal
      )
      var result = ImportResult()
      result.stored = job.counts["stored"] ?? 0
      result.duplicates = job.counts["duplicates"] ?? 0
      result.erased = job.counts["erased"] ?? 0
      result.unreadable = job.counts["unreadable"] ?? 0
      return result
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
      name.hasSuffix(".csv")
      ? .csv
      : name.hasSuffix(".parquet") ? .parquet : name.hasSuffix(".zip") ? .amplitude : .ndjson
    let word = try choice("format", of: formats.map(\.rawValue), default: guess.rawValue)
    return TransferFormat(rawValue: word) ?? guess
  }
}
