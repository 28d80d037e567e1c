/// Changes to a person's properties, for one call of `identify`.
///
/// ```swift
/// footfall.identify(.set("plan", "pro").add("logins", 1))
/// ```
/// A property takes part once: of several operations on one, the first counts, as Amplitude's
/// SDKs have it.
public struct IdentifyOperations: Sendable, Hashable {
  /// One operation on one property.
  package struct Entry: Sendable, Hashable {
    package var operation: IdentifyOperation
    package var key: String
    package var value: PropertyValue
  }

  /// The operations in the order given; `clearAll` has an empty key.
  package private(set) var entries: [Entry] = []

  /// No changes.
  public init() {}

  /// Changes as they were stored; of several on one property the first counts.
  package init(_ stored: [(operation: IdentifyOperation, key: String, value: PropertyValue)]) {
    for entry in stored { self = adding(entry.operation, entry.key, entry.value) }
  }

  /// Whether nothing would change.
  public var isEmpty: Bool { entries.isEmpty }

  /// The operations in the order they apply; only `clearAll` when it is among them.
  package var byOperation: [(operation: IdentifyOperation, entries: [Entry])] {
    let operations: [IdentifyOperation] =
      entries.contains { $0.operation == .clearAll } ? [.clearAll] : IdentifyOperation.allCases
    return operations.compactMap { operation in
      let matching = entries.filter { $0.operation == operation }
      return matching.isEmpty ? nil : (operation, matching)
    }
  }

  /// The value that operations without one carry on the wire.
  private static let placeholder: PropertyValue = "-"

  private func adding(
    _ operation: IdentifyOperation,
    _ key: String,
    _ value: PropertyValue
  ) -> IdentifyOperations {
    guard !entries.contains(where: { $0.key == key }) else { return self }
    var result = self
    result.entries.append(Entry(operation: operation, key: key, value: value))
    return result
  }
}

extension IdentifyOperations {
  /// These changes, and every property removed: nothing else in the call counts.
  public func clearAll() -> Self { adding(.clearAll, "", Self.placeholder) }
  /// These changes, and a property removed.
  public func unset(_ key: String) -> Self { adding(.unset, key, Self.placeholder) }
  /// These changes, and a property replaced.
  public func set(_ key: String, _ value: PropertyValue) -> Self { adding(.set, key, value) }
  /// These changes, and a property set if it has no value yet.
  public func setOnce(_ key: String, _ value: PropertyValue) -> Self {
    adding(.setOnce, key, value)
  }
  /// These changes, and a whole number added to a property.
  public func add(_ key: String, _ amount: Int) -> Self { adding(.add, key, .integer(amount)) }
  /// These changes, and a number added to a property.
  public func add(_ key: String, _ amount: Double) -> Self { adding(.add, key, .double(amount)) }
  /// These changes, and a value or a list of values added to the end of a list.
  public func append(_ key: String, _ value: PropertyValue) -> Self { adding(.append, key, value) }
  /// These changes, and a value or a list of values added to the start of a list.
  public func prepend(_ key: String, _ value: PropertyValue) -> Self {
    adding(.prepend, key, value)
  }
  /// These changes, and new values added to the start of a list.
  public func preInsert(_ key: String, _ value: PropertyValue) -> Self {
    adding(.preInsert, key, value)
  }
  /// These changes, and new values added to the end of a list.
  public func postInsert(_ key: String, _ value: PropertyValue) -> Self {
    adding(.postInsert, key, value)
  }
  /// These changes, and every instance of a value or values removed from a list.
  public func remove(_ key: String, _ value: PropertyValue) -> Self { adding(.remove, key, value) }
}

extension IdentifyOperations {
  /// Every property removed.
  public static func clearAll() -> Self { Self().clearAll() }
  /// A property removed.
  public static func unset(_ key: String) -> Self { Self().unset(key) }
  /// A property replaced.
  public static func set(_ key: String, _ value: PropertyValue) -> Self { Self().set(key, value) }
  /// A property set if it has no value yet.
  public static func setOnce(_ key: String, _ value: PropertyValue) -> Self {
    Self().setOnce(key, value)
  }
  /// A whole number added to a property.
  public static func add(_ key: String, _ amount: Int) -> Self { Self().add(key, amount) }
  /// A number added to a property.
  public static func add(_ key: String, _ amount: Double) -> Self { Self().add(key, amount) }
  /// A value or a list of values added to the end of a list.
  public static func append(_ key: String, _ value: PropertyValue) -> Self {
    Self().append(key, value)
  }
  /// A value or a list of values added to the start of a list.
  public static func prepend(_ key: String, _ value: PropertyValue) -> Self {
    Self().prepend(key, value)
  }
  /// New values added to the start of a list.
  public static func preInsert(_ key: String, _ value: PropertyValue) -> Self {
    Self().preInsert(key, value)
  }
  /// New values added to the end of a list.
  public static func postInsert(_ key: String, _ value: PropertyValue) -> Self {
    Self().postInsert(key, value)
  }
  /// Every instance of a value or values removed from a list.
  public static func remove(_ key: String, _ value: PropertyValue) -> Self {
    Self().remove(key, value)
  }
}
