import EventRecord
public import EventStore

/// Every name of a project's events: how many there are, and from when to when.
///
/// Only `.event` counts, test events too, by corrected time. The most frequent lately come first, then
/// the most frequent of all, then in the order of the names' UTF-8 bytes.
public struct EventDirectory: Insight {
  /// The most names that are told.
  public static let limit = 5_000

  /// One name.
  public struct Entry: Sendable, Hashable {
    /// The events' name.
    public var name: String
    /// How many events.
    public var count: Int
    /// How many of them are test events.
    public var testCount: Int
    /// How many of them are from `sinceMs` on.
    public var recentCount: Int
    /// The time of the first, in milliseconds since 1970.
    public var firstSeenMs: Int64
    /// The time of the last, in milliseconds since 1970.
    public var lastSeenMs: Int64
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// The names, at most `limit`.
    public var entries: [Entry]
    /// Whether there are more.
    public var isCut: Bool

    /// Of the names in their order, one more than are told being enough.
    init(_ found: [Entry]) {
      entries = Array(found.prefix(EventDirectory.limit))
      isCut = found.count > EventDirectory.limit
    }
  }

  /// The project's number.
  public var project: UInt32
  /// From when on an event is a recent one, in milliseconds since 1970.
  public var sinceMs: Int64

  /// The question from its parts.
  public init(project: UInt32, sinceMs: Int64) {
    self.project = project
    self.sinceMs = sinceMs
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT name, count(*) AS events, count(*) FILTER (is_test),
        count(*) FILTER (corrected_at >= $2) AS recent, min(corrected_at), max(corrected_at)
      FROM events
      WHERE project_id = $1 AND kind = 0
      GROUP BY name
      ORDER BY recent DESC, events DESC, name
      LIMIT \(Self.limit + 1)
      """,
      binding: [.integer(Int64(project)), .time(sinceMs)]
    )
  }

  /// The names.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let entries = try rows.map { row in
      Entry(
        name: try row.text(0),
        count: Int(try row.integer(1)),
        testCount: Int(try row.integer(2)),
        recentCount: Int(try row.integer(3)),
        firstSeenMs: try row.time(4),
        lastSeenMs: try row.time(5)
      )
    }
    return Output(entries)
  }

  /// The names by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let counted = events.filter { $0.project == project && $0.kind == .event }
    let entries = Dictionary(grouping: counted) { ExactText($0.name) }.map { name, events in
      let times = events.map(\.correctedMs)
      return Entry(
        name: name.text,
        count: events.count,
        testCount: events.count { $0.isTest },
        recentCount: times.count { $0 >= sinceMs },
        firstSeenMs: times.min() ?? 0,
        lastSeenMs: times.max() ?? 0
      )
    }
    return Output(
      entries.sorted { a, b in
        if a.recentCount != b.recentCount { return a.recentCount > b.recentCount }
        return a.count == b.count ? bytesAscend(a.name, b.name) : a.count > b.count
      }
    )
  }
}
