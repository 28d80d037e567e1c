internal import EventRecord

/// Values by name; two names are the same only if their bytes are, as the store has them.
public struct Members<Value>: ExpressibleByDictionaryLiteral, Sequence {
  /// A name and its value.
  public typealias Element = (key: String, value: Value)

  private var byName: [ExactText: Value] = [:]

  /// No values.
  public init() {}

  /// Values by name; of a name that is there twice the last one counts.
  public init(_ members: some Sequence<(String, Value)>) {
    for (name, value) in members { self[name] = value }
  }

  /// Values by name; of a name that is there twice the last one counts.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }

  /// Whether there is none.
  public var isEmpty: Bool { byName.isEmpty }

  /// How many there are.
  public var count: Int { byName.count }

  /// The names, in the order of their bytes.
  public var keys: [String] {
    byName.keys.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The values, in no order.
  public var values: some Collection<Value> { byName.values }

  /// The value of a name; nil for none.
  public subscript(name: String) -> Value? {
    get { byName[ExactText(name)] }
    set { byName[ExactText(name)] = newValue }
  }

  /// Takes a value away, and returns it; nil for none.
  @discardableResult
  public mutating func removeValue(forKey name: String) -> Value? {
    byName.removeValue(forKey: ExactText(name))
  }

  /// Takes others in, which count where a name is in both.
  public mutating func merge(_ others: Members) { byName.merge(others.byName) { $1 } }

  /// These and others, which count where a name is in both.
  public func merging(_ others: Members) -> Members {
    var all = self
    all.merge(others)
    return all
  }

  /// The same names with other values.
  public func mapValues<Other>(_ transform: (Value) throws -> Other) rethrows -> Members<Other> {
    var members = Members<Other>()
    members.byName = try byName.mapValues(transform)
    return members
  }

  /// Those that fit.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Members {
    var members = Members()
    members.byName = try byName.filter { try isIncluded(($0.key.text, $0.value)) }
    return members
  }

  /// The members, in no order.
  public func makeIterator() -> AnyIterator<Element> {
    var iterator = byName.makeIterator()
    return AnyIterator { iterator.next().map { ($0.key.text, $0.value) } }
  }
}

extension Members: Equatable where Value: Equatable {}
extension Members: Hashable where Value: Hashable {}
extension Members: Sendable where Value: Sendable {}
