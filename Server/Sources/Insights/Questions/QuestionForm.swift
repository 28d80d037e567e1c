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
          Self.unknownField(ofCondition: text)
            ?? "“\(text.prefix(100))” is no condition. One is written FIELD:COMPARISON:VALUE, such as platform:is:iOS."
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
        Self.unknownField(text)
      )
    }
    return field
  }

  /// What is said of a field that there is not.
  ///
  /// Most often it is a property's name alone, which does not tell
  /// whose property is meant.
  private static func unknownField(_ text: String) -> String {
    let name = text.prefix(100)
    let meant =
      text.contains(".") || text.contains(":")
      ? "" : " Write user.\(name) for a property of people, props.\(name) for one of events."
    return
      "“\(name)” is no field.\(meant) Fields are \(Field.words.joined(separator: ", ")), props.NAME, user.NAME and group.TYPE."
  }

  /// The same for a condition that is one but for its field; nil for anything else.
  private static func unknownField(ofCondition text: String) -> String? {
    guard let colon = text.firstIndex(of: ":"), Field(String(text[..<colon])) == nil,
      Condition("event" + text[colon...]) != nil
    else { return nil }
    return unknownField(String(text[..<colon]))
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
