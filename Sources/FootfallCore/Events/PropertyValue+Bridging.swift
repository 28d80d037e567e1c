package import Foundation

extension PropertyValue {
  /// A text, number or truth value out of an `Any`; nil for anything else.
  ///
  /// Optionals are looked into, and an `NSNumber` is what it was made as: `NSNumber(value: 1)` is a
  /// whole number and never true. Whole numbers beyond 64 bits with sign, dates, lists, dictionaries
  /// and `NSNull` give nil. Source: `simpledatalogs.md` section 1.4.
  public init?(bridging value: Any) {
    guard let scalar = Self.scalar(value) else { return nil }
    self = scalar
  }

  /// As `init(bridging:)` of an `Any`, for what is known to be an `NSNumber`: finding that out takes longer
  /// than reading it.
  package init?(bridging number: NSNumber) {
    guard let value = Self.number(number) else { return nil }
    self = value
  }

  /// Whatever JSON can hold out of an `Any`; nil for anything else.
  ///
  /// Beside what `init(bridging:)` takes: `null` for an empty optional and `NSNull`, dates, links and
  /// identifiers as text, whole numbers of any width, lists, dictionaries with text for keys, and what
  /// writes itself by `Encodable`. In lists and dictionaries, what nothing here can hold is left out,
  /// and so is what lies deeper than 100 levels.
  package init?(converting value: Any) {
    guard let converted = Self.convert(value, levelsLeft: 100) else { return nil }
    self = converted
  }

  /// The four kinds that nearly every value is of, told apart without looking for conformances.
  private static func plain(_ value: Any) -> PropertyValue? {
    let type = type(of: value)
    if type == String.self { return (value as? String).map { .string($0) } }
    if type == Int.self { return (value as? Int).map { .integer($0) } }
    if type == Double.self { return (value as? Double).map { .double($0) } }
    if type == Bool.self { return (value as? Bool).map { .boolean($0) } }
    return nil
  }

  private static func scalar(_ value: Any) -> PropertyValue? {
    if let plain = plain(value) { return plain }
    // Looked up by its own type: a cast to Bool would take NSNumber(value: 1) for true.
    if type(of: value) is NSNumber.Type { return (value as? NSNumber).flatMap(number) }
    return switch value {
    case let text as any StringProtocol: .string(String(text))
    case let text as NSString: .string("\(text)")
    case let isTrue as Bool: .boolean(isTrue)
    case let whole as any FixedWidthInteger: integer(whole)
    case let number as Double: .double(number)
    case let number as Float: PropertyValue(number)
    case let number as any BinaryFloatingPoint: PropertyValue(number)
    case let number as Decimal: PropertyValue(number)
    case let value as PropertyValue: value
    case let optional as any AnyOptional: optional.content.flatMap(scalar)
    default: nil
    }
  }

  private static func integer(_ value: some FixedWidthInteger) -> PropertyValue? {
    Int64(exactly: value).map { .integer($0) }
  }

  /// Truth values have a class of their own, on every platform.
  private static let truthType = type(of: NSNumber(value: true))

  private static func number(_ number: NSNumber) -> PropertyValue? {
    if type(of: number) == truthType { return .boolean(number.boolValue) }
    if let decimal = number as? NSDecimalNumber { return PropertyValue(decimal.decimalValue) }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"): return .double(number.doubleValue)
    case UInt8(ascii: "f"): return PropertyValue(number.floatValue)
    case UInt8(ascii: "Q"): return integer(number.uint64Value)
    default: return .integer(number.int64Value)
    }
  }

  fileprivate static func convert(_ value: Any, levelsLeft: Int) -> PropertyValue? {
    if let scalar = scalar(value) { return scalar }
    switch value {
    case is NSNull: return .null
    case let date as Date: return PropertyValue(date)
    case let url as URL: return PropertyValue(url)
    case let id as UUID: return PropertyValue(id)
    case let whole as UInt64: return PropertyValue(whole)
    case let whole as UInt: return PropertyValue(whole)
    case let whole as NSNumber: return .double(whole.doubleValue)
    case let optional as any AnyOptional:
      guard let content = optional.content else { return .null }
      return convert(content, levelsLeft: levelsLeft)
    case let list as [Any]:
      guard levelsLeft > 0 else { return nil }
      return .array(list.compactMap { convert($0, levelsLeft: levelsLeft - 1) })
    case let object as [String: Any]:
      guard levelsLeft > 0 else { return nil }
      return .object(Properties(object, levelsLeft: levelsLeft))
    case let value as any Encodable: return PropertyValue(encoding: value, levels: levelsLeft)
    default: return nil
    }
  }
}

extension Properties {
  /// Properties out of an untyped dictionary, sorted by key, each as `PropertyValue(converting:)`
  /// has it; the names of those it cannot hold come along.
  package init(converting dictionary: [String: Any], unsupported: inout [String]) {
    self.init()
    for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      if let converted = PropertyValue(converting: value) {
        self[key] = converted
      } else {
        unsupported.append(key)
      }
    }
  }

  fileprivate init(_ dictionary: [String: Any], levelsLeft: Int) {
    let converted = dictionary.compactMapValues {
      PropertyValue.convert($0, levelsLeft: levelsLeft - 1)
    }
    self.init(converted)
  }
}

/// Lets an optional inside an `Any` be told from what it holds.
private protocol AnyOptional {
  var content: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var content: Any? { self }
}
