import EventRecord
public import EventStore
public import Foundation

/// How many events of each name happened per minute or per day.
///
/// Counts only `.event`, by corrected time, test events only when asked. Buckets without events are
/// there with 0. The most frequent names have a line of their own, the rest share one.
public struct EventSeries: Insight {
  /// What a bucket is.
  public enum Interval: String, Sendable, CaseIterable {
    /// A minute.
    case minute
    /// A calendar day of the time zone.
    case day
  }

  /// The counts of one name, or of all names without a line of their own.
  public struct Line: Sendable, Hashable {
    /// The name; nil for all other names together.
    public var name: String?
    /// The sum of `counts`.
    public var total: Int
    /// One count for each bucket.
    public var counts: [Int]

    /// A line from its parts.
    public init(name: String?, total: Int, counts: [Int]) {
      self.name = name
      self.total = total
      self.counts = counts
    }
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// When each bucket starts, in milliseconds since 1970, ascending, none missing.
    public var bucketStartsMs: [Int64]
    /// The most frequent name first; the line of all other names, if there are any, last.
    public var lines: [Line]

    /// An answer from its parts.
    public init(bucketStartsMs: [Int64], lines: [Line]) {
      self.bucketStartsMs = bucketStartsMs
      self.lines = lines
    }
  }

  /// How many buckets an answer has at most; of a longer range the last ones are counted.
  public static let maxBuckets = 4_000

  /// The project's number.
  public var project: UInt32
  /// What a bucket is.
  public var interval: Interval
  /// From when on events are counted, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when events are counted, this moment excluded.
  public var toMs: Int64
  /// Where days begin.
  public var timeZone: TimeZone
  /// Only events of this name.
  public var name: String?
  /// Only events of this user or device.
  public var person: String?
  /// Whether test events are counted.
  public var includesTest: Bool
  /// How many names have a line of their own; at least 1.
  public var topNames: Int

  /// The question from its parts.
  public init(
    project: UInt32,
    interval: Interval,
    fromMs: Int64,
    toMs: Int64,
    timeZone: TimeZone,
    name: String? = nil,
    person: String? = nil,
    includesTest: Bool = false,
    topNames: Int = 6
  ) {
    self.project = project
    self.interval = interval
    self.fromMs = fromMs
    self.toMs = toMs
    self.timeZone = timeZone
    self.name = name
    self.person = person
    self.includesTest = includesTest
    self.topNames = max(1, topNames)
  }

  var filter: EventFilter {
    EventFilter(name: name, person: person, includesTest: includesTest)
  }

  var buckets: SeriesBuckets {
    SeriesBuckets(
      interval,
      fromMs: fromMs,
      toMs: toMs,
      timeZone: timeZone,
      limit: Self.maxBuckets
    )
  }

  /// What the store groups by: fine enough that every bucket is made of whole slots.
  ///
  /// A quarter of an hour for days: since 1972 the offsets of all time zones are multiples of it.
  var slotMs: Int64 {
    switch interval {
    case .minute: 60_000
    case .day: 900_000
    }
  }

  /// The statement: counts per slot and name, names beyond the top ones as NULL.
  ///
  /// A slot is a whole number of our own making.
  public func sql(_ dialect: Dialect) -> SQL {
    let start = max(fromMs, buckets.starts.first ?? fromMs)
    return SQL(
      """
      WITH slots AS (
        SELECT name, epoch_us(corrected_at::TIMESTAMP) // \(slotMs * 1_000) AS slot, count(*) AS events
        FROM \(filter.table)
        WHERE project_id = $1 AND kind = 0
          AND \(filter.condition)
          AND corrected_at >= $5 AND corrected_at < $6
        GROUP BY ALL
      ), top AS (
        SELECT name FROM slots GROUP BY name ORDER BY sum(events) DESC, name LIMIT $8
      )
      SELECT top.name, slot * $7, sum(events)::BIGINT
      FROM slots LEFT JOIN top USING (name)
      GROUP BY ALL
      """,
      binding: [.integer(Int64(project))] + filter.bindings + [
        .time(start), .time(toMs), .integer(slotMs), .integer(Int64(topNames)),
      ]
    )
  }

  /// The chart's lines.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    var tally = SeriesTally(buckets)
    for row in rows {
      let name: String? = if row.values.first == .null { nil } else { try row.text(0) }
      tally.add(Int(try row.integer(2)), of: name, atMs: try row.integer(1))
    }
    return tally.output
  }

  /// The events that are counted; `all` are all events of the store.
  func counted(_ all: [StoredEvent]) -> [StoredEvent] {
    let start = max(fromMs, buckets.starts.first ?? fromMs)
    return filter.admitted(all).filter { event in
      event.project == project && event.kind == .event
        && event.correctedMs >= start && event.correctedMs < toMs
    }
  }

  /// The chart's lines by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let counted = counted(events)
    let top = Dictionary(grouping: counted) { ExactText($0.name) }.mapValues(\.count)
      .sorted { $0.value == $1.value ? bytesAscend($0.key.text, $1.key.text) : $0.value > $1.value }
      .prefix(topNames).map(\.key)
    var tally = SeriesTally(buckets)
    for event in counted {
      tally.add(
        1,
        of: top.contains(ExactText(event.name)) ? event.name : nil,
        atMs: event.correctedMs
      )
    }
    return tally.output
  }
}
