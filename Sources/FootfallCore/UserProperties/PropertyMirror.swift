/// The person's properties as far as this device can know them: what was set here.
///
/// Understands setting, unsetting and clearing; what the other operations come to, only the server
/// knows. Not kept from run to run. Source: `amplitude.md` section 2.7.
package struct PropertyMirror: Sendable, Equatable {
  /// The properties set here.
  package var properties = Properties()

  /// A mirror of nothing.
  package init() {}

  /// Applies changes.
  package mutating func apply(_ operations: IdentifyOperations) {
    if let written = operations.written { return apply(userProperties: written) }
    for (operation, entries) in operations.byOperation {
      switch operation {
      case .clearAll: properties = [:]
      case .unset: for entry in entries { properties[entry.key] = nil }
      case .set: for entry in entries { properties[entry.key] = entry.value }
      default: break
      }
    }
  }

  /// Applies changes written as on the wire: operations by name, or plain keys to set.
  package mutating func apply(userProperties: Properties) {
    if userProperties[IdentifyOperation.clearAll.rawValue] != nil { properties = [:] }
    if case .object(let unset) = userProperties[IdentifyOperation.unset.rawValue] {
      for (key, _) in unset { properties[key] = nil }
    }
    if case .object(let set) = userProperties[IdentifyOperation.set.rawValue] {
      properties = properties.merging(set)
    }
    for (key, value) in userProperties where IdentifyOperation(rawValue: key) == nil {
      properties[key] = value
    }
  }
}
