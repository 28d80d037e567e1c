/// What an alert looks at in a report: its first line in the last bucket that is over, and in the one before.
public struct AlertMeasure: Sendable, Hashable {
  /// The number.
  public let value: Double
  /// That of the bucket before; nil where there is none.
  public let before: Double?
  /// When the bucket begins, in milliseconds since 1970; nil where buckets are no times.
  public let bucketMs: Int64?

  /// Reads a report; nil where it has no such number.
  public init?(_ report: Report) {
    guard let chart = report.chart, let line = chart.lines.first(where: { !$0.isPrevious }) else {
      return nil
    }
    // A bucket that is not over would look like a fall.
    let last = min(line.values.count, chart.places.count) - (chart.isLastOpen ? 2 : 1)
    guard last >= 0, let value = line.values[last], value.isFinite else { return nil }
    self.value = value
    before = last > 0 ? line.values[last - 1].flatMap { $0.isFinite ? $0 : nil } : nil
    if case .time(let ms) = chart.places[last] { bucketMs = ms } else { bucketMs = nil }
  }
}
