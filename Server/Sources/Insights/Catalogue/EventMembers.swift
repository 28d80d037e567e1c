import EventRecord
public import EventStore

/// Which properties the events of a name have, and of what type they are.
///
/// Looks at the last `sample` events of the name, test events too. The most frequent properties come
/// first, then in the order of the names' UTF-8 bytes.
public struct EventMembers: Insight {
  /// How many events are looked at; enough for a property that one event in a thousand has.
  public static let sample = 20_000

  /// What a value is.
  public enum Kind: String, Sendable, CaseIterable {
    case text
    case number
    case boolean
    case list
    case object
    case null
  }

  /// One property.
  public struct Member: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// How many events have it.
    public var count: Int
    /// How many of its values are of which type.
    public var kinds: [Kind: Int]
    /// The time of the first event that has it, in milliseconds since 1970.
    public var firstSeenMs: Int64
    /// The time of the last.
    public var lastSeenMs: Int64
  }

  /// The properties, and of how many events.
  public struct Output: Sendable, Hashable {
    /// How many events were looked at.
    public var events: Int
    /// The properties.
    public var members: [Member]
  }

  /// The project's number.
  public var project: UInt32
  /// The events' name.
  public var name: String

  /// The question from its parts.
  public init(project: UInt32, name: String) {
    self.project = project
    self.name = name
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      WITH latest AS (
        SELECT props, corrected_at FROM events
        WHERE project_id = $1 AND kind = 0 AND name = $2
        ORDER BY corrected_at DESC, event_key DESC
        LIMIT \(Self.sample)
      ), members AS (
        SELECT corrected_at, props, unnest(json_keys(props)) AS member FROM latest
        WHERE props IS NOT NULL
      )
      SELECT member, json_type(props, '/' || replace(replace(member, '~', '~0'), '/', '~1')),
        count(*), min(corrected_at), max(corrected_at)
      FROM members GROUP BY ALL
      UNION ALL
      SELECT NULL, NULL, count(*), coalesce(min(corrected_at), make_timestamp_ms(0)),
        coalesce(max(corrected_at), make_timestamp_ms(0))
      FROM latest
      """,
      binding: [.integer(Int64(project)), .text(name)]
    )
  }

  /// The properties.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    var members: [ExactText: Member] = [:]
    var events = 0
    for row in rows {
      let count = Int(try row.integer(2))
      guard case .text(let name) = row.values[0] else {
        events = count
        continue
      }
      let (first, last) = (try row.time(3), try row.time(4))
      var member =
        members[ExactText(name)]
        ?? Member(name: name, count: 0, kinds: [:], firstSeenMs: first, lastSeenMs: last)
      member.count += count
      member.kinds[Self.kind(ofStore: try row.text(1)), default: 0] += count
      member.firstSeenMs = min(member.firstSeenMs, first)
      member.lastSeenMs = max(member.lastSeenMs, last)
      members[ExactText(name)] = member
    }
    return Output(events: events, members: Self.sorted(members))
  }

  /// The properties by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let latest = events.filter { $0.project == project && $0.kind == .event && $0.name == name }
      .sorted {
        ($0.correctedMs, $0.key.high, $0.key.low) > ($1.correctedMs, $1.key.high, $1.key.low)
      }
      .prefix(Self.sample)
    var members: [ExactText: Member] = [:]
    for event in latest {
      for (name, value) in PropertyValue.members(of: event.properties) ?? [:] {
        let at = event.correctedMs
        var member =
          members[ExactText(name)]
          ?? Member(name: name, count: 0, kinds: [:], firstSeenMs: at, lastSeenMs: at)
        member.count += 1
        member.kinds[Self.kind(of: value), default: 0] += 1
        member.firstSeenMs = min(member.firstSeenMs, at)
        member.lastSeenMs = max(member.lastSeenMs, at)
        members[ExactText(name)] = member
      }
    }
    return Output(events: latest.count, members: Self.sorted(members))
  }

  private static func sorted(_ members: [ExactText: Member]) -> [Member] {
    members.values.sorted { a, b in
      a.count == b.count ? bytesAscend(a.name, b.name) : a.count > b.count
    }
  }

  private static func kind(ofStore type: String) -> Kind {
    switch type {
    case "VARCHAR": .text
    case "BOOLEAN": .boolean
    case "ARRAY": .list
    case "OBJECT": .object
    case "NULL", "": .null
    default: .number
    }
  }

  private static func kind(of value: PropertyValue) -> Kind {
    switch value {
    case .text: .text
    case .boolean: .boolean
    case .list: .list
    case .object: .object
    case .null: .null
    case .integer, .decimal: .number
    }
  }
}
