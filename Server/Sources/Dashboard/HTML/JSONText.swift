/// A JSON value that keeps the order of members and the digits of numbers as they were written.
indirect enum JSONText: Sendable, Hashable {
  case string(String)
  /// A number's digits as written.
  case number(String)
  case boolean(Bool)
  case null
  case array([JSONText])
  case object([Member])

  struct Member: Sendable, Hashable {
    let name: String
    let value: JSONText
  }

  /// How deep a value may be nested; the wire allows 8.
  static let maxDepth = 64

  /// Reads one value; nil when the text is not JSON or nested deeper than `maxDepth`.
  init?(_ text: String) {
    var reader = Reader(bytes: Array(text.utf8))
    guard let value = reader.value(depth: 0), reader.isAtEnd else { return nil }
    self = value
  }

  /// The members of an object; empty for any other value.
  var members: [Member] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  /// The first member of that name.
  subscript(_ name: String) -> JSONText? { members.first { $0.name == name }?.value }

  /// Text for people on one line: strings without quotes, the rest as JSON.
  var plain: String {
    guard case .string(let string) = self else { return encoded(indent: nil) }
    return string
  }

  /// The value as JSON: on one line, or in lines indented by two spaces.
  func encoded(indent: Int?) -> String {
    switch self {
    case .string(let string): return Self.quoted(string)
    case .number(let digits): return digits
    case .boolean(let value): return value ? "true" : "false"
    case .null: return "null"
    case .array(let values):
      let items = values.map { $0.encoded(indent: indent.map { $0 + 1 }) }
      return Self.enclosed(items, "[", "]", indent: indent)
    case .object(let members):
      let items = members.map { member in
        Self.quoted(member.name) + (indent == nil ? ":" : ": ")
          + member.value.encoded(indent: indent.map { $0 + 1 })
      }
      return Self.enclosed(items, "{", "}", indent: indent)
    }
  }

  private static func enclosed(
    _ items: [String],
    _ open: String,
    _ close: String,
    indent: Int?
  ) -> String {
    guard let indent, !items.isEmpty else { return open + items.joined(separator: ",") + close }
    let outer = String(repeating: "  ", count: indent)
    let inner = outer + "  "
    return open + "\n" + items.map { inner + $0 }.joined(separator: ",\n") + "\n" + outer + close
  }

  /// A JSON string literal.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\0"..<" ", "\u{7f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

extension JSONText {
  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    var isAtEnd: Bool {
      mutating get {
        skipSpace()
        return place == bytes.count
      }
    }

    mutating func value(depth: Int) -> JSONText? {
      guard depth <= JSONText.maxDepth else { return nil }
      skipSpace()
      guard place < bytes.count else { return nil }
      switch bytes[place] {
      case UInt8(ascii: "{"): return object(depth: depth)
      case UInt8(ascii: "["): return array(depth: depth)
      case UInt8(ascii: "\""): return string().map(JSONText.string)
      case UInt8(ascii: "t"): return word("true", .boolean(true))
      case UInt8(ascii: "f"): return word("false", .boolean(false))
      case UInt8(ascii: "n"): return word("null", .null)
      default: return number()
      }
    }

    private mutating func object(depth: Int) -> JSONText? {
      place += 1
      var members: [Member] = []
      if take(UInt8(ascii: "}")) { return .object([]) }
      repeat {
        skipSpace()
        guard let name = string(), take(UInt8(ascii: ":")), let value = value(depth: depth + 1)
        else { return nil }
        members.append(Member(name: name, value: value))
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "}")) ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONText? {
      place += 1
      var values: [JSONText] = []
      if take(UInt8(ascii: "]")) { return .array([]) }
      repeat {
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "]")) ? .array(values) : nil
    }

    private mutating func string() -> String? {
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
      place += 1
      var text: [UInt8] = []
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
        case UInt8(ascii: "\\"):
          guard let scalar = escape() else { return nil }
          text += Array(String(scalar).utf8)
        default: text.append(byte)
        }
      }
      return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
      guard place < bytes.count else { return nil }
      let letter = bytes[place]
      place += 1
      switch letter {
      case UInt8(ascii: "n"): return "\n"
      case UInt8(ascii: "t"): return "\t"
      case UInt8(ascii: "r"): return "\r"
      case UInt8(ascii: "b"): return "\u{8}"
      case UInt8(ascii: "f"): return "\u{c}"
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
      case UInt8(ascii: "u"): return unicodeEscape()
      default: return nil
      }
    }

    /// The scalar of `\uXXXX`, or of a pair; half a pair becomes U+FFFD.
    private mutating func unicodeEscape() -> Unicode.Scalar? {
      guard let first = fourDigits() else { return nil }
      guard (0xd800...0xdbff).contains(first), place + 1 < bytes.count,
        bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u")
      else { return Unicode.Scalar(first) ?? "\u{fffd}" }
      let start = place
      place += 2
      guard let second = fourDigits(), (0xdc00...0xdfff).contains(second) else {
        place = start
        return "\u{fffd}"
      }
      return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    private mutating func fourDigits() -> UInt32? {
      guard place + 4 <= bytes.count else { return nil }
      let digits = String(decoding: bytes[place..<place + 4], as: UTF8.self)
      guard let value = UInt32(digits, radix: 16) else { return nil }
      place += 4
      return value
    }

    private mutating func number() -> JSONText? {
      let start = place
      while place < bytes.count, Self.numberBytes.contains(bytes[place]) { place += 1 }
      let digits = String(decoding: bytes[start..<place], as: UTF8.self)
      return Double(digits) == nil ? nil : .number(digits)
    }

    private static let numberBytes = Set("0123456789+-.eE".utf8)

    private mutating func word(_ word: StaticString, _ value: JSONText) -> JSONText? {
      let end = place + word.utf8CodeUnitCount
      guard end <= bytes.count,
        bytes[place..<end].elementsEqual(
          UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        )
      else { return nil }
      place = end
      return value
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      skipSpace()
      guard place < bytes.count, bytes[place] == byte else { return false }
      place += 1
      return true
    }

    private mutating func skipSpace() {
      while place < bytes.count, bytes[place] == 0x20 || (0x09...0x0d).contains(bytes[place]) {
        place += 1
      }
    }
  }
}
