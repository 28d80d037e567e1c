import Foundation

/// The stretches of time a chart counts in: every minute, or every calendar day of a time zone.
struct SeriesBuckets {
  /// When each bucket starts, in milliseconds since 1970, ascending.
  let starts: [Int64]

  /// Buckets that cover `fromMs..<toMs`, the first and the last possibly in part.
  ///
  /// No more than `limit`; of a longer range the last ones.
  init(_ interval: EventSeries.Interval, fromMs: Int64, toMs: Int64, timeZone: TimeZone, limit: Int)
  {
    guard fromMs < toMs else {
      starts = []
      return
    }
    switch interval {
    case .minute:
      let last = Self.floor(toMs - 1, to: 60_000)
      let first = max(Self.floor(fromMs, to: 60_000), last - Int64(limit - 1) * 60_000)
      starts = Array(stride(from: first, through: last, by: 60_000))
    case .day:
      starts = Self.days(fromMs: fromMs, toMs: toMs, timeZone: timeZone, limit: limit)
    }
  }

  /// The bucket in which a moment lies; nil before the first.
  func index(of ms: Int64) -> Int? {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= ms { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// Days are walked backwards by the calendar, since their lengths differ where clocks change.
  private static func days(fromMs: Int64, toMs: Int64, timeZone: TimeZone, limit: Int) -> [Int64] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    var starts: [Int64] = []
    var day = calendar.startOfDay(for: date(toMs - 1))
    while starts.count < limit {
      starts.append(milliseconds(day))
      guard milliseconds(day) > fromMs else { break }
      // The day before starts where the moment before this day's start belongs to.
      day = calendar.startOfDay(for: day.addingTimeInterval(-1))
    }
    return starts.reversed()
  }

  private static func floor(_ ms: Int64, to step: Int64) -> Int64 {
    let remainder = ms % step
    return remainder < 0 ? ms - remainder - step : ms - remainder
  }

  private static func date(_ ms: Int64) -> Date {
    Date(timeIntervalSince1970: Double(ms) / 1_000)
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 * 1_000).rounded())
  }
}
