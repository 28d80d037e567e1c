import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

extension DashboardSite {
  func installExplore(in router: inout Router) {
    router.get("/projects/:id/explore", handler: signedIn(.viewEvents) { try self.explore($0, $1) })
  }

  private func explore(_ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    var values: [String: String] = [:]
    for (name, value) in request.queryItems where EventSearch.names.contains(name) {
      let value = value.trimmingCharacters(in: .whitespaces)
      if !value.isEmpty { values[name] = String(value.prefix(2_000)) }
    }
    // A date that was filled in goes before a range that is always chosen.
    if values["from"] != nil || values["to"] != nil { values["range"] = nil }
    if let condition = ConditionParts(request).condition {
      let old = EscapedList.parts(of: values["where"] ?? "", separator: ";")
      values["where"] = EscapedList.text(of: old + [condition], separator: ";")
      values["before"] = nil
      return .now(.redirect(to: ExplorePage.address(project.id, values).text))
    }
    let zone = zone(of: project)
    let segments = try catalog.segments(project: project.id)
    var asked = values
    if asked["from"] == nil, asked["to"] == nil { asked["range"] = asked["range"] ?? "7d" }
    let form = QuestionForm(asked, setting(of: project))
    func page(
      _ events: [StoredEvent]?,
      _ columns: [Field] = [],
      problem: String? = nil,
      status: Int = 200
    ) throws -> Reply {
      var page = ExplorePage(
        project: project,
        values: values,
        events: events,
        columns: columns,
        segments: segments,
        zone: zone,
        nowMs: clock.nowMs(),
        problem: problem
      )
      if events?.isEmpty == true, values["name"] != nil {
        page.unknown = UnknownNames(asked: values, known: try names(of: project.id)).html(
          all: Address("projects", "\(project.id)", "catalogue")
        ) { ExplorePage.address(project.id, values, [$0: $1, "before": ""]) }
      }
      return .now(self.page(page, in: try frame(visitor, project, .explore), status: status))
    }
    do {
      let columns = try EventSearch.columns(form)
      let isFile = request.query("format") == "csv"
      let search = try EventSearch(
        form,
        limit: isFile ? ExplorePage.maxSaved : ExplorePage.pageSize
      )
      let events = try search.run(on: store)
      if isFile { return .now(Self.csv(events, columns)) }
      return try page(events, columns)
    } catch let problem as QuestionForm.Problem {
      return try page(nil, problem: problem.description, status: 422)
        .beside(problem.name == "where" ? "f" : problem.name, problem.description, of: request)
    } catch let error as StoreError {
      return try page(nil, problem: Self.sentence(error), status: 503)
    }
  }

  private static func csv(_ events: [StoredEvent], _ columns: [Field]) -> Response {
    var lines = [
      (["time", "event", "user_id", "device_id", "session_id"] + columns.map(\.text) + ["props"])
    ]
    for event in events {
      lines.append(
        [
          Moment(ms: event.correctedMs, zone: .gmt).iso, event.name, event.userID, event.deviceID,
          event.sessionID,
        ] + columns.map { $0.value(in: event).map(PropertyText.text) ?? "" } + [event.properties]
      )
    }
    let text = lines.map { line in
      // A number may begin with a sign.
      line.map { CSVField.text($0, isText: Double($0) == nil) }.joined(separator: ",") + "\r\n"
    }.joined()
    return Response(
      headers: [
        Header("Content-Type", "text/csv; charset=utf-8"),
        Header("Content-Disposition", "attachment; filename=\"events.csv\""),
      ],
      body: Array(text.utf8)
    )
  }
}

/// The parts of a condition on events as forms send them.
struct ConditionParts {
  /// The condition as it is written; nil while a part is missing.
  let condition: String?

  init(_ request: Request) {
    func part(_ name: String) -> String {
      String((request.query(name) ?? "").trimmingCharacters(in: .whitespaces).prefix(1_000))
    }
    let (field, value) = (part("f"), part("v"))
    let comparison = Condition.Comparison(rawValue: part("op").isEmpty ? "is" : part("op"))
    guard !field.isEmpty, let comparison, !comparison.takesValue || !value.isEmpty else {
      condition = nil
      return
    }
    // A bare word is a property.
    let name = Field(field) == nil ? "props." + field : field
    condition =
      Condition("\(name):\(comparison.rawValue)" + (comparison.takesValue ? ":" + value : ""))?.text
  }
}
