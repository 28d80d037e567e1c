import EventRecord

/// A string as it stands in checked JSON text, without its quotes.
struct JSONString {
  /// What a string's escapes ask for.
  enum Escapes: Int, Comparable {
    /// There is no escape: the bytes are the text.
    case none
    /// There are escapes, and every store can keep what they stand for.
    case plain
    /// There is a NUL or half of a surrogate pair, which stands for U+FFFD from here on.
    case replaced

    static func < (left: Escapes, right: Escapes) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  var start: UnsafePointer<UInt8>
  var count: Int
  var escapes: Escapes

  /// The bytes with the quotes.
  var quoted: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start - 1, count: count + 2) }

  /// The bytes between the quotes.
  var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Compares the bytes between the quotes; an escaped spelling is not equal.
  @inline(__always)
  func isRaw(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && isStart(text)
  }

  /// Compares as many bytes as `text` has; the caller has checked `count`.
  @inline(__always)
  func isStart(_ text: StaticString) -> Bool {
    let start = UnsafeRawPointer(self.start)
    let expected = UnsafeRawPointer(text.utf8Start)
    let count = text.utf8CodeUnitCount
    // In words that may overlap; all of this is settled when compiling, but for the comparisons.
    if count >= 8 {
      for place in 0..<count / 8 where differ(start, expected, at: place &* 8, as: UInt64.self) {
        return false
      }
      return !differ(start, expected, at: count &- 8, as: UInt64.self)
    }
    if count >= 4 {
      return !differ(start, expected, at: 0, as: UInt32.self)
        && !differ(start, expected, at: count &- 4, as: UInt32.self)
    }
    for place in 0..<count where differ(start, expected, at: place, as: UInt8.self) {
      return false
    }
    return true
  }

  /// How many bytes of UTF-8 the text that the string stands for has.
  var textBytes: Int {
    guard escapes != .none else { return count }
    var bytes = 0
    var cursor = start
    let end = start + count
    while cursor < end {
      let escape = JSONEscape(at: cursor, end: end)
      bytes += escape.map { UTF8.width(Unicode.Scalar($0.scalar) ?? "\u{fffd}") } ?? 1
      cursor += escape?.length ?? 1
    }
    return bytes
  }

  /// Adds the text that the string stands for, as UTF-8.
  func appendText(to sink: inout ByteSink) {
    guard escapes != .none else { return sink.append(start, count: count) }
    var cursor = start
    let end = start + count
    while cursor < end {
      if let escape = JSONEscape(at: cursor, end: end) {
        sink.append(scalar: escape.scalar)
        cursor += escape.length
      } else {
        sink.append(cursor.pointee)
        cursor += 1
      }
    }
  }

  /// Adds the string as JSON, without quotes: with U+FFFD for what no store keeps, cut after
  /// `maxCharacters` Unicode scalars.
  func appendRewritten(to sink: inout ByteSink, maxCharacters: Int) {
    var cursor = start
    let end = start + count
    var left = maxCharacters
    while cursor < end, left > 0 {
      left -= 1
      if let escape = JSONEscape(at: cursor, end: end) {
        if escape.isReplaced {
          sink.append("\\ufffd")
        } else {
          sink.append(cursor, count: escape.length)
        }
        cursor += escape.length
      } else {
        let length = max(1, (~cursor.pointee).leadingZeroBitCount)
        sink.append(cursor, count: length)
        cursor += length
      }
    }
  }

  /// Adds the string as JSON with quotes, in the one spelling that equal texts share.
  ///
  /// - Parameters:
  ///   - prefix: what goes before its first character, none that JSON escapes.
  ///   - sink: where it goes.
  func appendCanonical(after prefix: StaticString = "", to sink: inout ByteSink) {
    sink.append(UInt8(ascii: "\""))
    sink.append(prefix)
    var cursor = start
    let end = start + count
    while cursor < end {
      if let escape = JSONEscape(at: cursor, end: end) {
        sink.append(quoting: escape.scalar)
        cursor += escape.length
      } else {
        sink.append(cursor.pointee)
        cursor += 1
      }
    }
    sink.append(UInt8(ascii: "\""))
  }
}

@inline(__always)
private func differ<Word: FixedWidthInteger & BitwiseCopyable>(
  _ left: UnsafeRawPointer,
  _ right: UnsafeRawPointer,
  at offset: Int,
  as type: Word.Type
) -> Bool {
  left.loadUnaligned(fromByteOffset: offset, as: type)
    != right.loadUnaligned(fromByteOffset: offset, as: type)
}

/// One escape of a JSON string.
struct JSONEscape {
  /// What it stands for; U+FFFD for a NUL and for half of a surrogate pair.
  let scalar: UInt32
  /// How many bytes it takes: 2, 6, or 12 for a pair.
  let length: Int
  /// True when `scalar` is not what was written.
  let isReplaced: Bool

  /// The escape at `start`; nil when there is none or it is not valid.
  init?(at start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
    guard start.pointee == UInt8(ascii: "\\"), end - start >= 2 else { return nil }
    if let scalar = Self.short(start[1]) {
      self.scalar = scalar
      length = 2
      isReplaced = false
      return
    }
    guard start[1] == UInt8(ascii: "u"), let unit = Self.unit(start, end) else { return nil }
    switch unit {
    case 0xd800...0xdbff:
      guard end - start >= 12, start[6] == UInt8(ascii: "\\"), start[7] == UInt8(ascii: "u"),
        let low = Self.unit(start + 6, end), (0xdc00...0xdfff).contains(low)
      else { fallthrough }
      scalar = 0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00)
      length = 12
      isReplaced = false
    case 0xdc00...0xdfff, 0:
      scalar = 0xfffd
      length = 6
      isReplaced = true
    default:
      scalar = unit
      length = 6
      isReplaced = false
    }
  }

  private static func short(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt32(byte)
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0c
    default: nil
    }
  }

  /// The four hexadecimal digits of the escape at `start`.
  private static func unit(
    _ start: UnsafePointer<UInt8>,
    _ end: UnsafePointer<UInt8>
  ) -> UInt32? {
    guard end - start >= 6 else { return nil }
    var unit: UInt32 = 0
    for place in 2..<6 {
      let byte = start[place]
      let digit: UInt8 =
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: 16
        }
      guard digit < 16 else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }
}

extension ByteSink {
  /// Adds a scalar as UTF-8.
  mutating func append(scalar: UInt32) {
    for byte in String(Unicode.Scalar(scalar) ?? "\u{fffd}").utf8 { append(byte) }
  }

  /// Adds a scalar as it stands in a JSON string: escaped only where it must be.
  mutating func append(quoting scalar: UInt32) {
    switch scalar {
    case 0x22, 0x5c:
      append(UInt8(ascii: "\\"))
      append(UInt8(scalar))
    case 0..<0x20:
      append(scalar < 0x10 ? "\\u000" : "\\u001")
      let digit = UInt8(scalar & 0xf)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    default: append(scalar: scalar)
    }
  }

  /// Adds text as a JSON string with quotes.
  mutating func append(quoting text: UnsafeRawBufferPointer) {
    append(UInt8(ascii: "\""))
    append(escaping: text)
    append(UInt8(ascii: "\""))
  }

  /// Adds text as it stands between the quotes of a JSON string.
  mutating func append(escaping text: UnsafeRawBufferPointer) {
    var plain = 0
    while plain + 8 <= text.count,
      specialBytes(text.loadUnaligned(fromByteOffset: plain, as: UInt64.self)) == 0
    { plain += 8 }
    append(UnsafeRawBufferPointer(rebasing: text[..<plain]))
    append(escapingEach: UnsafeRawBufferPointer(rebasing: text[plain...]))
  }

  private mutating func append(escapingEach text: UnsafeRawBufferPointer) {
    var start = 0
    for (place, byte) in text.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5c {
      append(UnsafeRawBufferPointer(rebasing: text[start..<place]))
      append(quoting: UInt32(byte))
      start = place + 1
    }
    append(UnsafeRawBufferPointer(rebasing: text[start...]))
  }
}
