import EventRecord

/// A member's value, and where it is written in the bytes that were read.
struct WrittenValue {
  let value: PropertyValue
  let written: Range<Int>
}

/// Reads a JSON text (RFC 8259) into property values; whatever the bytes are, it ends with a value or nil.
///
/// Of a member that is there twice the last one counts, as on the way in.
struct PropertyReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private let findsRepeats: Bool
  /// Members whose name comes again in their object, each up to where the member after it begins; only
  /// where they are looked for.
  private(set) var repeats: [Range<Int>] = []

  /// Deeper than any protocol lets through.
  private static let maxDepth = 64

  init(_ bytes: UnsafeBufferPointer<UInt8>, findsRepeats: Bool = false) {
    self.bytes = bytes
    self.findsRepeats = findsRepeats
  }

  /// The one value that the text is.
  mutating func read() -> PropertyValue? {
    guard let value = value(depth: 0) else { return nil }
    skipSpace()
    return index == bytes.count ? value : nil
  }

  private mutating func value(depth: Int) -> PropertyValue? {
    guard depth < Self.maxDepth, let next = peek() else { return nil }
    switch next {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return list(depth: depth)
    case UInt8(ascii: "\""): return text().map { .text($0) }
    case UInt8(ascii: "t"): return skip("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return skip("false") ? .boolean(false) : nil
    case UInt8(ascii: "n"): return skip("null") ? .null : nil
    default: return number()
    }
  }

  /// The members of the one object that the text is, each also as it is written.
  mutating func readMembers() -> Members<WrittenValue>? {
    var members: Members<WrittenValue> = [:]
    guard peek() == UInt8(ascii: "{"), readObject({ members[$0] = $1 }, depth: 0) else {
      return nil
    }
    skipSpace()
    return index == bytes.count ? members : nil
  }

  private mutating func object(depth: Int) -> PropertyValue? {
    var members: Members<PropertyValue> = [:]
    guard readObject({ members[$0] = $1.value }, depth: depth) else { return nil }
    return .object(members)
  }

  private mutating func readObject(_ note: (String, WrittenValue) -> Void, depth: Int) -> Bool {
    index += 1
    if take(UInt8(ascii: "}")) { return true }
    var places: [ExactText: Int] = [:]
    var starts: [Int] = []
    repeat {
      guard peek() == UInt8(ascii: "\"") else { return false }
      if findsRepeats { starts.append(index) }
      guard let name = text(), take(UInt8(ascii: ":")) else { return false }
      if findsRepeats, let before = places.updateValue(starts.count - 1, forKey: ExactText(name)) {
        repeats.append(starts[before]..<starts[before + 1])
      }
      skipSpace()
      let start = index
      guard let value = value(depth: depth + 1) else { return false }
      note(name, WrittenValue(value: value, written: start..<index))
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}"))
  }

  private mutating func list(depth: Int) -> PropertyValue? {
    index += 1
    var values: [PropertyValue] = []
    if take(UInt8(ascii: "]")) { return .list(values) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      values.append(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .list(values) : nil
  }

  private mutating func number() -> PropertyValue? {
    let start = index
    _ = skip("-")
    // No other digit follows a leading zero.
    guard skip("0") || skipDigits() else { return nil }
    if skip("."), !skipDigits() { return nil }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      guard skipDigits() else { return nil }
    }
    let digits = String(decoding: bytes[start..<index], as: UTF8.self)
    if let whole = Int64(digits) { return .integer(whole) }
    guard let value = Double(digits), value.isFinite else { return nil }
    return .number(value)
  }

  private mutating func skipDigits() -> Bool {
    let start = index
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
    return index > start
  }

  private mutating func text() -> String? {
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") { return escapedText(from: start) }
      guard bytes[index] >= 0x20 else { return nil }
      index += 1
    }
    guard index < bytes.count else { return nil }
    index += 1
    return String(decoding: bytes[start..<index - 1], as: UTF8.self)
  }

  /// The rest of a text in which a backslash was met.
  private mutating func escapedText(from start: Int) -> String? {
    var text = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\") else {
        guard byte >= 0x20 else { return nil }
        text.append(byte)
        continue
      }
      guard let scalar = escape() else { return nil }
      text.append(contentsOf: String(Character(scalar)).utf8)
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "u"): return codeUnits()
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    default: return nil
    }
  }

  /// The scalar of one code unit or of a pair; a lone surrogate becomes the replacement character.
  private mutating func codeUnits() -> Unicode.Scalar? {
    guard let first = codeUnit() else { return nil }
    guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) ?? "\u{fffd}" }
    let start = index
    if skip("\\u"), let second = codeUnit(), UTF16.isTrailSurrogate(second) {
      return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }
    index = start
    return "\u{fffd}"
  }

  private mutating func codeUnit() -> UInt16? {
    guard index + 4 <= bytes.count else { return nil }
    defer { index += 4 }
    let digits = bytes[index..<index + 4]
    // `UInt16` would take a sign.
    guard digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else {
      return nil
    }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] <= 0x20 {
      switch bytes[index] {
      case 0x20, 0x09, 0x0a, 0x0d: index += 1
      default: return
      }
    }
  }

  private mutating func peek() -> UInt8? {
    skipSpace()
    return index < bytes.count ? bytes[index] : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index += 1
    return true
  }

  private mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    for place in 0..<count where bytes[index + place] != word.utf8Start[place] { return false }
    index += count
    return true
  }
}

extension PropertyValue {
  /// The value as JSON, members in the order of their names.
  public var json: String {
    var text = ""
    append(to: &text)
    return text
  }

  /// Members as a JSON object, in the order of their names.
  public static func json(_ members: Members<PropertyValue>) -> String {
    PropertyValue.object(members).json
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .decimal(let value): text += String(value)
    case .text(let value): JSONQuoting.append(value, to: &text)
    case .list(let values):
      text += "["
      for (place, value) in values.enumerated() {
        if place > 0 { text += "," }
        value.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (place, member) in sorted.enumerated() {
        if place > 0 { text += "," }
        JSONQuoting.append(member.key, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
      text += "}"
    }
  }
}
