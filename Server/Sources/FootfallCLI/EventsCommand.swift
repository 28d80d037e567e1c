import Catalog
import EventRecord
import EventStore
import Foundation
import Insights
import ServerApp

extension Command {
  /// `footfall events`: what a stopped server's store holds.
  static let events = Command(
    name: "events",
    summary: "Print stored events",
    usage: """
      Usage: footfall events [options]

      Prints a project's events, the last received first, straight from the store of a server that is
      not running.

        --data DIR          the data folder (default ./data)
        --project P         the project's number or name; not needed while there is one project
        --name NAME         only events of this name
        --person ID         only events of this user id or device id
        --deployment LABEL  only events sent with a key of this label
        --limit N           how many at most (default 50)
        --format FORMAT     text (default) or ndjson: one JSON object a line
        --share DIR         the folder with libduckdb
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(options: [
        "data", "project", "name", "person", "deployment", "limit", "format", "share",
      ])
    )
    let format = try arguments.choice("format", of: ["text", "ndjson"], default: "text")
    var left = try arguments.integer("limit", in: 1...Int(Int32.max), default: 50)
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let settings = try Serving.settings(arguments)
    let store = try StoppedServer.store(settings)
    defer { store.close() }

    var question = RecentEvents(
      project: project.id,
      name: arguments.options["name"],
      person: arguments.options["person"],
      deployment: arguments.options["deployment"],
      limit: min(left, 1_000)
    )
    while left > 0 {
      question.limit = min(left, 1_000)
      let page = try question.run(on: store.store)
      for event in page {
        terminal.out(format == "ndjson" ? EventLine.json(event) : EventLine.text(event))
      }
      guard let last = page.last, page.count == question.limit else { break }
      question.before = RecentEvents.Place(of: last)
      left -= page.count
    }
  }
}

/// One stored event as one line.
enum EventLine {
  /// Time, name, person, properties.
  static func text(_ event: StoredEvent) -> String {
    let time = Date(timeIntervalSince1970: Double(event.correctedMs) / 1_000)
    let person = event.userID.isEmpty ? event.deviceID : event.userID
    return printable(
      "\(time.formatted(.iso8601))  \(event.name)  \(person)  \(event.properties)"
    )
  }

  /// The text without what would steer a terminal: whoever may send events writes it.
  static func printable(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? "\u{fffd}" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// The same for a text of several lines.
  static func printable(lines text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { printable(String($0)) }
      .joined(separator: "\n")
  }

  /// Every column, in the spelling of the wire.
  static func json(_ event: StoredEvent) -> String {
    var line = "{"
    line +=
      "\"name\":\(JSONQuoting.quoted(event.name)),\"id\":\(JSONQuoting.quoted(event.id)),\"seq\":\(event.sequence)"
    line += ",\"ts\":\(event.timestampMs),\"corrected_ts\":\(event.correctedMs)"
    line += ",\"received_ts\":\(event.receivedMs)"
    for (key, value) in [
      ("device_id", event.deviceID), ("user_id", event.userID), ("session_id", event.sessionID),
    ] where !value.isEmpty {
      line += ",\"\(key)\":\(JSONQuoting.quoted(value))"
    }
    if event.isTest { line += ",\"test\":true" }
    for (key, value) in [
      ("props", event.properties), ("groups", event.groups), ("ops", event.operations),
      ("context", event.context), ("client", event.client),
    ] where !value.isEmpty {
      line += ",\"\(key)\":\(value)"
    }
    return line + "}"
  }
}
