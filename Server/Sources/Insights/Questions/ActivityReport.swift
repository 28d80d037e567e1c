internal import EventStore

extension QuestionKind {
  /// How many were active, and how many came back.
  public static let active = QuestionKind(
    "active",
    "Active people",
    "How many were active by day, week or month, how many of them were new, and how often they come back.",
    [
      Parameter(
        "events",
        .text,
        "Events that make someone active, with “;” between them; any unless told."
      ),
      compare,
    ],
    as: ActivityReport.self
  )
}

struct ActivityReport: ReportQuestion {
  private let activity: Activity
  private let total: ActivePeople
  private let previous: TimeRange?
  private let nowMs: Int64
  /// Since when a first event is known to be one.
  private let ever: String

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let axis = try form.axis()
    var scope = try form.scope(axis)
    let steps = try form.steps("events")
    guard steps.count < 2 else {
      throw QuestionForm.Problem("events", "One event makes someone active, or any.")
    }
    scope.conditions += steps.first?.all ?? []
    activity = Activity(scope, axis: axis)
    total = ActivePeople(scope)
    previous = try form.previous()
    nowMs = form.setting.nowMs
    ever = try form.ever()
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let buckets = try activity.run(on: store, cancellation: cancellation)
    let people = try total.run(on: store, cancellation: cancellation)
    var before: [Activity.Bucket]?
    var peopleBefore: Int?
    if let previous {
      var activity = activity
      activity.scope = activity.scope.over(fromMs: previous.fromMs, toMs: previous.toMs)
      before = try activity.run(on: store, cancellation: cancellation)
      peopleBefore = try ActivePeople(activity.scope).run(on: store, cancellation: cancellation)
    }
    let noun = activity.scope.unit.noun
    var report = Report(
      title: "Active \(noun)",
      definition:
        "\(activity.axis.interval.rawValue.withArticle.capitalizedFirst)’s active \(noun) did at least one event in it. "
        + activity.scope.unit.definition,
      fromMs: activity.scope.fromMs,
      toMs: activity.scope.toMs,
      interval: activity.axis.interval
    )
    report.figures = figures(buckets, people, before, peopleBefore)
    report.chart = chart(buckets, before)
    report.tables = [table(buckets)]
    report.isEmpty = people == 0 && (peopleBefore ?? 0) == 0
    return report
  }

  private func figures(
    _ buckets: [Activity.Bucket],
    _ people: Int,
    _ before: [Activity.Bucket]?,
    _ peopleBefore: Int?
  ) -> [Report.Figure] {
    let noun = activity.scope.unit.noun
    let word = activity.axis.interval.rawValue
    var figures = [
      Report.Figure(
        "Active \(noun)",
        Double(people),
        .count,
        "Different \(noun) with at least one event in the whole time.",
        previous: peopleBefore.map(Double.init)
      ),
      Report.Figure(
        "New \(noun)",
        Double(buckets.reduce(0) { $0 + $1.new }),
        .count,
        isFiltered
          ? "Those whose first such event \(ever) lies in this time."
          : "Those whose first event \(ever) lies in this time.",
        previous: before.map { Double($0.reduce(0) { $0 + $1.new }) }
      ),
      Report.Figure(
        "A usual \(word)",
        average(buckets),
        .number,
        "Active \(noun) of \(word.withArticle), on average; \(word)s that are not whole in this time are left out.",
        previous: before.flatMap { buckets in
          Self.average(whole(buckets, previous?.fromMs ?? 0, previous?.toMs ?? 0).map(\.active))
        }
      ),
    ]
    if let change = Report.Figure.change(
      finished(buckets).map { Double($0.active) },
      activity.axis.interval
    ) {
      figures.append(change)
    }
    guard let day = finished(buckets).last, let month = day.lastThirtyDays else { return figures }
    figures.append(
      Report.Figure(
        "Stickiness",
        month == 0 ? nil : Double(day.active) / Double(month),
        .share,
        "Active \(noun) of the last full day, divided by those of the thirty days up to it."
      )
    )
    let eligible = day.activeEightDaysBefore ?? 0
    figures.append(
      Report.Figure(
        "Seven-day retention",
        eligible == 0 ? nil : Double(day.cameBack ?? 0) / Double(eligible),
        .share,
        "Of those active eight days before the last full day, the share that came back in the seven days in between."
      )
    )
    return figures
  }

  private var isOpen: Bool { nowMs < activity.scope.toMs }

  /// Whether something is asked of the events themselves.
  private var isFiltered: Bool { !activity.scope.conditions.isEmpty }

  /// Those that lie whole in the time that is asked about, and are over.
  private func finished(_ buckets: [Activity.Bucket]) -> [Activity.Bucket] {
    whole(buckets, activity.scope.fromMs, min(activity.scope.toMs, nowMs))
  }

  private func whole(
    _ buckets: [Activity.Bucket],
    _ fromMs: Int64,
    _ toMs: Int64
  ) -> [Activity.Bucket] {
    buckets.filter {
      $0.startMs >= fromMs && activity.axis.next(after: $0.startMs) <= toMs
    }
  }

  private func average(_ buckets: [Activity.Bucket]) -> Double? {
    Self.average(finished(buckets).map(\.active))
  }

  private static func average(_ counts: [Int]) -> Double? {
    counts.isEmpty ? nil : Double(counts.reduce(0, +)) / Double(counts.count)
  }

  private func chart(
    _ buckets: [Activity.Bucket],
    _ before: [Activity.Bucket]?
  ) -> Report.Chart {
    var lines = [
      Report.Line("Active", buckets.map { Double($0.active) }),
      Report.Line("New", buckets.map { Double($0.new) }),
    ]
    if activity.axis.interval == .day {
      lines += [
        Report.Line("Last 7 days", buckets.map { $0.lastSevenDays.map(Double.init) }),
        Report.Line("Last 30 days", buckets.map { $0.lastThirtyDays.map(Double.init) }),
      ]
    }
    lines += Report.earlier(
      "Active",
      before?.map { Double($0.active) },
      in: previous,
      beside: buckets.map(\.startMs),
      activity.axis
    )
    return Report.Chart(
      .lines,
      places: buckets.map { .time($0.startMs) },
      unit: .count,
      lines: lines,
      isLastOpen: isOpen
    )
  }

  private func table(_ buckets: [Activity.Bucket]) -> Report.Table {
    let word = activity.axis.interval.rawValue.capitalizedFirst
    var columns = [
      Report.Column(word, .time), Report.Column("Active", .count), Report.Column("New", .count),
      Report.Column("Returning", .count),
    ]
    let isDaily = activity.axis.interval == .day
    if isDaily {
      columns += [
        Report.Column("Last 7 days", .count), Report.Column("Last 30 days", .count),
        Report.Column("Stickiness", .share), Report.Column("7-day retention", .share),
      ]
    }
    let rows = buckets.map { bucket -> [Report.Cell] in
      var row: [Report.Cell] = [
        .time(bucket.startMs), .count(bucket.active), .count(bucket.new),
        .count(bucket.active - bucket.new),
      ]
      if isDaily {
        row += [
          .count(bucket.lastSevenDays ?? 0), .count(bucket.lastThirtyDays ?? 0),
          .number(Self.share(bucket.active, bucket.lastThirtyDays)),
          .number(Self.share(bucket.cameBack, bucket.activeEightDaysBefore)),
        ]
      }
      return row
    }
    return Report.Table("\(word) by \(word.lowercased())", columns, rows)
  }

  private static func share(_ part: Int?, _ whole: Int?) -> Double? {
    guard let part, let whole, whole > 0 else { return nil }
    return Double(part) / Double(whole)
  }
}
