import Foundation

/// The buckets of a time axis over a stretch of time, and how SQL finds the bucket of a moment.
///
/// SQL counts in whole numbers: a bucket's number is that of its day, week or month since 1970 by the
/// local clock. The starts come from the calendar.
struct CalendarBuckets {
  let axis: TimeAxis
  /// When each bucket starts, in milliseconds since 1970, ascending, none missing.
  let starts: [Int64]
  /// From when on moments are in a bucket.
  let fromMs: Int64
  /// Up to when, this moment excluded.
  let toMs: Int64
  private let offsets: [Offset]
  private var indexes: [Int64: Int] = [:]

  /// How far the local clock is ahead, up to a moment.
  private struct Offset {
    var untilMs: Int64
    var offsetMs: Int64
  }

  private static let dayMs: Int64 = 86_400_000
  private static let hourMs: Int64 = 3_600_000

  /// The buckets of `fromMs..<toMs`, the first and the last possibly in part.
  init(_ axis: TimeAxis, fromMs: Int64, toMs: Int64) {
    self.axis = axis
    // From the second day of 1970 on, so that no local time is negative.
    let from = max(fromMs, Self.dayMs)
    // Up to the year 9999.
    let to = min(toMs, 253_402_300_800_000)
    var starts: [Int64] = []
    if from < to {
      var start = axis.start(of: to - 1)
      while starts.count < TimeAxis.maxBuckets {
        starts.append(start)
        guard start > from else { break }
        start = axis.start(of: start - 1)
      }
    }
    self.starts = starts.reversed()
    self.fromMs = max(from, self.starts.first ?? from)
    self.toMs = max(to, self.fromMs)
    offsets = Self.offsets(axis.timeZone, self.starts.first ?? self.fromMs, self.toMs)
    for (index, start) in self.starts.enumerated() { indexes[number(start)] = index }
  }

  /// Whether no bucket begins or ends, and no clock changes, within a quarter of an hour, so that rows of
  /// `activity_parts` lie in one bucket each.
  var isOfQuarters: Bool {
    let quarterMs: Int64 = 900_000
    return fromMs.isMultiple(of: quarterMs)
      && offsets.allSatisfy {
        $0.offsetMs.isMultiple(of: quarterMs)
          && ($0.untilMs == .max || $0.untilMs.isMultiple(of: quarterMs))
      }
  }

  /// Whether a clock is set by a part of an hour, so that two buckets may be of one hour; on Lord Howe.
  private var hasPartHours: Bool {
    Set(offsets.map { $0.offsetMs.floored(Self.hourMs).rest }).count > 1
  }

  /// The bucket of a number that SQL counted; nil for none of these.
  func index(ofNumber number: Int64) -> Int? { indexes[number] }

  /// The bucket in which a moment lies, by the calendar; nil before the first.
  func index(of ms: Int64) -> Int? {
    starts.lastIndex { $0 <= ms }
  }

  /// The number of the bucket in which a column's moment lies, in SQL.
  func number(of column: String) -> String {
    // In microseconds, since DuckDB's way to milliseconds takes four times as long.
    let moment = "epoch_us(\(column)::TIMESTAMP)"
    let hourly = axis.interval == .hour
    // All numbers here are of our own making.
    func byTime(_ amounts: [Int64]) -> String {
      var text = "\(amounts.last ?? 0)"
      for (part, amount) in zip(offsets, amounts).reversed().dropFirst() {
        text = "CASE WHEN \(moment) < \(part.untilMs * 1_000) THEN \(amount) ELSE \(text) END"
      }
      return text
    }
    let amounts = offsets.map { hourly ? $0.offsetMs.floored(Self.hourMs).rest : $0.offsetMs }
    let offset = byTime(amounts.map { $0 * 1_000 })
    let local = offset == "0" ? moment : "(\(moment) + \(offset))"
    let day = "(\(local) // \(Self.dayMs * 1_000))"
    switch axis.interval {
    case .hour:
      let hour = "(\(local) // \(Self.hourMs * 1_000))"
      guard hasPartHours else { return hour }
      return "(\(hour) * \(offsets.count) + \(byTime(offsets.indices.map { Int64($0) })))"
    // Of half the size, which events are grouped by faster.
    case .day: return "CAST(\(day) AS INTEGER)"
    case .week: return "((\(day) + \(Self.weekShift(axis))) // 7)"
    case .month:
      return "date_diff('month', DATE '1970-01-01', DATE '1970-01-01' + CAST(\(day) AS INTEGER))"
    }
  }

  /// 1 January 1970 was a Thursday.
  private static func weekShift(_ axis: TimeAxis) -> Int64 {
    Int64(3 + (7 - axis.weekStart.place) % 7)
  }

  /// The number of the bucket in which a moment lies, as SQL counts it.
  private func number(_ ms: Int64) -> Int64 {
    let part = offsets.firstIndex { ms < $0.untilMs } ?? 0
    let offset = offsets[part].offsetMs
    let day = (ms + offset).floored(Self.dayMs).whole
    switch axis.interval {
    case .hour:
      let hour = (ms + offset.floored(Self.hourMs).rest).floored(Self.hourMs).whole
      return hasPartHours ? hour * Int64(offsets.count) + Int64(part) : hour
    case .day: return day
    case .week: return (day + Self.weekShift(axis)).floored(7).whole
    case .month:
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      let date = Date(timeIntervalSince1970: Double(ms + offset) / 1_000)
      let parts = calendar.dateComponents([.year, .month], from: date)
      return Int64(((parts.year ?? 1970) - 1970) * 12 + (parts.month ?? 1) - 1)
    }
  }

  private static func offset(_ zone: TimeZone, _ ms: Int64) -> Int64 {
    Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(ms) / 1_000))) * 1_000
  }

  /// Looks at the clock every twelve hours and finds each change to the second.
  private static func offsets(_ zone: TimeZone, _ fromMs: Int64, _ toMs: Int64) -> [Offset] {
    var found: [Offset] = []
    var at = fromMs
    var current = offset(zone, at)
    while at < toMs {
      let next = min(at + dayMs / 2, toMs)
      let other = offset(zone, next)
      if other != current {
        // A change falls on a whole second.
        var (low, high) = (at.floored(1_000).whole, next.floored(1_000).whole + 1)
        while high - low > 1 {
          let middle = (low + high) / 2
          if offset(zone, middle * 1_000) == current { low = middle } else { high = middle }
        }
        found.append(Offset(untilMs: high * 1_000, offsetMs: current))
        current = other
      }
      at = next
    }
    return found + [Offset(untilMs: .max, offsetMs: current)]
  }
}
