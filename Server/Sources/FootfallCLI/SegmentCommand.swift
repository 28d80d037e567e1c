import Catalog
import EventStore
import Foundation
import Ingest
import Insights
import ProjectQuestions
import ServerApp

extension Command {
  /// `footfall segment`: saved segments and imported lists.
  static let segment = Command(
    name: "segment",
    summary: "Save, list, count and remove segments of people; import lists",
    usage: """
      Usage: footfall segment create NAME [--match all|any|none] [--rules RULES] [--project P] [--data DIR]
             footfall segment list [--project P] [--data DIR]
             footfall segment count N [--project P] [--data DIR] [--share DIR]
             footfall segment remove N [--project P] [--data DIR]
             footfall segment import FILE --name NAME [--project P] [--data DIR]
             footfall segment lists [--project P] [--data DIR]

      A segment is people of whom rules hold; questions are narrowed down to it by --segment N. Rules
      stand one after the other with “;” between them:

        user.plan:is:pro, platform:is:iOS, group.org:is:15     what they have
        did-at-least 3 30d NAME, did-at-most 0 ever NAME       what they did
        first-seen within 7d, active not-within 30d            when they were seen
        in-list 4, not-in-list 4                               whether they are on a list

      A list is a CSV file with a column user_id or device_id, or a list or export of Amazon Pinpoint's
      endpoints, gzip or not. Counting needs a server that is not running.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "create": { try SegmentCommand.create($0, terminal) },
        "list": { try SegmentCommand.list($0, terminal) },
        "count": { try SegmentCommand.count($0, terminal) },
        "remove": { try SegmentCommand.remove($0, terminal) },
        "import": { try SegmentCommand.importList($0, terminal) },
        "lists": { try SegmentCommand.lists($0, terminal) },
      ]
    )
  }
}

/// What `footfall segment` does.
enum SegmentCommand {
  static func create(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try named(words, ["match", "rules"], "NAME")
    let matches = Segment.Match.allCases.map(\.rawValue)
    let match = try arguments.choice("match", of: matches, default: matches[0])
    let texts = EscapedList.parts(of: arguments.options["rules"] ?? "", separator: ";")
    let rules = try texts.map { text in
      guard let rule = PersonRule(text) else {
        throw UsageError("“\(text)” is no rule about people.")
      }
      return rule
    }
    let groups = rules.isEmpty ? [] : [Segment.Group(Segment.Match(rawValue: match) ?? .all, rules)]
    let segment = Segment(.all, groups)
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog).id
    do {
      _ = try SegmentShelf(catalog, project: project).filter(segment, nowMs: 0)
    } catch { throw UsageError(error.description) }
    let saved = try catalog.addSegment(
      name: arguments.positional[0],
      definition: segment.text,
      project: project,
      by: .commandLine
    )
    terminal.out("Segment \(saved.id), \(saved.name), is saved.")
  }

  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog).id
    for segment in try catalog.segments(project: project) {
      terminal.out(
        EventLine.printable("\(segment.id)  \(segment.name)  \(segment.definition)")
      )
    }
  }

  static func count(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try named(words, ["share"], "The segment’s number")
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog).id
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let filter: SegmentFilter?
    do {
      filter = try SegmentShelf(catalog, project: project)
        .filter(arguments.positional[0], nowMs: now)
    } catch { throw UsageError(error.description) }
    guard let filter else { throw UsageError("Which segment? Its number is missing.") }
    let store = try OpenedStore(try Serving.settings(arguments))
    defer { store.close() }
    terminal.out("\(try SegmentCount(project: project, filter).run(on: store.store))")
  }

  static func remove(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try named(words, [], "The segment’s number")
    guard let number = Int64(arguments.positional[0]) else {
      throw UsageError("“\(arguments.positional[0])” is no number of a segment.")
    }
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog).id
    let uses = try catalog.uses(ofSegment: number, project: project)
    guard uses.isEmpty else {
      throw UsageError(
        "Segment \(number) is asked for by \(uses.joined(separator: ", ")). Take it out there first, or remove it on the dashboard."
      )
    }
    try catalog.removeSegment(number, project: project, by: .commandLine)
    terminal.out("Segment \(number) is gone.")
  }

  static func importList(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try named(words, ["name"], "FILE")
    guard let name = arguments.options["name"] else { throw UsageError("--name is missing.") }
    let file = try Data(contentsOf: URL(fileURLWithPath: arguments.positional[0]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog).id
    let read = try ListFile(Array(file)) { Gunzip.inflate($0, maxBytes: $1) }.read(project: project)
    let list = try catalog.addList(
      name: name,
      members: read.members,
      count: read.count,
      failed: read.failed,
      failures: read.failures.map { .init(line: $0.line, reason: $0.reason) },
      project: project,
      by: .commandLine
    )
    terminal.out("List \(list.id), \(list.name), has \(list.count) members.")
    for failure in read.failures {
      terminal.error(EventLine.printable("line \(failure.line): \(failure.reason)"))
    }
    if read.failed > 0 { terminal.error("\(read.failed) lines could not be read.") }
  }

  static func lists(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog).id
    for list in try catalog.lists(project: project) {
      terminal.out(EventLine.printable("\(list.id)  \(list.name)  \(list.count) members"))
    }
  }

  private static func named(
    _ words: [String],
    _ options: Set<String>,
    _ word: String
  ) throws -> Arguments {
    try Arguments(
      words,
      shape: Arguments.Shape(
        options: options.union(["data", "project"]),
        positional: 1...1,
        word: word
      )
    )
  }
}
