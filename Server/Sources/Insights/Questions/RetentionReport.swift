internal import EventStore

extension QuestionKind {
  /// Who came back, and how long after.
  public static let retention = QuestionKind(
    "retention",
    "Retention",
    "Of those who did something for the first time, how many came back, and how long after.",
    [
      Parameter("first", .text, "The event that makes someone part of a cohort; any unless told."),
      Parameter("again", .text, "The event that counts as coming back; any unless told."),
      Parameter(
        "entry",
        .choice(Retention.Entry.allCases.map(\.rawValue)),
        "Whether anyone’s first event in this time counts, or only their first ever."
      ),
      Parameter(
        "bound",
        .choice(Retention.Bound.allCases.map(\.rawValue)),
        "Whether someone must come back in a bucket, or in it or later."
      ),
      Parameter(
        "periods",
        .integer(1...Retention.maxPeriods),
        "How many buckets later are looked at."
      ),
      Parameter(
        "session",
        .integer(0...86_400),
        "Count as coming back only who began a session of at least so many seconds."
      ),
      by, Parameter("limit", .integer(1...50), "How many lines; 8 unless told."),
    ],
    as: RetentionReport.self
  )
}

struct RetentionReport: ReportQuestion {
  private let retention: Retention
  private let start: FunnelStep?
  private let comeback: FunnelStep?
  /// Since when a first event is known to be one.
  private let ever: String

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    func one(_ name: String) throws(QuestionForm.Problem) -> FunnelStep? {
      let steps = try form.steps(name)
      guard steps.count < 2 else { throw QuestionForm.Problem(name, "“\(name)” is one event.") }
      return steps.first
    }
    start = try one("first")
    comeback = try one("again")
    var axis = try form.axis(following: Retention.maxPeriods)
    if axis.interval == .hour {
      guard form.values["interval"] == nil else {
        throw QuestionForm.Problem("interval", "Retention is by day, week or month.")
      }
      axis.interval = .day
    }
    let standard = [.day: 14, .week: 12, .month: 12][axis.interval] ?? 12
    let scope = try form.scope()
    ever = try form.ever()
    retention = Retention(
      scope,
      axis: axis,
      start: start?.all ?? [],
      comeback: comeback?.all ?? [],
      entry: try form.choice("entry", default: .first),
      bound: try form.choice("bound", default: .inBucket),
      periods: try form.integer("periods", in: 1...Retention.maxPeriods, default: standard),
      // What has not come yet cannot have been missed.
      untilMs: form.setting.nowMs + 1,
      sessionMs: form.values["session"] == nil
        ? nil : Int64(try form.integer("session", in: 0...86_400, default: 0)) * 1_000,
      breakdown: try form.field("by"),
      limit: try form.integer("limit", in: 1...50, default: 8)
    )
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let answer = try retention.run(on: store, cancellation: cancellation)
    let word = retention.axis.interval.rawValue
    let noun = retention.scope.unit.noun
    var report = Report(
      title: "Retention by \(word)",
      definition: definition,
      fromMs: retention.scope.fromMs,
      toMs: retention.scope.toMs,
      interval: retention.axis.interval
    )
    let size = answer.cohorts.reduce(0) { $0 + $1.size }
    let shares = answer.returned.indices.map { after in
      answer.eligible[after] == 0
        ? nil : Double(answer.returned[after]) / Double(answer.eligible[after])
    }
    report.figures = [
      Report.Figure(
        "Cohorts’ \(noun)",
        Double(size),
        .count,
        "\(noun.capitalizedFirst) with a first event in this time."
      )
    ]
    for after in [1, 3, 7, 14, 30] where after < shares.count {
      let came =
        retention.bound == .inBucket
        ? "in the \(after.ordinal) \(word) after" : "in the \(after.ordinal) \(word) after or later"
      report.figures.append(
        Report.Figure(
          "\(word.capitalizedFirst) \(after)",
          shares[after],
          .share,
          "Came back \(came), of those for whom that \(word) is over."
        )
      )
    }
    report.chart = Report.Chart(
      .lines,
      places: shares.indices.map { .text("\(word.capitalizedFirst) \($0)") },
      unit: .share,
      lines: answer.lines.isEmpty
        ? [Report.Line("Came back", shares)]
        : titled(answer.lines.filter { $0.group != nil }).map { title, line in
          Report.Line(title, shares.indices.map { Self.share(line, after: $0) })
        }
    )
    let heads = shares.indices.dropFirst().map { Report.Column("\($0)", .share) }
    let all: [Report.Cell] = [.text("All"), .count(size)] + shares.dropFirst().map { .number($0) }
    let rows = answer.cohorts.filter { $0.size > 0 }.map { cohort -> [Report.Cell] in
      [.time(cohort.startMs), .count(cohort.size)]
        + shares.indices.dropFirst().map { after in
          guard after < cohort.returned.count else { return .number(nil) }
          return .number(Double(cohort.returned[after]) / Double(cohort.size))
        }
    }
    report.tables = [
      Report.Table(
        "Cohorts, and what share came back after 1, 2, 3 … \(word)s",
        [Report.Column("Cohort", .time), Report.Column(noun.capitalizedFirst, .count)] + heads,
        (rows.isEmpty ? [] : [all]) + rows,
        isShaded: true
      )
    ]
    if let breakdown = retention.breakdown {
      report.tables.append(
        Report.Table(
          "By \(breakdown.noun)",
          [Report.Column(breakdown.title, .text), Report.Column(noun.capitalizedFirst, .count)]
            + heads,
          titled(answer.lines).map { title, line in
            [.text(title), .count(line.size)]
              + shares.indices.dropFirst().map { .number(Self.share(line, after: $0)) }
          },
          isShaded: true
        )
      )
    }
    if answer.lines.reduce(0, { $0 + $1.size }) > size {
      report.definition += Group.overlapNote("Someone")
    }
    report.isEmpty = size == 0
    return report
  }

  private func titled(_ lines: [Retention.Line]) -> [(String, Retention.Line)] {
    Array(zip(Group.titles(lines.map(\.group)), lines))
  }

  private static func share(_ line: Retention.Line, after: Int) -> Double? {
    guard after < line.returned.count, line.eligible[after] > 0 else { return nil }
    return Double(line.returned[after]) / Double(line.eligible[after])
  }

  private var definition: String {
    let word = retention.axis.interval.rawValue
    let first = start.map { "“\($0.title)”" } ?? "anything"
    let again = comeback.map { "“\($0.title)”" } ?? "anything"
    let entry = retention.entry == .new ? ever : "in this time"
    // What the choice that nobody made means is said, too.
    let came =
      retention.bound == .inBucket
      ? "came back in a later \(word) when they did \(again) in just that \(word), whatever they did in the others"
      : "came back in a later \(word) or after it when they did \(again) then or at any time later"
    let session =
      retention.sessionMs.map {
        " Only the start of a session of at least \($0 / 1_000) seconds counts\(comeback == nil ? "" : ", with such an event in it")."
      }
      ?? ""
    return "A cohort is everyone who did \(first) for the first time \(entry) in the same \(word). "
      + "They \(came). The present \(word) is shown as far as it has come, and left out of what is told of all cohorts together.\(session) "
      + retention.scope.unit.definition
  }
}

extension Int {
  /// The number as an English ordinal.
  fileprivate var ordinal: String {
    switch (self % 10, self % 100) {
    case (1, 1), (1, 21...): "\(self)st"
    case (2, 2), (2, 22...): "\(self)nd"
    case (3, 3), (3, 23...): "\(self)rd"
    default: "\(self)th"
    }
  }
}
