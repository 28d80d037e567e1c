/// Walks JSON text byte by byte and checks everything it passes.
///
/// What it passes without an error is valid JSON in valid UTF-8 (RFC 8259, RFC 3629). After an error
/// `offset` says where. Nothing is allocated. The text must outlive the scanner.
struct JSONScanner {
  /// How many levels `skipValue` follows before it gives up: its own calls nest that deep.
  static let maxDepth = 128

  /// Where the scanner stands.
  private(set) var position: UnsafePointer<UInt8>
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// A scanner at the start of `text`.
  init(_ text: UnsafeRawBufferPointer) {
    let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self)
    start = base ?? ("" as StaticString).utf8Start
    end = start + text.count
    position = start
  }

  /// How many bytes lie behind.
  var offset: Int { position - start }

  /// Goes back, or on, to an offset at which the scanner has been.
  mutating func move(to offset: Int) {
    position = start + offset
  }

  /// The same, to a place.
  mutating func move(to place: UnsafePointer<UInt8>) {
    position = place
  }

  /// The next byte that is not white space, not yet taken; 0 at the end (0 never starts anything).
  @inline(__always)
  mutating func next() -> UInt8 {
    guard position < end else { return 0 }
    let byte = position.pointee
    return byte > 0x20 ? byte : afterSpace()
  }

  private mutating func afterSpace() -> UInt8 {
    while position < end {
      switch position.pointee {
      case 0x20, 0x0a, 0x0d, 0x09: position += 1
      default: return position.pointee
      }
    }
    return 0
  }

  /// Passes the byte that `next` returned, which was not 0.
  @inline(__always)
  mutating func advance() {
    position += 1
  }

  /// True when nothing but white space is left.
  mutating func isAtEnd() -> Bool {
    next() == 0 && position == end
  }

  /// Passes a byte-order mark, which some clients put in front.
  mutating func skipByteOrderMark() {
    if end - position >= 3, position[0] == 0xef, position[1] == 0xbb, position[2] == 0xbf {
      position += 3
    }
  }

  // MARK: Objects and lists

  /// Takes the opening brace; true when a member follows.
  @inline(__always)
  mutating func enterObject() throws(BodyProblem) -> Bool {
    try take(UInt8(ascii: "{"))
    guard next() == UInt8(ascii: "}") else { return true }
    position += 1
    return false
  }

  /// Takes a key and the colon behind it.
  @inline(__always)
  mutating func key() throws(BodyProblem) -> JSONString {
    guard next() == UInt8(ascii: "\"") else { throw .malformed }
    let key = try string()
    try take(UInt8(ascii: ":"))
    return key
  }

  /// Takes a key and the colon behind it; quicker when it is the one that was last at this place.
  @inline(__always)
  mutating func key(at place: Int, _ known: borrowing KnownKeys) throws(BodyProblem) -> JSONString {
    guard next() == UInt8(ascii: "\"") else { throw .malformed }
    let key =
      if let key = string(known[place]) { key } else { try unknownKey(at: place, known) }
    try take(UInt8(ascii: ":"))
    return key
  }

  @inline(never)
  private mutating func unknownKey(
    at place: Int,
    _ known: borrowing KnownKeys
  ) throws(BodyProblem) -> JSONString {
    let key = try string()
    if let seen = knownKey(key, hash: 0) { known[place] = seen }
    return key
  }

  /// Takes a string that is a known key; nil, and nothing passed, when it is another.
  @inline(__always)
  mutating func string(_ known: KnownKey) -> JSONString? {
    guard end - position >= 16, known.stands(at: position) else { return nil }
    let key = JSONString(start: position + 1, count: known.length &- 2, escapes: .none)
    position += known.length
    return key
  }

  /// What is to be known of a key of this text; nil for one that is too long or has escapes.
  @inline(__always)
  func knownKey(_ key: JSONString, hash: UInt32) -> KnownKey? {
    let quote = key.start - 1
    guard key.escapes == .none, end - quote >= 16 else { return nil }
    return KnownKey(at: quote, length: key.count &+ 2, hash: hash)
  }

  /// Takes what follows a member: true for a comma, false for the closing brace.
  @inline(__always)
  mutating func nextMember() throws(BodyProblem) -> Bool {
    try takeComma(orEnd: UInt8(ascii: "}"))
  }

  /// Takes the opening bracket; true when an element follows.
  @inline(__always)
  mutating func enterList() throws(BodyProblem) -> Bool {
    try take(UInt8(ascii: "["))
    guard next() == UInt8(ascii: "]") else { return true }
    position += 1
    return false
  }

  /// Takes what follows an element: true for a comma, false for the closing bracket.
  @inline(__always)
  mutating func nextElement() throws(BodyProblem) -> Bool {
    try takeComma(orEnd: UInt8(ascii: "]"))
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) throws(BodyProblem) {
    guard next() == byte else { throw .malformed }
    position += 1
  }

  @inline(__always)
  private mutating func takeComma(orEnd close: UInt8) throws(BodyProblem) -> Bool {
    let byte = next()
    guard byte == UInt8(ascii: ",") || byte == close else { throw .malformed }
    position += 1
    return byte != close
  }

  // MARK: Values

  /// Passes one value of any kind.
  mutating func skipValue() throws(BodyProblem) {
    try skipValue(depth: 0)
  }

  /// The same for one within so many levels that count with its own.
  mutating func skipValue(depth: Int) throws(BodyProblem) {
    guard depth < Self.maxDepth else { throw .tooDeep }
    switch next() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      var isMore = try enterObject()
      while isMore {
        _ = try key()
        try skipValue(depth: depth + 1)
        isMore = try nextMember()
      }
    case UInt8(ascii: "["):
      var isMore = try enterList()
      while isMore {
        try skipValue(depth: depth + 1)
        isMore = try nextElement()
      }
    default: try skipScalar()
    }
  }

  /// Passes a number, `true`, `false` or `null`.
  @inline(__always)
  mutating func skipScalar() throws(BodyProblem) {
    switch next() {
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: _ = try number()
    }
  }

  /// Passes `null`; false, and nothing passed, when the value is something else.
  @inline(__always)
  mutating func null() throws(BodyProblem) -> Bool {
    guard next() == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  /// Passes `true` or `false`; nil, and nothing passed, when the value is something else.
  mutating func boolean() throws(BodyProblem) -> Bool? {
    switch next() {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default: return nil
    }
  }

  @inline(__always)
  private mutating func literal(_ word: StaticString) throws(BodyProblem) {
    let count = word.utf8CodeUnitCount
    guard end - position >= count,
      JSONString(start: position, count: count, escapes: .none).isStart(word)
    else { throw .malformed }
    position += count
  }

  // MARK: Strings

  /// Takes a string; the scanner stands on its opening quote.
  @inline(__always)
  mutating func string() throws(BodyProblem) -> JSONString {
    let first = position + 1
    var cursor = first
    var escapes = JSONString.Escapes.none
    while true {
      while end - cursor >= 8 {
        let word = UInt64(
          littleEndian: UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self)
        )
        let special = specialBytes(word)
        guard special == 0 else {
          cursor += special.trailingZeroBitCount >> 3
          break
        }
        cursor += 8
      }
      guard cursor < end else { throw .malformed }
      let byte = cursor.pointee
      if byte == UInt8(ascii: "\"") {
        position = cursor + 1
        return JSONString(start: first, count: cursor - first, escapes: escapes)
      }
      if byte >= 0x80 {
        cursor = try afterMultibyte(cursor)
      } else if byte == UInt8(ascii: "\\") {
        cursor = try afterEscape(cursor, &escapes)
      } else if byte >= 0x20 {
        cursor += 1
      } else {
        position = cursor
        throw .malformed
      }
    }
  }

  /// Passes bytes from 0x80 on as long as they are valid UTF-8 (RFC 3629, section 4).
  @inline(never)
  private mutating func afterMultibyte(
    _ first: UnsafePointer<UInt8>
  ) throws(BodyProblem) -> UnsafePointer<UInt8> {
    var cursor = first
    while cursor < end, cursor.pointee >= 0x80 {
      let lead = cursor.pointee
      let left = end - cursor
      // The second byte's range rules out overlong forms, surrogates and what lies above U+10FFFF.
      let (length, second): (Int, ClosedRange<UInt8>) =
        switch lead {
        case 0xc2...0xdf: (2, 0x80...0xbf)
        case 0xe0: (3, 0xa0...0xbf)
        case 0xed: (3, 0x80...0x9f)
        case 0xe1...0xef: (3, 0x80...0xbf)
        case 0xf0: (4, 0x90...0xbf)
        case 0xf1...0xf3: (4, 0x80...0xbf)
        case 0xf4: (4, 0x80...0x8f)
        default: (0, 0x80...0xbf)
        }
      guard length > 0, left >= length, second.contains(cursor[1]),
        length < 3 || cursor[2] & 0xc0 == 0x80, length < 4 || cursor[3] & 0xc0 == 0x80
      else {
        position = cursor
        throw .malformed
      }
      cursor += length
    }
    return cursor
  }

  @inline(never)
  private mutating func afterEscape(
    _ backslash: UnsafePointer<UInt8>,
    _ escapes: inout JSONString.Escapes
  ) throws(BodyProblem) -> UnsafePointer<UInt8> {
    guard let escape = JSONEscape(at: backslash, end: end) else {
      position = backslash
      throw .malformed
    }
    escapes = escape.isReplaced ? .replaced : max(escapes, .plain)
    return backslash + escape.length
  }

  // MARK: Numbers

  /// Takes a number.
  @inline(__always)
  mutating func number() throws(BodyProblem) -> JSONNumber {
    let first = position
    var cursor = position
    let isNegative = cursor < end && cursor.pointee == UInt8(ascii: "-")
    if isNegative { cursor += 1 }
    let digits = cursor
    var magnitude: UInt64 = 0
    while cursor < end {
      let digit = cursor.pointee &- UInt8(ascii: "0")
      if digit >= 10 { break }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      cursor += 1
    }
    let digitCount = cursor - digits
    guard digitCount == 1 || (digitCount > 1 && digits.pointee != UInt8(ascii: "0")) else {
      throw .malformed
    }
    var number = JSONNumber(
      start: first,
      isNegative: isNegative,
      magnitude: magnitude,
      digitCount: digitCount
    )
    if cursor < end, cursor.pointee == UInt8(ascii: ".") {
      number.isInteger = false
      cursor = try afterDigits(cursor + 1)
    }
    if cursor < end, cursor.pointee | 0x20 == UInt8(ascii: "e") {
      number.isInteger = false
      number.hasExponent = true
      cursor += 1
      if cursor < end, cursor.pointee == UInt8(ascii: "+") || cursor.pointee == UInt8(ascii: "-") {
        cursor += 1
      }
      cursor = try afterDigits(cursor)
    }
    number.count = cursor - first
    position = cursor
    return number
  }

  private mutating func afterDigits(
    _ first: UnsafePointer<UInt8>
  ) throws(BodyProblem) -> UnsafePointer<UInt8> {
    var cursor = first
    while cursor < end, cursor.pointee &- UInt8(ascii: "0") < 10 { cursor += 1 }
    guard cursor > first else { throw .malformed }
    return cursor
  }
}

/// The top bit of every byte that a string may not simply contain.
///
/// These are quote, backslash, control and what is not ASCII. Only the lowest set bit is exact, and
/// only that one is used.
@inline(__always)
func specialBytes(_ word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  // In a byte of ASCII each difference sets the top bit only where it goes below zero; what is not
  // ASCII is found by its own top bit.
  let quote = (word ^ (ones &* 0x22)) &- ones
  let backslash = (word ^ (ones &* 0x5c)) &- ones
  let control = word &- ones &* 0x20
  return (quote | backslash | control | word) & (ones &* 0x80)
}
