import EventStore
import Foundation

/// Finds one member of a JSON object without reading the rest of it.
///
/// For objects as the store has them: valid JSON. Of several members of one name it takes the first.
enum MemberScan {
  /// Where the value of the member lies in the text.
  ///
  /// - Parameters:
  ///   - name: the member's name, as it is when nothing in it is escaped.
  ///   - text: the object.
  /// - Returns: the value's bytes; nil without such a member, and for what is no object.
  static func value(
    of name: UnsafeRawBufferPointer,
    in text: UnsafeRawBufferPointer
  ) -> Range<Int>? {
    var place = skipSpace(in: text, from: 0)
    guard place < text.count, text[place] == Byte.brace else { return nil }
    place = skipSpace(in: text, from: place + 1)
    while place < text.count, text[place] == Byte.quote {
      let key = place + 1
      var isEscaped = false
      guard let end = endOfString(in: text, from: key, &isEscaped) else { return nil }
      let value = skipSpace(in: text, from: skipSpace(in: text, from: end + 1) + 1)
      guard let valueEnd = endOfValue(in: text, from: value) else { return nil }
      let matches =
        isEscaped
        ? isName(name, escaped: text[key..<end])
        : end - key == name.count && isSame(text, key, name)
      if matches { return value..<valueEnd }
      place = skipSpace(in: text, from: valueEnd)
      guard place < text.count, text[place] == Byte.comma else { return nil }
      place = skipSpace(in: text, from: place + 1)
    }
    return nil
  }

  private enum Byte {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let brace = UInt8(ascii: "{")
    static let comma = UInt8(ascii: ",")
  }

  private static func skipSpace(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < text.count, text[place] <= 0x20 { place += 1 }
    return place
  }

  /// Where the closing quote is.
  private static func endOfString(
    in text: UnsafeRawBufferPointer,
    from start: Int,
    _ isEscaped: inout Bool
  ) -> Int? {
    var place = start
    // Eight bytes at a time as long as none of them ends the string or is a backslash.
    while place + 8 <= text.count {
      let word = text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      let marks = zeros(word ^ Self.quotes) | zeros(word ^ Self.backslashes)
      if marks == 0 {
        place += 8
        continue
      }
      place += UInt64(littleEndian: marks).trailingZeroBitCount / 8
      if text[place] == Byte.quote { return place }
      isEscaped = true
      place += 2
    }
    while place < text.count {
      switch text[place] {
      case Byte.quote: return place
      case Byte.backslash:
        isEscaped = true
        place += 2
      default: place += 1
      }
    }
    return nil
  }

  private static let quotes: UInt64 = 0x2222_2222_2222_2222
  private static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C

  /// The highest bit of each byte that is zero; of the bytes after the first such one it may err.
  private static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Whether a name stands at a place where there is room for it.
  private static func isSame(
    _ text: UnsafeRawBufferPointer,
    _ place: Int,
    _ name: UnsafeRawBufferPointer
  ) -> Bool {
    guard let text = text.baseAddress, let name = name.baseAddress.map({ ($0, name.count) }) else {
      return name.isEmpty
    }
    return memcmp(text + place, name.0, name.1) == 0
  }

  /// Behind the value's last byte.
  private static func endOfValue(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var place = start
    var depth = 0
    var isEscaped = false
    while place < text.count {
      switch text[place] {
      case Byte.quote:
        guard let end = endOfString(in: text, from: place + 1, &isEscaped) else { return nil }
        place = end + 1
        if depth == 0 { return place }
      case Byte.brace, UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The object's own end is behind a number or a word.
        if depth == 0 { return place }
        depth -= 1
        place += 1
        if depth == 0 { return place }
      case Byte.comma where depth == 0: return place
      case ...0x20 where depth == 0: return place
      default: place += 1
      }
    }
    return nil
  }

  /// Whether a name that has escapes is this one.
  private static func isName(
    _ name: UnsafeRawBufferPointer,
    escaped: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    let object = "{\"" + String(decoding: escaped, as: UTF8.self) + "\":0}"
    guard let found = PropertyValue.members(of: object)?.keys.first else { return false }
    return found.utf8.elementsEqual(name)
  }
}
