public import EventRecord

/// What is known of a person or a group, as property operations leave it.
///
/// A value: it is told operations in their order. Source of the order within one object and of what
/// each operation does: Amplitude Identify API, "User property operations".
public struct PropertyState: Sendable, Hashable {
  /// The properties by name.
  public private(set) var properties: Members<PropertyValue> = [:]
  /// The groups that the person is in by type: a name, or a list of names.
  public private(set) var groups: Members<PropertyValue> = [:]
  /// How many operations could not be applied: a sum with what is no number.
  public private(set) var ignoredOperations = 0

  /// The longest list that adding makes; what comes in too much at its end is left out.
  ///
  /// Source: HTTP V2 API, "String character limit".
  public static let maxListValues = 10_000

  private enum Operation: String, CaseIterable {
    // In the order in which those of one object apply.
    case unset = "$unset"
    case set = "$set"
    case setOnce = "$setOnce"
    case add = "$add"
    case append = "$append"
    case prepend = "$prepend"
    case preInsert = "$preInsert"
    case postInsert = "$postInsert"
    case remove = "$remove"
  }

  /// Nothing known.
  public init() {}

  /// What was known when it was kept.
  public init(
    properties: Members<PropertyValue>,
    groups: Members<PropertyValue>,
    ignoredOperations: Int
  ) {
    self.properties = properties
    self.groups = groups
    self.ignoredOperations = ignoredOperations
  }

  /// Applies what an event changes: its operations, and the groups that an identify puts its person in.
  public mutating func apply(operations: String, groups: String, kind: EventRecord.Kind) {
    if let operations = PropertyValue.members(of: operations) { apply(operations) }
    if kind == .identify, let groups = PropertyValue.members(of: groups) { join(groups) }
  }

  /// Applies the operations of one event, in their own order.
  ///
  /// `$clearAll` removes every property, and the other operations beside it do nothing.
  public mutating func apply(_ operations: Members<PropertyValue>) {
    guard operations["$clearAll"] == nil else {
      properties = [:]
      return
    }
    for operation in Operation.allCases {
      guard case .object(let payload)? = operations[operation.rawValue] else { continue }
      for (name, value) in payload { apply(operation, value, to: name) }
    }
  }

  /// Puts the person into groups; other types of group stay.
  public mutating func join(_ groups: Members<PropertyValue>) {
    self.groups.merge(groups)
  }

  private mutating func apply(_ operation: Operation, _ value: PropertyValue, to name: String) {
    let old = properties[name]
    switch operation {
    case .unset: properties[name] = nil
    case .set: properties[name] = value
    case .setOnce: properties[name] = old ?? value
    case .add: add(value, to: name)
    case .append: keep((old?.values ?? []) + value.values, as: name)
    case .prepend: keep(value.values + (old?.values ?? []), as: name)
    case .preInsert: keep(new(value, beside: old) + (old?.values ?? []), as: name)
    case .postInsert: keep((old?.values ?? []) + new(value, beside: old), as: name)
    case .remove:
      guard let old else { return }
      keep(old.values.filter { !value.values.contains($0) }, as: name)
    }
  }

  private mutating func add(_ value: PropertyValue, to name: String) {
    if let sum = (properties[name] ?? .integer(0)).adding(value) {
      properties[name] = sum
    } else {
      ignoredOperations += 1
    }
  }

  private mutating func keep(_ values: [PropertyValue], as name: String) {
    properties[name] = .list(Array(values.prefix(Self.maxListValues)))
  }

  /// The values that are not there yet, each once.
  private func new(_ value: PropertyValue, beside old: PropertyValue?) -> [PropertyValue] {
    var seen = Set(old?.values ?? [])
    return value.values.filter { seen.insert($0).inserted }
  }
}
