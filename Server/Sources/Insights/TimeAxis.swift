public import Foundation

/// The calendar a question counts in: how long a bucket is, and where days and weeks begin.
public struct TimeAxis: Sendable, Hashable {
  /// What a bucket is.
  public enum Interval: String, Sendable, CaseIterable {
    /// An hour of the clock.
    case hour
    /// A calendar day.
    case day
    /// Seven days from the first day of the week on.
    case week
    /// A calendar month.
    case month
  }

  /// A day of the week.
  public enum Weekday: String, Sendable, CaseIterable {
    // In their order: how many days a day is after Monday is its place.
    /// Monday.
    case monday = "mon"
    /// Tuesday.
    case tuesday = "tue"
    /// Wednesday.
    case wednesday = "wed"
    /// Thursday.
    case thursday = "thu"
    /// Friday.
    case friday = "fri"
    /// Saturday.
    case saturday = "sat"
    /// Sunday.
    case sunday = "sun"

    /// How many days after Monday it is.
    var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// How many buckets an answer has at most; of a longer range the last ones are counted.
  public static let maxBuckets = 1_000

  /// What a bucket is.
  public var interval: Interval
  /// Where days begin.
  public var timeZone: TimeZone
  /// Where weeks begin.
  public var weekStart: Weekday

  /// An axis from its parts.
  public init(_ interval: Interval, timeZone: TimeZone, weekStart: Weekday = .monday) {
    self.interval = interval
    self.timeZone = timeZone
    self.weekStart = weekStart
  }

  /// The calendar of the time zone.
  var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    // Foundation counts from Sunday = 1.
    calendar.firstWeekday = (weekStart.place + 1) % 7 + 1
    return calendar
  }

  /// When the bucket after that of a moment starts.
  func next(after ms: Int64) -> Int64 {
    let start = start(of: ms)
    // An hour ends early where a clock is set by a part of one.
    if interval == .hour { return self.start(of: start + 3_600_000) }
    // More than the longest bucket of its kind, and less than two of the shortest.
    let step: Int64 =
      switch interval {
      case .hour, .day: 36 * 3_600_000
      case .week: 180 * 3_600_000
      case .month: 40 * 86_400_000
      }
    return self.start(of: start + step)
  }

  /// How many buckets so many days have at most.
  func mostBuckets(days: Int) -> Int {
    switch interval {
    // A day may have 25 hours.
    case .hour: days * 25
    case .day: days
    case .week: days / 7 + 2
    case .month: days / 28 + 2
    }
  }

  /// The places of buckets that follow one another, for comparing two periods: from 0 on; those of hours by
  /// their days and the local clock.
  func positions(_ starts: [Int64]) -> [Int] {
    guard interval == .hour, let first = starts.first else { return Array(starts.indices) }
    let calendar = calendar
    return starts.map { start in
      let date = Date(timeIntervalSince1970: Double(start) / 1_000)
      let days = calendar.days(from: Date(timeIntervalSince1970: Double(first) / 1_000), to: date)
      return days * 24 + calendar.component(.hour, from: date)
    }
  }

  /// By how much the zone's full hours are ahead of those of UTC.
  private func pastHourMs(_ date: Date) -> Int64 {
    (Int64(timeZone.secondsFromGMT(for: date)) * 1_000).floored(3_600_000).rest
  }

  /// When the bucket of a moment starts.
  public func start(of ms: Int64) -> Int64 {
    let date = Date(timeIntervalSince1970: Double(ms) / 1_000)
    let calendar = calendar
    switch interval {
    case .hour:
      let offset = pastHourMs(date)
      let start = (ms + offset).floored(3_600_000).whole * 3_600_000 - offset
      let first = Date(timeIntervalSince1970: Double(start) / 1_000)
      // Lord Howe's clocks are set by half an hour: what is then left of an hour is one of its own.
      guard pastHourMs(first) != offset,
        let change = timeZone.nextDaylightSavingTimeTransition(after: first)?.milliseconds,
        change <= ms
      else { return start }
      return change
    case .day: return calendar.startOfDay(for: date).milliseconds
    case .week:
      let day = calendar.startOfDay(for: date)
      let back = (calendar.component(.weekday, from: day) - calendar.firstWeekday + 7) % 7
      return calendar.date(byAdding: .day, value: -back, to: day)
        .map { calendar.startOfDay(for: $0).milliseconds } ?? day.milliseconds
    case .month:
      let parts = calendar.dateComponents([.year, .month], from: date)
      return (calendar.date(from: parts).map { calendar.startOfDay(for: $0) } ?? date).milliseconds
    }
  }
}

extension Calendar {
  /// How many days after another one a moment's day is; by their dates, since a day may begin at one o'clock.
  package func days(from first: Date, to last: Date) -> Int {
    var plain = Calendar(identifier: .gregorian)
    plain.timeZone = .gmt
    func day(_ date: Date) -> Date {
      plain.date(from: dateComponents([.year, .month, .day], from: date)) ?? date
    }
    return plain.dateComponents([.day], from: day(first), to: day(last)).day ?? 0
  }
}

extension Int64 {
  /// Division that rounds down, and what is left.
  func floored(_ divisor: Int64) -> (whole: Int64, rest: Int64) {
    let (whole, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (whole - 1, rest + divisor) : (whole, rest)
  }
}

extension Date {
  /// Milliseconds since 1970.
  var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1_000).rounded()) }
}
