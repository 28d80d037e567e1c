internal import EventStore

extension QuestionKind {
  /// How many sessions there were, and how long they were.
  public static let sessions = QuestionKind(
    "sessions",
    "Sessions",
    "How many sessions there were, how long they were, and which were over at once or passive.",
    [
      Parameter(
        "minimum",
        .integer(0...86_400),
        "How many seconds a session must have to count; 0 unless told."
      ),
      Parameter(
        "bounce",
        .integer(1...86_400),
        "Below how many seconds a session bounced; 20 unless told."
      ),
      by, Parameter("limit", .integer(1...50), "How many lines; 8 unless told."), compare,
    ],
    as: SessionsReport.self
  )
}

struct SessionsReport: ReportQuestion {
  private let sessions: SessionTrend
  private let previous: TimeRange?
  private let nowMs: Int64

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let axis = try form.axis()
    sessions = SessionTrend(
      try form.scope(axis),
      axis: axis,
      minimumMs: Int64(try form.integer("minimum", in: 0...86_400, default: 0)) * 1_000,
      bounceMs: Int64(try form.integer("bounce", in: 1...86_400, default: 20)) * 1_000,
      breakdown: try form.field("by"),
      limit: try form.integer("limit", in: 1...50, default: 8)
    )
    previous = try form.previous()
    nowMs = form.setting.nowMs
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let answer = try sessions.run(on: store, cancellation: cancellation)
    let before = try previous.map { range in
      var sessions = sessions
      sessions.scope = sessions.scope.over(fromMs: range.fromMs, toMs: range.toMs)
      return try sessions.run(on: store, cancellation: cancellation)
    }
    var report = Report(
      title: "Sessions",
      definition: definition,
      fromMs: sessions.scope.fromMs,
      toMs: sessions.scope.toMs,
      interval: sessions.axis.interval
    )
    report.figures = figures(answer.all, before?.all)
    var lines = [
      Report.Line("Active", answer.buckets.map { Double($0.count - $0.passive) }),
      Report.Line("Passive", answer.buckets.map { Double($0.passive) }),
    ]
    if answer.all.passive == 0 { lines = [Report.Line("Sessions", lines[0].values)] }
    report.chart = Report.Chart(
      .stack,
      places: answer.bucketStartsMs.map { .time($0) },
      unit: .count,
      lines: lines
        + Report.earlier(
          "Sessions",
          before?.buckets.map { Double($0.count) },
          in: previous,
          beside: answer.bucketStartsMs,
          sessions.axis
        ),
      isLastOpen: nowMs < sessions.scope.toMs
    )
    report.watched = answer.buckets.map { Double($0.count) }
    let word = sessions.axis.interval.rawValue.capitalizedFirst
    report.tables = [
      Report.Table(
        "\(word) by \(word.lowercased())",
        [Report.Column(word, .time)] + Self.columns,
        zip(answer.bucketStartsMs, answer.buckets).map { [.time($0)] + Self.cells($1) }
      )
    ]
    if let breakdown = sessions.breakdown {
      report.tables.append(
        Report.Table(
          "By \(breakdown.noun)",
          [Report.Column(breakdown.title, .text)] + Self.columns,
          zip(Group.titles(answer.lines.map(\.group)), answer.lines).map {
            [.text($0)] + Self.cells($1.sum)
          }
        )
      )
    }
    if answer.lines.reduce(0, { $0 + $1.sum.count }) > answer.all.count {
      report.definition += Group.overlapNote("A session")
    }
    report.isEmpty = answer.all.count == 0 && (before?.all.count ?? 0) == 0
    return report
  }

  private var definition: String {
    let least =
      sessions.minimumMs > 0
      ? " Sessions shorter than \(sessions.minimumMs / 1_000) seconds do not count." : ""
    let what = sessions.scope.hasSessionsOfDevices ? "happened on one device" : "one person did"
    return "A session is what \(what) under one session id; it counts when it began. "
      + "It is passive when the app was never in front.\(least)\(asked)"
  }

  /// Whose sessions are.
  private var holders: String { sessions.scope.hasSessionsOfDevices ? "devices" : "people" }

  /// What a filter does to sessions.
  private var asked: String {
    sessions.scope.conditions.isEmpty
      ? ""
      : " With a filter a session counts as a whole when one of its events meets all of it."
  }

  private func figures(_ sum: SessionTrend.Sum, _ before: SessionTrend.Sum?) -> [Report.Figure] {
    let overlong =
      sum.overlong == 0
      ? ""
      : " \(sum.overlong) that \(sum.overlong == 1 ? "seems" : "seem") to be longer than a week \(sum.overlong == 1 ? "is" : "are") left out: a clock was set in between."
    func figure(
      _ title: String,
      _ unit: Report.Unit,
      _ definition: String,
      _ value: (SessionTrend.Sum) -> Double?
    ) -> Report.Figure {
      Report.Figure(title, value(sum), unit, definition, previous: before.flatMap(value))
    }
    return [
      figure("Sessions", .count, "How many began in this time.") { Double($0.count) },
      figure(
        "Average length",
        .duration,
        "From a session’s first to its last event or ping.\(overlong)"
      ) {
        $0.averageLengthMs
      },
      figure(
        "Bounce rate",
        .share,
        "The share that was shorter than \(sessions.bounceMs / 1_000) seconds."
      ) {
        Self.ratio(Double($0.bounces), $0.count)
      },
      figure(
        sessions.scope.hasSessionsOfDevices ? "Per device" : "Per person",
        .number,
        "Sessions divided by the different \(holders) they were of."
      ) {
        Self.ratio(Double($0.count), $0.people)
      },
      figure(
        "Passive",
        .share,
        "The share in which the app was never in front, by what events say in “app_state”."
      ) {
        Self.ratio(Double($0.passive), $0.count)
      },
      figure(
        "Crash-free",
        .share,
        "The share without an event “app_crashed”."
      ) {
        Self.ratio(Double($0.count - $0.crashed), $0.count)
      },
      figure(
        "In front per session",
        .duration,
        "How long the app was in front, by what events say in “engaged_ms”."
      ) {
        $0.engagedMs == 0 ? nil : Self.ratio($0.engagedMs, $0.count)
      },
    ]
  }

  private static func ratio(_ part: Double, _ whole: Int) -> Double? {
    whole == 0 ? nil : part / Double(whole)
  }

  private static let columns = [
    Report.Column("Sessions", .count), Report.Column("People", .count),
    Report.Column("Average length", .duration), Report.Column("Bounce rate", .share),
    Report.Column("Passive", .count), Report.Column("Crash-free", .share),
  ]

  private static func cells(_ sum: SessionTrend.Sum) -> [Report.Cell] {
    [
      .count(sum.count), .count(sum.people), .number(sum.averageLengthMs),
      .number(ratio(Double(sum.bounces), sum.count)), .count(sum.passive),
      .number(ratio(Double(sum.count - sum.crashed), sum.count)),
    ]
  }
}
