internal import EventRecord

/// The value of a property, as JSON has them; numbers that are equal are equal however written, texts only if
/// their bytes are.
public enum PropertyValue: Sendable, Hashable {
  /// Explicitly nothing.
  case null
  /// True or false.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case decimal(Double)
  /// A text.
  case text(String)
  /// Values in their order.
  case list([PropertyValue])
  /// Values by name.
  case object(Members<PropertyValue>)

  /// The members of a JSON object; nil when the text is none.
  public static func members(of json: String) -> Members<PropertyValue>? {
    guard !json.isEmpty else { return nil }
    var json = json
    return json.withUTF8 { bytes in
      var reader = PropertyReader(bytes)
      guard case .object(let members)? = reader.read() else { return nil }
      return members
    }
  }

  /// The members of a JSON object, each also as it is written there; nil when the text is none.
  ///
  /// What is written keeps digits and order that a value does not.
  public static func writtenMembers(
    of json: String
  ) -> Members<(value: PropertyValue, json: String)>? {
    guard !json.isEmpty else { return nil }
    var json = json
    return json.withUTF8 { bytes in
      var reader = PropertyReader(bytes)
      return reader.readMembers()?.mapValues {
        ($0.value, String(decoding: bytes[$0.written], as: UTF8.self))
      }
    }
  }

  /// A JSON object as it is written, without members whose name comes again in it; nil for any other text.
  ///
  /// At every level the last one counts, as on the way in. What is stored has each name once, so that every reader finds the same.
  public static func settled(_ json: String) -> String? {
    var json = json
    let found = json.withUTF8 { bytes -> [Range<Int>]? in
      var reader = PropertyReader(bytes, findsRepeats: true)
      guard case .object? = reader.read() else { return nil }
      return reader.repeats
    }
    guard let repeats = found else { return nil }
    guard !repeats.isEmpty else { return json }
    let bytes = Array(json.utf8)
    var rest: [UInt8] = []
    var place = 0
    for range in repeats.sorted(by: { $0.lowerBound < $1.lowerBound })
    where range.upperBound > place {
      // One that lies within another goes with it.
      rest += bytes[place..<max(place, range.lowerBound)]
      place = range.upperBound
    }
    return String(decoding: rest + bytes[place...], as: UTF8.self)
  }

  /// A number in its one form.
  static func number(_ value: Double) -> PropertyValue {
    Int64(exactly: value).map { .integer($0) } ?? .decimal(value)
  }

  /// The sum of two numbers; nil when one of them is none.
  func adding(_ other: PropertyValue) -> PropertyValue? {
    if case .integer(let left) = self, case .integer(let right) = other {
      let (sum, overflows) = left.addingReportingOverflow(right)
      if !overflows { return .integer(sum) }
    }
    guard let left = double, let right = other.double, (left + right).isFinite else { return nil }
    return .number(left + right)
  }

  /// A list's values; any other value alone.
  public var values: [PropertyValue] {
    if case .list(let values) = self { values } else { [self] }
  }

  /// Whether the value is this name; a whole number stands for its digits.
  public func isName(_ name: String) -> Bool {
    switch self {
    case .text(let text): text.hasBytes(of: name)
    case .integer(let value): String(value) == name
    default: false
    }
  }

  /// A number; nil for anything else.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .decimal(let value): value
    default: nil
    }
  }
}

extension PropertyValue {
  /// Whether two values are the same.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.decimal(let a), .decimal(let b)): a == b
    case (.text(let a), .text(let b)): a.hasBytes(of: b)
    case (.list(let a), .list(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }

  /// Mixes in the kind and the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .integer(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .decimal(let value):
      hasher.combine(3)
      hasher.combine(value)
    case .text(let value):
      hasher.combine(4)
      hasher.combine(ExactText(value))
    case .list(let values):
      hasher.combine(5)
      hasher.combine(values)
    case .object(let members):
      hasher.combine(6)
      hasher.combine(members)
    }
  }
}
