import EventStore
import HTTPServing
import Catalog
import Foundation
import Insights

extension APIRoute.Parameter {
  static let project = path("project", .projectNumber, "The project's number.")
  static let limit = query("limit", .integer(1...1_000), "How many at most; 100 unless told.")
}

extension APISite {
  /// Calls on projects, their rules and the settings their apps get.
  var projectRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/key",
        "whoAmI",
        "Which key this is.",
        needs: .viewProject,
        answer: .object([
          APIField("key", .integer(1...Int64.max)), APIField("project", .projectNumber),
          APIField("role", .role),
        ])
      ) { call in
        guard let holder = call.holder else { throw APIProblem.unauthorized }
        return [
          "key": .integer(holder.keyID), "project": .number(holder.project),
          "role": .text(holder.role.rawValue),
        ]
      },
      APIRoute(
        .get,
        "/projects",
        "listProjects",
        "The projects this key may read: its own, and of an owner's key all.",
        needs: .viewProject,
        answer: .page("projects", of: .project, max: 100_000)
      ) { call in
        let projects = try self.catalog.projects().filter { project in
          call.holder.map { $0.role == .owner || $0.project == project.id } ?? false
        }
        return ["projects": .list(projects.map { JSONValue($0) })]
      },
      APIRoute(
        .post,
        "/projects",
        "createProject",
        "Makes a project with a key for its apps.",
        needs: .createProject,
        body: .object([
          APIField("name", .name), APIField("time_zone", .timeZone, isRequired: false),
        ]),
        status: 201,
        answer: .object([APIField("project", .project), APIField("key", .madeKey)])
      ) { call in
        let zone = call.bodyText("time_zone")
        let project = try self.catalog.createProject(
          name: call.bodyText("name"),
          timeZone: zone.isEmpty ? "UTC" : zone,
          by: call.actor
        )
        let key = try self.catalog.createKey(
          project: project.id,
          kind: .ingest,
          label: "First app",
          by: call.actor
        )
        return ["project": JSONValue(project), "key": JSONValue(key)]
      },
      APIRoute(
        .get,
        "/projects/{project}",
        "getProject",
        "One project.",
        needs: .viewProject,
        parameters: [.project],
        answer: .project
      ) { JSONValue(try self.project($0)) },
      APIRoute(
        .put,
        "/projects/{project}",
        "changeProject",
        "Changes a project's name and time zone, and how its numbers are reckoned where that is told.",
        needs: .manageProject,
        parameters: [.project],
        body: .object([
          APIField("name", .name), APIField("time_zone", .timeZone),
          APIField("week_start", .weekStart, "Where weeks begin.", isRequired: false),
          APIField(
            "currency",
            .nullable(.currency),
            "What revenue is told in; null for none in particular.",
            isRequired: false
          ),
          APIField(
            "revenue_formula",
            .revenueFormula,
            "Whether price times quantity counts or the price alone.",
            isRequired: false
          ),
          APIField(
            "rates",
            .rates,
            "What one unit of other currencies is worth in the project's: from 0.000001 to 1000000, instead of those that were set.",
            isRequired: false
          ),
        ]),
        answer: .project
      ) { call in
        try self.catalog.updateProject(
          call.project,
          name: call.bodyText("name"),
          timeZone: call.bodyText("time_zone"),
          reckoning: call.reckoning(instead: try self.project(call).reckoning),
          by: call.actor
        )
        return JSONValue(try self.project(call))
      },
    ] + ruleRoutes
  }

  func project(_ call: APICall) throws -> Project {
    guard let project = try catalog.project(call.project) else { throw APIProblem.notFound }
    return project
  }

  private var ruleRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/rules",
        "getRules",
        "How long events are kept and how many are taken.",
        needs: .viewProject,
        parameters: [.project],
        answer: .rules
      ) { JSONValue(try self.catalog.rules(project: $0.project)) },
      APIRoute(
        .put,
        "/projects/{project}/rules",
        "setRules",
        "Replaces the rules; older events are then removed for good.",
        needs: .manageProject,
        parameters: [.project],
        body: .rules,
        answer: .rules
      ) { call in
        try self.catalog.setRules(call.rules, project: call.project, by: call.actor)
        return JSONValue(try self.catalog.rules(project: call.project))
      },
      APIRoute(
        .get,
        "/projects/{project}/usage",
        "getUsage",
        "What was taken and turned away on the last days (UTC).",
        needs: .viewProject,
        parameters: [
          .project,
          .query("days", .integer(1...Catalog.usageDays), "How many days; 30 unless told."),
        ],
        answer: .page(
          "days",
          of: .object([
            APIField("day", .time, "The day's first moment."), APIField("events", .count),
            APIField("bytes", .count), APIField("refused", .count),
          ]),
          max: 1_000
        )
      ) { call in
        let today = self.nowMs() / 86_400_000
        let days = try self.catalog.usage(
          project: call.project,
          fromDay: today + 1 - (call.integer("days") ?? 30)
        )
        return [
          "days": .list(
            days.map { day in
              [
                "day": .integer(day.day * 86_400_000), "events": .number(day.events),
                "bytes": .number(day.bytes), "refused": .number(day.refused),
              ]
            }
          )
        ]
      },
      APIRoute(
        .get,
        "/projects/{project}/config",
        "getConfig",
        "The settings that the project's apps get.",
        needs: .viewProject,
        parameters: [.project],
        answer: .settings
      ) { self.settings(try self.catalog.remoteSettings(project: $0.project)) },
      APIRoute(
        .put,
        "/projects/{project}/config",
        "setConfig",
        "Replaces the settings that the project's apps get.",
        needs: .manageProject,
        parameters: [.project],
        body: .object([APIField("config", .text(2...Catalog.maxRemoteSettingsBytes))]),
        answer: .settings
      ) { call in
        self.settings(
          try self.catalog.setRemoteSettings(
            call.bodyText("config"),
            project: call.project,
            by: call.actor
          )
        )
      },
    ]
  }

  private func settings(_ settings: RemoteSettings) -> JSONValue {
    [
      "version": .integer(settings.version), "config": .text(settings.document),
      "changed_at": .optional(settings.changedAtMs),
    ]
  }
}

extension APISchema {
  /// The name of a time zone, such as Europe/Berlin; the catalogue says which this machine knows.
  static let timeZone = APISchema.text(1...100)
  static let count = APISchema.integer(0...Int64.max)
  static let weekStart = APISchema.choice(Reckoning.Weekday.allCases.map(\.rawValue))
  static let revenueFormula = APISchema.choice(Reckoning.Formula.allCases.map(\.rawValue))
  static let rates = APISchema.list(
    .object([
      APIField("currency", .currency),
      APIField(
        "rate",
        .pattern("[0-9]{1,8}([.][0-9]{1,7})?") { text in
          let parts = text.split(separator: ".", omittingEmptySubsequences: false)
          let isDecimal = parts.allSatisfy { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          }
          return isDecimal && (1...8).contains(parts[0].utf8.count)
            && (parts.count == 1 || parts.count == 2 && (1...7).contains(parts[1].utf8.count))
        },
        "A decimal number such as 1.10."
      ),
    ]),
    max: ExchangeRates.maxCount
  )
  static let currency = APISchema.pattern("[A-Z]{3}") { text in
    text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5a).contains($0) }
  }

  fileprivate static let settings = APISchema.object([
    APIField("version", .count), APIField("config", .text(0...Catalog.maxRemoteSettingsBytes)),
    APIField("changed_at", .nullable(.time)),
  ])
}

extension APICall {
  /// The reckoning in the body; nil where the body tells nothing of it.
  fileprivate func reckoning(instead old: Reckoning) -> Reckoning? {
    var new = old
    if let day = Reckoning.Weekday(rawValue: bodyText("week_start")) { new.weekStart = day }
    if let formula = Reckoning.Formula(rawValue: bodyText("revenue_formula")) {
      new.formula = formula
    }
    switch body["currency"] {
    case .text(let code)?: new.currency = code
    case .null?: new.currency = nil
    default: break
    }
    if case .list(let rates)? = body["rates"] {
      new.rates = ExchangeRates()
      for case .object(let rate) in rates {
        guard case .text(let code)? = rate["currency"], case .text(let text)? = rate["rate"] else {
          continue
        }
        new.rates.texts[code] = text
      }
    }
    return new == old ? nil : new
  }

  /// The rules in the body, whose shape was checked.
  fileprivate var rules: ProjectRules {
    var names: [ProjectRules.NameRetention] = []
    if case .list(let list)? = body["names"] {
      for case .object(let member) in list {
        guard case .text(let name)? = member["name"], case .integer(let days)? = member["days"]
        else { continue }
        names.append(ProjectRules.NameRetention(name: name, days: Int(days)))
      }
    }
    return ProjectRules(
      retentionDays: bodyInteger("retention_days"),
      names: names,
      eventsPerDay: bodyInteger("events_per_day")
    )
  }
}
