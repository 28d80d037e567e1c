/// How far a server may change what the app's developer chose.
package enum RemoteRule: Sendable, Equatable {
  /// Either way.
  case both
  /// Only towards less being collected or shown; anything else is ignored, and counted.
  case onlyStricter(Stricter)

  /// Which of two values is the stricter one.
  package enum Stricter: Sendable, Equatable {
    /// Off before on, the smaller number before the larger: switches and sampling rates.
    case lower
    /// On before off, the larger number before the smaller: locks, and levels of masking.
    case higher
    /// The one further back in this list: named levels from the loosest to the strictest.
    ///
    /// A name that is not in the list is ignored.
    case later([String])
  }

  /// What counts of a local and a remote value.
  ///
  /// Objects are merged member by member: a missing one keeps its local value, and one the client
  /// does not know is passed over. A list replaces the local list as a whole. A remote value of
  /// another kind than the local one is ignored. Source: `amplitude.md` section 2.13,
  /// `session-replay.md` section d.5.
  ///
  /// - Parameters:
  ///   - local: What the app chose.
  ///   - remote: What the server says; nil and null say nothing.
  ///   - ignored: Grows by one for every remote value that does not count.
  /// - Returns: The value that counts.
  package func merge(
    _ local: PropertyValue,
    _ remote: PropertyValue?,
    ignored: inout Int
  ) -> PropertyValue {
    guard let remote, remote != .null, remote != local else { return local }
    if case .object(var merged) = local, case .object(let changes) = remote {
      for (key, value) in merged { merged[key] = merge(value, changes[key], ignored: &ignored) }
      return .object(merged)
    }
    guard isAllowed(from: local, to: remote) else {
      ignored += 1
      return local
    }
    return remote
  }

  private func isAllowed(from local: PropertyValue, to remote: PropertyValue) -> Bool {
    switch self {
    case .both: local.isSameKind(as: remote)
    case .onlyStricter(.lower): Self.ranks(local, remote).map { $1 <= $0 } ?? false
    case .onlyStricter(.higher): Self.ranks(local, remote).map { $1 >= $0 } ?? false
    case .onlyStricter(.later(let levels)):
      if case .string(let local) = local, case .string(let remote) = remote,
        let from = levels.firstIndex(of: local), let to = levels.firstIndex(of: remote)
      {
        to >= from
      } else {
        false
      }
    }
  }
}

extension RemoteRule {
  /// Two switches or two numbers, to be compared; nil for anything else.
  fileprivate static func ranks(
    _ local: PropertyValue,
    _ remote: PropertyValue
  ) -> (Double, Double)? {
    guard local.isSameKind(as: remote), let from = local.rank, let to = remote.rank else {
      return nil
    }
    return (from, to)
  }
}

extension PropertyValue {
  fileprivate var rank: Double? {
    switch self {
    case .boolean(let isOn): isOn ? 1 : 0
    case .integer(let number): Double(number)
    case .double(let number): number
    case .string, .null, .array, .object: nil
    }
  }

  fileprivate func isSameKind(as other: PropertyValue) -> Bool {
    switch (self, other) {
    case (.string, .string), (.boolean, .boolean), (.array, .array), (.object, .object),
      (.integer, .integer), (.double, .double), (.integer, .double), (.double, .integer):
      true
    default: false
    }
  }
}
