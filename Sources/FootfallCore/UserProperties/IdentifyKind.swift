/// What an event means to identifies that are held back.
package enum IdentifyKind: Sendable, Equatable {
  /// An identify that only sets properties, and no groups: it may wait for others like it.
  case setsOnly(Properties)
  /// An identify or event that clears every property: what waits is pointless.
  case clearsAll
  /// Any other identify or event: what waits goes before it.
  case ordinary
  /// Changes to a group's properties, which have nothing to do with the person's.
  case group
}

extension IdentifyKind {
  /// The kind of an identify with these operations.
  package init(_ operations: IdentifyOperations, hasGroups: Bool = false) {
    if let written = operations.written {
      self.init(userProperties: written, hasGroups: hasGroups)
      return
    }
    let entries = operations.entries
    if entries.contains(where: { $0.operation == .clearAll }) {
      self = .clearsAll
    } else if !hasGroups, !entries.isEmpty, entries.allSatisfy({ $0.operation == .set }) {
      self = .setsOnly(Properties(pairs: entries.map { ($0.key, $0.value) }))
    } else {
      self = .ordinary
    }
  }

  /// The kind of an identify whose user properties are written as on the wire, operations by name.
  ///
  /// An empty `$set` is held too, no user properties at all are not. Source: `amplitude.md`
  /// section 2.10.
  package init(userProperties: Properties, hasGroups: Bool = false) {
    if userProperties[IdentifyOperation.clearAll.rawValue] != nil {
      self = .clearsAll
    } else if !hasGroups, userProperties.count == 1,
      case .object(let set) = userProperties[IdentifyOperation.set.rawValue]
    {
      self = .setsOnly(set)
    } else {
      self = .ordinary
    }
  }
}
