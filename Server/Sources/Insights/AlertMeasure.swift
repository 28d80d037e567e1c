/// What an alert looks at in a report: its first line in the last bucket that is over, and in the one before.
///
/// Both are whole: a week of which the report only has some days says nothing.
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
    func number(_ place: Int) -> Double? {
      guard place > (report.isFirstCut ? 0 : -1), let value = line.values[place] else { return nil }
      return value.isFinite ? value : nil
    }
    guard let value = number(last) else { return nil }
    self.value = value
    before = number(last - 1)
    if case .time(let ms) = chart.places[last] { bucketMs = ms } else { bucketMs = nil }
  }
}
