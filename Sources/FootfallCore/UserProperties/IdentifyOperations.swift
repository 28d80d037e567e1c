/// Changes to a person's properties, for one call of `identify`.
///
/// ```swift
/// footfall.identify(.set("plan", "pro").add("logins", 1))
/// ```
/// A property takes part once: of several operations on one, the first counts, as Amplitude's
/// SDKs have it. What does not take part is left out when the call is made, with a line in the log, and
/// counted as `DropReason.operationIgnored`: a second operation on a property, one without a property's
/// name, one with `null` (use `unset`), and whatever follows `clearAll`.
public struct IdentifyOperations: Sendable {
  /// One operation on one property.
  package struct Entry: Sendable, Hashable {
    package var operation: IdentifyOperation
    package var key: String
    package var value: PropertyValue
    /// Why it does not take part; nil if it does.
    fileprivate var refusal: IdentifyRefusal?
  }

  /// One reference, since every event has room for it.
  private enum Content: Sendable {
    /// What was asked for, in the order given; `clearAll` has an empty key.
    case asked([Entry])
    /// User properties as they are on the wire.
    case written(Properties)
  }

  private var content = Content.asked([])

  /// No changes.
  public init() {}

  /// Changes as they were stored.
  package init(_ stored: [(operation: IdentifyOperation, key: String, value: PropertyValue)]) {
    content = .asked(stored.map { Entry(operation: $0.operation, key: $0.key, value: $0.value) })
  }

  /// Properties that are set whatever their values, `null` included.
  package init(setting properties: Properties) {
    self.init(properties.map { (.set, $0.key, $0.value) })
  }

  /// Changes of an event that was made by hand: operations by name, or plain keys to set.
  ///
  /// Kept and sent as they are by a wire that has them in this form, whatever they come to.
  package init(asWritten userProperties: Properties) {
    content = .written(userProperties)
  }

  /// The user properties of an event that was made by hand; nil if calls made these changes.
  package var written: Properties? {
    if case .written(let properties) = content { properties } else { nil }
  }

  /// The operations that take part, in the order given; `clearAll` has an empty key.
  package var entries: [Entry] {
    switch content {
    case .asked(let entries): entries.filter { $0.refusal == nil }
    case .written(let properties): properties.flatMap(Self.entries)
    }
  }

  /// All that was asked for.
  private var asked: [Entry] {
    if case .asked(let entries) = content { entries } else { entries }
  }

  /// Whether nothing would change.
  public var isEmpty: Bool { entries.isEmpty && written?.isEmpty ?? true }

  /// What is wrong with each operation that does not take part, in the order given.
  package var warnings: [String] {
    asked.compactMap { $0.refusal?.message(about: $0.operation, key: $0.key) }
  }

  /// The operations in the order they apply; only `clearAll` when it is among them.
  package var byOperation: [(operation: IdentifyOperation, entries: [Entry])] {
    let entries = entries
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
    var entry = Entry(operation: operation, key: key, value: value)
    entry.refusal = IdentifyRefusal(of: entry, after: entries)
    return appending(entry)
  }

  private func appending(
    _ entry: Entry,
    dropping isDropped: (Entry) -> Bool = { _ in false }
  )
    -> IdentifyOperations
  {
    var result = self
    result.content = .asked(asked.filter { !isDropped($0) } + [entry])
    return result
  }

  /// The operations of one member of user properties as they are on the wire.
  private static func entries(name: String, value: PropertyValue) -> [Entry] {
    guard let operation = IdentifyOperation(rawValue: name) else {
      return [Entry(operation: .set, key: name, value: value)]
    }
    guard operation != .clearAll else { return [clearing] }
    guard case .object(let properties) = value else { return [] }
    return properties.map { Entry(operation: operation, key: $0.key, value: $0.value) }
  }

  private static let clearing = Entry(operation: .clearAll, key: "", value: placeholder)
}

extension IdentifyOperations: Hashable {
  /// Equal when the same operations take part, whatever was left out.
  public static func == (left: IdentifyOperations, right: IdentifyOperations) -> Bool {
    left.entries == right.entries && left.written == right.written
  }

  /// Adds the operations that take part.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entries)
  }
}

extension IdentifyOperations {
  /// Every property removed, and nothing else: what was asked for before is forgotten.
  public func clearAll() -> Self {
    guard !entries.contains(Self.clearing) else { return self }
    return appending(Self.clearing) { $0.refusal == nil }
  }
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
  /// These changes, and a number of any width added to a property.
  package func add(_ key: String, value: PropertyValue) -> Self { adding(.add, key, value) }
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
