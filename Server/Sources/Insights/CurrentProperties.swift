import EventRecord
public import EventStore

/// What holds of a person or a group now.
///
/// What test events say holds only of whom nothing else speaks.
///
/// Read from what loading keeps up to date, so it costs the same however long the history is.
/// `PropertyTimeline` tells how it came about.
public struct CurrentProperties: Insight {
  /// Of whom.
  public enum Subject: Sendable, Hashable {
    /// A user, with what happened without a user on their devices.
    case user(String)
    /// A device on which no user was seen.
    case device(String)
    /// A group of a type.
    case group(type: String, name: String)
  }

  /// The project's number.
  public var project: UInt32
  /// Of whom.
  public var subject: Subject

  /// The question from its parts.
  public init(project: UInt32, of subject: Subject) {
    self.project = project
    self.subject = subject
  }

  private func number(isTest: Bool) -> Int64 {
    switch subject {
    case .user(let id): PersonNumber.user(project: project, id: id)
    case .device(let id): PersonNumber.device(project: project, id: id, isTest: isTest)
    case .group(let type, let name): PersonNumber.group(project: project, type: type, name: name)
    }
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT properties, groups, ignored FROM current_properties
      WHERE subject IN ($1, $2) AND project_id = $3
      ORDER BY is_test LIMIT 1
      """,
      binding: [
        .integer(number(isTest: false)),
        .integer(PersonNumber.saidByTests(of: number(isTest: true))), .integer(Int64(project)),
      ]
    )
  }

  /// What holds.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> PropertyState {
    guard let row = rows.first else { return PropertyState() }
    return PropertyState(
      properties: PropertyValue.members(of: try row.text(0)) ?? [:],
      groups: PropertyValue.members(of: try row.text(1)) ?? [:],
      ignoredOperations: Int(try row.integer(2))
    )
  }

  /// What holds by definition: the operations of the subject's events in their order.
  public func output(over events: [StoredEvent]) -> PropertyState {
    let people = PeopleMap(events)
    let changing = events.filter { event in
      guard event.project == project else { return false }
      guard case .group(let type, let name) = subject else {
        return event.kind != .groupIdentify
          && people.person(of: event) == number(isTest: event.isTest)
      }
      return event.kind == .groupIdentify
        && PropertyValue.members(of: event.groups)?[type]?.values.contains { $0.isName(name) }
          ?? false
    }
    var state = PropertyState()
    for event in changing.telling.sorted(by: { EventPlace(of: $0) < EventPlace(of: $1) }) {
      state.apply(operations: event.operations, groups: event.groups, kind: event.kind)
    }
    return state
  }
}

extension [StoredEvent] {
  /// The events that tell what holds of the person or group they are about: others than test events, where
  /// one of them changes anything.
  var telling: [StoredEvent] {
    let untested = filter { !$0.isTest }
    return untested.contains(where: \.changesProperties) ? untested : self
  }
}

extension StoredEvent {
  /// Whether it says something of a person or a group.
  fileprivate var changesProperties: Bool {
    !operations.isEmpty || kind == .identify && !groups.isEmpty
  }
}
