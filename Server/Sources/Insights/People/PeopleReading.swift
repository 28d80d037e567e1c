import EventRecord
internal import EventStore

/// The people of a project by definition; what the SQL of `PeopleRelation` must agree with.
struct PeopleReading {
  /// One person.
  struct Member {
    var number: Int64
    var id: String
    /// Events and identifies that are no test, in their order.
    var events: [StoredEvent]
    var state: PropertyState

    private func times(_ isIncluded: (StoredEvent) -> Bool) -> [Int64] {
      events.filter(isIncluded).map(\.correctedMs)
    }
    var count: Int { times { $0.kind == .event }.count }
    var firstSeenMs: Int64 { times { $0.kind == .event }.min() ?? times { _ in true }.min() ?? 0 }
    var lastSeenMs: Int64 { times { $0.kind == .event }.max() ?? times { _ in true }.max() ?? 0 }
    var lastActiveMs: Int64? { times { $0.kind == .event }.max() }
  }

  let project: UInt32
  let setting: PeopleSetting
  let map: PeopleMap
  private(set) var members: [Member] = []
  private let reading: ScopeReading

  init(project: UInt32, setting: PeopleSetting, _ events: [StoredEvent]) {
    self.project = project
    self.setting = setting
    reading = ScopeReading(Scope(project: project, fromMs: 0, toMs: 0), events)
    map = reading.people
    let states = PersonStates(events, project: project, people: map).states
    var grouped: [Int64: [StoredEvent]] = [:]
    for event in events
    where event.project == project && !event.isTest && [.event, .identify].contains(event.kind) {
      guard let person = map.person(of: event) else { continue }
      grouped[person, default: []].append(event)
    }
    members = grouped.map { number, events in
      Member(
        number: number,
        id: map.personID(of: events[0]),
        events: events.sorted { EventPlace(of: $0) < EventPlace(of: $1) },
        state: states[number] ?? PropertyState()
      )
    }
  }

  /// Whether a rule holds of a person.
  func meets(_ rule: PersonRule, _ member: Member) -> Bool {
    switch rule {
    case .holds(let condition): holds(condition, member)
    case .didAtLeast(let times, let step, let days): count(step, days, member) >= times
    case .didAtMost(let times, let step, let days): count(step, days, member) <= times
    case .firstSeen(let span, let days):
      (member.firstSeenMs >= setting.daysAgo(days)) == (span == .within)
    case .active(let span, let days):
      (member.lastActiveMs.map { $0 >= setting.daysAgo(days) } ?? false) == (span == .within)
    case .inList(let list): isOn(list, member)
    case .notInList(let list): !isOn(list, member)
    }
  }

  private func holds(_ condition: Condition, _ member: Member) -> Bool {
    switch condition.field {
    case .user(let name): return condition.holds(member.state.properties[name])
    case .group(let type):
      if let plain = condition.comparison.negated {
        return !holds(Condition(condition.field, plain, condition.value), member)
      }
      return condition.holds(member.state.groups[type])
        || member.events.contains { event in
          event.kind == .event
            && condition.holds(PropertyValue.members(of: event.groups)?[type])
        }
    default:
      return condition.holds(member.events.last.flatMap { reading.value(of: condition.field, $0) })
    }
  }

  private func count(_ step: FunnelStep, _ days: Int?, _ member: Member) -> Int {
    member.events.count { event in
      event.kind == .event && event.correctedMs >= days.map(setting.daysAgo) ?? .min
        && step.all.allSatisfy { reading.meets($0, event) }
    }
  }

  private func isOn(_ list: Int64, _ member: Member) -> Bool {
    let numbers = Set(setting.lists[list] ?? [])
    return numbers.contains(member.number)
      || map.devices(ofUser: member.number, project: project).contains {
        numbers.contains(PersonNumber.device(project: project, id: $0))
      }
  }
}
