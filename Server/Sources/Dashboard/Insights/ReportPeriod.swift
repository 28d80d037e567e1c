import Foundation
import Insights

/// Which days a report counts and which it compares them with, in words.
struct ReportPeriod {
  let report: Report

  /// Such as `2 Nov – 1 Dec 2026`.
  var text: String { words(from: report.fromMs, days: days) }

  /// The same of the days that numbers are compared with; nil where they are not.
  var before: String? {
    let isCompared =
      report.figures.contains { $0.previous != nil }
      || report.chart?.lines.contains(where: \.isPrevious) == true
    guard isCompared else { return nil }
    guard let previous = report.previousMs else { return nil }
    let isCut = report.chart?.isLastOpen == true
    let text = words(from: previous.lowerBound, days: isCut ? days : days(in: previous))
    // The earlier days are counted as far as these have come.
    return isCut ? text + ", up to the same time of day" : text
  }

  /// Both in one line.
  var html: HTML {
    """
    <p class="period">\(text)\(before.map { ", compared with \($0)" } ?? "")</p>
    """
  }

  private var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = report.timeZone
    return calendar
  }

  /// How many days are counted, the last one also where it is not over.
  private var days: Int { days(in: report.fromMs..<report.toMs) }

  private func days(in range: Range<Int64>) -> Int {
    max(0, calendar.days(from: date(range.lowerBound), to: date(range.upperBound - 1))) + 1
  }

  private func date(_ ms: Int64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1_000) }

  private func moved(_ ms: Int64, days: Int) -> Int64 {
    let moved = calendar.date(byAdding: .day, value: days, to: date(ms)) ?? date(ms)
    return Int64((moved.timeIntervalSince1970 * 1_000).rounded())
  }

  private func words(from ms: Int64, days: Int) -> String {
    let first = Moment(ms: ms, zone: report.timeZone)
    guard days > 1 else { return first.longDate }
    let last = Moment(ms: moved(ms, days: days - 1), zone: report.timeZone)
    let isOneYear = first.date.suffix(5) == last.date.suffix(5)
    return "\(isOneYear ? first.shortDate : first.date) – \(last.date)"
  }
}
