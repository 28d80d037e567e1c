/// One value of a property: text, a number, a truth value, nothing, or a list or object of these.
///
/// Literals need no case names: `["title": "Here Comes the Sun", "duration_s": 185, "live": false]`.
/// Variables do: `["title": .string(song.title)]`.
public enum PropertyValue: Sendable, Hashable {
  /// Text; cut at 8 KiB of UTF-8.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction. NaN and infinities are not JSON: such a property is left out and
  /// counted as `DropReason.propertyNotFinite`.
  case double(Double)
  /// True or false.
  case boolean(Bool)
  /// Explicitly nothing.
  case null
  /// A list, in order.
  case array([PropertyValue])
  /// Properties inside a property; at most 8 levels in all.
  case object(Properties)
}

extension PropertyValue {
  /// A whole number from the type most code has at hand.
  public static func integer(_ value: Int) -> PropertyValue {
    .integer(Int64(value))
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
  public init(integerLiteral value: Int64) {
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

extension PropertyValue: ExpressibleByNilLiteral {
  /// `null` from a literal `nil`.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension PropertyValue: ExpressibleByArrayLiteral {
  /// A list from a literal.
  public init(arrayLiteral elements: PropertyValue...) {
    self = .array(elements)
  }
}

extension PropertyValue: ExpressibleByDictionaryLiteral {
  /// An object from a literal; of a key given twice the last value counts.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .object(Properties(pairs: elements))
  }
}
