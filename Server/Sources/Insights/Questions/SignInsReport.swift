import EventRecord
internal import EventStore

extension QuestionKind {
  /// How many signed in and up, and how often that failed.
  public static let signIns = QuestionKind(
    "sign-ins",
    "Sign-ins",
    "How often people signed in, signed up, and failed to.",
    [
      Parameter(
        "sign-in",
        .text,
        "Names of sign-ins with “;” between them; the usual ones unless told."
      ),
      Parameter("sign-up", .text, "Names of sign-ups; the usual ones unless told."),
      Parameter("failure", .text, "Names of failures; the usual ones unless told."),
      compare,
    ],
    as: SignInsReport.self
  )
}

struct SignInsReport: ReportQuestion {
  /// One of the three kinds of events.
  private struct Kind {
    let parameter: String
    let title: String
    let definition: String
    /// What such events are called unless told.
    ///
    /// Source: Pinpoint's standard events; common spellings.
    let names: [String]

    static let all = [
      Kind(
        parameter: "sign-in",
        title: "Sign-ins",
        definition: "How often someone signed in",
        names: ["_userauth.sign_in", "sign_in", "Signed In", "login"]
      ),
      Kind(
        parameter: "sign-up",
        title: "Sign-ups",
        definition: "How often someone made an account",
        names: ["_userauth.sign_up", "sign_up", "Signed Up", "signup"]
      ),
      Kind(
        parameter: "failure",
        title: "Failures",
        definition: "How often signing in or up failed",
        names: ["_userauth.auth_fail", "sign_in_failed", "Sign In Failed", "login_failed"]
      ),
    ]
  }

  private let trend: Trend
  /// The names that were asked for, by kind.
  private let names: [[String]]
  private let previous: TimeRange?
  private let nowMs: Int64

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    var names: [[String]] = []
    for kind in Kind.all {
      let asked = EscapedList.parts(of: form.values[kind.parameter] ?? "", separator: ";")
        .filter { !$0.isEmpty }
      guard asked.count <= 20 else {
        throw QuestionForm.Problem(kind.parameter, "There are at most 20 names of one kind.")
      }
      names.append(asked.isEmpty ? kind.names : asked)
    }
    self.names = names
    let axis = try form.axis()
    trend = Trend(try form.scope(axis), axis: axis)
    previous = try form.previous()
    nowMs = form.setting.nowMs
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    func counted(_ trend: Trend, _ names: [String]) throws -> (Double, [Double?], [Int64]) {
      var total = 0.0
      var values: [Double] = []
      var starts: [Int64] = []
      for name in Set(names.map(ExactText.init)) {
        var trend = trend
        trend.scope.conditions.append(Condition(.name, .equals, name.text))
        let answer = try trend.run(on: store, cancellation: cancellation)
        starts = answer.bucketStartsMs
        total += answer.all.total ?? 0
        values =
          values.isEmpty
          ? answer.all.values.map { $0 ?? 0 }
          : zip(values, answer.all.values).map { $0 + ($1 ?? 0) }
      }
      return (total, values, starts)
    }
    var report = Report(
      title: "Sign-ins",
      definition: "Events by their names; events count at the time when they happened.",
      fromMs: trend.scope.fromMs,
      toMs: trend.scope.toMs,
      interval: trend.axis.interval
    )
    var lines: [Report.Line] = []
    var starts: [Int64] = []
    for (kind, names) in zip(Kind.all, names) {
      let now = try counted(trend, names)
      starts = now.2
      lines.append(Report.Line(kind.title, now.1))
      let before = try previous.map { range in
        var trend = trend
        trend.scope = trend.scope.over(fromMs: range.fromMs, toMs: range.toMs)
        return try counted(trend, names).0
      }
      report.figures.append(
        Report.Figure(
          kind.title,
          now.0,
          .count,
          "\(kind.definition): \(names.map { "“\($0)”" }.joined(separator: ", ")).",
          previous: before
        )
      )
    }
    let word = trend.axis.interval.rawValue.capitalizedFirst
    report.chart = Report.Chart(
      .lines,
      places: starts.map { .time($0) },
      unit: .count,
      lines: lines,
      isLastOpen: nowMs < trend.scope.toMs
    )
    report.tables = [
      Report.Table(
        "\(word) by \(word.lowercased())",
        [Report.Column(word, .time)] + lines.map { Report.Column($0.name, .count) },
        starts.indices.map { index in
          [.time(starts[index])] + lines.map { .number($0.values[index]) }
        }
      )
    ]
    report.isEmpty = !report.figures.contains { ($0.value ?? 0) != 0 || ($0.previous ?? 0) != 0 }
    return report
  }
}
