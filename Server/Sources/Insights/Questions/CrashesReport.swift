internal import EventStore

extension QuestionKind {
  /// How often the app crashed, for whom, and why.
  public static let crashes = QuestionKind(
    "crashes",
    "Crashes",
    "How often the app crashed, for how many, in which versions, and what the crashes have in common.",
    [
      by, Parameter("limit", .integer(1...50), "How many lines; 8 unless told."), compare,
    ],
    as: CrashesReport.self
  )
}

struct CrashesReport: ReportQuestion {
  private let trend: Trend
  private let groups: Crashes
  private let free: CrashFree
  private let previous: TimeRange?
  private let nowMs: Int64

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let axis = try form.axis()
    let scope = try form.scope(axis)
    trend = Trend(
      scope.with(.name(CrashSignature.eventName)),
      axis: axis,
      measure: .events,
      breakdown: try form.field("by"),
      limit: try form.integer("limit", in: 1...50, default: 8)
    )
    groups = Crashes(scope, axis: trend.axis)
    free = CrashFree(scope)
    previous = try form.previous()
    nowMs = form.setting.nowMs
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let answer = try trend.run(on: store, cancellation: cancellation)
    let groups = try groups.run(on: store, cancellation: cancellation)
    let free = try free.run(on: store, cancellation: cancellation)
    let before = try previous.map { range in
      var earlier = self.free
      earlier.scope = earlier.scope.over(fromMs: range.fromMs, toMs: range.toMs)
      var crashes = trend
      crashes.scope = crashes.scope.over(fromMs: range.fromMs, toMs: range.toMs)
      crashes.breakdown = nil
      return (
        try earlier.run(on: store, cancellation: cancellation),
        try crashes.run(on: store, cancellation: cancellation).all
      )
    }
    let noun = trend.scope.unit.noun
    let such = self.free.isNarrowed ? "such " : ""
    var report = Report(
      title: "Crashes",
      definition:
        "How many events “\(CrashSignature.eventName)” there were, by the time of the crash. A crash is told at the app’s next start, so the last days are not complete.",
      fromMs: trend.scope.fromMs,
      toMs: trend.scope.toMs,
      interval: trend.axis.interval
    )
    report.figures = [
      Report.Figure(
        "Crashes",
        answer.all.total,
        .count,
        "How many crashes were told.",
        previous: before?.1.total
      ),
      Report.Figure(
        "\(noun.capitalizedFirst) affected",
        Double(free.crashedPeople),
        .count,
        "How many different \(noun) met one. \(trend.scope.unit.definition)",
        previous: before.map { Double($0.0.crashedPeople) }
      ),
      Report.Figure(
        "Crash-free \(noun)",
        free.peopleShare,
        .share,
        "Of all \(noun) with an event, whatever it was, the share that met no \(such)crash.",
        previous: before?.0.peopleShare
      ),
      Report.Figure(
        "Crash-free sessions",
        free.sessionShare,
        .share,
        "Of all sessions with an event, whatever it was, the share without \(such.isEmpty ? "a" : "such a") crash.",
        previous: before?.0.sessionShare
      ),
    ]
    let lines =
      trend.breakdown == nil
      ? [Report.Line("Crashes", answer.all.values)]
      : zip(Group.titles(answer.lines.map(\.group)), answer.lines).map {
        Report.Line($0, $1.values)
      }
    report.chart = Report.Chart(
      .stack,
      places: answer.bucketStartsMs.map { .time($0) },
      unit: .count,
      lines: lines
        + Report.earlier(
          "Crashes",
          before?.1.values,
          in: previous,
          beside: answer.bucketStartsMs,
          trend.axis
        ),
      isLastOpen: nowMs < trend.scope.toMs
    )
    let word = trend.axis.interval.rawValue
    report.tables = [
      Report.Table(
        "\(word.capitalizedFirst) by \(word)",
        [Report.Column(word.capitalizedFirst, .time)]
          + lines.map { Report.Column($0.name, .count) },
        answer.bucketStartsMs.enumerated().map { index, start in
          [.time(start)] + lines.map { .number($0.values[index]) }
        }
      ), table(groups),
    ]
    report.isEmpty = (answer.all.total ?? 0) == 0
    return report
  }

  private func table(_ groups: [Crashes.Group]) -> Report.Table {
    Report.Table(
      "What they have in common",
      [
        Report.Column("Exception", .text), Report.Column("Where", .text),
        Report.Column("Crashes", .count),
        Report.Column("\(trend.scope.unit.noun.capitalizedFirst)", .count),
        Report.Column("Versions", .text),
      ],
      groups.prefix(Self.shownGroups).map { group in
        [
          .text(group.signature.exception), .text(group.signature.frame), .count(group.count),
          .count(group.people),
          .text(group.versions.map(\.version).filter { !$0.isEmpty }.joined(separator: ", ")),
        ]
      } + others(groups.dropFirst(Self.shownGroups))
    )
  }

  private static let shownGroups = 500

  /// What is behind the last row, so that no crash is left out without a word.
  private func others(_ groups: ArraySlice<Crashes.Group>) -> [[Report.Cell]] {
    guard !groups.isEmpty else { return [] }
    let crashes = groups.reduce(0) { $0 + $1.count }
    return [
      [.text("All \(groups.count) others"), .text(""), .count(crashes), .number(nil), .text("")]
    ]
  }
}
