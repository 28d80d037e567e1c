import EventRecord
public import EventStore

/// The names of a project's events, the most frequent first.
///
/// Only `.event` counts; names that are equally frequent come in the order of their UTF-8 bytes.
public struct EventNames: Insight {
  /// One name.
  public struct Name: Sendable, Hashable {
    /// The events' name.
    public var name: String
    /// How many events.
    public var count: Int
    /// The latest corrected time among them, in milliseconds since 1970.
    public var lastSeenMs: Int64

    /// A name from its parts.
    public init(name: String, count: Int, lastSeenMs: Int64) {
      self.name = name
      self.count = count
      self.lastSeenMs = lastSeenMs
    }
  }

  /// The project's number.
  public var project: UInt32
  /// Whether test events are counted.
  public var includesTest: Bool
  /// Only events of this user or device.
  public var person: String?
  /// How many names at most; 1 to 10,000.
  public var limit: Int

  /// The question from its parts.
  public init(
    project: UInt32,
    includesTest: Bool = false,
    person: String? = nil,
    limit: Int = 500
  ) {
    self.project = project
    self.includesTest = includesTest
    self.person = person
    self.limit = min(max(1, limit), 10_000)
  }

  private var filter: EventFilter {
    EventFilter(name: nil, person: person, includesTest: includesTest)
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT name, count(*) AS events, max(corrected_at) AS last_seen
      FROM \(filter.table)
      WHERE project_id = $1 AND kind = 0
        AND \(filter.condition)
      GROUP BY name
      ORDER BY events DESC, name
      LIMIT $5
      """,
      binding: [.integer(Int64(project))] + filter.bindings + [.integer(Int64(limit))]
    )
  }

  /// The names.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Name] {
    try rows.map { row in
      Name(name: try row.text(0), count: Int(try row.integer(1)), lastSeenMs: try row.time(2))
    }
  }

  /// The names by definition.
  public func output(over events: [StoredEvent]) -> [Name] {
    let counted = filter.admitted(events).filter {
      $0.project == project && $0.kind == .event
    }
    let names = Dictionary(grouping: counted) { ExactText($0.name) }.map { name, events in
      Name(name: name.text, count: events.count, lastSeenMs: events.map(\.correctedMs).max() ?? 0)
    }
    return Array(
      names.sorted { a, b in
        a.count == b.count ? bytesAscend(a.name, b.name) : a.count > b.count
      }.prefix(limit)
    )
  }
}

/// The order in which the store sorts texts: by their UTF-8 bytes.
func bytesAscend(_ a: String, _ b: String) -> Bool {
  a.utf8.lexicographicallyPrecedes(b.utf8)
}
