import EventRecord
internal import EventStore

/// The events of a store as a scope sees them, by definition; what the SQL must agree with.
struct ScopeReading {
  let scope: Scope
  let people: PeopleMap
  private let states: PersonStates
  /// Who belongs to the scope's segment; nil for no segment.
  private let members: Set<Int64>?

  /// Reads all events of a store, in any order.
  init(_ scope: Scope, _ events: [StoredEvent]) {
    self.scope = scope
    people = PeopleMap(events)
    states = PersonStates(events, project: scope.project, people: people)
    members = scope.segment.map { filter in
      PeopleReading(project: scope.project, setting: filter.setting, events)
        .people(in: filter.segment)
    }
  }

  /// Whether an event is one of the scope's, whenever it was.
  func admits(_ event: StoredEvent) -> Bool {
    belongs(event) && scope.conditions.allSatisfy { meets($0, event) }
  }

  /// The same whatever the scope's conditions say.
  func belongs(_ event: StoredEvent) -> Bool {
    event.project == scope.project && event.kind == .event
      && (scope.includesTest || !event.isTest)
      && (members.map { members in people.person(of: event).map(members.contains) ?? false } ?? true)
  }

  /// Whether an event lies in the scope's time.
  func isInTime(_ event: StoredEvent) -> Bool {
    event.correctedMs >= scope.fromMs && event.correctedMs < scope.toMs
  }

  /// The scope's events, time included.
  func admitted(_ events: [StoredEvent]) -> [StoredEvent] {
    events.filter { isInTime($0) && admits($0) }
  }

  /// Whom an event counts for; nil for nobody.
  func key(of event: StoredEvent) -> String? {
    func known(_ id: String) -> String? { id.isEmpty ? nil : id }
    return switch scope.unit {
    case .people: people.person(of: event).map(String.init)
    case .devices: known(event.deviceID)
    case .users: known(event.userID)
    }
  }

  /// Whose the session of an event is; nil for nobody's.
  func sessionKey(of event: StoredEvent) -> String? {
    guard scope.hasSessionsOfDevices else { return people.person(of: event).map(String.init) }
    return event.deviceID.isEmpty ? nil : event.deviceID
  }

  /// Whether an event meets a condition.
  func meets(_ condition: Condition, _ event: StoredEvent) -> Bool {
    if condition.field == .person, !event.deviceID.isEmpty, condition.value == event.deviceID {
      if condition.comparison == .equals { return true }
      if condition.comparison == .differs { return false }
    }
    return condition.holds(value(of: condition.field, event))
  }

  /// A field's value; nil where there is none.
  func value(of field: Field, _ event: StoredEvent) -> PropertyValue? {
    switch field {
    case .name: return .text(event.name)
    case .person:
      let id = people.personID(of: event)
      return id.isEmpty ? nil : .text(id)
    default: break
    }
    for place in field.places {
      let members =
        switch place.column {
        case .props: PropertyValue.members(of: event.properties)
        case .context: PropertyValue.members(of: event.context)
        case .client: PropertyValue.members(of: event.client)
        case .groups: PropertyValue.members(of: event.groups)
        case .state:
          people.person(of: event).flatMap {
            states.state(of: $0, isTest: event.isTest)?.properties
          }
        case .membership:
          people.person(of: event).flatMap { states.state(of: $0, isTest: event.isTest)?.groups }
        }
      guard let value = members?[place.member], value != .null else { continue }
      if let suffix = place.suffix, case .text(let text) = value,
        case .text(let more)? = members?[suffix], !more.isEmpty
      {
        return .text("\(text) \(more)")
      }
      return value
    }
    return nil
  }
}

/// What holds of everyone in a project now, by definition; what test events say is told apart.
struct PersonStates {
  private(set) var states: [Int64: PropertyState] = [:]
  private var statesInTests: [Int64: PropertyState] = [:]

  init(_ events: [StoredEvent], project: UInt32, people: PeopleMap) {
    for event in events.sorted(by: { EventPlace(of: $0) < EventPlace(of: $1) })
    where event.project == project && event.kind != .groupIdentify {
      guard let person = people.person(of: event) else { continue }
      func apply(to states: inout [Int64: PropertyState]) {
        states[person, default: PropertyState()].apply(
          operations: event.operations,
          groups: event.groups,
          kind: event.kind
        )
      }
      if event.isTest { apply(to: &statesInTests) } else { apply(to: &states) }
    }
  }

  /// What test events, or all others, say of a person.
  func state(of person: Int64, isTest: Bool) -> PropertyState? {
    (isTest ? statesInTests : states)[person]
  }
}
