import FootfallCore
import Foundation

/// What goes with an event: up to 32 texts, numbers, truth values and nils by name.
///
/// A literal will do: `["amount": 99.99, "currency": "USD"]`. An event with a value of another kind is
/// dropped, with a line in the log.
public struct EventParams: Sendable, ExpressibleByDictionaryLiteral {
  /// The values in their form.
  let values: PhaseValues

  /// Params from a dictionary.
  public init(_ dict: [String: Any]) {
    values = PhaseValues(dict)
  }

  /// Params from a literal; of a name given twice the last value counts.
  public init(dictionaryLiteral elements: (String, Any?)...) {
    values = PhaseValues(pairs: elements)
  }

  /// Those that can be sent; nil is `NSNull`.
  public var dictionary: [String: Any] { values.dictionary }
}

/// What is known of a device or its user: texts, numbers, truth values and nils by name.
///
/// A literal will do: `["plan": "premium"]`. A value of another kind is left out, with a line in the log.
public struct DeviceProperties: Sendable, ExpressibleByDictionaryLiteral {
  /// The values in their form.
  let values: PhaseValues

  /// Properties from a dictionary.
  public init(_ dict: [String: Any]) {
    values = PhaseValues(dict)
  }

  /// Properties from a literal; of a name given twice the last value counts.
  public init(dictionaryLiteral elements: (String, Any?)...) {
    values = PhaseValues(pairs: elements)
  }

  /// Those that can be sent; nil is `NSNull`.
  public var dictionary: [String: Any] { values.dictionary }
}

/// Untyped values as far as Phase's protocol has them: text, numbers, truth values and null.
struct PhaseValues: Sendable {
  /// Those that can be sent.
  private(set) var properties = Properties()
  /// What is wrong with the others, as the rest of a sentence without their values.
  private(set) var problems: [String] = []

  init() {}

  /// Sorted by key, so that events of one kind look alike.
  init(_ dictionary: [String: Any]?) {
    guard let dictionary, !dictionary.isEmpty else { return }
    add(dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// In the order written.
  init(pairs: [(String, Any?)]) {
    add(pairs)
  }

  /// The values untyped; null is `NSNull`.
  var dictionary: [String: Any] {
    Dictionary(uniqueKeysWithValues: properties.map { ($0.key, Self.untyped($0.value)) })
  }

  private static func untyped(_ value: PropertyValue) -> Any {
    switch value {
    case .string(let text): text
    case .integer(let number): Int(clamping: number)
    case .double(let number): number
    case .boolean(let isTrue): isTrue
    case .null, .array, .object: NSNull()
    }
  }

  private mutating func add(_ pairs: [(String, Any?)]) {
    var sent: [(String, PropertyValue)] = []
    sent.reserveCapacity(pairs.count)
    for (key, value) in pairs {
      guard let value else {
        sent.append((key, .null))
        continue
      }
      if let scalar = PropertyValue(bridging: value) {
        sent.append((key, scalar))
      } else if PropertyValue(converting: value) == .null {
        sent.append((key, .null))
      } else {
        problems.append("“\(key.prefix(40))” is of the type \(type(of: value)), which is not sent")
      }
    }
    properties = Properties(pairs: sent)
  }
}
