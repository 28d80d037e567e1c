import EventRecord
public import EventStore

/// A project's groups, such as accounts or teams, by type and name.
///
/// A group is there once an event was done in it, someone was put into it, or something was said of it;
/// test events are left out. People count who did something in it or are in it now.
public struct GroupList: Insight {
  /// By what groups are sorted; the highest first, those that are alike by type and name.
  public enum Order: String, Sendable, CaseIterable {
    /// How many people.
    case people
    /// How many events.
    case events
    /// When something happened last.
    case lastSeen = "last-seen"
  }

  /// One group.
  public struct Entry: Sendable, Hashable {
    /// The type, such as `org`.
    public var type: String
    /// The name.
    public var name: String
    /// How many different people did something in it or are in it now.
    public var people: Int
    /// How many events were done in it.
    public var events: Int
    /// When the first event in it or about it was, in milliseconds since 1970; nil for none.
    public var firstSeenMs: Int64?
    /// When the last one was.
    public var lastSeenMs: Int64?
  }

  /// The project's number.
  public var project: UInt32
  /// Only groups of this type.
  public var type: String?
  /// Only groups whose name contains this, byte by byte.
  public var search: String?
  /// Only the groups of this name.
  public var name: String?
  /// By what they are sorted.
  public var order: Order
  /// How many to pass over.
  public var offset: Int
  /// How many at most; 1 to 1,000.
  public var limit: Int

  /// The question from its parts.
  public init(
    project: UInt32,
    type: String? = nil,
    search: String? = nil,
    name: String? = nil,
    order: Order = .people,
    offset: Int = 0,
    limit: Int = 50
  ) {
    self.project = project
    self.type = type.flatMap { $0.isEmpty ? nil : $0 }
    self.search = search.flatMap { $0.isEmpty ? nil : $0 }
    self.name = name
    self.order = order
    self.offset = max(0, offset)
    self.limit = min(max(1, limit), 1_000)
  }

  /// The statement.
  ///
  /// Rows that name the same groups are brought together before their JSON is read.
  public func sql(_ dialect: Dialect) -> SQL {
    let column =
      switch order {
      case .people: "people"
      case .events: "events"
      case .lastSeen: "last"
      }
    return SQL(
      """
      WITH seen AS (
        SELECT groups, CASE WHEN kind = 0 THEN person END AS who, kind, count(*) AS n,
          min(corrected_at) AS first, max(corrected_at) AS last
        FROM person_events
        WHERE project_id = $1 AND kind IN (0, 2) AND groups IS NOT NULL AND NOT is_test
        GROUP BY groups, who, kind
        UNION ALL
        SELECT groups, subject, 1, 0, NULL, NULL FROM current_properties
        WHERE project_id = $1 AND groups <> '{}' AND NOT is_test
      ), typed AS (
        SELECT *, unnest(json_keys(groups)) AS type FROM seen
      ), valued AS (
        SELECT * EXCLUDE (groups),
          json_extract(groups, '/' || replace(replace(type, '~', '~0'), '/', '~1')) AS value
        FROM typed WHERE ($2 IS NULL OR type = $2)
      ), named AS (
        SELECT *, unnest(list_distinct(list_transform(
          CASE json_type(value) WHEN 'ARRAY' THEN json_extract(value, '$[*]') ELSE [value] END,
          lambda one: CASE json_type(one) WHEN 'VARCHAR' THEN json_extract_string(one, '$')
            WHEN 'BIGINT' THEN one::VARCHAR WHEN 'UBIGINT' THEN one::VARCHAR END))) AS name
        FROM valued
      ), listed AS (
        SELECT type, name, count(DISTINCT who) AS people,
          coalesce(sum(n) FILTER (WHERE kind = 0), 0)::BIGINT AS events,
          min(first) AS first, max(last) AS last
        FROM named WHERE name IS NOT NULL AND ($3 IS NULL OR contains(name, $3))
          AND ($6 IS NULL OR name = $6)
        GROUP BY type, name
      )
      SELECT type, name, people, events, first, last FROM listed
      ORDER BY \(column) DESC NULLS LAST, type, name LIMIT $4 OFFSET $5
      """,
      binding: [
        .integer(Int64(project)), type.map { .text($0) } ?? .null,
        search.map { .text($0) } ?? .null, .integer(Int64(limit)), .integer(Int64(offset)),
        name.map { .text($0) } ?? .null,
      ]
    )
  }

  /// The groups.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Entry] {
    try rows.map { row in
      Entry(
        type: try row.text(0),
        name: try row.text(1),
        people: Int(try row.integer(2)),
        events: Int(try row.integer(3)),
        firstSeenMs: row.values[4] == .null ? nil : try row.time(4),
        lastSeenMs: row.values[5] == .null ? nil : try row.time(5)
      )
    }
  }

  private struct Key: Hashable {
    var type: String
    var name: String
  }

  private struct Tally {
    var people: Set<Int64> = []
    var events = 0
    var times: [Int64] = []
  }

  /// The groups by definition.
  public func output(over events: [StoredEvent]) -> [Entry] {
    let map = PeopleMap(events)
    var tallies: [Key: Tally] = [:]
    for event in events
    where event.project == project && !event.isTest
      && [.event, .groupIdentify].contains(event.kind)
    {
      for key in Self.keys(PropertyValue.members(of: event.groups) ?? [:]) {
        tallies[key, default: Tally()].times.append(event.correctedMs)
        guard event.kind == .event else { continue }
        tallies[key]?.events += 1
        if let person = map.person(of: event) { tallies[key]?.people.insert(person) }
      }
    }
    for (person, state) in PersonStates(events, project: project, people: map).states {
      for key in Self.keys(state.groups) { tallies[key, default: Tally()].people.insert(person) }
    }
    let entries = tallies.filter { key, _ in
      (type.map { key.type == $0 } ?? true)
        && (name.map { Array(key.name.utf8) == Array($0.utf8) } ?? true)
        && search.map { Array(key.name.utf8).contains(Array($0.utf8)) } ?? true
    }.map { key, tally in
      Entry(
        type: key.type,
        name: key.name,
        people: tally.people.count,
        events: tally.events,
        firstSeenMs: tally.times.min(),
        lastSeenMs: tally.times.max()
      )
    }
    return Array(entries.sorted(by: precedes).dropFirst(offset).prefix(limit))
  }

  private func precedes(_ a: Entry, _ b: Entry) -> Bool {
    func value(_ entry: Entry) -> Int64? {
      switch order {
      case .people: Int64(entry.people)
      case .events: Int64(entry.events)
      case .lastSeen: entry.lastSeenMs
      }
    }
    if value(a) != value(b) { return value(a) ?? .min > value(b) ?? .min }
    return a.type == b.type ? bytesAscend(a.name, b.name) : bytesAscend(a.type, b.type)
  }

  private static func keys(_ groups: Members<PropertyValue>) -> Set<Key> {
    Set(
      groups.flatMap { type, value in
        value.values.compactMap { one in
          switch one {
          case .text(let name): Key(type: type, name: name)
          case .integer(let number): Key(type: type, name: String(number))
          default: nil
          }
        }
      }
    )
  }
}
