import EventRecord

/// Sums counts into the buckets of a chart, a line for each name.
struct SeriesTally {
  private let buckets: SeriesBuckets
  private var counts: [ExactText?: [Int]] = [:]

  init(_ buckets: SeriesBuckets) {
    self.buckets = buckets
  }

  /// Adds to the bucket in which `atMs` lies; nil is the line of all other names.
  mutating func add(_ count: Int, of name: String?, atMs: Int64) {
    // A slot of the store may start before the first bucket but never holds anything from there.
    guard !buckets.starts.isEmpty else { return }
    let bucket = buckets.index(of: atMs) ?? 0
    counts[name.map(ExactText.init), default: Array(repeating: 0, count: buckets.starts.count)][
      bucket
    ] += count
  }

  var output: EventSeries.Output {
    let lines = counts.map { name, counts in
      EventSeries.Line(name: name?.text, total: counts.reduce(0, +), counts: counts)
    }
    return EventSeries.Output(
      bucketStartsMs: buckets.starts,
      lines: lines.sorted(by: Self.precedes)
    )
  }

  private static func precedes(_ a: EventSeries.Line, _ b: EventSeries.Line) -> Bool {
    guard let first = a.name else { return false }
    guard let second = b.name else { return true }
    return a.total == b.total ? bytesAscend(first, second) : a.total > b.total
  }
}
