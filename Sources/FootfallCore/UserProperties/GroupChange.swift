extension EventName {
  /// The event that carries operations on a group's properties; it is not counted in charts.
  package static let groupIdentify: EventName = "$groupidentify"
}

/// A change of the groups a person is in, or of a group itself, as an event.
///
/// Source: `amplitude.md` section 1.10.
package struct GroupChange: Sendable, Equatable {
  /// The event's name.
  package var name: EventName
  /// The groups the event is about, names by type.
  package var groups: [String: [String]]
  /// What changes: the person's properties for `$identify`, the group's for `$groupidentify`.
  package var operations: IdentifyOperations

  /// The person is in these groups of a type, and no others of it; other types stay.
  ///
  /// Nil without a type or a name, which would say nothing.
  package static func assigning(_ names: [String], ofType type: String) -> GroupChange? {
    guard !type.isEmpty, !names.isEmpty else { return nil }
    return GroupChange(
      name: .identify,
      groups: [type: names],
      operations: .set(type, value(of: names))
    )
  }

  /// Properties of one group change; nil without a type, a name or a change.
  package static func changing(
    _ name: String,
    ofType type: String,
    _ operations: IdentifyOperations
  ) -> GroupChange? {
    guard !type.isEmpty, !name.isEmpty, !operations.isEmpty else { return nil }
    return GroupChange(name: .groupIdentify, groups: [type: [name]], operations: operations)
  }

  /// Group names as a property and on the wire: one as text, several as a list.
  package static func value(of names: [String]) -> PropertyValue {
    names.count == 1 ? .string(names[0]) : .array(names.map { .string($0) })
  }
}
