import EventRecord

/// Base 64 (RFC 4648, section 4) straight from and into sinks.
enum Base64Text {
  private static let invalid: UInt8 = 0xff

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: invalid, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// Adds the bytes that a text stands for; false, and nothing added, for what is not base 64.
  static func decode(_ text: UnsafeRawBufferPointer, into sink: inout ByteSink) -> Bool {
    var digits = text.count
    while digits > 0, text.count - digits < 2, text[digits - 1] == UInt8(ascii: "=") { digits -= 1 }
    guard text.count & 3 == 0, digits & 3 != 1 else { return false }
    let start = sink.count
    let bytes = digits * 3 / 4
    sink.reserve(bytes + 3)
    let isGood = values.withUnsafeBufferPointer { values in
      var bits: UInt32 = 0
      var bad: UInt8 = 0
      var place = 0
      while place + 4 <= digits {
        let first = values[Int(text[place])], second = values[Int(text[place + 1])]
        let third = values[Int(text[place + 2])], fourth = values[Int(text[place + 3])]
        bad |= first | second | third | fourth
        bits = UInt32(first) << 18 | UInt32(second) << 12 | UInt32(third) << 6 | UInt32(fourth)
        sink.append(UInt8(truncatingIfNeeded: bits >> 16))
        sink.append(UInt8(truncatingIfNeeded: bits >> 8))
        sink.append(UInt8(truncatingIfNeeded: bits))
        place += 4
      }
      let left = digits - place
      if left > 0 {
        bits = 0
        for index in place..<digits {
          bad |= values[Int(text[index])]
          bits = bits << 6 | UInt32(values[Int(text[index])] & 63)
        }
        bits <<= 6 * UInt32(4 - left)
        sink.append(UInt8(truncatingIfNeeded: bits >> 16))
        if left == 3 { sink.append(UInt8(truncatingIfNeeded: bits >> 8)) }
      }
      // Every digit's value has the top bit clear.
      return bad & 0x80 == 0
    }
    if !isGood { sink.truncate(to: start) }
    return isGood
  }

  /// Bytes as text.
  static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var bits: UInt32 = 0
      for index in 0..<3 { bits = bits << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
      for index in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * index) & 63)]
        text.append(index <= count ? digit : UInt8(ascii: "="))
      }
    }
    return text
  }
}

extension Base64Text {
  /// The text that a text stands for; nil for what is not base 64 of UTF-8.
  static func text(_ encoded: String) -> String? {
    var encoded = encoded
    var sink = ByteSink(capacity: encoded.utf8.count)
    guard encoded.withUTF8({ decode(UnsafeRawBufferPointer($0), into: &sink) }) else { return nil }
    return String(validating: sink.bytes, as: UTF8.self)
  }
}
