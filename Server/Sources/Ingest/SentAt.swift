/// Reads `Footfall-Sent-At`: the time of this attempt by the client's clock.
enum SentAt {
  /// Milliseconds since 1970 (UTC); nil for anything but `2026-12-01T09:30:00.123Z` (the fraction
  /// may have up to nine digits or be missing) or plain milliseconds.
  ///
  /// A broken value is no reason to refuse events: their times are then taken as they are.
  static func milliseconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    var reader = Reader(bytes: bytes)
    if !bytes.isEmpty, bytes.count <= 15, bytes.allSatisfy({ $0 &- 0x30 < 10 }) {
      return reader.number(digits: bytes.count)
    }
    guard let year = reader.number(digits: 4), reader.skip("-"),
      let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), reader.skip("T"),
      let hour = reader.number(digits: 2), reader.skip(":"),
      let minute = reader.number(digits: 2), reader.skip(":"),
      let second = reader.number(digits: 2), let fraction = reader.fraction(), reader.skip("Z"),
      reader.isAtEnd, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
      second <= 60
    else { return nil }
    let seconds = (days(year, month, day) * 24 + hour) * 3_600 + minute * 60 + second
    return seconds * 1_000 + fraction
  }

  /// Days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

private struct Reader {
  let bytes: UnsafeRawBufferPointer
  var index = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  mutating func number(digits: Int) -> Int64? {
    guard index + digits <= bytes.count else { return nil }
    var value: Int64 = 0
    for offset in index..<(index + digits) {
      let digit = bytes[offset] &- 0x30
      guard digit < 10 else { return nil }
      value = value * 10 + Int64(digit)
    }
    index += digits
    return value
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// The milliseconds of a fraction, cut; 0 without one, nil for a broken one.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    var digits = 0
    var value: Int64 = 0
    while index < bytes.count, bytes[index] &- 0x30 < 10 {
      if digits < 3 { value = value * 10 + Int64(bytes[index] &- 0x30) }
      digits += 1
      index += 1
    }
    guard (1...9).contains(digits) else { return nil }
    for _ in min(digits, 3)..<3 { value *= 10 }
    return value
  }
}
