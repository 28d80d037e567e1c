import EventRecord
public import EventStore

/// How much a person did: events of each name, sessions, devices, first and last time.
///
/// Test events are left out of all numbers.
public struct PersonTotals: Insight {
  /// A device the person used.
  public struct Device: Sendable, Hashable {
    /// The device's id.
    public var id: String
    /// How many events happened there.
    public var events: Int
    /// When the first event or identify was, in milliseconds since 1970.
    public var firstSeenMs: Int64
    /// When the last one was.
    public var lastSeenMs: Int64
    /// The last one's client, a JSON object.
    public var client: String
    /// The last one's context, a JSON object.
    public var context: String
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// Events of each name, the most frequent first, then by the name's bytes.
    public var names: [EventNames.Name] = []
    /// Devices, the one used last first; the one with an empty id is none.
    public var devices: [Device] = []
    /// How many sessions events tell of.
    public var sessions = 0

    /// How many events.
    public var events: Int { names.reduce(0) { $0 + $1.count } }
    /// When the first event was, or where there is none the first identify; nil for neither.
    public var firstSeenMs: Int64?
    /// When the last one was.
    public var lastSeenMs: Int64?
  }

  /// Whose.
  public var person: Person

  /// The question from its parts.
  public init(_ person: Person) { self.person = person }

  /// The statement: rows of names, of devices, and one of sessions.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    return statement.sql(
      """
      WITH own AS MATERIALIZED (
        SELECT name, kind, device_id, session_id, corrected_at, seq, event_key, client, context
        FROM \(person.source(&statement)) WHERE kind < 2 AND NOT is_test
      )
      SELECT 0 AS part, name AS word, count(*) AS n, NULL AS first, max(corrected_at) AS last,
        NULL AS client, NULL AS context
      FROM own WHERE kind = 0 GROUP BY name
      UNION ALL
      SELECT 1, coalesce(device_id, ''), count(*) FILTER (WHERE kind = 0), min(corrected_at),
        max(corrected_at), any_value(latest.client), any_value(latest.context)
      FROM (
        SELECT *, first_value({'client': client, 'context': context}) OVER (
          PARTITION BY device_id ORDER BY corrected_at DESC, seq DESC, event_key DESC) AS latest
        FROM own
      ) GROUP BY coalesce(device_id, '')
      UNION ALL
      SELECT 2, '', count(DISTINCT session_id) FILTER (kind = 0),
        coalesce(min(corrected_at) FILTER (kind = 0), min(corrected_at)),
        coalesce(max(corrected_at) FILTER (kind = 0), max(corrected_at)), NULL, NULL FROM own
      """
    )
  }

  /// The totals.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    var output = Output()
    for row in rows {
      let (word, count) = (try row.text(1), Int(try row.integer(2)))
      switch try row.integer(0) {
      case 0:
        output.names.append(.init(name: word, count: count, lastSeenMs: try row.time(4)))
      case 1:
        output.devices.append(
          Device(
            id: word,
            events: count,
            firstSeenMs: try row.time(3),
            lastSeenMs: try row.time(4),
            client: try row.text(5),
            context: try row.text(6)
          )
        )
      default:
        output.sessions = count
        guard row.values[3] != .null else { continue }
        output.firstSeenMs = try row.time(3)
        output.lastSeenMs = try row.time(4)
      }
    }
    return output.sorted
  }

  /// The totals by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let own = person.events(events).filter { !$0.isTest }
      .sorted { EventPlace(of: $0) < EventPlace(of: $1) }
    let counted = own.filter { $0.kind == .event }
    var output = Output()
    output.names = Dictionary(grouping: counted, by: \.name).map { name, events in
      .init(name: name, count: events.count, lastSeenMs: events.map(\.correctedMs).max() ?? 0)
    }
    output.devices = Dictionary(grouping: own, by: \.deviceID).map { id, events in
      Device(
        id: id,
        events: events.count { $0.kind == .event },
        firstSeenMs: events.map(\.correctedMs).min() ?? 0,
        lastSeenMs: events.map(\.correctedMs).max() ?? 0,
        client: events.last?.client ?? "",
        context: events.last?.context ?? ""
      )
    }
    let told = counted.isEmpty ? own : counted
    output.firstSeenMs = told.map(\.correctedMs).min()
    output.lastSeenMs = told.map(\.correctedMs).max()
    output.sessions = Set(counted.map(\.sessionID)).subtracting([""]).count
    return output.sorted
  }
}

extension PersonTotals.Output {
  fileprivate var sorted: Self {
    var output = self
    output.names.sort { a, b in
      a.count == b.count ? bytesAscend(a.name, b.name) : a.count > b.count
    }
    output.devices.sort { a, b in
      a.lastSeenMs == b.lastSeenMs ? bytesAscend(a.id, b.id) : a.lastSeenMs > b.lastSeenMs
    }
    return output
  }
}

/// What a person paid, currency by currency, read as the project reads money; amounts of different
/// currencies are never added.
public struct PersonRevenue: Insight {
  /// What was paid in one currency.
  public struct Amount: Sendable, Hashable {
    /// The currency's code; of an amount without one the project's.
    public var currency: String
    /// How much it comes to, in millionths; refunds are taken off.
    public var micros: Int64
    /// How many events tell of it.
    public var events: Int
  }

  /// Whose.
  public var person: Person
  /// The project's own currency.
  public var currency: String
  /// How an event's money is read.
  public var formula: RevenueTrend.Formula

  /// The question of a person of a project, with what the project is asked with.
  public init(_ person: Person, _ setting: QuestionForm.Setting) {
    self.person = person
    currency = setting.currency ?? RevenueTrend.standardCurrency
    formula = setting.formula
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    return statement.sql(
      """
      SELECT code, \(RevenueTrend.bounded("sum(paid)")), count(*) FROM (
        SELECT coalesce(currency, \(statement.bind(currency))) AS code, \(formula.sql(of: "money")) AS paid
        FROM (SELECT * FROM \(person.source(&statement, table: "revenues")) WHERE NOT is_test) AS money
      ) WHERE paid IS NOT NULL
      GROUP BY code ORDER BY code
      """
    )
  }

  /// The amounts by the bytes of their currencies.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Amount] {
    try rows.map { row in
      Amount(
        currency: try row.text(0),
        micros: try row.integer(1),
        events: Int(try row.integer(2))
      )
    }
  }

  /// The amounts by definition.
  public func output(over events: [StoredEvent]) -> [Amount] {
    let facts = person.events(events).filter { !$0.isTest }.compactMap { RevenueFact($0) }
    let paid = facts.compactMap { fact in
      formula.micros(of: fact).map { (fact.currency.isEmpty ? currency : fact.currency, $0) }
    }
    return Dictionary(grouping: paid, by: \.0).map { currency, paid in
      Amount(currency: currency, micros: paid.reduce(0) { $0 + $1.1 }, events: paid.count)
    }.sorted { bytesAscend($0.currency, $1.currency) }
  }
}
