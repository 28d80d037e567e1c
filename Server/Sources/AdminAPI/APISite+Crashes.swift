import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights
import ProjectQuestions

extension APISite {
  private static let signature = APIRoute.Parameter.path(
    "signature",
    .sessionID,
    "What crashes have in common."
  )

  /// Calls on crashes.
  var crashRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/crashes",
        "listCrashes",
        "Crashes put together by what they have in common, the most frequent first.",
        needs: .viewEvents,
        parameters: [
          .project,
          .query(
            "range",
            .choice(Set(TimeRange.names).sorted()),
            "The days that count, up to today; 30d unless told."
          ), .test,
        ],
        answer: .page("crashes", of: .crash, max: 100_000)
      ) { call in
        let groups = try self.crashes(call)
        let decisions = try self.catalog.crashDecisions(project: call.project)
        return [
          "crashes": .list(groups.map { JSONValue($0, decision: decisions[$0.signature.id]) })
        ]
      },
      APIRoute(
        .put,
        "/projects/{project}/crashes/{signature}",
        "decideCrash",
        "Hides crashes, says that they are mended, or takes that back.",
        needs: .manageBoards,
        parameters: [.project, Self.signature],
        body: .object([
          APIField("state", .choice(["open", "hidden", "resolved"])),
          APIField(
            "version",
            .text(0...100),
            "In which it is mended; unless told, what comes in a version newer than all came back.",
            isRequired: false
          ),
        ]),
        status: 204,
        answer: nil
      ) { call in
        let signature = call.text("signature") ?? ""
        let seen = try self.crashes(call).first { $0.signature.id == signature }
        try self.catalog.decideCrash(
          CrashDecision.State(rawValue: call.bodyText("state")),
          signature: signature,
          mended: call.bodyText("version"),
          seen: seen?.newestVersion ?? "",
          project: call.project,
          by: call.actor
        )
        return .null
      },
    ]
  }

  private func crashes(_ call: APICall) throws -> [Crashes.Group] {
    let setting = setting(of: try project(call))
    let form = QuestionForm(call.text("range").map { ["range": $0] } ?? [:], setting)
    let days = try TimeRange(form)
    let scope = Scope(
      project: call.project,
      fromMs: days.fromMs,
      toMs: days.toMs,
      includesTest: call.flag("test") ?? false
    )
    return try Crashes(scope, axis: TimeAxis(.day, timeZone: setting.timeZone)).run(on: store)
  }
}

extension APISchema {
  fileprivate static let crash = object([
    APIField("signature", .sessionID), APIField("exception", .text(0...100_000)),
    APIField("frame", .text(0...100_000), "The first that is the app's own."),
    APIField("count", .count), APIField("people", .count, "Everyone who met it, once."),
    APIField("first_seen", .anyTime), APIField("last_seen", .anyTime),
    APIField("state", .choice(["open", "hidden", "resolved", "came_back"])),
    APIField("came_back_in", .nullable(.text(0...1_100)), "The version, if it came back."),
    APIField(
      "versions",
      .list(
        .object([
          APIField("version", .text(0...100_000)), APIField("count", .count),
          APIField("last_seen", .anyTime),
        ]),
        max: 100_000
      )
    ),
  ])
}

extension JSONValue {
  fileprivate init(_ group: Crashes.Group, decision: CrashDecision?) {
    let state: String
    var back: String?
    switch CrashStanding(decision, of: group) {
    case .open: state = "open"
    case .hidden: state = "hidden"
    case .resolved: state = "resolved"
    case .cameBack(let version): (state, back) = ("came_back", version)
    }
    self = [
      "signature": .text(group.signature.id), "exception": .text(group.signature.exception),
      "frame": .text(group.signature.frame), "count": .number(group.count),
      "people": .number(group.people), "first_seen": .integer(group.firstMs),
      "last_seen": .integer(group.lastMs), "state": .text(state), "came_back_in": .optional(back),
      "versions": .list(
        group.versions.map { version in
          [
            "version": .text(version.version), "count": .number(version.count),
            "last_seen": .integer(version.lastMs),
          ]
        }
      ),
    ]
  }
}
