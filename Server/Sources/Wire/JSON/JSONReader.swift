import EventRecord

/// Why a request is refused before anything is decided about its items.
enum JSONFault: Error {
  /// No JSON.
  case unreadable
  /// JSON of another shape; the text says what was expected.
  case schema(String)
}

/// Reads JSON of a known shape, with a word for whatever has another.
struct JSONReader {
  private var scanner: JSONScanner

  init(_ text: UnsafeRawBufferPointer) {
    scanner = JSONScanner(text)
    scanner.skipByteOrderMark()
  }

  /// Whether everything has been read.
  mutating func end() throws(JSONFault) {
    guard scanner.isAtEnd() else { throw .unreadable }
  }

  /// Where the reader stands; to come back to.
  var offset: Int {
    get { scanner.offset }
    set { scanner.move(to: newValue) }
  }

  /// Walks an object; the closure takes each member's value.
  mutating func object(
    _ name: String,
    _ member: (inout JSONReader, String) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    guard next() == UInt8(ascii: "{") else { throw try mismatch(name, "an object") }
    var isMore = try scan { scanner throws(BodyProblem) in try scanner.enterObject() }
    while isMore {
      let key = try scan { scanner throws(BodyProblem) in try scanner.key() }
      try member(&self, Self.text(key))
      isMore = try scan { scanner throws(BodyProblem) in try scanner.nextMember() }
    }
  }

  /// Walks a list; the closure takes each element.
  mutating func list(
    _ name: String,
    _ element: (inout JSONReader) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    guard next() == UInt8(ascii: "[") else { throw try mismatch(name, "a list") }
    var isMore = try scan { scanner throws(BodyProblem) in try scanner.enterList() }
    while isMore {
      try element(&self)
      isMore = try scan { scanner throws(BodyProblem) in try scanner.nextElement() }
    }
  }

  /// Takes a text.
  mutating func text(_ name: String) throws(JSONFault) -> String {
    guard next() == UInt8(ascii: "\"") else { throw try mismatch(name, "a text") }
    return Self.text(try scan { scanner throws(BodyProblem) in try scanner.string() })
  }

  /// Takes a text of at most so many UTF-16 units, or null.
  mutating func optionalText(_ name: String, max: Int) throws(JSONFault) -> String? {
    if try scan({ scanner throws(BodyProblem) in try scanner.null() }) { return nil }
    let text = try text(name)
    guard text.utf16.count <= max else {
      throw .schema("\(name) has \(text.utf16.count) characters; at most \(max) are taken.")
    }
    return text
  }

  /// Takes true or false.
  mutating func boolean(_ name: String) throws(JSONFault) -> Bool {
    guard let value = try scan({ scanner throws(BodyProblem) in try scanner.boolean() }) else {
      throw try mismatch(name, "true or false")
    }
    return value
  }

  /// Takes a number that is not negative.
  mutating func count(_ name: String) throws(JSONFault) -> (text: String, value: Double) {
    switch next() {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try scan { scanner throws(BodyProblem) in try scanner.number() }
      guard let value = number.double else { fallthrough }
      return (String(decoding: number.raw, as: UTF8.self), value)
    default: throw try mismatch(name, "a number from 0 on")
    }
  }

  /// Takes a point in time in ISO 8601, with `Z` or an offset.
  mutating func time(_ name: String) throws(JSONFault) -> Int64 {
    var text = try text(name)
    // Stores are told times in milliseconds; a bare number as a text is none in this protocol.
    let isDated = text.utf8.dropFirst(10).first.map { $0 | 0x20 == UInt8(ascii: "t") } ?? false
    guard isDated, let time = text.withUTF8({ Timestamp.read(UnsafeRawBufferPointer($0)) }),
      Timestamp.range.contains(time)
    else { throw .schema("\(name) is not a time such as 2026-07-01T12:00:00.000Z.") }
    return time
  }

  /// Takes a flat object or null; the second value says what is wrong with it as such.
  mutating func values(
    _ name: String
  ) throws(JSONFault) -> (values: PhaseValues, problem: String?) {
    var values = PhaseValues()
    var problem: String?
    if try scan({ scanner throws(BodyProblem) in try scanner.null() }) { return (values, nil) }
    try object(name) { reader, key throws(JSONFault) in
      if let value = try reader.flatValue() {
        values.set(key, value)
      } else {
        problem = problem ?? "\(name).\(key) is not a text, number, boolean or null."
      }
    }
    return (values, problem)
  }

  /// Passes a value of any kind.
  mutating func skip() throws(JSONFault) {
    try scan { scanner throws(BodyProblem) in try scanner.skipValue() }
  }

  /// A value as JSON; nil for an object, a list, and a number that no store can keep.
  private mutating func flatValue() throws(JSONFault) -> [UInt8]? {
    var value = JSONText()
    switch next() {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skip()
      return nil
    case UInt8(ascii: "\""):
      value.append(quoting: try text(""))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try scan { scanner throws(BodyProblem) in try scanner.number() }
      switch number.form {
      case .asWritten: value.append(number.raw)
      case .rewritten(let text): value.append(text)
      case .outOfRange: return nil
      }
    default:
      let start = scanner.position
      try scan { scanner throws(BodyProblem) in try scanner.skipScalar() }
      value.append(UnsafeRawBufferPointer(start: start, count: scanner.position - start))
    }
    return value.bytes
  }

  private mutating func next() -> UInt8 { scanner.next() }

  /// What to throw for a value of another kind, once it is known to be JSON.
  private mutating func mismatch(
    _ name: String,
    _ expected: String
  ) throws(JSONFault) -> JSONFault {
    try skip()
    return .schema("\(name) must be \(expected).")
  }

  private mutating func scan<Value>(
    _ body: (inout JSONScanner) throws(BodyProblem) -> Value
  ) throws(JSONFault) -> Value {
    do throws(BodyProblem) { return try body(&scanner) } catch { throw .unreadable }
  }

  private static func text(_ string: JSONString) -> String {
    guard string.escapes != .none else { return String(decoding: string.raw, as: UTF8.self) }
    var sink = ByteSink(capacity: string.count)
    string.appendText(to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}
