import EventRecord

/// Base 64 (RFC 4648, section 4) straight from and into sinks.
enum Base64Text {
  /// What is in no digit's value.
  private static let invalid: UInt32 = 1 << 31

  /// The value of each byte as a digit, for each of a group's four places shifted to where it stands there.
  ///
  /// Safety: written here, only read afterwards, and never freed.
  private nonisolated(unsafe) static let values: UnsafePointer<UInt32> = {
    let values = UnsafeMutablePointer<UInt32>.allocate(capacity: 4 * 256)
    values.initialize(repeating: invalid, count: 4 * 256)
    for place in 0..<4 {
      for (value, digit) in digits.enumerated() {
        values[place * 256 + Int(digit)] = UInt32(value) << UInt32(25 - 6 * place)
      }
    }
    return UnsafePointer(values)
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
    var isGood = true
    sink.appendRoom(digits * 3 / 4, spare: 4) { room in
      isGood = decode(text, digits, to: room)
    }
    if !isGood { sink.truncate(to: start) }
    return isGood
  }

  /// Writes what the digits stand for, and up to four bytes behind it; false for what is no digit.
  @inline(__always)
  private static func decode(
    _ text: UnsafeRawBufferPointer,
    _ digits: Int,
    to room: UnsafeMutableRawPointer
  ) -> Bool {
    let values = values
    var room = room
    var bad: UInt32 = 0
    var place = 0
    while place &+ 4 <= digits {
      let group = UInt32(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt32.self))
      let bits =
        values[Int(group & 0xff)] | values[256 &+ Int(group >> 8 & 0xff)]
        | values[512 &+ Int(group >> 16 & 0xff)] | values[768 &+ Int(group >> 24)]
      bad |= bits
      // 24 bits in the upper three bytes; the fourth is written over by the next group.
      room.storeBytes(of: (bits << 1).bigEndian, as: UInt32.self)
      room += 3
      place &+= 4
    }
    if place < digits {
      var bits: UInt32 = 0
      for index in place..<digits { bits |= values[(index - place) * 256 + Int(text[index])] }
      bad |= bits
      room.storeBytes(of: (bits << 1).bigEndian, as: UInt32.self)
    }
    return bad & invalid == 0
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
