import EventRecord
public import EventStore

/// The properties of a person or a group through time.
///
/// Operations apply by corrected time, then by the client's counter, so one that arrives late takes
/// its place. An event carries what held right after its own operations; later changes do not rewrite
/// it. What test events say is told only of whom nothing else speaks.
public struct PropertyTimeline: Insight {
  /// Whose properties.
  public enum Subject: Sendable, Hashable {
    /// The person with this user or device id, and what happened on a device with this id.
    case person(String)
    /// A person who was found by `PersonLookup`; the quick way.
    case found(Person)
    /// A group of a type.
    case group(type: String, name: String)
  }

  /// A moment in the order of operations.
  public typealias Place = EventPlace

  /// What held from an event on.
  public struct Change: Sendable, Hashable {
    /// The event's place.
    public var place: Place
    /// The event's name.
    public var name: String
    /// What holds from there on.
    public var state: PropertyState
  }

  /// A property that became another.
  public struct Edit: Sendable, Hashable {
    /// The property's name.
    public var property: String
    /// What it was; nil for nothing.
    public var old: PropertyValue?
    /// What it became; nil when it was removed.
    public var new: PropertyValue?
    /// The place of the event that changed it.
    public var place: Place
    /// The event's name.
    public var event: String
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// Every change, the earliest first.
    public var changes: [Change]

    /// What holds now.
    public var current: PropertyState { changes.last?.state ?? PropertyState() }

    /// Every change of a property, the latest first.
    public var edits: [Edit] {
      var before = PropertyState()
      var edits: [Edit] = []
      for change in changes {
        let names = Set((before.properties.keys + change.state.properties.keys).map(ExactText.init))
        for name in names.map(\.text).sorted(by: bytesAscend) {
          let (old, new) = (before.properties[name], change.state.properties[name])
          guard old != new else { continue }
          edits.append(
            Edit(property: name, old: old, new: new, place: change.place, event: change.name)
          )
        }
        before = change.state
      }
      return edits.reversed()
    }

    /// What an event of the subject carries.
    public func state(at event: StoredEvent) -> PropertyState {
      let place = Place(of: event)
      return changes.last { $0.place <= place }?.state ?? PropertyState()
    }
  }

  /// The project's number.
  public var project: UInt32
  /// Whose properties.
  public var subject: Subject

  /// The question from its parts.
  public init(project: UInt32, subject: Subject) {
    self.project = project
    self.subject = subject
  }

  /// The statement: every event of the subject that changes something.
  ///
  /// Groups are compared in `output`: their names stand in a JSON text.
  public func sql(_ dialect: Dialect) -> SQL {
    if case .found(let person) = subject {
      var statement = Statement()
      return statement.sql(
        """
        SELECT \(EventColumns.list) FROM \(person.source(&statement))
        WHERE kind <> 2
          AND (coalesce(ops, '') <> '' OR kind = 1 AND coalesce(groups, '') <> '')
        """
      )
    }
    let person: SQLValue = if case .person(let id) = subject { .text(id) } else { .null }
    return SQL(
      """
      SELECT \(EventColumns.list)
      FROM person_events
      WHERE project_id = $1
        AND CASE WHEN $2 IS NULL THEN kind = 2
          ELSE kind <> 2 AND (person_id = $2 OR device_id = $2) END
        AND (coalesce(ops, '') <> '' OR kind = 1 AND coalesce(groups, '') <> '')
      """,
      binding: [.integer(Int64(project)), person]
    )
  }

  /// The changes.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    changes(try rows.map(EventColumns.event).filter { isOfGroup($0) ?? true })
  }

  /// The changes by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let people = PeopleMap(events)
    if case .found(let person) = subject { return changes(person.events(events, people)) }
    return changes(events.filter { $0.project == project && concerns($0, people) })
  }

  private func changes(_ events: [StoredEvent]) -> Output {
    var state = PropertyState()
    return Output(
      changes: events.telling.sorted { Place(of: $0) < Place(of: $1) }.compactMap { event in
        let before = state
        state.apply(operations: event.operations, groups: event.groups, kind: event.kind)
        return state == before
          ? nil : Change(place: Place(of: event), name: event.name, state: state)
      }
    )
  }

  /// Whether an event's operations are on the subject.
  private func concerns(_ event: StoredEvent, _ people: PeopleMap) -> Bool {
    guard case .person(let id) = subject else { return isOfGroup(event) ?? false }
    return !id.isEmpty && event.kind != .groupIdentify && people.does(event, belongTo: id)
  }

  /// Whether an event's operations are on the group asked for; nil when none is.
  private func isOfGroup(_ event: StoredEvent) -> Bool? {
    guard case .group(let type, let name) = subject else { return nil }
    guard event.kind == .groupIdentify, let groups = PropertyValue.members(of: event.groups)
    else { return false }
    return groups[type]?.values.contains { $0.isName(name) } ?? false
  }
}
