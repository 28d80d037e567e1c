internal import EventStore

extension QuestionKind {
  /// What people did after an event, or before it.
  public static let paths = QuestionKind(
    "paths",
    "Paths",
    "What people did next after an event or before it, step by step, and where they stopped.",
    [
      Parameter(
        "event",
        .text,
        "The event that paths lead from or to; the start or end of each session or day unless told."
      ),
      Parameter(
        "direction",
        .choice(Paths.Direction.allCases.map(\.rawValue)),
        "Whether paths lead from it or to it."
      ),
      Parameter(
        "within",
        .choice(Paths.Trail.allCases.map(\.rawValue)),
        "Whether a path stays within a session or within a day."
      ),
      Parameter("steps", .integer(Paths.stepLimits), "How many events a path has; 5 unless told."),
      Parameter("merge", .flag, "Whether an event that is repeated at once counts as one."),
      Parameter(
        "limit",
        .integer(1...20),
        "How many events a step has of its own; the rest share one; 6 unless told."
      ),
    ],
    hasNumberToWatch: false,
    as: PathsReport.self
  )
}

struct PathsReport: ReportQuestion {
  private let paths: Paths

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let anchors = try form.steps("event")
    guard anchors.count < 2 else {
      throw QuestionForm.Problem("event", "Paths lead from or to one event.")
    }
    let trail = try form.choice("within", default: Paths.Trail.session)
    // Telling of the last ones only would be another question.
    let days = try TimeRange(form).days
    guard trail == .session || days <= TimeAxis.maxBuckets else {
      throw QuestionForm.Problem(
        "within",
        "Paths within days are told of \(TimeAxis.maxBuckets) days at most, not of \(days); choose a shorter time."
      )
    }
    paths = Paths(
      try form.scope(),
      timeZone: try form.timeZone(),
      anchor: anchors.first,
      direction: try form.choice("direction", default: .from),
      trail: trail,
      steps: try form.integer("steps", in: Paths.stepLimits, default: 5),
      mergesRepeats: try form.choice("merge", default: QuestionForm.Switch.no) == .yes,
      limit: try form.integer("limit", in: 1...20, default: 6)
    )
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let answer = try paths.run(on: store, cancellation: cancellation)
    var report = Report(
      title: title,
      definition: definition,
      fromMs: paths.scope.fromMs,
      toMs: paths.scope.toMs,
      interval: .day
    )
    report.figures = figures(answer)
    report.chart = Report.Chart(flows: answer.links.map(flow), steps: paths.steps)
    report.tables = [links(answer), places(answer), wholes(answer)]
    report.isEmpty = answer.count == 0
    return report
  }

  private var noun: String { paths.trail == .session ? "sessions" : "days" }

  private var title: String {
    switch (paths.anchor, paths.direction) {
    case (let anchor?, .from): "Paths from \(anchor.title)"
    case (let anchor?, .to): "Paths to \(anchor.title)"
    case (nil, .from): "Paths from the start of \(noun)"
    case (nil, .to): "Paths to the end of \(noun)"
    }
  }

  private var definition: String {
    let what =
      paths.trail == .session
      ? "what one person did in one session" : "what one person did on one day"
    let how =
      switch (paths.anchor, paths.direction) {
      case (let anchor?, .from): "from the first “\(anchor.title)” on"
      case (let anchor?, .to): "up to the last “\(anchor.title)”"
      case (nil, .from): "from its start on"
      case (nil, .to): "up to its end"
      }
    let merging = paths.mergesRepeats ? " An event repeated at once counts as one." : ""
    return "A path is \(what), \(how), and has \(paths.steps) events at most. "
      + "Each of those \(noun) counts once.\(merging) \(paths.scope.unit.definition)"
  }

  private func figures(_ answer: Paths.Output) -> [Report.Figure] {
    let stopped = answer.places.first { $0.step == 0 }.map { _ in
      answer.places.filter { $0.step == 0 }.reduce(0) { $0 + $1.ends }
    }
    let people = paths.scope.unit.noun
    let alone =
      paths.direction == .from ? "Those after which nothing followed" : "Those with nothing before"
    return [
      Report.Figure(
        "Paths",
        Double(answer.count),
        .count,
        "How many \(noun) have one."
      ),
      Report.Figure(
        people.capitalizedFirst,
        Double(answer.people),
        .count,
        "How many different \(people) they are of."
      ),
      Report.Figure(
        paths.direction == .from ? "Stopped there" : "Began there",
        stopped.flatMap { answer.count == 0 ? nil : Double($0) / Double(answer.count) },
        .share,
        "\(alone), divided by all."
      ),
    ]
  }

  /// The step as people count it, in the direction in which things happened.
  private func number(_ step: Int) -> String {
    switch (step, paths.direction) {
    case (0, .from): "Start"
    case (0, .to): "End"
    case (_, .from): "+\(step)"
    case (_, .to): "−\(step)"
    }
  }

  private static func name(_ name: String?) -> String {
    switch name {
    case nil: "(all others)"
    case ""?: "(empty)"
    case let name?: name
    }
  }

  private func flow(_ link: Paths.Link) -> Report.Flow {
    let isFrom = paths.direction == .from
    return Report.Flow(
      from: Self.name(isFrom ? link.near : link.far),
      to: Self.name(isFrom ? link.far : link.near),
      // Columns of the chart go from left to right.
      step: isFrom ? link.step : paths.steps - 2 - link.step,
      count: link.count
    )
  }

  private func links(_ answer: Paths.Output) -> Report.Table {
    let isFrom = paths.direction == .from
    return Report.Table(
      "What followed what",
      [
        Report.Column("Step", .text), Report.Column("First", .text), Report.Column("Then", .text),
        Report.Column("Paths", .count), Report.Column("Of all", .share),
      ],
      answer.links.map { link in
        [
          .text(number(isFrom ? link.step : link.step + 1)),
          .text(Self.name(isFrom ? link.near : link.far)),
          .text(Self.name(isFrom ? link.far : link.near)), .count(link.count),
          .number(Double(link.count) / Double(answer.count)),
        ]
      }
    )
  }

  private func places(_ answer: Paths.Output) -> Report.Table {
    let end = paths.direction == .from ? "Stopped there" : "Began there"
    return Report.Table(
      "Step by step",
      [
        Report.Column("Step", .text), Report.Column("Event", .text),
        Report.Column("Paths", .count), Report.Column("Of all", .share),
        Report.Column(end, .count),
      ],
      answer.places.map { place in
        [
          .text(number(place.step)), .text(Self.name(place.name)), .count(place.count),
          .number(Double(place.count) / Double(answer.count)), .count(place.ends),
        ]
      }
    )
  }

  /// What the paths without a row of their own come to.
  private func others(_ answer: Paths.Output) -> [[Report.Cell]] {
    let others = answer.count - answer.paths.reduce(0) { $0 + $1.count }
    guard others > 0 else { return [] }
    // Whoever took several of them would count more than once.
    return [
      [
        .text("(all other paths)"), .count(others), .number(nil),
        .number(Double(others) / Double(answer.count)),
      ]
    ]
  }

  private func wholes(_ answer: Paths.Output) -> Report.Table {
    Report.Table(
      "The most frequent paths as a whole",
      [
        Report.Column("Path", .text), Report.Column("Paths", .count),
        Report.Column(paths.scope.unit.noun.capitalizedFirst, .count),
        Report.Column("Of all", .share),
      ],
      answer.paths.map { path in
        [
          .text(path.names.map { Self.name($0) }.joined(separator: " → ")), .count(path.count),
          .count(path.people), .number(Double(path.count) / Double(answer.count)),
        ]
      } + others(answer)
    )
  }
}
