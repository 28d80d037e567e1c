import Catalog
import EventStore
import HTTPServing
import Insights
import ProjectQuestions

/// The funnels of Phase's read API: its own, which are `Milestones` and `Activation`, and those that are saved
/// on a project's boards, which are asked as the board asks them.
extension PhaseReadSite {
  /// The kinds of steps by the words that Phase has for them, an event's apart.
  private static let kinds: [String: Milestones.Step] = [
    "first_seen": .firstSeen, "session": .session(atLeastMs: Milestones.measurableMs),
    "session_30s": .session(atLeastMs: 30_000), "session_10m": .session(atLeastMs: 600_000),
    "engaged_10m": .engaged(totalMs: 600_000), "return_d1": .returned(day: 1),
    "return_d3": .returned(day: 3),
  ]

  /// The funnels that are saved on boards.
  func funnels(_ call: PhaseCall) throws -> JSONValue {
    let saved = try catalog.boards(project: call.project).flatMap(\.cards).filter {
      if case .chart(question: "funnel", parameters: _) = $0.content { true } else { false }
    }
    return [
      "data": .list(saved.map { ["id": .text("\($0.id)"), "name": .text($0.title)] }),
      "meta": meta(),
    ]
  }

  /// Asks a saved funnel with all that it is asked with, so that its numbers are those of its board.
  ///
  /// That is its order, its window, whom it counts, its days in the project's time zone. Days that the
  /// request names are in their place, in UTC as in every report here.
  func funnel(_ call: PhaseCall) throws -> JSONValue {
    let id = Int64(call.request.parameter("funnel"))
    let card = try catalog.boards(project: call.project).flatMap(\.cards).first { $0.id == id }
    guard case .chart(question: "funnel", parameters: let parameters)? = card?.content,
      let project = try catalog.project(call.project)
    else { throw PhaseFault.notFound }
    let setting = QuestionForm.Setting(project, in: catalog, nowMs: nowMs())
    let saved = try SavedQuestion(word: "funnel", query: parameters)
    guard var funnel = try saved.funnel(setting) else { throw PhaseFault.notFound }
    if Self.dayNames.contains(where: { call.request.query($0) != nil }) {
      let days = try scope(call)
      funnel.scope = funnel.scope.over(fromMs: days.fromMs, toMs: days.toMs)
    }
    let counts = try funnel.run(on: store).levels.map(\.count)
    return report(Array(zip(funnel.steps.map(\.title), counts)))
  }

  /// The built-in funnel of those who came in a time: each step is told of all of them.
  func activation(_ call: PhaseCall) throws -> JSONValue {
    let answer = try Activation(try scope(call)).run(on: store)
    return report([
      ("first_open", answer.opened), ("engaged_10m", answer.engaged),
      ("return_d1", answer.dayOne), ("return_d3", answer.dayThree),
    ])
  }

  /// Runs a funnel: `{steps: [{kind, value}], windowHours, from, to}`.
  func runFunnel(_ call: PhaseCall) throws -> JSONValue {
    let members = try Self.body(call.request)
    guard case .list(let list)? = members["steps"],
      Milestones.stepLimits.contains(list.count)
    else { throw PhaseFault.validation("steps are 2 to 6.") }
    let steps = try list.map(Self.step)
    if case .returned = steps[0].step {
      throw PhaseFault.validation("\(steps[0].name) follows another step.")
    }
    var hours: Int64 = 168
    if let value = members["windowHours"] {
      guard case .integer(let number) = value, (1...720).contains(number) else {
        throw PhaseFault.validation("windowHours is a whole number from 1 to 720.")
      }
      hours = number
    }
    let counts = try Milestones(
      try scope(call, body: members),
      steps: steps.map(\.step),
      windowMs: hours * 3_600_000
    ).run(on: store)
    return report(Array(zip(steps.map(\.name), counts)))
  }

  /// A step of a body, and what its line is called: `{"kind":"session"}`, or an event by its name under
  /// `value` or `name`.
  private static func step(
    _ value: PropertyValue
  ) throws -> (name: String, step: Milestones.Step) {
    guard case .object(let members) = value else {
      throw PhaseFault.validation("A step is an object such as {\"kind\":\"session\"}.")
    }
    let kind: String
    switch members["kind"] {
    case .text(let word)?: kind = word
    case nil: kind = "event"
    default: throw PhaseFault.validation("A step's kind is a text.")
    }
    if let step = kinds[kind] { return (kind, step) }
    guard kind == "event" else {
      let words = (kinds.keys.sorted() + ["event"]).joined(separator: ", ")
      throw PhaseFault.validation("A step's kind is one of \(words).")
    }
    guard case .text(let name)? = members["value"] ?? members["name"], !name.isEmpty else {
      throw PhaseFault.validation("A step of an event is {\"kind\":\"event\",\"value\":NAME}.")
    }
    return (name, .event(name))
  }

  private func report(_ steps: [(name: String, users: Int)]) -> JSONValue {
    func share(_ part: Int, of whole: Int) -> JSONValue {
      Self.rounded(whole == 0 ? 0 : Double(part) / Double(whole) * 100)
    }
    let rows = steps.enumerated().map { index, step -> JSONValue in
      [
        "step": .number(index + 1), "name": .text(step.name), "users": .number(step.users),
        "conversionFromStart": share(step.users, of: steps[0].users),
        "conversionFromPrevious": share(step.users, of: steps[max(0, index - 1)].users),
      ]
    }
    return ["data": .list(rows), "meta": meta()]
  }
}
