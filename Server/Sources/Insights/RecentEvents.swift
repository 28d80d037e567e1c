public import EventStore
public import EventRecord

/// A project's events of every kind, the last received first.
///
/// Events of one request come in their clients' order. Test events are included unless told
/// otherwise: this is the live list.
public struct RecentEvents: Insight {
  /// The project's number.
  public var project: UInt32
  /// Only events of this name.
  public var name: String?
  /// Only events of this user or device.
  public var person: String?
  /// Whether test events are listed.
  public var includesTest: Bool
  /// Only events that were sent with a key of this label.
  public var deployment: String?
  /// Only events before this place of the list; the place of a page's last event gives the next page.
  public var before: Place?
  /// How many events at most; 1 to 1,000.
  public var limit: Int

  /// The question from its parts.
  public init(
    project: UInt32,
    name: String? = nil,
    person: String? = nil,
    includesTest: Bool = true,
    deployment: String? = nil,
    before: Place? = nil,
    limit: Int = 100
  ) {
    self.project = project
    self.name = name
    self.person = person
    self.includesTest = includesTest
    self.deployment = deployment
    self.before = before
    self.limit = min(max(1, limit), 1_000)
  }

  /// An event's place in the list.
  public struct Place: Sendable, Hashable, Comparable {
    /// When the server received the event, in milliseconds since 1970.
    public var receivedMs: Int64
    /// The client's counter.
    public var sequence: Int64
    /// Decides between events that are alike in the rest.
    public var key: EventKey

    /// The place of an event.
    public init(of event: StoredEvent) {
      receivedMs = event.receivedMs
      sequence = event.sequence
      key = event.key
    }

    /// The place written by `text`; nil for any other text.
    public init?(text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 3, let receivedMs = Int64(parts[0]), let sequence = Int64(parts[1]),
        let key = EventKey(String(parts[2]))
      else { return nil }
      self.receivedMs = receivedMs
      self.sequence = sequence
      self.key = key
    }

    /// The place as a text that is safe in an address.
    public var text: String { "\(receivedMs).\(sequence).\(key.description)" }

    /// Earlier received first.
    public static func < (a: Self, b: Self) -> Bool {
      (a.receivedMs, a.sequence, a.key.high, a.key.low)
        < (b.receivedMs, b.sequence, b.key.high, b.key.low)
    }
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    let filter = EventFilter(name: name, person: person, includesTest: includesTest)
    return SQL(
      """
      SELECT \(EventColumns.list)
      FROM \(filter.table)
      WHERE project_id = $1
        AND \(filter.condition)
        AND ($5 IS NULL OR received_at <= $5)
        AND ($5 IS NULL OR (received_at, seq, event_key) < ($5, $6, $7))
        AND ($9 IS NULL OR starts_with(client, $9 || ',') OR client = $9 || '}')
      ORDER BY received_at DESC, seq DESC, event_key DESC
      LIMIT $8
      """,
      binding: [.integer(Int64(project))] + filter.bindings + [
        before.map { .time($0.receivedMs) } ?? .null,
        before.map { .integer($0.sequence) } ?? .null,
        before.map { .key($0.key) } ?? .null,
        .integer(Int64(limit)),
        clientStart.map { .text($0) } ?? .null,
      ]
    )
  }

  /// How the client of such events begins; the collector puts the label first.
  private var clientStart: String? {
    deployment.map { RecordEditing.clientMember("deployment", $0) }
  }

  /// The listed events.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [StoredEvent] {
    try rows.map(EventColumns.event)
  }

  /// The listed events by definition.
  public func output(over events: [StoredEvent]) -> [StoredEvent] {
    let filter = EventFilter(name: name, person: person, includesTest: includesTest)
    let listed = filter.admitted(events).filter { event in
      event.project == project
        && before.map { Place(of: event) < $0 } ?? true
        && clientStart.map { event.client.hasPrefix($0 + ",") || event.client == $0 + "}" } ?? true
    }
    return Array(listed.sorted { Place(of: $1) < Place(of: $0) }.prefix(limit))
  }
}
