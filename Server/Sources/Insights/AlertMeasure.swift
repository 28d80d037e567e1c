/// What an alert looks at in a report: what the report says is watched, else its first line, in a bucket
/// that is over, and in the one before.
///
/// Both are whole: a week of which the report only has some days says nothing.
public struct AlertMeasure: Sendable, Hashable {
  /// The number.
  public let value: Double
  /// That of the bucket before; nil where there is none.
  public let before: Double?
  /// When the bucket begins, in milliseconds since 1970; nil where buckets are no times.
  public let bucketMs: Int64?

  /// What an alert that looked at one bucket before looks at now, in the order of time: all that are over
  /// since, or where there is none the last that is over, for what came late.
  ///
  /// - Parameters:
  ///   - report: what the question answers now.
  ///   - bucketMs: when the bucket begins that was looked at before; nil looks at the last one only.
  /// - Returns: those with a number; empty where the last one has none.
  public static func all(_ report: Report, after bucketMs: Int64?) -> [AlertMeasure] {
    guard let last = AlertMeasure(report) else { return [] }
    guard let bucketMs, let newest = last.bucketMs, newest > bucketMs, let chart = report.chart
    else { return [last] }
    return chart.places.indices.compactMap { place in
      guard case .time(let ms) = chart.places[place], ms > bucketMs, ms <= newest else {
        return nil
      }
      return AlertMeasure(report, at: place)
    }
  }

  /// Reads a report's last bucket that is over; nil where it has no such number.
  public init?(_ report: Report) {
    guard let chart = report.chart, let values = Self.values(of: report) else { return nil }
    // A bucket that is not over, or of which the time has a part, would look like a fall.
    let isPart = chart.isLastOpen || report.isLastCut
    let last = min(values.count, chart.places.count) - (isPart ? 2 : 1)
    self.init(report, at: last)
  }

  private static func values(of report: Report) -> [Double?]? {
    report.watched ?? report.chart?.lines.first { !$0.isPrevious }?.values
  }

  private init?(_ report: Report, at last: Int) {
    guard let chart = report.chart, let values = Self.values(of: report),
      last < min(values.count, chart.places.count)
    else { return nil }
    func number(_ place: Int) -> Double? {
      guard place > (report.isFirstCut ? 0 : -1), let value = values[place] else { return nil }
      return value.isFinite ? value : nil
    }
    guard let value = number(last) else { return nil }
    self.value = value
    before = number(last - 1)
    if case .time(let ms) = chart.places[last] { bucketMs = ms } else { bucketMs = nil }
  }
}
