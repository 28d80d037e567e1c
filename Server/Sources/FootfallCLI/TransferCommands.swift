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
      Usage: footfall export FILE [--format ndjson|csv|parquet|spreadsheet] [--user ID] [--device ID] [--person ID]
                             [--name NAME] [--from TIME] [--to TIME] [--project P] [--data DIR] [--share DIR]

      Writes a project's events, in the order of their times, into a file that footfall import reads
      again. A server that runs is asked and does it; it goes on taking and loading events.

      The file holds events as they were sent, not what was made of them: neither which user what happened
      on a device is told to be of, nor the properties that people and groups have now. An import works both
      out anew from the events that it adds; what was known from events that are deleted, or not in the
      file, does not come along. footfall backup copies all there is.

        --format FORMAT     ndjson, csv or parquet (default: by the file's name, else ndjson); spreadsheet is
                            CSV in which no text is taken for a formula (one that begins with = + - @, a tab
                            or a carriage return has an apostrophe in front), and is not for footfall import
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
    let target = try TransferPath.target(path, outside: CatalogueCommand.folder(arguments))
    let format = try arguments.transferFormat(of: path, among: TransferFormat.written)
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
    let count = try place.export(
      request,
      to: draft,
      for: path,
      CatalogueCommand.folder(arguments),
      terminal
    )
    guard rename(draft, target) == 0 else {
      throw FileProblem(
        "\(draft) could not be renamed to \(path): \(String(cString: strerror(errno))). "
          + "All events are in the former."
      )
    }
    terminal.out(
      "\(Counted.text(count, "event is", "events are")) in \(path) (\(format.rawValue))."
    )
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
      it). What the store has already is not added, so an import may be repeated. Lines that are no
      events are left out, counted, and listed with their numbers in FILE.rejected. A server that runs is
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
      try arguments.transferFormat(of: $0, among: TransferFormat.read)
    }
    let project = try CatalogueCommand.project(
      arguments,
      in: try CatalogueCommand.open(arguments)
    ).id
    let place = try Workplace.open(arguments)
    defer { place.close() }
    for (path, format) in zip(arguments.positional, formats) {
      var request = ImportRequest(path, format, project: project)
      request.latestMs =
        Int64(Date().timeIntervalSince1970 * 1_000) + RefusedLines.futureMs
      let list = TransferPath.rejected(of: path)
      let result = try place.importEvents(
        request,
        listing: list,
        CatalogueCommand.folder(arguments),
        terminal
      )
      terminal.out(
        "\(path): \(Counted.text(result.stored, "event")) added, \(result.duplicates) \(result.duplicates == 1 ? "was" : "were") there already, "
          + "\(result.erased) had been erased, \(Counted.text(result.unreadable, "line is", "lines are")) no event."
      )
      guard result.unreadable > 0 else { continue }
      for line in RefusedLines.first(Self.shownRefusals, of: list) {
        terminal.out("  " + EventLine.printable(line))
      }
      if result.unreadable > Self.shownRefusals { terminal.out("  … all are in \(list).") }
    }
  }

  /// Lines that an import shows of those it left out.
  private static let shownRefusals = 10
}

extension Workplace {
  /// Writes events into a file, which is called by its name in what the person is told.
  func export(
    _ request: ExportRequest,
    to path: String,
    for name: String,
    _ folder: DataFolder,
    _ terminal: Terminal
  ) throws -> Int {
    switch self {
    case .stopped(let server): return try server.store.export(request, to: path)
    case .running(let server):
      let work = StoreWork.export(request.format, request.conditions, person: request.person)
      let job = try server.perform(
        work,
        project: request.project,
        unfinished: "\(name) was not written: start the server and run this command again. "
          + "It also goes on with the job, whose file can be taken from the dashboard then.",
        terminal
      )
      guard let file = ExportFile(of: job, in: folder.exports) else {
        throw JobProblem.failed(job.id, "its file is not there")
      }
      try TransferPath.copy(file.path, to: path)
      // It was asked for by this command alone.
      try FileManager.default.removeItem(atPath: file.path)
      return job.counts["events"] ?? 0
    }
  }

  /// Adds the events of a file, and lists the lines that are none.
  func importEvents(
    _ request: ImportRequest,
    listing path: String,
    _ folder: DataFolder,
    _ terminal: Terminal
  ) throws -> ImportResult {
    switch self {
    case .stopped(let server):
      let list = RefusedLines(path)
      var request = request
      request.erased = try server.erasing.erased()
      let result = try server.store.importEvents(
        request,
        cancellation: nil,
        refused: { try list.add($0.description) },
        progress: { terminal.error("\(request.path): \(Counted.text($0.total, "line")) …") }
      )
      try list.close()
      return result
    case .running(let server):
      let file = try TransferPath.checkSource(request.path)
      let job = try server.perform(
        .importing(file: file, request.format, isSent: false),
        project: request.project,
        unfinished:
          "Not all of \(request.path) may be added yet. The server goes on with it when it starts "
          + "again, and needs the file till then; “footfall job list” tells what it came to.",
        terminal
      )
      var result = ImportResult()
      result.stored = job.counts["stored"] ?? 0
      result.duplicates = job.counts["duplicates"] ?? 0
      result.erased = job.counts["erased"] ?? 0
      result.unreadable = job.counts["unreadable"] ?? 0
      try take(RefusedLines.path(ofJob: job.id, in: folder.exports), to: path)
      return result
    }
  }

  /// Takes the list that a job made along; one of an earlier import is gone afterwards.
  private func take(_ list: String, to path: String) throws {
    let files = FileManager.default
    if files.fileExists(atPath: path) { try files.removeItem(atPath: path) }
    if files.fileExists(atPath: list) { try files.copyItem(atPath: list, toPath: path) }
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
