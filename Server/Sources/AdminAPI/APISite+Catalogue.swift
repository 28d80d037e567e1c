import Catalog
import EventRecord
import EventStore
import HTTPServing
import Insights

extension APISite {
  private static let recentMs: Int64 = 30 * 86_400_000

  /// Calls on the catalogue of events.
  var catalogueRoutes: [APIRoute] {
    let name = APIRoute.Parameter.query("name", .text(1...1_024), "The events' name.")
    return [
      APIRoute(
        .get,
        "/projects/{project}/catalogue",
        "listCatalogue",
        "Every name of events with what was decided about it, the most frequent of 30 days first.",
        needs: .viewEvents,
        parameters: [.project],
        answer: .object([
          APIField(
            "events",
            .list(.catalogued, max: EventDirectory.limit + Catalog.maxEventRules)
          ),
          APIField("cut", .boolean, "Whether there are more names than are told."),
        ])
      ) { call in
        let seen = try self.directory(call)
        let rules = try self.catalog.eventRules(project: call.project)
        let known = Set(seen.entries.map { ExactText($0.name) })
        let byName = Members(rules.map { ($0.name, $0) })
        var all = seen.entries.map { entry in
          JSONValue(byName[entry.name] ?? EventRule(name: entry.name), seen: entry)
        }
        for rule in rules where !known.contains(ExactText(rule.name)) {
          all.append(JSONValue(rule, seen: nil))
        }
        return ["events": .list(all), "cut": .boolean(seen.isCut)]
      },
      APIRoute(
        .get,
        "/projects/{project}/catalogue/properties",
        "listProperties",
        "The properties of the last \(EventMembers.sample) events of a name, with their types.",
        needs: .viewEvents,
        parameters: [.project, name],
        answer: .object([
          APIField("events", .count, "How many events were looked at."),
          APIField("properties", .list(.property, max: 100_000)),
        ])
      ) { call in
        let found = try EventMembers(project: call.project, name: call.text("name") ?? "")
          .run(on: self.store)
        return [
          "events": .number(found.events),
          "properties": .list(found.members.map { JSONValue($0) }),
        ]
      },
      APIRoute(
        .put,
        "/projects/{project}/catalogue",
        "setEventRule",
        "Decides about events of a name; what is blocked is refused within a second.",
        needs: .manageBoards,
        parameters: [.project],
        body: .object([
          APIField("name", .text(1...1_024)), APIField("description", .text(0...1_000)),
          APIField("hidden", .boolean, "Not offered where events are chosen."),
          APIField("blocked", .boolean, "Refused by the collector."),
        ]),
        answer: .catalogued
      ) { call in
        let rule = EventRule(
          name: call.bodyText("name"),
          description: call.bodyText("description"),
          isHidden: call.bodyFlag("hidden"),
          isBlocked: call.bodyFlag("blocked")
        )
        try self.catalog.setEventRule(rule, project: call.project, by: call.actor)
        return JSONValue(
          rule,
          seen: try self.directory(call).entries.first { $0.name.hasBytes(of: rule.name) }
        )
      },
    ]
  }

  private func directory(_ call: APICall) throws -> EventDirectory.Output {
    try EventDirectory(project: call.project, sinceMs: nowMs() - Self.recentMs).run(on: store)
  }
}

extension APISchema {
  fileprivate static let catalogued = object([
    APIField("name", .text(0...1_100)), APIField("description", .text(0...1_000)),
    APIField("hidden", .boolean), APIField("blocked", .boolean),
    APIField("count", .count, "Test events included."), APIField("test_count", .count),
    APIField("recent_count", .count, "Of the last 30 days."),
    APIField("first_seen", .nullable(.anyTime)), APIField("last_seen", .nullable(.anyTime)),
  ])

  fileprivate static let property = object([
    APIField("name", .text(0...100_000)), APIField("count", .count, "How many events have it."),
    APIField("types", .list(.choice(EventMembers.Kind.allCases.map(\.rawValue)), max: 6)),
    APIField("first_seen", .anyTime), APIField("last_seen", .anyTime),
  ])
}

extension JSONValue {
  fileprivate init(_ rule: EventRule, seen: EventDirectory.Entry?) {
    self = [
      "name": .text(rule.name), "description": .text(rule.description),
      "hidden": .boolean(rule.isHidden), "blocked": .boolean(rule.isBlocked),
      "count": .number(seen?.count ?? 0), "test_count": .number(seen?.testCount ?? 0),
      "recent_count": .number(seen?.recentCount ?? 0),
      "first_seen": .optional(seen?.firstSeenMs), "last_seen": .optional(seen?.lastSeenMs),
    ]
  }

  fileprivate init(_ member: EventMembers.Member) {
    let kinds = EventMembers.Kind.allCases.filter { member.kinds[$0] != nil }
    self = [
      "name": .text(member.name), "count": .number(member.count),
      "types": .list(kinds.map { .text($0.rawValue) }),
      "first_seen": .integer(member.firstSeenMs), "last_seen": .integer(member.lastSeenMs),
    ]
  }
}
