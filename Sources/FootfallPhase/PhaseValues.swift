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

/// Untyped values as the app gave them, to be read as far as Phase's protocol has them: text, numbers,
/// truth values and null.
struct PhaseValues: UnreadProperties, @unchecked Sendable {
  // Sendable by what callers promise: objects inside are not changed once they were handed over.
  private enum Given {
    case dictionary([String: Any])
    case pairs([(String, Any?)])
  }

  private let given: Given

  /// None.
  init() {
    given = .pairs([])
  }

  /// To be sorted by key, so that events of one kind look alike.
  init(_ dictionary: [String: Any]) {
    given = .dictionary(dictionary)
  }

  /// In the order written.
  init(pairs: [(String, Any?)]) {
    given = .pairs(pairs)
  }

  /// The values untyped; null is `NSNull`.
  var dictionary: [String: Any] {
    let properties = checked().properties
    return Dictionary(uniqueKeysWithValues: properties.map { ($0.key, Self.untyped($0.value)) })
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

  /// An event with a value of another kind is not tracked.
  func read() -> ReadProperties {
    let (properties, problems) = checked()
    return ReadProperties(properties, refusal: problems.first)
  }

  /// Those that can be sent, and what is wrong with the others, as the rest of a sentence without their
  /// values.
  func checked() -> (properties: Properties, problems: [String]) {
    var (sent, problems): ([(String, PropertyValue)], [String]) = ([], [])
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
    return (Properties(pairs: sent), problems)
  }

  private var pairs: [(String, Any?)] {
    switch given {
    case .pairs(let pairs): pairs
    case .dictionary(let dictionary):
      dictionary.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
  }
}
