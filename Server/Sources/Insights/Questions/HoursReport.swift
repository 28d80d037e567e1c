internal import EventStore
import Foundation

extension QuestionKind {
  /// At which hours of the week something happens.
  public static let hours = QuestionKind(
    "hours",
    "Hours of the week",
    "At which hour of which day of the week something happens, by the clock where it happens.",
    [
      Parameter(
        "event",
        .text,
        "The event that counts, with conditions after “|”; any unless told."
      )
    ],
    hasNumberToWatch: false,
    as: HoursReport.self
  )
}

struct HoursReport: ReportQuestion {
  private let hours: WeekHours
  private let step: FunnelStep?
  private let days: [TimeAxis.Weekday]

  init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    let steps = try form.steps("event")
    guard steps.count < 2 else { throw QuestionForm.Problem("event", "“event” is one event.") }
    step = steps.first
    var scope = try form.scope()
    scope.conditions += step?.all ?? []
    hours = WeekHours(scope, timeZone: try form.timeZone())
    let start = try form.axis().weekStart.place
    let all = TimeAxis.Weekday.allCases
    days = (0..<7).map { all[(start + $0) % 7] }
  }

  func report(on store: any EventStore, cancellation: Cancellation?) throws -> Report {
    let answer = try hours.run(on: store, cancellation: cancellation)
    var report = Report(
      title: step.map { "\($0.title) by hour of the week" } ?? "Events by hour of the week",
      definition:
        "Each event counts at the hour that clocks showed where it happened, by the time zone that it "
        + "names for its device, or else by \(hours.timeZone.identifier).",
      fromMs: hours.scope.fromMs,
      toMs: hours.scope.toMs,
      interval: .day
    )
    let total = answer.total
    report.figures = [
      Report.Figure("Events", Double(total), .count, "How many events there were."),
      Report.Figure(
        "Busiest hour",
        answer.counts.joined().max().flatMap { total == 0 ? nil : Double($0) / Double(total) },
        .share,
        "The share of the hour with the most events\(busiest(answer))."
      ),
    ]
    report.chart = Report.Chart(
      .stack,
      places: (0..<24).map { .text(Self.hour($0)) },
      unit: .count,
      lines: days.map { day in
        Report.Line(day.title, answer.counts[day.place].map(Double.init))
      }
    )
    report.tables = [
      Report.Table(
        "Share of all events, by day and hour",
        [Report.Column("Day", .text)] + (0..<24).map { Report.Column(Self.hour($0), .share) },
        days.map { day in
          [.text(day.title)]
            + answer.counts[day.place].map {
              .number(total == 0 ? nil : Double($0) / Double(total))
            }
        },
        isShaded: true,
        fullShade: total == 0 ? 1 : Double(answer.counts.joined().max() ?? 0) / Double(total)
      ),
      Report.Table(
        "Events by day and hour",
        [Report.Column("Day", .text)] + (0..<24).map { Report.Column(Self.hour($0), .count) },
        days.map { day in [.text(day.title)] + answer.counts[day.place].map { .count($0) } }
      ),
    ]
    report.isEmpty = total == 0
    return report
  }

  private func busiest(_ answer: WeekHours.Output) -> String {
    guard let most = answer.counts.joined().max(), most > 0,
      let day = days.first(where: { answer.counts[$0.place].contains(most) }),
      let hour = answer.counts[day.place].firstIndex(of: most)
    else { return "" }
    return ", \(day.title) \(Self.hour(hour))"
  }

  private static func hour(_ hour: Int) -> String { (hour < 10 ? "0" : "") + "\(hour)" }
}

extension TimeAxis.Weekday {
  /// The day as people say it.
  var title: String { "\(self)".capitalizedFirst }
}
