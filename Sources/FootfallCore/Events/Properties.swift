/// The properties of an event or a person: names and values in the order they were written.
///
/// A list of pairs instead of a `Dictionary`, for three reasons: nothing is hashed on the caller's
/// thread, equal keys in a literal do not trap inside someone's app (the last value counts), and
/// events of one kind look alike on the wire, where they compress well.
public struct Properties: Sendable {
  /// Pairs in the order written, no key twice.
  private var pairs: [(String, PropertyValue)]

  /// No properties.
  public init() {
    pairs = []
  }

  /// The entries of a dictionary, sorted by key.
  public init(_ dictionary: [String: PropertyValue]) {
    pairs = dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Properties from pairs of which no two have one key.
  package init(distinct pairs: [(String, PropertyValue)]) {
    self.pairs = pairs
  }

  package init(pairs: [(String, PropertyValue)]) {
    self.pairs = pairs
    if Self.repeatsKey(pairs) { keepLastOfEachKey() }
  }

  /// The value of a property; assigning nil removes it, and a new key goes to the end.
  ///
  /// Looks at every key, so it is meant for the few properties an event has.
  public subscript(key: String) -> PropertyValue? {
    get { pairs.first { $0.0 == key }?.1 }
    set {
      let index = pairs.firstIndex { $0.0 == key }
      switch (index, newValue) {
      case (let index?, let value?): pairs[index].1 = value
      case (let index?, nil): pairs.remove(at: index)
      case (nil, let value?): pairs.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// These properties with others on top: of a key in both, the other's value counts.
  public func merging(_ other: Properties) -> Properties {
    var merged = self
    for (key, value) in other { merged[key] = value }
    return merged
  }

  private static func repeatsKey(_ pairs: [(String, PropertyValue)]) -> Bool {
    guard pairs.count > 1 else { return false }
    guard pairs.count <= 16 else { return Set(pairs.lazy.map(\.0)).count < pairs.count }
    for index in 1..<pairs.count {
      for earlier in 0..<index where pairs[earlier].0 == pairs[index].0 { return true }
    }
    return false
  }

  private mutating func keepLastOfEachKey() {
    var positions: [String: Int] = [:]
    var kept: [(String, PropertyValue)] = []
    for pair in pairs {
      if let position = positions[pair.0] {
        kept[position].1 = pair.1
      } else {
        positions[pair.0] = kept.count
        kept.append(pair)
      }
    }
    pairs = kept
  }
}

extension Properties: ExpressibleByDictionaryLiteral {
  /// Properties from a literal; of a key given twice the last value counts.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self.init(pairs: elements)
  }
}

extension Properties: RandomAccessCollection {
  /// The first position, 0.
  public var startIndex: Int { 0 }
  /// The number of properties.
  public var endIndex: Int { pairs.count }
  /// The name and value at a position.
  public subscript(position: Int) -> (key: String, value: PropertyValue) {
    (pairs[position].0, pairs[position].1)
  }
}

extension Properties: Hashable {
  /// Equal when both hold the same values under the same keys, in whatever order.
  public static func == (left: Properties, right: Properties) -> Bool {
    guard left.count == right.count else { return false }
    return left.allSatisfy { right[$0.key] == $0.value }
  }

  /// Adds the pairs in a way that does not depend on their order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in self {
      var pair = Hasher()
      pair.combine(key)
      pair.combine(value)
      sum &+= pair.finalize()
    }
    hasher.combine(sum)
  }
}
