import Catalog
import Foundation
import ServerApp

extension Command {
  /// `footfall erase`: removes what a person did, or other events.
  static let erase = Command(
    name: "erase",
    summary: "Erase a person's events, or others",
    usage: """
      Usage: footfall erase [--user ID] [--device ID] [--name NAME] [--from TIME] [--to TIME] [--yes]
                            [--project P] [--data DIR] [--share DIR]

      Erases the events that meet every condition given (at least one): from the store, with what is
      known of a person by them, and from the ingest log. Without --yes it only counts. The server must
      not be running. What is erased stays erased: it is written down, by numbers that name nobody, and
      left out when it arrives late or comes back with a restored copy of the store. Events that happen
      after the erasure are new.

        --user ID           events of this user, and those without a user on their devices
        --device ID         events of this device
        --name NAME         events of this name
        --from TIME         events from this moment on: 2026-12-01, or 2026-12-01T09:30:00Z
        --to TIME           events before this moment
        --yes               erase; there is no way back
        --project P         the project's number or name; not needed while there is one project
        --data DIR          the data folder (default ./data)
        --share DIR         the folder with libduckdb
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ["user", "device", "name", "from", "to", "project", "data", "share"],
        switches: ["yes"]
      )
    )
    var conditions = Erasing.Request(project: 0)
    conditions.user = arguments.options["user"]
    conditions.device = arguments.options["device"]
    conditions.name = arguments.options["name"]
    conditions.fromMs = try arguments.moment("from")
    conditions.toMs = try arguments.moment("to")
    guard !conditions.summary.isEmpty else {
      throw UsageError("\(Erasing.Problem.noCondition)")
    }
    conditions.project = try CatalogueCommand.project(
      arguments,
      in: try CatalogueCommand.open(arguments)
    ).id
    let server = try StoppedServer(try Serving.settings(arguments))
    defer { server.close() }
    guard arguments.switches.contains("yes") else {
      let count = try server.erasing.count(conditions)
      terminal.out("\(count) stored events would be erased (\(conditions.summary)).")
      terminal.out("Nothing was erased. Add --yes to erase them; there is no way back.")
      return
    }
    let removed = try server.erasing.erase(conditions, by: .commandLine) { step in
      switch step {
      case .writtenDown: terminal.error("Written down; removing from the store …")
      case .storeDone: terminal.error("Removed from the store; removing from the log …")
      case .logDone: terminal.error("Removed from the log.")
      }
    }
    terminal.out("\(removed) stored events were erased (\(conditions.summary)).")
  }
}

extension Arguments {
  /// An option as a moment, in milliseconds since 1970: a day (UTC) or a time in RFC 3339.
  func moment(_ name: String) throws(UsageError) -> Int64? {
    guard let text = options[name] else { return nil }
    for style in [
      Date.ISO8601FormatStyle().year().month().day(), Date.ISO8601FormatStyle(),
      Date.ISO8601FormatStyle(includingFractionalSeconds: true),
    ] {
      do {
        let date = try style.parse(text)
        return Int64((date.timeIntervalSince1970 * 1_000).rounded())
      } catch {
        continue
      }
    }
    throw UsageError(
      "--\(name) takes a day or a time, such as 2026-12-01 or 2026-12-01T09:30:00Z, not “\(text)”."
    )
  }
}
