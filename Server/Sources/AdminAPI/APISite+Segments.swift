import EventStore
import Catalog
import HTTPServing
import Insights
import ProjectQuestions

extension APISchema {
  static let segmentNumber = integer(1...Int64.max)

  private static let match = choice(Segment.Match.allCases.map(\.rawValue))

  private static let groups = list(
    object([
      APIField("match", match, "Whether all, any or none of the rules hold."),
      APIField(
        "rules",
        .list(.text(1...2_000), max: Segment.maxRules),
        "Such as user.plan:is:pro, platform:is:iOS, group.org:is:15, did-at-least 3 30d NAME, did-at-most 0 ever NAME, first-seen within 7d, active not-within 30d, in-list 4."
      ),
    ]),
    max: Segment.maxGroups
  )

  static let segmentBody = object([
    APIField("name", .name), APIField("match", match, "How the groups are joined."),
    APIField("groups", groups),
  ])

  static let segment = object([
    APIField("id", segmentNumber), APIField("name", .text(0...100)), APIField("match", match),
    APIField("groups", groups), APIField("created_at", .time), APIField("changed_at", .time),
  ])

  static let peopleList = object([
    APIField("id", segmentNumber), APIField("name", .text(0...100)),
    APIField("members", .count, "Different users and devices in the file."),
    APIField("failed", .count, "Lines that could not be read."),
    APIField(
      "failures",
      .list(
        .object([APIField("line", .count), APIField("reason", .text(0...10_000))]),
        max: Catalog.maxListFailures
      ),
      "The first of them."
    ), APIField("created_at", .time),
  ])

  static let groupEntry = object([
    APIField("type", .text(0...10_000)), APIField("name", .text(0...10_000)),
    APIField("people", .count, "People who did something in it or are in it now."),
    APIField("events", .count), APIField("first_seen", .nullable(.anyTime)),
    APIField("last_seen", .nullable(.anyTime)),
  ])
}

extension APIRoute.Parameter {
  fileprivate static let segmentID = path("segment", .segmentNumber, "The segment's number.")
  fileprivate static let listID = path("list", .segmentNumber, "The list's number.")
  fileprivate static let force = query(
    "force",
    .boolean,
    "Whether it goes although something uses it."
  )
}

extension APISite {
  /// Where a project's segments and lists are found by questions.
  func shelf(of project: UInt32) -> SegmentShelf {
    SegmentShelf(catalog, project: project)
  }

  /// Calls on segments, imported lists and groups.
  var segmentRoutes: [APIRoute] { savedRoutes + listRoutes + groupRoutes }

  private var savedRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/segments",
        "listSegments",
        "Saved segments.",
        needs: .viewEvents,
        parameters: [.project],
        answer: .page("segments", of: .segment, max: Catalog.maxSegments)
      ) { call in
        let segments = try self.catalog.segments(project: call.project)
        return ["segments": .list(segments.map { JSONValue($0) })]
      },
      APIRoute(
        .post,
        "/projects/{project}/segments",
        "createSegment",
        "Saves a segment.",
        needs: .manageProject,
        parameters: [.project],
        body: .segmentBody,
        status: 201,
        answer: .segment
      ) { call in
        let segment = try self.segment(in: call)
        return JSONValue(
          try self.catalog.addSegment(
            name: call.bodyText("name"),
            definition: segment.text,
            project: call.project,
            by: call.actor
          )
        )
      },
      APIRoute(
        .put,
        "/projects/{project}/segments/{segment}",
        "changeSegment",
        "Changes a segment; questions that use it mean the new one.",
        needs: .manageProject,
        parameters: [.project, .segmentID],
        body: .segmentBody,
        answer: .segment
      ) { call in
        let segment = try self.segment(in: call)
        return JSONValue(
          try self.catalog.changeSegment(
            call.integer("segment") ?? 0,
            name: call.bodyText("name"),
            definition: segment.text,
            project: call.project,
            by: call.actor
          )
        )
      },
      APIRoute(
        .get,
        "/projects/{project}/segments/{segment}/count",
        "countSegment",
        "How many people belong to a segment now.",
        needs: .viewEvents,
        parameters: [.project, .segmentID],
        answer: .object([APIField("people", .count)])
      ) { call in
        let id = call.integer("segment") ?? 0
        guard try self.catalog.segment(id, project: call.project) != nil else {
          throw APIProblem.notFound
        }
        guard let filter = try self.shelf(of: call.project).filter("\(id)", nowMs: self.nowMs())
        else { throw APIProblem.notFound }
        let count = try SegmentCount(project: call.project, filter).run(on: self.store)
        return ["people": .number(count)]
      },
      APIRoute(
        .delete,
        "/projects/{project}/segments/{segment}",
        "removeSegment",
        "Removes a segment; one that a board or an alert asks for only when told to.",
        needs: .manageProject,
        parameters: [.project, .segmentID, .force],
        status: 204,
        answer: nil,
        problems: [409]
      ) { call in
        let id = call.integer("segment") ?? 0
        try self.refuse(
          try self.catalog.uses(ofSegment: id, project: call.project),
          unless: call,
          "segment"
        )
        try self.catalog.removeSegment(id, project: call.project, by: call.actor)
        return .null
      },
    ]
  }

  private var listRoutes: [APIRoute] {
    var take = APIRoute(
      .post,
      "/projects/{project}/lists",
      "importList",
      "Imports a list of users and devices: CSV with a line of names, or lines of JSON, gzip or not.",
      needs: .manageProject,
      parameters: [
        .project, .query("name", .name, "What the list is called."),
        .query(
          "app",
          .text(32...32),
          "Also takes the lines as endpoints of this application of Pinpoint: its id."
        ),
      ],
      status: 201,
      answer: .peopleList
    ) { try self.importList($0) }
    take.takesBytes = Self.maxListBytes
    return [
      APIRoute(
        .get,
        "/projects/{project}/lists",
        "listLists",
        "Imported lists of users and devices.",
        needs: .viewEvents,
        parameters: [.project],
        answer: .page("lists", of: .peopleList, max: Catalog.maxSegments)
      ) { call in
        let lists = try self.catalog.lists(project: call.project)
        return ["lists": .list(lists.map { JSONValue($0) })]
      },
      take,
      APIRoute(
        .delete,
        "/projects/{project}/lists/{list}",
        "removeList",
        "Removes a list; one that a segment asks for only when told to.",
        needs: .manageProject,
        parameters: [.project, .listID, .force],
        status: 204,
        answer: nil,
        problems: [409]
      ) { call in
        let id = call.integer("list") ?? 0
        try self.refuse(
          try self.catalog.uses(ofList: id, project: call.project),
          unless: call,
          "list"
        )
        try self.catalog.removeList(id, project: call.project, by: call.actor)
        return .null
      },
    ]
  }

  /// Refuses to remove what others ask for, unless the call insists.
  private func refuse(_ uses: [String], unless call: APICall, _ what: String) throws {
    guard uses.isEmpty || call.flag("force") ?? false else {
      throw APIProblem.conflict(
        "This \(what) is asked for by \(uses.joined(separator: ", ")). With force=true it goes all the same."
      )
    }
  }

  private var groupRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/groups",
        "listGroups",
        "Groups such as accounts, by type and name.",
        needs: .viewEvents,
        parameters: [
          .project, .query("type", .text(1...1_000), "Only groups of this type."),
          .query("q", .text(1...1_000), "What the name contains."),
          .query(
            "sort",
            .choice(GroupList.Order.allCases.map(\.rawValue)),
            "By what, the highest first; people unless told."
          ),
          .query("offset", .integer(0...10_000_000), "How many to pass over."), .limit,
        ],
        answer: .page("groups", of: .groupEntry, max: 1_000)
      ) { call in
        let groups = try GroupList(
          project: call.project,
          type: call.text("type"),
          search: call.text("q"),
          order: call.text("sort").flatMap(GroupList.Order.init) ?? .people,
          offset: Int(call.integer("offset") ?? 0),
          limit: Int(call.integer("limit") ?? 100)
        ).run(on: self.store)
        return ["groups": .list(groups.map { JSONValue($0) })]
      },
      APIRoute(
        .get,
        "/projects/{project}/group",
        "getGroup",
        "What holds of a group now.",
        needs: .viewEvents,
        parameters: [
          .project, .query("type", .text(1...1_000), "The group's type."),
          .query("name", .text(1...1_000), "The group's name."),
        ],
        answer: .object([
          APIField("type", .text(0...1_000)), APIField("name", .text(0...1_000)),
          APIField("properties", .anyObject),
        ])
      ) { call in
        let (type, name) = (call.text("type") ?? "", call.text("name") ?? "")
        let state = try CurrentProperties(
          project: call.project,
          of: .group(type: type, name: name)
        ).run(on: self.store)
        return [
          "type": .text(type), "name": .text(name),
          "properties": .raw(PropertyValue.json(state.properties)),
        ]
      },
    ]
  }

  private static let maxListBytes = 64 << 20

  /// The segment that a body describes.
  private func segment(in call: APICall) throws -> Segment {
    var segment = Segment(Segment.Match(rawValue: call.bodyText("match")) ?? .all)
    guard case .list(let groups)? = call.body["groups"] else { return segment }
    for case .object(let group) in groups {
      guard case .text(let match)? = group["match"], case .list(let rules)? = group["rules"] else {
        continue
      }
      segment.groups.append(
        Segment.Group(
          Segment.Match(rawValue: match) ?? .all,
          try rules.map { rule in
            guard case .text(let text) = rule, let read = PersonRule(text) else {
              throw APIProblem.invalid("groups", Self.ruleProblem(rule))
            }
            return read
          }
        )
      )
    }
    guard segment.rules.count <= Segment.maxRules else {
      throw APIProblem.invalid("groups", "A segment has at most \(Segment.maxRules) rules.")
    }
    do { _ = try shelf(of: call.project).filter(segment, nowMs: nowMs()) } catch {
      throw APIProblem.invalid("groups", error.description)
    }
    return segment
  }

  private static func ruleProblem(_ rule: PropertyValue) -> String {
    guard case .text(let text) = rule else { return "A rule is a text." }
    return "“\(text.prefix(100))” is no rule about people."
  }

  private func importList(_ call: APICall) throws -> JSONValue {
    guard let name = call.text("name") else {
      throw APIProblem.invalid("name", "“name” is missing.")
    }
    do {
      var read = try ListFile(Array(call.request.body), inflate: inflate)
        .read(project: call.project)
      if let id = call.text("app") {
        guard let app = catalog.pinpointApp(id), app.project == call.project, let endpoints else {
          throw APIProblem.invalid("app", "The project has no application of this id.")
        }
        try read.take(back: endpoints(read.lines, app), project: call.project)
      }
      return JSONValue(
        try catalog.addList(
          name: name,
          members: read.members,
          count: read.count,
          failed: read.failed,
          failures: read.failures.map { .init(line: $0.line, reason: $0.reason) },
          project: call.project,
          by: call.actor
        )
      )
    } catch let problem as ListFile.Problem {
      throw APIProblem.invalid("file", problem.description)
    }
  }
}

extension JSONValue {
  fileprivate init(_ saved: SavedSegment) {
    let segment = Segment(saved.definition) ?? Segment()
    let groups = segment.groups.map { group -> JSONValue in
      ["match": .text(group.match.rawValue), "rules": .list(group.rules.map { .text($0.text) })]
    }
    self = [
      "id": .integer(saved.id), "name": .text(saved.name), "match": .text(segment.match.rawValue),
      "groups": .list(groups), "created_at": .integer(saved.createdAtMs),
      "changed_at": .integer(saved.changedAtMs),
    ]
  }

  fileprivate init(_ list: SavedList) {
    self = [
      "id": .integer(list.id), "name": .text(list.name), "members": .number(list.count),
      "failed": .number(list.failed),
      "failures": .list(
        list.failures.map { ["line": .number($0.line), "reason": .text($0.reason)] }
      ), "created_at": .integer(list.createdAtMs),
    ]
  }

  fileprivate init(_ group: GroupList.Entry) {
    self = [
      "type": .text(group.type), "name": .text(group.name), "people": .number(group.people),
      "events": .number(group.events), "first_seen": .optional(group.firstSeenMs),
      "last_seen": .optional(group.lastSeenMs),
    ]
  }
}
