package import FootfallCore

/// One value of a property: a text, a whole number, a number with a fraction or a truth value.
///
/// Literals need no case names: `["format": "png", "duration_ms": 412, "is_pro": true]`. Variables do, as in
/// `.string(step.name)`.
public enum PropertyValue: Sendable, Hashable {
  /// Text.
  case string(String)
  /// A whole number.
  case integer(Int)
  /// A number with a fraction; NaN and infinities are left out of the event.
  case double(Double)
  /// True or false.
  case boolean(Bool)

  /// A text, number or truth value out of an `Any`; nil for anything else.
  ///
  /// Optionals are looked into, and an `NSNumber` is what it was made as: `NSNumber(value: 1)` is a
  /// whole number and never true. Source: `simpledatalogs.md` section 1.4.
  public init?(bridging value: Any) {
    switch FootfallCore.PropertyValue(bridging: value) {
    case .string(let text): self = .string(text)
    case .integer(let number): self = .integer(Int(clamping: number))
    case .double(let number): self = .double(number)
    case .boolean(let isTrue): self = .boolean(isTrue)
    case .null, .array, .object, nil: return nil
    }
  }

  /// The value as the engine has it.
  package var value: FootfallCore.PropertyValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .integer(Int64(number))
    case .double(let number): .double(number)
    case .boolean(let isTrue): .boolean(isTrue)
    }
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text from a literal.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension PropertyValue: ExpressibleByIntegerLiteral {
  /// A whole number from a literal.
  public init(integerLiteral value: Int) {
    self = .integer(value)
  }
}

extension PropertyValue: ExpressibleByFloatLiteral {
  /// A number with a fraction from a literal.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }
}

extension PropertyValue: ExpressibleByBooleanLiteral {
  /// True or false from a literal.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

/// An app's properties, which are brought into the engine's form on the client's own thread.
struct GivenProperties: UnreadProperties {
  let values: [String: PropertyValue]

  /// In no order: sorting them would be most of what they cost.
  var properties: Properties { Properties(distinct: values.map { ($0.key, $0.value.value) }) }

  func read() -> ReadProperties { ReadProperties(properties) }
}

extension Properties {
  /// An app's properties.
  init(_ properties: [String: PropertyValue]) {
    self = GivenProperties(values: properties).properties
  }
}
