internal import EventStore

extension QuestionKind {
  /// How many took one step after the other.
  public static let funnel = QuestionKind(
    "funnel",
    "Funnels",
    "How many took one step after the other, where the rest dropped out, and how long it took.",
    [
      Parameter(
        "steps",
        .text,
        "Names of 2 to 10 events with “;” between them, each with conditions after “|”."
      ),
      Parameter(
        "order",
        .choice(Funnel.Order.allCases.map(\.rawValue)),
        "In what order steps are taken."
      ),
      Parameter("window", .integer(1...8_760), "Within how many hours; 168 unless told."),
      Parameter(
        "window-from",
        .choice(Funnel.Window.allCases.map(\.rawValue)),
        "Whether that is from the first step or from the step before."
      ),
      Parameter(
        "without",
        .text,
        "Events that end the way of whoever does them between two steps."
      ),
      Parameter(
        "same",
        .text,
        "What must be the same in all steps, such as props.product: a field as in “by”."
      ),
      by, Parameter("limit", .integer(1...50), "How many lines; 8 unless told."),
      Parameter("people", .integer(1...10), "The step whose people are listed."),
      Parameter(
        "people-who",
        .choice(FunnelReport.Who.allCases.map(\.rawValue)),
        "Whether those who dropped out after it or who took it."
      ),
    ],
    as: FunnelReport.self
  )
}

extension SavedQuestion {
  /// The funnel that is asked for, without its lines; nil for a question of another kind.
  ///
  /// - Throws: `QuestionForm.Problem` when it cannot be asked any more.
  public func funnel(_ setting: QuestionForm.Setting) throws(QuestionForm.Problem) -> Funnel? {
    guard kind.word == QuestionKind.funnel.word else { return nil }
    var funnel = try FunnelReport(QuestionForm(values, setting)).funnel
    funnel.breakdown = nil
    return funnel
  }
}

struct FunnelReport: ReportQuestion {
  enum Who: String, CaseIterable {
    case dropped
    case came
  }

  let funnel: Funnel
  private let people: FunnelPeople?

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let steps = try form.steps("steps")
    guard (2...Funnel.stepLimits.upperBound).contains(steps.count) else {
      throw QuestionForm.Problem("steps", "A funnel has 2 to 10 steps.")
    }
    let hours = try form.integer("window", in: 1...8_760, default: 168)
    let funnel = Funnel(
      try form.scope(),
      steps: steps,
      order: try form.choice("order", default: .ordered),
      windowMs: Int64(hours) * 3_600_000,
      window: try form.choice("window-from", default: .fromStart),
      exclusions: try form.steps("without"),
      holding: try form.field("same"),
      breakdown: try form.field("by"),
      limit: try form.integer("limit", in: 1...50, default: 8)
    )
    guard funnel.order != .any || funnel.exclusions.isEmpty else {
      throw QuestionForm.Problem("without", "In any order nothing lies between two steps.")
    }
    self.funnel = funnel
    let who = try form.choice("people-who", default: Who.dropped)
    guard form.values["people"] != nil else {
      people = nil
      return
    }
    let level = try form.integer("people", in: 1...steps.count, default: 1)
    people = FunnelPeople(funnel, level: level, isLast: who == .dropped)
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let answer = try funnel.run(on: store, cancellation: cancellation)
    var report = Report(
      title: "Funnel",
      definition: definition,
      fromMs: funnel.scope.fromMs,
      toMs: funnel.scope.toMs,
      interval: .day
    )
    let entered = answer.levels.first?.count ?? 0
    let last = answer.levels.last
    let noun = funnel.scope.unit.noun
    report.figures = [
      Report.Figure(
        "Entered",
        Double(entered),
        .count,
        funnel.order == .any
          ? "Different \(noun) that took at least one of the steps in this time."
          : "Different \(noun) that took the first step in this time."
      ),
      Report.Figure(
        "Completed",
        last.map { Double($0.count) },
        .count,
        "Those of them that took every step."
      ),
      Report.Figure(
        "Conversion",
        entered == 0 ? nil : last.map { Double($0.count) / Double(entered) },
        .share,
        "Completed divided by entered."
      ),
      Report.Figure(
        "Median time",
        last?.medianMs,
        .duration,
        "Half of those who completed took this long or less, by their fastest way from the first step they took to the last."
      ),
    ]
    let shares = { (levels: [Funnel.Level]) in
      levels.map { level in
        levels[0].count == 0 ? nil : Double(level.count) / Double(levels[0].count)
      }
    }
    report.chart = Report.Chart(
      .bars,
      places: funnel.steps.indices.map { .text(title($0)) },
      unit: .share,
      lines: answer.lines.isEmpty
        ? [Report.Line("All", shares(answer.levels))]
        : titled(answer.lines.filter { $0.group != nil }).map {
          Report.Line($0, shares($1.levels))
        }
    )
    report.tables = [steps(answer.levels)]
    if !answer.lines.isEmpty { report.tables.append(lines(answer)) }
    if answer.lines.reduce(0, { $0 + ($1.levels.first?.count ?? 0) }) > entered {
      report.definition += Group.overlapNote("Someone")
    }
    if let people { report.tables.append(try list(people, store, cancellation)) }
    report.isEmpty = entered == 0
    return report
  }

  private var definition: String {
    let order =
      switch funnel.order {
      case .ordered where funnel.exclusions.isEmpty:
        "take one step after the other; what they do in between does not matter"
      case .ordered:
        "take one step after the other, without \(funnel.exclusions.map(\.title).joined(separator: ", ")) in between"
      case .strict:
        "take one step directly after the other, with nothing else in between\(funnel.holding == nil ? "" : " of the same or without any")"
      case .any: "take as many of the steps, in whatever order"
      }
    let from =
      funnel.window == .fromStart || funnel.order == .any ? "the first step" : "the step before"
    let same = funnel.holding.map { ", all with the same “\($0.title)”" } ?? ""
    let hours = funnel.windowMs / 3_600_000
    let (length, unit) = hours % 24 == 0 ? (hours / 24, "day") : (hours, "hour")
    let window = "\(length) \(unit)\(length == 1 ? "" : "s")"
    return
      "\(funnel.scope.unit.noun.capitalizedFirst) count for a step when they \(order), within \(window) of \(from)\(same). "
      + "They must have entered in this time; later steps may come after it. \(funnel.scope.unit.definition)"
  }

  /// A step by its number and name; in any order a level is how many of them someone took.
  private func title(_ index: Int) -> String {
    guard funnel.order == .any else { return "\(index + 1). \(funnel.steps[index].title)" }
    return index == 0 ? "At least 1 step" : "At least \(index + 1) steps"
  }

  private func steps(_ levels: [Funnel.Level]) -> Report.Table {
    Report.Table(
      "Step by step",
      [
        Report.Column("Step", .text),
        Report.Column(funnel.scope.unit.noun.capitalizedFirst, .count),
        Report.Column("Of the first", .share), Report.Column("Of the one before", .share),
        Report.Column("Dropped out before", .count), Report.Column("Median time", .duration),
        Report.Column("Average time", .duration),
      ],
      levels.indices.map { index in
        let before = levels[max(0, index - 1)].count
        let count = levels[index].count
        return [
          .text(title(index)), .count(count),
          .number(levels[0].count == 0 ? nil : Double(count) / Double(levels[0].count)),
          .number(before == 0 ? nil : Double(count) / Double(before)), .count(before - count),
          // The first step is where time begins.
          .number(index == 0 ? nil : levels[index].medianMs),
          .number(index == 0 ? nil : levels[index].averageMs),
        ]
      }
    )
  }

  private func titled(_ lines: [Funnel.Line]) -> [(String, Funnel.Line)] {
    Array(zip(Group.titles(lines.map(\.group)), lines))
  }

  /// The largest groups, and what all others come to.
  private func lines(_ answer: Funnel.Output) -> Report.Table {
    Report.Table(
      "By \(funnel.breakdown?.noun ?? "")",
      [Report.Column(funnel.breakdown?.title ?? "", .text)]
        + funnel.steps.indices.map { Report.Column(title($0), .count) }
        + [Report.Column("Conversion", .share)],
      titled(answer.lines).map { title, line in
        let counts = line.levels.map(\.count)
        let entered = counts.first ?? 0
        let share = counts.last.map { Double($0) / Double(max(1, entered)) }
        return [.text(title)] + counts.map { .count($0) } + [.number(entered == 0 ? nil : share)]
      }
    )
  }

  private func list(
    _ people: FunnelPeople,
    _ store: any EventStore,
    _ cancellation: Cancellation?
  ) throws -> Report.Table {
    let found = try people.run(on: store, cancellation: cancellation)
    let isAny = funnel.order == .any
    let step =
      isAny ? "\(people.level) step\(people.level == 1 ? "" : "s")" : "step \(people.level)"
    let who =
      people.isLast
      ? "who took \(step) and no \(isAny ? "more" : "further one")"
      : "who took \(isAny ? "at least " : "")\(step)"
    let more =
      found.ids.count < found.count ? "; the first \(found.ids.count) of \(found.count)" : ""
    return Report.Table(
      "\(funnel.scope.unit.noun.capitalizedFirst) \(who)\(more)",
      [Report.Column(funnel.scope.unit.singular, .text)],
      found.ids.map { [.text($0)] }
    )
  }
}
