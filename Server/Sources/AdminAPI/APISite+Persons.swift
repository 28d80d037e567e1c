import EventRecord
import EventStore
import Catalog
import HTTPServing
import Insights

extension APIRoute.Parameter {
  static let personID = query("id", .text(1...1_100), "A user’s id or a device’s.")
  static let isDevice = query("device", .boolean, "Whether only a device is meant.")
  static let rules = query(
    "where",
    .text(1...2_000),
    "What must hold of everyone: rules such as user.plan:is:pro or active within 7d, several with “;” between them."
  )
}

extension APISchema {
  /// A value of any kind under its name.
  static let personEntry = object([
    APIField("id", .text(0...1_100)), APIField("user", .boolean, "A user; else a device."),
    APIField("events", .count), APIField("first_seen", .anyTime), APIField("last_seen", .anyTime),
    APIField("properties", .anyObject),
  ])

  static let edit = object([
    APIField("property", .text(0...10_000)),
    APIField("values", .anyObject, "“old” and “new”; one that is missing was not there."),
    APIField("at", .anyTime), APIField("event", .eventKey, "The event that changed it."),
    APIField("name", .text(0...1_100), "The event’s name."),
  ])

  static let profile = object([
    APIField("id", .text(0...1_100)), APIField("user", .boolean, "A user; else a device."),
    APIField("events", .count, "Test events are left out of all numbers."),
    APIField("sessions", .count), APIField("first_seen", .nullable(.anyTime)),
    APIField("last_seen", .nullable(.anyTime)), APIField("properties", .anyObject),
    APIField("groups", .anyObject),
    APIField(
      "revenue",
      .list(
        .object([
          APIField("currency", .text(0...100), "Empty for the project’s own."),
          APIField("amount", .scalar), APIField("events", .count),
        ]),
        max: 10_000
      ),
      "Refunds are taken off; currencies are never added."
    ),
    APIField(
      "devices",
      .list(
        .object([
          APIField("id", .text(0...1_100)), APIField("events", .count),
          APIField("first_seen", .anyTime), APIField("last_seen", .anyTime),
          APIField("client", .anyObject), APIField("context", .anyObject),
        ]),
        max: 100_000
      )
    ),
    APIField(
      "names",
      .list(
        .object([APIField("name", .text(0...1_100)), APIField("count", .count)]),
        max: 100_000
      )
    ),
  ])
}

extension APISite {
  /// Calls on the people whose events there are.
  var personRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/people",
        "listPeople",
        "People with events: users with all devices, and devices on which nobody signed in.",
        needs: .viewEvents,
        parameters: [
          .project,
          .query("q", .text(1...1_000), "What an id or a text among the properties contains."),
          .rules, .query("segment", .text(1...20), "Only people in this segment: its number."),
          .query(
            "sort",
            .choice(PeopleList.Order.allCases.map(\.rawValue)),
            "By what, the highest first; last-seen unless told."
          ),
          .query("ascending", .boolean, "Whether the lowest come first."),
          .query("after", .text(1...100), "The “next” of the page before."), .limit,
        ],
        answer: .object([
          APIField("total", .count, "How many on all pages."),
          APIField("people", .list(.personEntry, max: 1_000)),
          APIField(
            "next",
            .nullable(.text(1...100)),
            "What to send as “after” for the next page; null after the last."
          ),
        ])
      ) { try self.listPeople($0) },
      APIRoute(
        .get,
        "/projects/{project}/person",
        "getPerson",
        "One person; a device that belongs to a user is the user who was seen there last.",
        needs: .viewEvents,
        parameters: [.project, .personID, .isDevice],
        answer: .profile
      ) { try self.profile($0) },
      APIRoute(
        .get,
        "/projects/{project}/person/events",
        "listPersonEvents",
        "What a person did, the last thing first, test events included.",
        needs: .viewEvents,
        parameters: [
          .project, .personID, .isDevice, .eventName,
          .query("before", .text(1...200), "The “next” of the page before."), .limit,
        ],
        answer: .pages("events", of: .event, max: 1_000)
      ) { try self.personEvents($0) },
      APIRoute(
        .get,
        "/projects/{project}/person/history",
        "listPersonHistory",
        "How a person’s properties changed, the last change first.",
        needs: .viewEvents,
        parameters: [.project, .personID, .isDevice, .limit],
        answer: .page("changes", of: .edit, max: 1_000)
      ) { call in
        let timeline = try PropertyTimeline(
          project: call.project,
          subject: .found(try self.person(call))
        ).run(on: self.store)
        let edits = timeline.edits.prefix(Int(call.integer("limit") ?? 100))
        return ["changes": .list(edits.map { JSONValue($0) })]
      },
    ]
  }

  /// Rules as they stand in an address.
  func rules(_ call: APICall) throws -> [PersonRule] {
    try EscapedList.parts(of: call.text("where") ?? "", separator: ";").filter { !$0.isEmpty }.map {
      text in
      guard let rule = PersonRule(text) else {
        throw APIProblem.invalid(
          "where",
          "“\(text.prefix(100))” is no rule about people. One is user.plan:is:pro, platform:is:iOS, group.org:is:15, did-at-least 3 30d NAME, did-at-most 0 ever NAME, first-seen within 7d, active not-within 30d or in-list 4."
        )
      }
      return rule
    }
  }

  private func listPeople(_ call: APICall) throws -> JSONValue {
    let after = try call.text("after").map { text in
      guard let place = PeopleList.Place(text: text) else {
        throw APIProblem.invalid("after", "“after” is the “next” of an answer.")
      }
      return place
    }
    let limit = Int(call.integer("limit") ?? 100)
    let order = call.text("sort").flatMap(PeopleList.Order.init) ?? .lastSeen
    let (rules, now, shelf) = (try self.rules(call), nowMs(), self.shelf(of: call.project))
    let filter: (SegmentFilter?, PeopleSetting)
    do {
      filter = (
        try shelf.filter(call.text("segment"), nowMs: now),
        try shelf.setting(for: rules, nowMs: now)
      )
    } catch { throw APIProblem.invalid(error.name, error.description) }
    let found = try PeopleList(
      project: call.project,
      search: call.text("q"),
      rules: rules,
      segment: filter.0,
      setting: filter.1,
      order: order,
      isAscending: call.flag("ascending") ?? false,
      after: after,
      limit: limit
    ).run(on: store)
    let isFull = found.people.count == limit
    let next = isFull ? found.people.last.map { PeopleList.Place(of: $0, in: order).text } : nil
    return [
      "total": .number(found.total),
      "people": .list(found.people.map { JSONValue($0, project: call.project) }),
      "next": .optional(next),
    ]
  }

  /// Who is meant.
  private func person(_ call: APICall) throws -> Person {
    let id = call.text("id") ?? ""
    let isDevice = call.flag("device") ?? false
    let found = try PersonLookup(project: call.project, id: id, isDevice: isDevice).run(on: store)
    switch found {
    case .person(let person): return person
    case .nobody: throw APIProblem.notFound
    case .device(let users):
      let user = try PersonLookup(project: call.project, id: users.last ?? "").run(on: store)
      guard case .person(let person) = user else { throw APIProblem.notFound }
      return person
    }
  }

  private func profile(_ call: APICall) throws -> JSONValue {
    let person = try person(call)
    let totals = try PersonTotals(person).run(on: store)
    let revenue = try PersonRevenue(person, setting(of: try project(call))).run(on: store)
    let state = try CurrentProperties(
      project: person.project,
      of: person.isUser ? .user(person.id) : .device(person.id)
    ).run(on: store)
    let amounts = revenue.map { amount -> JSONValue in
      [
        "currency": .text(amount.currency),
        "amount": .raw("\(Double(amount.micros) / RevenueFact.micros)"),
        "events": .number(amount.events),
      ]
    }
    let devices = totals.devices.map { device -> JSONValue in
      [
        "id": .text(device.id), "events": .number(device.events),
        "first_seen": .integer(device.firstSeenMs), "last_seen": .integer(device.lastSeenMs),
        "client": .stored(device.client), "context": .stored(device.context),
      ]
    }
    let names = totals.names.map { name -> JSONValue in
      ["name": .text(name.name), "count": .number(name.count)]
    }
    return [
      "id": .text(person.id), "user": .boolean(person.isUser), "events": .number(totals.events),
      "sessions": .number(totals.sessions), "first_seen": .optional(totals.firstSeenMs),
      "last_seen": .optional(totals.lastSeenMs),
      "properties": .raw(PropertyValue.json(state.properties)),
      "groups": .raw(PropertyValue.json(state.groups)), "revenue": .list(amounts),
      "devices": .list(devices), "names": .list(names),
    ]
  }

  private func personEvents(_ call: APICall) throws -> JSONValue {
    let before = try call.text("before").map { text in
      guard let place = EventPlace(text: text) else {
        throw APIProblem.invalid("before", "“before” is the “next” of an answer.")
      }
      return place
    }
    let limit = Int(call.integer("limit") ?? 100)
    let events = try PersonTimeline(
      try person(call),
      name: call.text("name"),
      before: before,
      limit: limit
    ).run(on: store)
    let next = events.count == limit ? events.last.map { EventPlace(of: $0).text } : nil
    return ["events": .list(events.map { JSONValue($0) }), "next": .optional(next)]
  }
}

extension JSONValue {
  fileprivate init(_ entry: PeopleList.Entry, project: UInt32) {
    self = [
      "id": .text(entry.id), "user": .boolean(entry.isUser(in: project)),
      "events": .number(entry.events), "first_seen": .integer(entry.firstSeenMs),
      "last_seen": .integer(entry.lastSeenMs),
      "properties": .raw(PropertyValue.json(entry.properties)),
    ]
  }

  fileprivate init(_ edit: PropertyTimeline.Edit) {
    var values: Members<PropertyValue> = [:]
    values["old"] = edit.old
    values["new"] = edit.new
    self = [
      "property": .text(edit.property), "values": .raw(PropertyValue.json(values)),
      "at": .integer(edit.place.correctedMs), "event": .text(edit.place.key.description),
      "name": .text(edit.event),
    ]
  }
}
