/// Reads JSON text from outside into property values, strictly and within bounds.
///
/// RFC 8259 without leniency: no trailing comma, no byte order mark, no half of a surrogate pair,
/// no broken UTF-8, no number that is not finite. Of a key given twice the last value counts.
/// For answers the client did not write itself; nothing here is meant for large texts.
package struct JSONReader {
  /// Why a text was not taken.
  package enum Failure: Error, Sendable, Equatable {
    /// More bytes than allowed.
    case tooLarge
    /// More levels than allowed.
    case tooDeep
    /// Not JSON; the byte at which that showed.
    case malformed(at: Int)
  }

  private let bytes: [UInt8]
  private let maxDepth: Int
  private var position = 0

  /// Reads one value and nothing after it.
  ///
  /// - Parameters:
  ///   - bytes: The text, UTF-8.
  ///   - maxBytes: The most bytes taken.
  ///   - maxDepth: The most objects and lists within each other, 1 for the outermost.
  /// - Returns: The value; numbers without fraction and exponent that fit are `integer`.
  /// - Throws: What is wrong with the text.
  package static func read(
    _ bytes: [UInt8],
    maxBytes: Int,
    maxDepth: Int
  ) throws(Failure) -> PropertyValue {
    guard bytes.count <= maxBytes else { throw .tooLarge }
    var reader = JSONReader(bytes: bytes, maxDepth: maxDepth)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.malformed }
    return value
  }

  private init(bytes: [UInt8], maxDepth: Int) {
    self.bytes = bytes
    self.maxDepth = maxDepth
  }

  private var malformed: Failure { .malformed(at: position) }
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func value(depth: Int) throws(Failure) -> PropertyValue {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(Failure) -> Properties {
    guard depth <= maxDepth else { throw .tooDeep }
    position += 1
    var pairs: [(String, PropertyValue)] = []
    skipSpace()
    if take("}") { return Properties() }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw malformed }
      let key = try string()
      skipSpace()
      guard take(":") else { throw malformed }
      pairs.append((key, try value(depth: depth)))
      skipSpace()
      if take("}") { return Properties(pairs: pairs) }
      guard take(",") else { throw malformed }
    }
  }

  private mutating func array(depth: Int) throws(Failure) -> [PropertyValue] {
    guard depth <= maxDepth else { throw .tooDeep }
    position += 1
    var values: [PropertyValue] = []
    skipSpace()
    if take("]") { return [] }
    while true {
      values.append(try value(depth: depth))
      skipSpace()
      if take("]") { return values }
      guard take(",") else { throw malformed }
    }
  }

  private mutating func word(
    _ word: StaticString,
    _ value: PropertyValue
  ) throws(Failure) -> PropertyValue {
    for offset in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[offset] else { throw malformed }
      position += 1
    }
    return value
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard let byte = next, UInt32(byte) == sign.value else { return false }
    position += 1
    return true
  }

  // MARK: Numbers

  private mutating func number() throws(Failure) -> PropertyValue {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else { throw .malformed(at: start) }
    return .double(double)
  }

  private mutating func digits() throws(Failure) {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw malformed }
  }

  // MARK: Text

  private mutating func string() throws(Failure) -> String {
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        let string = String(decoding: text, as: UTF8.self)
        // Decoding repairs what is broken, and then differs.
        guard string.utf8.elementsEqual(text) else { throw .malformed(at: start) }
        return string
      case UInt8(ascii: "\\"):
        position += 1
        try escape(into: &text)
      case ..<0x20: throw malformed
      default:
        text.append(byte)
        position += 1
      }
    }
    throw malformed
  }

  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    guard let byte = next else { throw malformed }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text += Array(String(try scalar()).utf8)
    default: throw .malformed(at: position - 1)
    }
  }

  /// The scalar of one `\u` escape, or of the two that make a surrogate pair.
  private mutating func scalar() throws(Failure) -> Character {
    let high = try unit()
    var code = high
    if (0xd800..<0xdc00).contains(high) {
      guard take("\\"), take("u") else { throw malformed }
      let low = try unit()
      guard (0xdc00..<0xe000).contains(low) else { throw malformed }
      code = 0x10000 + (high - 0xd800) << 10 + (low - 0xdc00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw malformed }
    return Character(scalar)
  }

  private mutating func unit() throws(Failure) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw malformed
      }
      code = code << 4 | UInt32(digit)
      position += 1
    }
    return code
  }
}
