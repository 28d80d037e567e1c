public import Foundation

/// The answer to a question in the one form that pages, the API and the command line show.
///
/// A figure is a number with a sentence that says how it is defined; the table holds all that the chart
/// shows.
public struct Report: Sendable, Hashable {
  /// What a number is.
  public enum Unit: String, Sendable, CaseIterable {
    /// A whole number of things.
    case count
    /// Any number.
    case number
    /// A share; 1 is all.
    case share
    /// How much something grew, as a share of what it was; 1 is twice as much.
    case change
    /// An amount of money in units of its currency.
    case money
    /// A length of time in milliseconds.
    case duration
    /// A text.
    case text
    /// The start of a bucket, in milliseconds since 1970.
    case time
  }

  /// One cell of a table.
  public enum Cell: Sendable, Hashable {
    /// A text.
    case text(String)
    /// A number; nil where there is none.
    case number(Double?)
    /// The start of a bucket, in milliseconds since 1970.
    case time(Int64)

    /// A whole number.
    public static func count(_ number: Int) -> Cell { .number(Double(number)) }
  }

  /// A number that stands above the chart.
  public struct Figure: Sendable, Hashable {
    /// What it is called.
    public var title: String
    /// The number; nil where there is none.
    public var value: Double?
    /// What it is.
    public var unit: Unit
    /// How it is defined, as a sentence.
    public var definition: String
    /// The same in the previous period; nil where that was not asked or is nothing.
    public var previous: Double?
    /// Whether pages show it above the chart; one that is none is told in other forms only.
    public var isHeadline = true

    /// A figure from its parts.
    public init(
      _ title: String,
      _ value: Double?,
      _ unit: Unit,
      _ definition: String,
      previous: Double? = nil
    ) {
      self.title = title
      self.value = value
      self.unit = unit
      self.definition = definition
      self.previous = previous
    }

    /// How much the last of some buckets differs from the first; nil of fewer than two.
    ///
    /// Without a value where the first is nothing. Source: Pinpoint's console, which prints a dash there.
    static func change(_ values: [Double?], _ interval: TimeAxis.Interval) -> Figure? {
      guard values.count > 1, let first = values.first, let last = values.last else { return nil }
      let change: Double? =
        if let first, let last, first != 0 { last / first - 1 } else { nil }
      var figure = Figure(
        "First to last \(interval.rawValue)",
        change,
        .change,
        "How much the last \(interval.rawValue) that is over differs from the first one of this time."
      )
      // Two single days say little of all the days between them.
      figure.isHeadline = false
      return figure
    }

    /// How much it changed, as a share; nil when it was nothing before.
    public var change: Double? {
      guard let value, let previous, previous != 0 else { return nil }
      return value / previous - 1
    }
  }

  /// One line of a chart.
  public struct Line: Sendable, Hashable {
    /// What it shows.
    public var name: String
    /// A value for each place; nil where there is none.
    public var values: [Double?]
    /// Whether it is the same of the previous period.
    public var isPrevious = false

    /// A line from its parts.
    public init(_ name: String, _ values: [Double?], isPrevious: Bool = false) {
      self.name = name
      self.values = values
      self.isPrevious = isPrevious
    }
  }

  /// A chart.
  public struct Chart: Sendable, Hashable {
    /// How it is drawn.
    public enum Kind: String, Sendable {
      /// Lines over places.
      case lines
      /// Bars that stand on each other.
      case stack
      /// Bars beside each other.
      case bars
      /// What flows from one thing to the next, column by column.
      case flow
    }

    /// How it is drawn.
    public var kind: Kind
    /// What stands below, place by place: texts or times.
    public var places: [Cell]
    /// What the numbers are.
    public var unit: Unit
    /// The lines.
    public var lines: [Line]
    /// Whether the last place is a time that is not over.
    public var isLastOpen = false
    /// What flows from one place to the next; of a chart of flows only.
    public var flows: [Flow] = []

    /// A chart of flows through some columns.
    public init(flows: [Flow], steps: Int) {
      self.init(.flow, places: (0..<steps).map { .text("\($0 + 1)") }, unit: .count, lines: [])
      self.flows = flows
    }

    /// A chart from its parts.
    public init(
      _ kind: Kind,
      places: [Cell],
      unit: Unit,
      lines: [Line],
      isLastOpen: Bool = false
    ) {
      self.kind = kind
      self.places = places
      self.unit = unit
      self.lines = lines
      self.isLastOpen = isLastOpen
    }
  }

  /// How much goes from one thing to another.
  public struct Flow: Sendable, Hashable {
    /// From what, in the column of the step.
    public var from: String
    /// To what, in the column after it.
    public var to: String
    /// The column, from 0 on.
    public var step: Int
    /// How much.
    public var count: Int

    /// A flow from its parts.
    public init(from: String, to: String, step: Int, count: Int) {
      self.from = from
      self.to = to
      self.step = step
      self.count = count
    }
  }

  /// A column of the table.
  public struct Column: Sendable, Hashable {
    /// Its head.
    public var title: String
    /// What its cells are.
    public var unit: Unit
    /// The currency of its money, where that is neither the report's nor named in the row.
    public var currency: String?

    /// A column from its parts.
    public init(_ title: String, _ unit: Unit, currency: String? = nil) {
      self.title = title
      self.unit = unit
      self.currency = currency
    }
  }

  /// Numbers in rows.
  public struct Table: Sendable, Hashable {
    /// What the table is about.
    public var title: String
    /// The columns.
    public var columns: [Column]
    /// The rows; a cell for each column.
    public var rows: [[Cell]]
    /// Whether the cells of shares are shaded by how large they are.
    public var isShaded = false
    /// Which share is shaded fully.
    public var fullShade = 1.0

    /// A table from its parts.
    public init(
      _ title: String,
      _ columns: [Column],
      _ rows: [[Cell]],
      isShaded: Bool = false,
      fullShade: Double = 1
    ) {
      self.fullShade = fullShade
      self.title = title
      self.columns = columns
      self.rows = rows
      self.isShaded = isShaded
    }
  }

  /// What the report is about, in a few words.
  public var title: String
  /// How the chart is defined, in sentences.
  public var definition: String
  /// Which events of whom are counted, and when, as one line.
  public var subject = ""
  /// The currency of its money: a code such as EUR; nil where there is none, or several.
  public var currency: String?
  /// From when on it counts, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when, this moment excluded.
  public var toMs: Int64
  /// What its numbers are compared with, if they are: from then on, in milliseconds since 1970, and up to
  /// then.
  public var previousMs: Range<Int64>?
  /// What a bucket is.
  public var interval: TimeAxis.Interval
  /// Where its days begin.
  public var timeZone = TimeZone.gmt
  /// The numbers above the chart.
  public var figures: [Figure] = []
  /// The chart.
  public var chart: Chart?
  /// The number of each bucket that an alert looks at; nil for that of the chart's first line.
  public var watched: [Double?]?
  /// What the chart shows, in numbers, and more.
  public var tables: [Table] = []
  /// Whether nothing at all was found.
  public var isEmpty = false

  /// Whether the chart's first bucket began before the time, so that only a part of it is counted.
  public var isFirstCut: Bool {
    guard case .time(let ms)? = chart?.places.first else { return false }
    return ms < fromMs
  }

  /// Whether the chart's last bucket goes on after the time, so that only a part of it is counted.
  public var isLastCut: Bool {
    guard case .time(let ms)? = chart?.places.last else { return false }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let start = Date(timeIntervalSince1970: Double(ms) / 1_000)
    // A time is of whole days.
    let end: Date? =
      switch interval {
      case .hour, .day: nil
      case .week: calendar.date(byAdding: .day, value: 7, to: start)
      case .month: calendar.date(byAdding: .month, value: 1, to: start)
      }
    return end.map { calendar.startOfDay(for: $0).milliseconds > toMs } ?? false
  }

  /// The numbers of the period before, as a line beside those of this one.
  ///
  /// Bucket by bucket from the first on; an hour stands beside the same hour of its day, also where a clock was
  /// set in one of the two periods. None where it was not asked for.
  ///
  /// - Parameters:
  ///   - name: what is counted.
  ///   - values: the numbers; nil where the period before was not asked for.
  ///   - range: the period before.
  ///   - starts: when the buckets of this period begin, in milliseconds since 1970.
  ///   - axis: the buckets.
  /// - Returns: the line, or none.
  static func earlier(
    _ name: String,
    _ values: [Double?]?,
    in range: TimeRange?,
    beside starts: [Int64],
    _ axis: TimeAxis
  ) -> [Line] {
    guard let values, let range else { return [] }
    let before = CalendarBuckets(axis, fromMs: range.fromMs, toMs: range.toMs).starts
    let (own, earlier) = (axis.positions(starts), axis.positions(before))
    let known = Dictionary(zip(earlier, values)) { first, _ in first }
    return [
      Line("\(name), period before", own.map { known[$0] ?? nil }, isPrevious: true)
    ]
  }

  /// A report without an answer yet.
  package init(
    title: String,
    definition: String,
    fromMs: Int64,
    toMs: Int64,
    interval: TimeAxis.Interval
  ) {
    self.title = title
    self.definition = definition
    self.fromMs = fromMs
    self.toMs = toMs
    self.interval = interval
  }
}
