import Catalog
import EventStore
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
      known of a person by them, from the ingest log, from the records of streams that they were put as
      or copied to, from what was set aside, and with every file that was exported on a running server.
      A stream's record that is no event is nobody's: only its time or the name $stream_record erase it. Without --yes it only counts. A server that runs is asked and
      does it; it goes on with it after a stop. What is erased stays erased: it is written down, by
      numbers that name nobody, and left out when it arrives late or comes back with a restored copy of
      the store; a backup made before has it, see footfall restore --erased. Events that happen after the erasure are new.

      \(ConditionOptions.usage)
        --yes               erase; there is no way back
      \(PlaceOptions.usage)
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: ConditionOptions.names.union(PlaceOptions.names),
        switches: ["yes"]
      )
    )
    let conditions = try ConditionOptions.conditions(arguments)
    guard !conditions.isEmpty else { throw UsageError("\(Erasing.Problem.noCondition)") }
    let project = try CatalogueCommand.project(
      arguments,
      in: try CatalogueCommand.open(arguments)
    ).id
    let place = try Workplace.open(arguments)
    defer { place.close() }
    guard arguments.switches.contains("yes") else {
      let count = try place.count(conditions, of: project, terminal)
      terminal.out(
        "\(Counted.text(count, "stored event")) would be erased (\(conditions.summary))."
      )
      terminal.out("Nothing was erased. Add --yes to erase them; there is no way back.")
      return
    }
    let removed = try place.erase(conditions, of: project, terminal)
    terminal.out(
      "\(Counted.text(removed, "stored event was", "stored events were")) erased (\(conditions.summary))."
    )
  }
}

extension Workplace {
  /// Gives the folder back, where it was held.
  func close() {
    if case .stopped(let server) = self { server.close() }
  }

  fileprivate func count(
    _ conditions: EventConditions,
    of project: UInt32,
    _ terminal: Terminal
  ) throws -> Int {
    switch self {
    case .stopped(let server): try server.erasing.count(conditions, of: project)
    case .running(let server):
      try server.perform(
        .count(conditions),
        project: project,
        unfinished: "Nothing was counted: run this command again.",
        terminal
      ).counts["events"] ?? 0
    }
  }

  fileprivate func erase(
    _ conditions: EventConditions,
    of project: UInt32,
    _ terminal: Terminal
  ) throws -> Int {
    switch self {
    case .stopped(let server):
      try server.erasing.erase(conditions, of: project, by: .commandLine) { step in
        switch step {
        case .writtenDown: terminal.error("Written down; removing from the store …")
        case .storeDone: terminal.error("Removed from the store; removing from the log …")
        case .logDone: terminal.error("Removed from the log; writing the store's file anew …")
        case .fileDone: terminal.error("Nothing of them is left.")
        }
      }
    case .running(let server):
      try server.perform(
        .erasing(conditions),
        project: project,
        unfinished: "It is finished by the server when it starts again, which has to be done.",
        terminal
      ).counts["events"] ?? 0
    }
  }
}
