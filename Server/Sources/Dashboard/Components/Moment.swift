import Foundation

/// A point in time as pages write it, in a project's time zone.
struct Moment: Sendable {
  /// Milliseconds since 1970.
  let ms: Int64
  let zone: TimeZone

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  // 1 January 1970 was a Thursday.
  private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// Such as `1 Dec 2026`.
  var date: String {
    let (year, month, day) = local.date
    return "\(day) \(Self.months[month - 1]) \(year)"
  }

  /// Such as `1 Dec`.
  var shortDate: String {
    let (_, month, day) = local.date
    return "\(day) \(Self.months[month - 1])"
  }

  /// Such as `Dec 2026`.
  var month: String {
    let (year, month, _) = local.date
    return "\(Self.months[month - 1]) \(year)"
  }

  /// Such as `Tue 1 Dec 2026`.
  var longDate: String { "\(Self.weekdays[Int(local.days.modulo(7))]) \(date)" }

  /// Such as `09:30`.
  var minute: String {
    let seconds = local.msOfDay / 1_000
    return "\(Self.two(seconds / 3_600)):\(Self.two(seconds / 60 % 60))"
  }

  /// Such as `09:30:05.123`.
  var clock: String {
    let ms = local.msOfDay
    let fraction = ms % 1_000
    let padding = fraction < 10 ? "00" : fraction < 100 ? "0" : ""
    return "\(minute):\(Self.two(ms / 1_000 % 60)).\(padding)\(fraction)"
  }

  /// Such as `1 Dec 2026, 09:30:05.123 +01:00`.
  var full: String { "\(date), \(clock) \(offset)" }

  /// Such as `2026-12-01T08:30:05.123Z`.
  var iso: String {
    let utc = Moment(ms: ms, zone: .gmt)
    let (year, month, day) = utc.local.date
    return "\(year)-\(Self.two(Int64(month)))-\(Self.two(Int64(day)))T\(utc.clock)Z"
  }

  /// How long ago it was: `now`, `12 s ago`, `4 min ago`, `3 h ago`, `2 d ago`, then the date.
  ///
  /// Without “ago” it would read as a length. The pages' script writes the same.
  func age(nowMs: Int64) -> String {
    let seconds = (nowMs - ms) / 1_000
    return switch seconds {
    case ..<(-60): "in \(Moment.span(-seconds))"
    case ..<5: "now"
    case ..<2_592_000: "\(Moment.span(seconds)) ago"
    default: date
    }
  }

  /// A length of time in its largest unit.
  static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// A length of time to the millisecond where that counts, such as `240 ms`, `3.2 s` or `5 min`.
  static func fineSpan(_ ms: Int64) -> String {
    let size = ms.magnitude
    return switch size {
    case ..<1_000: "\(size) ms"
    case ..<60_000: "\(size / 1_000).\(size % 1_000 / 100) s"
    default: span(Int64(size / 1_000))
    }
  }

  /// The time of day, with its day where that is not the day of another moment, such as `30 Nov, 23:59:58.123`.
  func clock(besides other: Moment) -> String {
    isSameDay(as: other) ? clock : "\(shortDate), \(clock)"
  }

  /// Whether both are on one day of the zone.
  func isSameDay(as other: Moment) -> Bool { local.days == other.local.days }

  /// A `time` element: how long ago, with the full time in its title; the script keeps it current.
  func element(nowMs: Int64) -> HTML {
    #"<time datetime="\#(iso)" title="\#(full)" data-ms="\#(ms)">\#(age(nowMs: nowMs))</time>"#
  }

  /// A `time` element that shows the time of day to the second, with its day where that is not the day of
  /// another moment.
  func clockElement(besides other: Moment) -> HTML {
    let day = isSameDay(as: other) ? "" : "\(shortDate), "
    return #"<time datetime="\#(iso)" title="\#(full)">\#(day)\#(clock.prefix(8))</time>"#
  }

  /// A `time` element that shows the date.
  var dateElement: HTML {
    #"<time datetime="\#(iso)" title="\#(full)">\#(date)</time>"#
  }

  private var offset: String {
    let minutes = offsetSeconds / 60
    if minutes == 0 { return "UTC" }
    let sign = minutes < 0 ? "−" : "+"
    return "\(sign)\(Self.two(Int64(abs(minutes) / 60))):\(Self.two(Int64(abs(minutes) % 60)))"
  }

  private var offsetSeconds: Int {
    zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(ms) / 1_000))
  }

  private var local: Local {
    // Clients may send any time; ten thousand years either way keep the arithmetic in bounds.
    let bounded = min(max(ms, -315_619_200_000_000), 315_619_200_000_000)
    return Local(ms: bounded + Int64(offsetSeconds) * 1_000)
  }

  private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private struct Local {
    let days: Int64
    let msOfDay: Int64

    init(ms: Int64) {
      msOfDay = ms.modulo(86_400_000)
      days = (ms - msOfDay) / 86_400_000
    }

    /// Civil date of a day number, after Howard Hinnant's `civil_from_days`.
    var date: (year: Int64, month: Int, day: Int64) {
      let shifted = days + 719_468
      let dayOfEra = shifted.modulo(146_097)
      let era = (shifted - dayOfEra) / 146_097
      let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
      let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
      let month = (5 * dayOfYear + 2) / 153
      let day = dayOfYear - (153 * month + 2) / 5 + 1
      let civil = Int(month < 10 ? month + 3 : month - 9)
      return (year + era * 400 + (civil <= 2 ? 1 : 0), civil, day)
    }
  }
}

extension Int64 {
  /// The remainder that is never negative.
  fileprivate func modulo(_ divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}

extension BinaryInteger {
  /// With a comma between groups of three digits.
  var grouped: String {
    var digits = Array(String(magnitude).reversed())
    var place = 3
    while place < digits.count {
      digits.insert(",", at: place)
      place += 4
    }
    return (self < 0 ? "−" : "") + String(digits.reversed())
  }
}
