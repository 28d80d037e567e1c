public import Foundation

/// What a question is asked with: texts by name, as they stand in an address or behind a command.
///
/// Pages, the API and the command line read a question from the same names, so an address says what a
/// command would.
public struct QuestionForm: Sendable {
  /// The project that is asked about, and when.
  public struct Setting: Sendable {
    /// The project's number.
    public var project: UInt32
    /// Where days begin, unless the question says otherwise; likewise all that follow.
    public var timeZone: TimeZone
    /// Where weeks begin.
    public var weekStart: TimeAxis.Weekday
    /// The currency that revenue is told in; nil for none in particular.
    public var currency: String?
    /// What a purchase comes to.
    public var formula: RevenueTrend.Formula
    /// What one unit of other currencies is worth in the project's, by their codes.
    public var rates: [String: Double] = [:]
    /// Now, in milliseconds since 1970.
    public var nowMs: Int64
    /// Where segments are found.
    public var segments: SegmentShelf
    /// How many days events are kept at least; nil for ever.
    ///
    /// What was first before is not known.
    public var keptDays: Int?

    /// A setting from its parts.
    public init(
      project: UInt32,
      timeZone: TimeZone,
      weekStart: TimeAxis.Weekday = .monday,
      currency: String? = nil,
      formula: RevenueTrend.Formula = .amount,
      nowMs: Int64,
      segments: SegmentShelf = .empty
    ) {
      self.project = project
      self.timeZone = timeZone
      self.weekStart = weekStart
      self.currency = currency
      self.formula = formula
      self.nowMs = nowMs
      self.segments = segments
    }

    /// A setting as a project has it in texts; what cannot be read is as for a new project.
    public init(
      project: UInt32,
      timeZone: String,
      weekStart: String,
      currency: String?,
      formula: String,
      nowMs: Int64,
      segments: SegmentShelf = .empty
    ) {
      self.init(
        project: project,
        timeZone: TimeZone(identifier: timeZone) ?? .gmt,
        weekStart: TimeAxis.Weekday(rawValue: weekStart) ?? .monday,
        currency: currency,
        formula: RevenueTrend.Formula(rawValue: formula) ?? .amount,
        nowMs: nowMs,
        segments: segments
      )
    }
  }

  /// Why a question cannot be asked like that.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of what is wrong.
    public var name: String
    /// What is wrong, as a sentence.
    public var description: String

    /// A problem from its parts.
    public init(_ name: String, _ description: String) {
      self.name = name
      self.description = description
    }
  }

  /// The texts by name.
  public var values: [String: String]
  /// The project that is asked about, and when.
  public var setting: Setting

  /// A form with these texts; empty ones are as if they were not there.
  public init(_ values: [String: String], _ setting: Setting) {
    self.values = values.filter { !$0.value.isEmpty }
    self.setting = setting
  }

  /// One of a few words.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String,
    default value: Choice
  ) throws(Problem) -> Choice where Choice.RawValue == String {
    guard let text = values[name] else { return value }
    guard let choice = Choice(rawValue: text) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(name, "“\(name)” is one of \(words), not “\(text.prefix(100))”.")
    }
    return choice
  }

  /// A whole number.
  func integer(
    _ name: String,
    in range: ClosedRange<Int>,
    default value: Int
  ) throws(Problem) -> Int {
    guard let text = values[name] else { return value }
    guard let number = Int(text), range.contains(number) else {
      throw Problem(
        name,
        "“\(name)” is a whole number from \(range.lowerBound) to \(range.upperBound), not “\(text.prefix(100))”."
      )
    }
    return number
  }

  /// Conditions, one after the other with `;` between them.
  func conditions(_ name: String = "where") throws(Problem) -> [Condition] {
    var conditions: [Condition] = []
    for text in EscapedList.parts(of: values[name] ?? "", separator: ";") where !text.isEmpty {
      guard let condition = Condition(text) else {
        throw Problem(
          name,
          "“\(text.prefix(100))” is no condition. One is written FIELD:COMPARISON:VALUE, such as platform:is:iOS."
        )
      }
      conditions.append(condition)
    }
    return conditions
  }

  /// Steps, one after the other with `;` between them.
  func steps(_ name: String) throws(Problem) -> [FunnelStep] {
    var steps: [FunnelStep] = []
    for text in EscapedList.parts(of: values[name] ?? "", separator: ";") where !text.isEmpty {
      guard let step = FunnelStep(text) else {
        throw Problem(
          name,
          "“\(text.prefix(100))” is no event. One is written NAME or NAME|CONDITION, such as Bought|platform:is:iOS."
        )
      }
      steps.append(step)
    }
    return steps
  }

  /// A field.
  func field(_ name: String) throws(Problem) -> Field? {
    guard let text = values[name] else { return nil }
    guard let field = Field(text) else {
      throw Problem(
        name,
        "“\(text.prefix(100))” is no field. One is \(Field.words.joined(separator: ", ")), props.NAME or user.NAME."
      )
    }
    return field
  }

  /// Which events, and whom the question counts.
  ///
  /// The buckets of `axis` are counted in; unless told, days.
  func scope(_ axis: TimeAxis? = nil) throws(Problem) -> Scope {
    let range = try TimeRange(self)
    let days = TimeAxis(.day, timeZone: try timeZone())
    return Scope(
      project: setting.project,
      fromMs: range.fromMs,
      toMs: end(of: range, axis ?? days),
      conditions: try conditions(),
      unit: try choice("unit", default: .people),
      includesTest: try choice("test", default: Switch.no) == .yes,
      segment: try setting.segments.filter(values["segment"], nowMs: setting.nowMs)
    )
  }

  /// Where a time ends that has begun: with the hour or the day under way.
  ///
  /// Hours and days that have not come are not without events: nothing is known of them.
  private func end(of range: TimeRange, _ axis: TimeAxis) -> Int64 {
    guard (range.fromMs..<range.toMs).contains(setting.nowMs) else { return range.toMs }
    var axis = axis
    if axis.interval != .hour { axis.interval = .day }
    return min(range.toMs, axis.next(after: setting.nowMs))
  }

  /// Where days begin: the project's zone unless told.
  public func timeZone() throws(Problem) -> TimeZone {
    guard let name = values["zone"] else { return setting.timeZone }
    // Foundation takes abbreviations too, which stand for one of several zones.
    guard let zone = TimeZone(identifier: name), name == "UTC" || zone.identifier == name else {
      throw Problem(
        "zone",
        "“\(name.prefix(100))” is not a time zone; one is written Europe/Berlin."
      )
    }
    return zone
  }

  /// A code of three letters, such as `EUR`.
  func currency(_ name: String) throws(Problem) -> String? {
    guard let code = values[name]?.uppercased() else { return nil }
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else {
      throw Problem(
        name,
        "“\(name)” is a code of three letters such as USD, not “\(code.prefix(100))”."
      )
    }
    return code
  }

  /// The buckets; unless told hours for up to two days, days for up to four months, then weeks.
  ///
  /// `following` buckets are looked at after the time itself. More buckets than an answer has are
  /// refused: counting a part of the time only would be another question.
  func axis(following: Int = 0) throws(Problem) -> TimeAxis {
    let range = try TimeRange(self)
    let fitting: TimeAxis.Interval = range.days <= 2 ? .hour : range.days <= 124 ? .day : .week
    let axis = TimeAxis(
      try choice("interval", default: fitting),
      timeZone: try timeZone(),
      weekStart: try choice("week", default: setting.weekStart)
    )
    let most = TimeAxis.maxBuckets - following
    guard axis.mostBuckets(days: range.days) <= most else {
      let word = axis.interval.rawValue
      throw Problem(
        "interval",
        "\(range.days) days have more than \(most) \(word)s, the most that are shown; choose a longer interval or a shorter time."
      )
    }
    return axis
  }

  /// What a first event is the first of: “ever”, or since the day from when on all events are kept.
  func ever() throws(Problem) -> String {
    guard let days = setting.keptDays else { return "ever" }
    let kept = setting.nowMs - Int64(days) * 86_400_000
    return "since \(try date(kept)), as older events are not kept,"
  }

  /// The period before, nil unless asked for; of a time that is not over, as much of it as has passed of
  /// that time.
  func previous() throws(Problem) -> TimeRange? {
    guard try choice("compare", default: Switch.no) == .yes else { return nil }
    return try TimeRange(self).previous(at: setting.nowMs, by: try axis().interval)
  }

  /// Yes or no.
  enum Switch: String, CaseIterable {
    case yes = "true"
    case no = "false"
  }
}

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
    var range = TimeRange(first: start, days: calendar.days(from: start, to: moved(end)), calendar)
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
