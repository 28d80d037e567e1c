import FootfallCore

/// The form of values on disk: a mark of one byte, then what it takes; numbers lowest byte first.
private enum ValueMark: UInt8 {
  case null = 0
  case no
  case yes
  case integer
  case double
  case string
  case array
  case object

  /// What lies deeper is left out of every event anyway: no preset's `EventLimits.depth` is over 100.
  static let deepest = 128
}

extension [UInt8] {
  /// Adds text with its length before it.
  mutating func append(counted text: String) {
    append(counted: Array(text.utf8))
  }

  /// Adds a value; one that lies too deep as null.
  mutating func append(_ value: PropertyValue, depth: Int = 0) {
    guard depth < ValueMark.deepest else { return append(ValueMark.null.rawValue) }
    switch value {
    case .null: append(ValueMark.null.rawValue)
    case .boolean(let isTrue): append((isTrue ? ValueMark.yes : .no).rawValue)
    case .integer(let number):
      append(ValueMark.integer.rawValue)
      append(littleEndian: number)
    case .double(let number):
      append(ValueMark.double.rawValue)
      append(littleEndian: number.bitPattern)
    case .string(let text):
      append(ValueMark.string.rawValue)
      append(counted: text)
    case .array(let values):
      append(ValueMark.array.rawValue)
      append(littleEndian: UInt32(clamping: values.count))
      for value in values { append(value, depth: depth + 1) }
    case .object(let properties):
      append(ValueMark.object.rawValue)
      append(properties, depth: depth + 1)
    }
  }

  /// Adds properties in their order.
  mutating func append(_ properties: Properties, depth: Int = 0) {
    append(littleEndian: UInt32(clamping: properties.count))
    for (key, value) in properties {
      append(counted: key)
      append(value, depth: depth)
    }
  }
}

extension ByteReader {
  /// Text with its length before it.
  mutating func text() -> String? {
    bytes().map { String(decoding: $0, as: UTF8.self) }
  }

  /// A value.
  mutating func value(depth: Int = 0) -> PropertyValue? {
    guard depth <= ValueMark.deepest, let byte: UInt8 = number(),
      let mark = ValueMark(rawValue: byte)
    else {
      return nil
    }
    switch mark {
    case .null: return .null
    case .no: return .boolean(false)
    case .yes: return .boolean(true)
    case .integer: return number(Int64.self).map { .integer($0) }
    case .double: return number(UInt64.self).map { .double(Double(bitPattern: $0)) }
    case .string: return text().map { .string($0) }
    case .array:
      guard let count: UInt32 = number() else { return nil }
      var values: [PropertyValue] = []
      for _ in 0..<count {
        guard let value = self.value(depth: depth + 1) else { return nil }
        values.append(value)
      }
      return .array(values)
    case .object: return properties(depth: depth + 1).map { .object($0) }
    }
  }

  /// Properties in their order.
  mutating func properties(depth: Int = 0) -> Properties? {
    guard let count: UInt32 = number() else { return nil }
    var pairs: [(String, PropertyValue)] = []
    for _ in 0..<count {
      guard let key = text(), let value = self.value(depth: depth) else { return nil }
      pairs.append((key, value))
    }
    return Properties(pairs: pairs)
  }
}
