import Catalog
import EventStore
import Foundation
import Insights
import ProjectQuestions
import ServerApp

extension Command {
  /// `footfall people`: the people of a stopped server's store.
  static let people = Command(
    name: "people",
    summary: "List people, or show one",
    usage: """
      Usage: footfall people [options]
             footfall people ID [options]

      Lists a project's people, or shows what is known of one, straight from the store of a server that
      is not running. A person is a user with all devices, or a device on which nobody signed in. Test
      events are left out.

        --data DIR       the data folder (default ./data)
        --project P      the project's number or name; not needed while there is one project
        --search TEXT    only people of whom an id or a text among the properties contains this
        --where RULES    only people of whom this holds, several rules with “;” between them:
                         user.plan:is:pro, platform:is:iOS, group.org:is:15,
                         did-at-least 3 30d NAME, did-at-most 0 ever NAME,
                         first-seen within 7d, active not-within 30d, in-list 4
        --segment N      only people in this segment
        --sort ORDER     last-seen (default), first-seen or events; the highest first
        --limit N        how many people or, of one person, events (default 50)
        --format FORMAT  text (default) or ndjson: one JSON object a line
        --share DIR      the folder with libduckdb
      """
  ) { words, terminal in
    let arguments = try Arguments(
      words,
      shape: Arguments.Shape(
        options: [
          "data", "project", "search", "where", "segment", "sort", "limit", "format", "share",
        ],
        positional: 0...1,
        word: "The person’s id"
      )
    )
    let format = try arguments.choice("format", of: ["text", "ndjson"], default: "text")
    let orders = PeopleList.Order.allCases.map(\.rawValue)
    let sort = try arguments.choice("sort", of: orders, default: orders[0])
    let limit = try arguments.integer("limit", in: 1...1_000, default: 50)
    let texts = EscapedList.parts(of: arguments.options["where"] ?? "", separator: ";")
    let rules = try texts.map { text in
      guard let rule = PersonRule(text) else {
        throw UsageError("“\(text)” is no rule about people.")
      }
      return rule
    }
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    let store = try OpenedStore(try Serving.settings(arguments))
    defer { store.close() }
    if let id = arguments.positional.first {
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      let setting = QuestionForm.Setting(project, in: catalog, nowMs: now)
      try Self.show(id, setting, store.store, limit: limit, isJSON: format == "ndjson", terminal)
      return
    }
    let shelf = SegmentShelf(catalog, project: project.id)
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let filter: (SegmentFilter?, PeopleSetting)
    do {
      filter = (
        try shelf.filter(arguments.options["segment"], nowMs: now),
        try shelf.setting(for: rules, nowMs: now)
      )
    } catch { throw UsageError("\(error)") }
    let found = try PeopleList(
      project: project.id,
      search: arguments.options["search"],
      rules: rules,
      segment: filter.0,
      setting: filter.1,
      order: PeopleList.Order(rawValue: sort) ?? .lastSeen,
      limit: limit
    ).run(on: store.store)
    for entry in found.people {
      terminal.out(format == "ndjson" ? PersonLine.json(entry) : PersonLine.text(entry))
    }
    if format == "text" { terminal.error("\(found.people.count) of \(found.total) people") }
  }

  private static func show(
    _ id: String,
    _ setting: QuestionForm.Setting,
    _ store: any EventStore,
    limit: Int,
    isJSON: Bool,
    _ terminal: Terminal
  ) throws {
    let project = setting.project
    var found = try PersonLookup(project: project, id: id).run(on: store)
    if case .device(let users) = found {
      found = try PersonLookup(project: project, id: users.last ?? "").run(on: store)
    }
    guard case .person(let person) = found else {
      throw UsageError("There is no user and no device “\(id)”.")
    }
    let events = try PersonTimeline(person, limit: limit).run(on: store)
    guard !isJSON else {
      for event in events { terminal.out(EventLine.json(event)) }
      return
    }
    let totals = try PersonTotals(person).run(on: store)
    let state = try CurrentProperties(
      project: project,
      of: person.isUser ? .user(person.id) : .device(person.id)
    ).run(on: store)
    var lines = [
      "\(person.isUser ? "User" : "Device") \(person.id)",
      "Events: \(totals.events), sessions: \(totals.sessions)",
    ]
    for amount in try PersonRevenue(person, setting).run(on: store) {
      let sum = String(format: "%.2f", Double(amount.micros) / RevenueFact.micros)
      lines.append("Revenue, \(amount.currency): \(sum)")
    }
    lines += totals.devices.filter { !$0.id.isEmpty }.map {
      "Device \($0.id): \($0.events) events, last seen \(PersonLine.time($0.lastSeenMs))"
    }
    lines.append("Properties: \(PropertyValue.json(state.properties))")
    lines.append("Groups: \(PropertyValue.json(state.groups))")
    for line in lines { terminal.out(EventLine.printable(line)) }
    for event in events { terminal.out(EventLine.text(event)) }
  }
}

/// One person of a list as one line.
enum PersonLine {
  static func time(_ ms: Int64) -> String {
    Date(timeIntervalSince1970: Double(ms) / 1_000).formatted(.iso8601)
  }

  static func text(_ entry: PeopleList.Entry) -> String {
    EventLine.printable(
      "\(time(entry.lastSeenMs))  \(entry.id)  \(entry.events) events  \(PropertyValue.json(entry.properties))"
    )
  }

  static func json(_ entry: PeopleList.Entry) -> String {
    PropertyValue.json([
      "id": .text(entry.id), "events": .integer(Int64(entry.events)),
      "first_seen": .integer(entry.firstSeenMs), "last_seen": .integer(entry.lastSeenMs),
      "properties": .object(entry.properties),
    ])
  }
}
