import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

extension APISite {
  private static let alertNumber = APIRoute.Parameter.path(
    "alert",
    .integer(1...Int64.max),
    "The alert's number."
  )

  /// Calls on alerts.
  var alertRoutes: [APIRoute] {
    [
      APIRoute(
        .get,
        "/projects/{project}/alerts",
        "listAlerts",
        "A project's alerts and how they stand, oldest first.",
        needs: .viewEvents,
        parameters: [.project],
        answer: .page("alerts", of: .alert, max: Alert.maxAlerts)
      ) { call in
        [
          "alerts": .list(
            try self.catalog.alerts(project: call.project).map { JSONValue($0, for: call.role) }
          )
        ]
      },
      APIRoute(
        .post,
        "/projects/{project}/alerts",
        "createAlert",
        "Makes an alert; the secret that its messages are signed with is told only now.",
        needs: .manageBoards,
        parameters: [.project],
        body: .alertTerms,
        status: 201,
        answer: .object([APIField("alert", .alert), APIField("secret", .text(1...100))])
      ) { call in
        let made = try self.catalog.createAlert(
          try self.terms(call),
          project: call.project,
          by: call.actor
        )
        return [
          "alert": JSONValue(made.alert, for: call.role), "secret": .text(made.secret),
        ]
      },
      APIRoute(
        .get,
        "/projects/{project}/alerts/{alert}",
        "getAlert",
        "One alert.",
        needs: .viewEvents,
        parameters: [.project, Self.alertNumber],
        answer: .alert
      ) { call in JSONValue(try self.alert(call), for: call.role) },
      APIRoute(
        .put,
        "/projects/{project}/alerts/{alert}",
        "changeAlert",
        "Changes an alert, which then looks anew.",
        needs: .manageBoards,
        parameters: [.project, Self.alertNumber],
        body: .alertTerms,
        answer: .alert
      ) { call in
        JSONValue(
          try self.catalog.changeAlert(
            call.integer("alert") ?? 0,
            to: try self.terms(call),
            project: call.project,
            by: call.actor
          ),
          for: call.role
        )
      },
      APIRoute(
        .delete,
        "/projects/{project}/alerts/{alert}",
        "deleteAlert",
        "Removes an alert and its history.",
        needs: .manageBoards,
        parameters: [.project, Self.alertNumber],
        status: 204,
        answer: nil
      ) { call in
        try self.catalog.deleteAlert(
          call.integer("alert") ?? 0,
          project: call.project,
          by: call.actor
        )
        return .null
      },
    ] + alertActions
  }

  private var alertActions: [APIRoute] {
    [
      APIRoute(
        .post,
        "/projects/{project}/alerts/{alert}/{action}",
        "actOnAlert",
        "Pauses an alert, lets it go on, or has it send a test.",
        needs: .manageBoards,
        parameters: [
          .project, Self.alertNumber,
          .path("action", .choice(["pause", "resume", "test"]), "What is done."),
        ],
        answer: .alert
      ) { call in
        let alert = try self.alert(call)
        let input: AlertCore.Input =
          switch call.text("action") {
          case "pause": .pause
          case "resume": .resume
          default: .test
          }
        _ = try self.catalog.tellAlert(input, id: alert.id, by: call.actor)
        return JSONValue(try self.alert(call), for: call.role)
      },
      APIRoute(
        .get,
        "/projects/{project}/alerts/{alert}/history",
        "listAlertHistory",
        "What happened to an alert, the last first.",
        needs: .viewEvents,
        parameters: [.project, Self.alertNumber],
        answer: .page(
          "history",
          of: .object([
            APIField("at", .time),
            APIField("kind", .choice(AlertCore.Note.allCases.map(\.rawValue))),
            APIField("detail", .text(0...500)),
          ]),
          max: Int(Catalog.maxAlertNotes)
        )
      ) { call in
        let notes = try self.catalog.alertNotes(try self.alert(call).id, limit: 200)
        return [
          "history": .list(
            notes.map {
              ["at": .integer($0.atMs), "kind": .text($0.kind), "detail": .text($0.detail)]
            }
          )
        ]
      },
    ]
  }

  private func alert(_ call: APICall) throws -> Alert {
    guard let alert = try catalog.alert(call.integer("alert") ?? 0, project: call.project) else {
      throw APIProblem.notFound
    }
    return alert
  }

  private func terms(_ call: APICall) throws -> Alert.Terms {
    do {
      let question = try SavedQuestion(
        word: call.bodyText("question"),
        query: call.bodyText("parameters")
      )
      try question.checkWatched(setting(of: try project(call)))
      if let reason = webhookRefusal(call.bodyText("webhook")) {
        throw APIProblem.invalid("webhook", reason)
      }
      guard let rule = AlertRule(call.bodyText("rule"), call.body["amount"]?.double ?? .nan) else {
        throw APIProblem.invalid(
          "amount",
          "“amount” is a number; of a rise at least 0, of a fall 0 to 1."
        )
      }
      return Alert.Terms(
        name: call.bodyText("name"),
        question: question.kind.word,
        parameters: question.query,
        rule: rule,
        everyMinutes: call.bodyInteger("every_minutes") ?? 15,
        webhook: call.bodyText("webhook")
      )
    } catch let problem as QuestionForm.Problem {
      throw APIProblem.invalid(problem.name, problem.description)
    }
  }
}

extension APISchema {
  private static let terms = [
    APIField("name", .name), APIField("question", .text(1...40), "The word of a question."),
    APIField("parameters", .text(0...8_000), "As in an address: events=Bought&interval=hour."),
    APIField("rule", .choice(AlertRule.words)),
    APIField("amount", .scalar, "The number; of a rise or a fall a share, 0.5 for half."),
    APIField(
      "every_minutes",
      .integer(1...1_440),
      "Between two looks; 15 unless told.",
      isRequired: false
    ),
    APIField(
      "webhook",
      .text(1...2_000),
      "Where changes are told; a viewer is shown its host alone."
    ),
  ]

  fileprivate static let alertTerms = object(terms)

  fileprivate static let alert = object(
    [APIField("id", .integer(1...Int64.max)), APIField("created_at", .time)] + terms + [
      APIField("state", .choice(["unknown", "calm", "firing"])), APIField("paused", .boolean),
      APIField("since", .nullable(.time)), APIField("looked_at", .nullable(.time)),
      APIField("value", .scalar, "The last number; null before there was one."),
      APIField("before", .scalar), APIField("problem", .nullable(.text(0...10_000))),
      APIField("waiting", .count, "Messages that are not told yet."),
    ]
  )
}

extension JSONValue {
  fileprivate init(_ alert: Alert, for role: Role) {
    let (terms, state) = (alert.terms, alert.state)
    func number(_ number: Double?) -> JSONValue { number.map { .raw("\($0)") } ?? .null }
    self = [
      "id": .integer(alert.id), "created_at": .integer(alert.createdAtMs),
      "name": .text(terms.name), "question": .text(terms.question),
      "parameters": .text(terms.parameters), "rule": .text(terms.rule.word),
      "amount": number(terms.rule.amount), "every_minutes": .number(terms.everyMinutes),
      "webhook": .text(terms.webhook(shownTo: role)), "state": .text(state.level.rawValue),
      "paused": .boolean(state.isPaused), "since": .optional(state.sinceMs),
      "looked_at": .optional(state.lookedMs), "value": number(state.finding?.value),
      "before": number(state.finding?.before), "problem": .optional(state.problem),
      "waiting": .number(state.messages.count),
    ]
  }
}
