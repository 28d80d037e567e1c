import Foundation

/// Days in a row, in a project's time zone.
public struct TimeRange: Sendable, Hashable {
  /// The names of ranges: those of so many days and `month` end today.
  public static let names = [
    "today", "yesterday", "7d", "14d", "30d", "90d", "180d", "365d", "month", "last-month",
  ]
  /// What is asked for unless told.
  public static let standard = "30d"

  /// When the first day begins, in milliseconds since 1970.
  public let fromMs: Int64
  /// When the last day is over.
  public private(set) var toMs: Int64
  /// How many days.
  public let days: Int
  private let calendar: Calendar

  private init(first: Date, days: Int, _ calendar: Calendar) {
    let end = calendar.date(byAdding: .day, value: days, to: first) ?? first
    fromMs = calendar.startOfDay(for: first).milliseconds
    toMs = calendar.startOfDay(for: end).milliseconds
    self.days = days
    self.calendar = calendar
  }

  /// Reads `range`, or `from` and `to` as dates, the last one included.
  public init(_ form: QuestionForm) throws(QuestionForm.Problem) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try form.timeZone()
    let now = Date(timeIntervalSince1970: Double(form.setting.nowMs) / 1_000)
    let today = calendar.startOfDay(for: now)
    if form.values["from"] != nil || form.values["to"] != nil {
      guard form.values["range"] == nil else {
        throw QuestionForm.Problem("range", "“range” does not go together with “from” and “to”.")
      }
      let last = try Self.date("to", form, calendar) ?? today
      let month = calendar.date(byAdding: .day, value: -29, to: last) ?? last
      let first = try Self.date("from", form, calendar) ?? month
      let days = calendar.days(from: first, to: last)
      guard days >= 0, days < 3_660 else {
        throw QuestionForm.Problem(
          "from",
          days < 0 ? "“from” lies after “to”." : "There are at most ten years from “from” to “to”."
        )
      }
      self.init(first: first, days: days + 1, calendar)
      return
    }
    let name = form.values["range"] ?? Self.standard
    guard Self.names.contains(name) else {
      throw QuestionForm.Problem(
        "range",
        "“range” is one of \(Self.names.joined(separator: ", ")), not “\(name.prefix(100))”."
      )
    }
    if name == "month" || name == "last-month" {
      let this =
        calendar.date(from: calendar.dateComponents([.year, .month], from: today)) ?? today
      let last = calendar.date(byAdding: .month, value: -1, to: this) ?? this
      let (first, end) = name == "month" ? (this, today) : (last, this)
      let days = calendar.days(from: first, to: end)
      self.init(first: first, days: name == "month" ? days + 1 : days, calendar)
      return
    }
    let days = Int(name.dropLast()) ?? 1
    let back = name == "yesterday" ? -1 : 1 - days
    self.init(
      first: calendar.date(byAdding: .day, value: back, to: today) ?? today,
      days: days,
      calendar
    )
  }

  /// Where its days begin.
  var timeZone: TimeZone { calendar.timeZone }

  /// The same range as many days before, and of one that is not over only up to the same time of day.
  ///
  /// With weeks or months it is moved by as many of them as have these days, so that buckets of the two
  /// ranges have the same days of the week or month.
  ///
  /// - Parameters:
  ///   - nowMs: the present, in milliseconds since 1970; counted in whole minutes.
  ///   - interval: what a bucket is.
  /// - Returns: the range before.
  func previous(at nowMs: Int64, by interval: TimeAxis.Interval) -> TimeRange {
    let first = Date(timeIntervalSince1970: Double(fromMs) / 1_000)
    let end = Date(timeIntervalSince1970: Double(toMs) / 1_000)
    let move = move(by: interval, first, end)
    func moved(_ date: Date) -> Date {
      calendar.date(byAdding: move.unit, value: -move.count, to: date) ?? date
    }
    let start = moved(first)
    // A day at a month's end and the next may both stand for the last day of a month before.
    let count = max(1, calendar.days(from: start, to: moved(end)))
    var range = TimeRange(first: start, days: count, calendar)
    guard (fromMs..<toMs).contains(nowMs) else { return range }
    let then = moved(Date(timeIntervalSince1970: Double(nowMs.floored(60_000).whole * 60)))
    range.toMs = min(range.toMs, max(range.fromMs, then.milliseconds))
    return range
  }

  /// By how much the range is moved back so that it ends when it begins now, or sooner.
  private func move(
    by interval: TimeAxis.Interval,
    _ first: Date,
    _ end: Date
  ) -> (unit: Calendar.Component, count: Int) {
    switch interval {
    case .hour, .day: return (.day, days)
    case .week: return (.day, (days + 6) / 7 * 7)
    case .month:
      // No month has fewer than 28 days, and 121 of them are ten years.
      let count = (1...(days / 28 + 1)).first { months in
        calendar.date(byAdding: .month, value: -months, to: end).map { $0 <= first } ?? false
      }
      return (.month, count ?? 1)
    }
  }

  private static func date(
    _ name: String,
    _ form: QuestionForm,
    _ calendar: Calendar
  ) throws(QuestionForm.Problem) -> Date? {
    guard let text = form.values[name] else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    if text.utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1],
      let day = parts[2], (1971...9_990).contains(year)
    {
      let wanted = DateComponents(year: year, month: month, day: day)
      if let date = calendar.date(from: wanted),
        calendar.dateComponents([.year, .month, .day], from: date) == wanted
      {
        return calendar.startOfDay(for: date)
      }
    }
    throw QuestionForm.Problem(
      name,
      "“\(name)” is a date such as 2026-12-01, not “\(text.prefix(100))”."
    )
  }
}
