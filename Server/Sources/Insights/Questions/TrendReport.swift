internal import EventStore

extension QuestionKind {
  /// How often something happened, or to how many.
  public static let trend = QuestionKind(
    "trend",
    "Trends",
    "How often something happened, to how many, or what a property came to, over time.",
    [
      Parameter(
        "events",
        .text,
        "Names of events with “;” between them, each with conditions after “|”; all unless told."
      ),
      Parameter(
        "measure",
        .choice(TrendReport.measures),
        "What is measured."
      ),
      Parameter("property", .text, "The property whose numbers are taken together."),
      Parameter(
        "formula",
        .text,
        "A calculation over the events, A being the first: such as A / B * 100."
      ),
      by, Parameter("limit", .integer(1...50), "How many lines; 8 unless told."), compare,
    ],
    as: TrendReport.self
  )
}

struct TrendReport: ReportQuestion {
  private let trends: [(step: FunnelStep?, trend: Trend)]
  private let formula: Formula?
  private let previous: TimeRange?
  private let nowMs: Int64

  /// What can be measured, as it is asked for.
  static let measures =
    ["events", "people", "per-person", perSession] + Trend.Aggregate.allCases.map(\.rawValue)

  private static let perSession = "per-session"
  /// The sessions of these events are what numbers are divided by; nil for none.
  private let sessions: SessionTrend?
  private static let maxEvents = Formula.maxSeries

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let axis = try form.axis()
    let scope = try form.scope(axis)
    let measure = try Self.measure(form)
    let breakdown = try form.field("by")
    let limit = try form.integer("limit", in: 1...50, default: 8)
    let steps = try form.steps("events")
    guard steps.count <= Self.maxEvents else {
      throw QuestionForm.Problem("events", "There are at most \(Self.maxEvents) events in a trend.")
    }
    guard steps.count < 2 || breakdown == nil else {
      throw QuestionForm.Problem("by", "“by” goes together with one event only.")
    }
    let asked: [FunnelStep?] = steps.isEmpty ? [nil] : steps
    trends = asked.map { step in
      var scope = scope
      scope.conditions += step?.all ?? []
      return (
        step, Trend(scope, axis: axis, measure: measure, breakdown: breakdown, limit: limit)
      )
    }
    formula = try Self.formula(form, events: asked.count)
    sessions =
      form.values["measure"] == Self.perSession ? SessionTrend(scope.whateverDone, axis: axis) : nil
    guard sessions == nil || breakdown == nil else {
      throw QuestionForm.Problem("by", "“by” does not go together with “\(Self.perSession)”.")
    }
    previous = try form.previous()
    nowMs = form.setting.nowMs
  }

  private static func formula(
    _ form: QuestionForm,
    events: Int
  ) throws(QuestionForm.Problem) -> Formula? {
    guard let text = form.values["formula"] else { return nil }
    let formula: Formula
    do throws(Formula.Problem) { formula = try Formula(text) } catch {
      throw QuestionForm.Problem("formula", error.description)
    }
    guard formula.seriesCount <= events else {
      throw QuestionForm.Problem(
        "formula",
        "The formula names \(Formula.letter(formula.seriesCount - 1)), but there are only \(events) events."
      )
    }
    guard form.values["by"] == nil else {
      throw QuestionForm.Problem("by", "“by” does not go together with a formula.")
    }
    return formula
  }

  private static func measure(_ form: QuestionForm) throws(QuestionForm.Problem) -> Trend.Measure {
    switch form.values["measure"] ?? "events" {
    case "events", perSession: return .events
    case "people": return .people
    case "per-person": return .eventsPerPerson
    case let word:
      guard let aggregate = Trend.Aggregate(rawValue: word) else {
        throw QuestionForm.Problem(
          "measure",
          "“measure” is one of \(measures.joined(separator: ", ")), not “\(word.prefix(100))”."
        )
      }
      guard let property = form.values["property"] else {
        throw QuestionForm.Problem("property", "“\(word)” needs a property.")
      }
      return .property(property, aggregate)
    }
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let asked = trends[0].trend
    var report = Report(
      title: sessions == nil ? asked.measure.title(asked.scope.unit) : "Events per session",
      definition: definition,
      fromMs: asked.scope.fromMs,
      toMs: asked.scope.toMs,
      interval: asked.axis.interval
    )
    var starts: [Int64] = []
    var lines: [Report.Line] = []
    var earlier: [Report.Line] = []
    var overlaps = false
    for (step, trend) in trends {
      var answer = try trend.run(on: store, cancellation: cancellation)
      answer.all = try perSession(answer.all, trend.scope, store, cancellation)
      starts = answer.bucketStartsMs
      let name = step?.title ?? "All events"
      let before = try previous.map { range in
        var trend = trend
        trend.scope = trend.scope.over(fromMs: range.fromMs, toMs: range.toMs)
        trend.breakdown = nil
        let all = try trend.run(on: store, cancellation: cancellation).all
        return try perSession(all, trend.scope, store, cancellation)
      }
      report.figures.append(
        Report.Figure(
          trends.count == 1 ? report.title : name,
          answer.all.total,
          sessions == nil ? trend.measure.unit : .number,
          definition(trend),
          previous: before?.total
        )
      )
      if trend.breakdown == nil {
        lines.append(Report.Line(name, answer.all.values))
      } else {
        lines += zip(Group.titles(answer.lines.map(\.group)), answer.lines).map {
          Report.Line($0, $1.values)
        }
        report.tables.append(groups(answer, trend))
        if trend.measure.isSummable { overlaps = overlaps || answer.overlaps }
      }
      if let before {
        earlier += Report.earlier(
          name,
          before.values,
          in: previous,
          beside: starts,
          trend.axis
        )
      }
    }
    if let formula { apply(formula, &report, &lines, &earlier) }
    let unit: Report.Unit = formula == nil && sessions == nil ? asked.measure.unit : .number
    if let change = change(lines, starts) { report.figures.append(change) }
    report.chart = Report.Chart(
      asked.breakdown != nil && asked.measure.isSummable && !overlaps ? .stack : .lines,
      places: starts.map { .time($0) },
      unit: unit,
      lines: lines + earlier,
      isLastOpen: nowMs < asked.scope.toMs
    )
    if overlaps { report.definition += Group.overlapNote("An event") }
    report.tables.insert(buckets(starts, lines + earlier, unit), at: 0)
    report.isEmpty = !report.figures.contains { ($0.value ?? 0) != 0 || ($0.previous ?? 0) != 0 }
    return report
  }

  /// The numbers divided by the sessions that began in the time, where that was asked for.
  private func perSession(
    _ line: Trend.Line,
    _ scope: Scope,
    _ store: any EventStore,
    _ cancellation: Cancellation?
  ) throws -> Trend.Line {
    guard var sessions else { return line }
    sessions.scope = sessions.scope.over(fromMs: scope.fromMs, toMs: scope.toMs)
    let answer = try sessions.run(on: store, cancellation: cancellation)
    func divided(_ value: Double?, _ sum: SessionTrend.Sum) -> Double? {
      sum.count == 0 ? nil : value.map { $0 / Double(sum.count) }
    }
    var line = line
    line.total = divided(line.total, answer.all)
    line.values = zip(line.values, answer.buckets).map { divided($0, $1) }
    return line
  }

  private func definition(_ trend: Trend) -> String {
    let isNarrowed = sessions.map { !$0.scope.conditions.isEmpty } ?? false
    let among = isNarrowed ? ", with the same filters on people, app and device" : ""
    return sessions == nil
      ? trend.measure.definition(trend.scope.unit)
      : "Events divided by all sessions that began in the same time, whatever was done in them\(among)."
  }

  /// Puts what the formula comes to in the place of what it is made of.
  private func apply(
    _ formula: Formula,
    _ report: inout Report,
    _ lines: inout [Report.Line],
    _ earlier: inout [Report.Line]
  ) {
    func line(_ lines: [Report.Line], _ name: String, isPrevious: Bool) -> [Report.Line] {
      guard let count = lines.map(\.values.count).max() else { return [] }
      let values = (0..<count).map { place in formula.value(lines.map { $0.values[place] }) }
      return [Report.Line(name, values, isPrevious: isPrevious)]
    }
    let parts = report.figures.indices.map {
      "\(Formula.letter($0)) is \($0 < lines.count ? lines[$0].name : "")"
    }
    lines = line(lines, formula.text, isPrevious: false)
    earlier = line(earlier, "\(formula.text), period before", isPrevious: true)
    let before = report.figures.map(\.previous)
    report.figures.insert(
      Report.Figure(
        formula.text,
        formula.value(report.figures.map(\.value)),
        .number,
        "Calculated from the whole time’s numbers: \(parts.joined(separator: "; ")). "
          + "Where something is divided by zero there is no value.",
        previous: previous == nil ? nil : formula.value(before)
      ),
      at: 0
    )
    report.title = formula.text
  }

  /// How much the last bucket that is over differs from the first whole one; of one line only.
  private func change(_ lines: [Report.Line], _ starts: [Int64]) -> Report.Figure? {
    guard lines.count == 1, let values = lines.first?.values else { return nil }
    let trend = trends[0].trend
    let whole = zip(starts, values).filter { start, _ in
      start >= trend.scope.fromMs && trend.axis.next(after: start) <= min(trend.scope.toMs, nowMs)
    }
    return Report.Figure.change(whole.map(\.1), trend.axis.interval)
  }

  private var definition: String {
    let trend = trends[0].trend
    let what = definition(trend)
    let by = trend.breakdown.map { " Broken down by \($0.noun)." } ?? ""
    return what + by + " Events count at the time when they happened."
  }

  private func buckets(
    _ starts: [Int64],
    _ lines: [Report.Line],
    _ unit: Report.Unit
  ) -> Report.Table {
    Report.Table(
      trends[0].trend.axis.interval.rawValue.capitalizedFirst + " by "
        + trends[0].trend.axis.interval.rawValue,
      [Report.Column(trends[0].trend.axis.interval.rawValue.capitalizedFirst, .time)]
        + lines.map { Report.Column($0.name, unit) },
      starts.indices.map { index in [.time(starts[index])] + lines.map { .number($0.values[index]) }
      }
    )
  }

  private func groups(_ answer: Trend.Output, _ trend: Trend) -> Report.Table {
    let whole = answer.all.total ?? 0
    let hasShare = trend.measure.isAdded && whole != 0
    return Report.Table(
      "By \(trend.breakdown?.noun ?? "")",
      [
        Report.Column(trend.breakdown?.title ?? "", .text),
        Report.Column(trend.measure.title(trend.scope.unit), trend.measure.unit),
      ] + (hasShare ? [Report.Column("Share", .share)] : []),
      zip(Group.titles(answer.lines.map(\.group)), answer.lines).map { title, line in
        [.text(title), .number(line.total)]
          + (hasShare ? [.number(line.total.map { $0 / whole })] : [])
      }
    )
  }
}

extension Trend.Output {
  /// Whether the lines come to more or less than everything together, rounding aside: something counts in
  /// several of them.
  fileprivate var overlaps: Bool {
    let totals = lines.compactMap(\.total)
    let difference = totals.reduce(0, +) - (all.total ?? 0)
    return abs(difference) > 1e-9 * totals.reduce(0) { $0 + abs($1) }
  }
}

extension Trend.Measure {
  /// Whether lines that share nothing add up to the whole.
  fileprivate var isSummable: Bool { isAdded && self != .people }

  /// What the measure is called.
  func title(_ unit: Scope.Unit) -> String {
    switch self {
    case .events: "Events"
    case .people: unit.noun.capitalizedFirst
    case .eventsPerPerson: "Events per \(unit == .people ? "person" : String(unit.noun.dropLast()))"
    case .property(let name, let aggregate): "\(aggregate.rawValue.capitalizedFirst) of \(name)"
    }
  }

  /// What its numbers are.
  var unit: Report.Unit {
    switch self {
    case .events, .people: .count
    case .eventsPerPerson, .property: .number
    }
  }

  /// How it is defined.
  func definition(_ unit: Scope.Unit) -> String {
    switch self {
    case .events: "How many events there were."
    case .people: "How many different \(unit.noun) did it, each counted once. \(unit.definition)"
    case .eventsPerPerson: "Events divided by the different \(unit.noun) that did them."
    case .property(let name, .sum): "All numbers of “\(name)” added up."
    case .property(let name, .average):
      "The average number of “\(name)” over the events that have one."
    case .property(let name, .minimum): "The smallest number of “\(name)”."
    case .property(let name, .maximum): "The largest number of “\(name)”."
    case .property(let name, let aggregate):
      "\(Int(((aggregate.share ?? 0.5) * 100).rounded())) % of the events that have a number in “\(name)” have this or less."
    }
  }
}
