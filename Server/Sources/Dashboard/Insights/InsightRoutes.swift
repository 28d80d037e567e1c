import Catalog
import EventStore
import Foundation
import HTTPServing
import Insights

extension DashboardSite {
  func installInsights(in router: inout Router) {
    router.get(
      "/projects/:id/insights",
      handler: signedIn(.viewEvents) { try self.question(.trend, $0, $1) }
    )
    for kind in QuestionKind.all {
      router.get(
        "/projects/:id/insights/\(kind.word)",
        handler: signedIn(.viewEvents) { try self.question(kind, $0, $1) }
      )
      router.post(
        "/projects/:id/insights/\(kind.word)/stop",
        handler: signedInForm(.viewEvents) { try self.stop(kind, $0, $1) }
      )
    }
  }

  private func question(
    _ kind: QuestionKind,
    _ request: Request,
    _ visitor: Visitor
  ) throws -> Reply {
    let project = try project(request)
    let asked = AskedQuestion(kind, request)
    let controls = QuestionControls(
      kind: kind,
      project: project.id,
      values: asked.values,
      reckoning: project.reckoning,
      segments: try catalog.segments(project: project.id).map { ("\($0.id)", $0.name) }
    )
    if asked.isGathered {
      return .now(.redirect(to: controls.address(["format": ""]).text))
    }
    let own = asked.values.filter { name, _ in kind.parameters.contains { $0.name == name } }
    let form = QuestionForm(own, setting(of: project))
    var page = QuestionPage(project: project, kind: kind, controls: controls)
    if kind.word == "funnel", own["steps"] == nil {
      page.hint = "Name two events or more, in the order in which people should come to them."
      return .now(self.page(page, in: try frame(visitor, project, .insights)))
    }
    var wrong: QuestionForm.Problem?
    // What a page is put into whole; a part that the script asks for is one of it.
    let run = request.query("run")
    do {
      if let problem = asked.problem { throw problem }
      if request.query("format") == "csv" {
        let isWanted: @Sendable () -> Bool = { !request.isAbandoned }
        let report = try kind.report(form, on: store, cancellation: Cancellation(while: isWanted))
        return .now(Self.csv(report, kind))
      }
      switch try answer(kind, form, controls, run, visitor) {
      case .report(let report):
        page.report = report
        page.unknown = try unknown(own, report, controls)
        page.saving = try saving(kind, own, report, project, visitor)
      case .waiting(let view): page.waiting = view
      }
      return .now(self.page(page, in: try frame(visitor, project, .insights)))
    } catch let problem as QuestionForm.Problem {
      page.problem = problem.description
      wrong = problem
    } catch StoreError.cancelled {
      page.problem = "The question was stopped."
    } catch StoreError.crowded {
      page.problem = QuestionRuns.crowded.description
    } catch StoreError.needsMemory(let limit) {
      page.problem = StoreError.needsMemory(limit: limit).description
    } catch StoreError.timedOut(let seconds) {
      page.problem =
        "This took longer than \(Int(seconds)) seconds and was stopped. A shorter time or fewer events answer sooner."
    }
    // A page that is waited for is shown as it is, and puts what is wrong in its place.
    let status = run == nil ? 422 : 200
    let answer = Reply.now(
      self.page(page, in: try frame(visitor, project, .insights), status: status)
    )
    // A page whose answer alone is looked at says it there.
    guard run == nil, let wrong else { return answer }
    return answer.beside(Self.field(of: wrong), wrong.description, of: request)
  }

  /// The field of the form in which something is wrong: some are put together of several.
  private static func field(of problem: QuestionForm.Problem) -> String {
    switch problem.name {
    case "where": "f"
    case "steps": "s1"
    default: problem.name
    }
  }

  /// What nothing was found of may be called otherwise.
  private func unknown(
    _ values: [String: String],
    _ report: Report,
    _ controls: QuestionControls
  ) throws -> HTML? {
    guard report.hasNothing, values.keys.contains(where: UnknownNames.parameters.contains) else {
      return nil
    }
    return UnknownNames(asked: values, known: try names(of: controls.project)).html(
      all: Address("projects", "\(controls.project)", "catalogue")
    ) { controls.address([$0: $1]) }
  }

  /// The names of a project's events, the most frequent first.
  func names(of project: UInt32) throws -> [String] {
    try EventNames(project: project, includesTest: true, limit: 10_000).run(on: store)
      .map(\.name)
  }

  private enum Answer {
    case report(Report)
    case waiting(WaitingView)
  }

  /// Asks, or looks after what was asked before under the name `run`.
  private func answer(
    _ kind: QuestionKind,
    _ form: QuestionForm,
    _ controls: QuestionControls,
    _ run: String?,
    _ visitor: Visitor
  ) throws -> Answer {
    let address = controls.address(["format": ""])
    let name = QuestionRuns.Name(
      visitor: visitor.session,
      question: address.text,
      run: run ?? FormToken.newCookie() ?? ""
    )
    let patience = settings.answerPatienceSeconds
    var standing = QuestionRuns.Standing.unknown
    if run != nil { standing = questionRuns.standing(of: name, waitingSeconds: patience) }
    if case .unknown = standing {
      let ask = try kind.prepared(form)
      try questionRuns.start(name) { [store] cancellation in try ask(store, cancellation) }
      standing = questionRuns.standing(of: name, waitingSeconds: patience)
    }
    switch standing {
    case .over(let outcome): return .report(try outcome.get())
    case .unknown: throw StoreError.cancelled
    case .running(let fraction, let seconds):
      return .waiting(
        WaitingView(
          again: address.with("run", name.run),
          stop: controls.stopAddress,
          run: name.run,
          formToken: visitor.formToken,
          fraction: fraction,
          seconds: seconds,
          isFirst: run == nil
        )
      )
    }
  }

  /// Stops a question that is being answered, and shows its page again.
  private func stop(_ kind: QuestionKind, _ request: Request, _ visitor: Visitor) throws -> Reply {
    let project = try project(request)
    let asked = AskedQuestion(kind, request)
    let controls = QuestionControls(
      kind: kind,
      project: project.id,
      values: asked.values,
      reckoning: project.reckoning
    )
    let address = controls.address(["format": ""])
    let run = request.form("run") ?? ""
    questionRuns.stop(
      QuestionRuns.Name(visitor: visitor.session, question: address.text, run: run)
    )
    return .now(.redirect(to: address.with("run", run).text))
  }

  /// Saves what was asked to a board, for those who may.
  private func saving(
    _ kind: QuestionKind,
    _ values: [String: String],
    _ report: Report,
    _ project: Project,
    _ visitor: Visitor
  ) throws -> HTML? {
    guard visitor.user.role.may(.manageBoards) else { return nil }
    return SaveMenu(
      visitor: visitor,
      project: project.id,
      boards: try catalog.boards(project: project.id),
      question: SavedQuestion(kind, values),
      title: report.title,
      mayAlert: report.chart?.places.contains { if case .time = $0 { true } else { false } } == true
    ).html
  }

  private static func csv(_ report: Report, _ kind: QuestionKind) -> Response {
    Response(
      headers: [
        Header("Content-Type", "text/csv; charset=utf-8"),
        Header("Content-Disposition", "attachment; filename=\"\(kind.word).csv\""),
      ],
      body: Array(report.csv.utf8)
    )
  }
}

/// What an address asks, with the parts of steps and conditions put together.
struct AskedQuestion {
  /// What a question is asked with, by name.
  private(set) var values: [String: String] = [:]
  /// Whether parts were put together: the address can be said shorter.
  private(set) var isGathered = false

  private static let maxLength = 8_000
  /// What is longer than anything can be that a question is asked with.
  private(set) var tooLong: String?

  /// Without the spaces around it, but for one that a backslash says is meant.
  private static func trimmed(_ text: String) -> String {
    let text = text.drop { $0 == " " || $0 == "\t" }
    let end =
      text.lastIndex { $0 != " " && $0 != "\t" }.map { text.index(after: $0) } ?? text.startIndex
    let isMeant =
      text[..<end].reversed().prefix { $0 == "\\" }.count % 2 == 1 && end < text.endIndex
    return String(text[..<(isMeant ? text.index(after: end) : end)])
  }

  /// What is wrong before anything is asked.
  var problem: QuestionForm.Problem? {
    if let tooLong {
      return QuestionForm.Problem(
        tooLong,
        "“\(tooLong)” has more than \(Self.maxLength.grouped) characters; ask with fewer or shorter texts."
      )
    }
    guard values["v"] != nil, values["f"] == nil else { return nil }
    return QuestionForm.Problem(
      "f",
      "“Only where” has a value, but no field that it is compared with."
    )
  }

  init(_ kind: QuestionKind, _ request: Request) {
    let known = kind.parameters.map(\.name) + QuestionControls.parts + QuestionControls.stepNames
    for (name, value) in request.queryItems where known.contains(name) {
      let value = Self.trimmed(value)
      // Cut short it would ask something else.
      if value.count > Self.maxLength { tooLong = tooLong ?? name }
      if !value.isEmpty { values[name] = value }
    }
    // A date that was filled in goes before a range that is always chosen.
    if values["from"] != nil || values["to"] != nil { values["range"] = nil }
    gatherSteps(kind, request)
    gatherCondition()
  }

  private mutating func gatherSteps(_ kind: QuestionKind, _ request: Request) {
    guard kind.word == "funnel" else { return }
    let names = QuestionControls.stepNames
    guard request.queryItems.contains(where: { names.contains($0.name) }) else { return }
    isGathered = true
    values["steps"] = EscapedList.text(of: names.compactMap { values[$0] }, separator: ";")
    if values["steps"] == "" { values["steps"] = nil }
    for name in names { values[name] = nil }
  }

  private mutating func gatherCondition() {
    guard let field = values["f"] else { return }
    let word = values["op"] ?? Condition.Comparison.equals.rawValue
    guard let comparison = Condition.Comparison(rawValue: word),
      !comparison.takesValue || values["v"] != nil
    else { return }
    isGathered = true
    let text = "\(field):\(comparison.rawValue)" + (values["v"].map { ":" + $0 } ?? "")
    let old = EscapedList.parts(of: values["where"] ?? "", separator: ";")
    values["where"] = EscapedList.text(of: old + [text], separator: ";")
    for part in QuestionControls.parts { values[part] = nil }
  }
}
