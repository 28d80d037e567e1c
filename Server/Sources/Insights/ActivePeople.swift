import EventRecord
public import EventStore

/// How many people did something in a stretch of time.
///
/// A person is a user, or a device on which no user was seen (see `PeopleMap`): what happened on a
/// device before someone signed in there is theirs. Only `.event` counts, by corrected time; test
/// events only when asked.
public struct ActivePeople: Insight {
  /// The project's number.
  public var project: UInt32
  /// From when on events count, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when events count, this moment excluded.
  public var toMs: Int64
  /// Only events of this name.
  public var name: String?
  /// Only events of this user or device.
  public var person: String?
  /// Whether test events count.
  public var includesTest: Bool

  /// The question from its parts.
  public init(
    project: UInt32,
    fromMs: Int64,
    toMs: Int64,
    name: String? = nil,
    person: String? = nil,
    includesTest: Bool = false
  ) {
    self.project = project
    self.fromMs = fromMs
    self.toMs = toMs
    self.name = name
    self.person = person
    self.includesTest = includesTest
  }

  private var filter: EventFilter {
    EventFilter(name: name, person: person, includesTest: includesTest)
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT count(DISTINCT person)
      FROM person_events
      WHERE project_id = $1 AND kind = 0
        AND \(EventFilter.condition)
        AND corrected_at >= $5 AND corrected_at < $6
      """,
      binding: [.integer(Int64(project))] + filter.bindings + [.time(fromMs), .time(toMs)]
    )
  }

  /// The number.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Int {
    guard let row = rows.first else { return 0 }
    return Int(try row.integer(0))
  }

  /// The number by definition.
  public func output(over events: [StoredEvent]) -> Int {
    let counted = filter.admitted(events).filter { event in
      event.project == project && event.kind == .event
        && event.correctedMs >= fromMs && event.correctedMs < toMs
    }
    let people = PeopleMap(events)
    return Set(counted.compactMap { people.person(of: $0) }).count
  }
}
