/// Reads points in time as clients write them, into milliseconds since 1970 (UTC).
package enum Timestamp {
  /// The times that every store can keep: the years 1970 to 9999.
  static let range: ClosedRange<Int64> = 0...253_402_300_799_999
  /// From this number on a bare number counts milliseconds, below it seconds.
  static let leastMilliseconds: Int64 = 100_000_000_000

  /// Reads seconds or milliseconds, with or without a fraction; nil when out of all bounds.
  static func read(_ number: JSONNumber) -> Int64? {
    if number.digitCount <= 15, !number.hasExponent {
      let whole = Int64(number.magnitude)
      let isMilliseconds = whole >= leastMilliseconds
      let value = isMilliseconds ? whole : whole * 1000 + (number.isInteger ? 0 : millis(number))
      return number.isNegative ? -value : value
    }
    guard let value = number.double, abs(value) < 1e15 else { return nil }
    return Int64(abs(value) >= Double(leastMilliseconds) ? value : value * 1000)
  }

  /// The first three digits behind the point.
  private static func millis(_ number: JSONNumber) -> Int64 {
    var digits = number.raw.drop { $0 != UInt8(ascii: ".") }.dropFirst()
    var millis: Int64 = 0
    for _ in 0..<3 {
      millis = millis * 10 + Int64((digits.popFirst() ?? UInt8(ascii: "0")) - UInt8(ascii: "0"))
    }
    return millis
  }

  /// Reads an RFC 3339 text with any offset, or the digits of a bare number; nil when it is neither.
  ///
  /// Lower-case `t` and `z`, a blank for the `T` and an offset without colon are taken too, any number
  /// of digits behind the point, and a leap second as the second after. Digits beyond milliseconds are
  /// cut off.
  package static func read(_ text: UnsafeRawBufferPointer) -> Int64? {
    if let time = readUsual(text) { return time }
    var reader = Digits(text: text)
    guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2),
      reader.skip("-"), let day = reader.number(2), reader.skipAny("Tt "),
      let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2),
      reader.skip(":"),
      let second = reader.number(2), (1...12).contains(month), day >= 1,
      day <= daysIn(month: month, year: year), hour < 24, minute < 60, second <= 60
    else { return bareNumber(text) }
    let millis = reader.fraction()
    guard let millis, let offset = reader.offsetMinutes(), reader.isAtEnd else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    let minutes = Int64(days) * 1440 + Int64(hour * 60 + minute - offset)
    return (minutes * 60 + Int64(second)) * 1000 + Int64(millis)
  }

  /// Reads what nearly every client writes, `2026-11-02T09:30:00.123Z`, eight characters at once; nil for
  /// any other text.
  private static func readUsual(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard text.count == 24, let date = UsualDigits(text, at: 0, form: "0000-00-"),
      let time = UsualDigits(text, at: 8, form: "00T00:00"),
      let rest = UsualDigits(text, at: 16, form: ":00.000Z")
    else { return nil }
    let year = date.pair(at: 0) * 100 + date.pair(at: 2)
    let (month, day) = (date.pair(at: 5), time.pair(at: 0))
    let (hour, minute, second) = (time.pair(at: 3), time.pair(at: 6), rest.pair(at: 1))
    guard (1...12).contains(month), day >= 1, day <= daysIn(month: month, year: year), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    let seconds = (days * 24 + hour) * 3600 + minute * 60 + second
    return Int64(seconds * 1000 + rest.pair(at: 4) * 10 + rest.digit(at: 6))
  }

  private static func bareNumber(_ text: UnsafeRawBufferPointer) -> Int64? {
    var scanner = JSONScanner(text)
    do {
      let number = try scanner.number()
      return scanner.offset == text.count ? read(number) : nil
    } catch {
      return nil
    }
  }

  private static func daysIn(month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days from 1 January 1970 in the Gregorian calendar, by counting from 1 March so that the leap day
  /// comes last.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let monthFromMarch = (month + 9) % 12
    let yearDays = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400
    return yearDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
  }
}

/// Eight characters of a time whose digits and separators stand where a form has them.
private struct UsualDigits {
  /// The digits' values; 0 where a separator stands.
  private let values: UInt64

  /// Nil where the characters are not as `form` has them, in which `0` stands for any digit.
  @inline(__always)
  init?(_ text: UnsafeRawBufferPointer, at place: Int, form: StaticString) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let form = UInt64(littleEndian: UnsafeRawPointer(form.utf8Start).loadUnaligned(as: UInt64.self))
    values =
      UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self)) ^ form
    // Of the form's characters each separator has one of these bits set, `0` neither.
    let separators = ((form >> 2 | form >> 3) & ones) &* 0xff
    let aboveNine = ((values &+ ones &* 0x76) | values) & (ones &* 0x80)
    guard values & separators == 0, aboveNine == 0 else { return nil }
  }

  @inline(__always)
  func digit(at place: Int) -> Int {
    Int(truncatingIfNeeded: values >> UInt64(8 * place)) & 0xff
  }

  /// The number that two digits make.
  @inline(__always)
  func pair(at place: Int) -> Int { digit(at: place) * 10 + digit(at: place + 1) }
}

/// Takes fixed-width numbers and separators off a text.
private struct Digits {
  let text: UnsafeRawBufferPointer
  private var place = 0

  init(text: UnsafeRawBufferPointer) {
    self.text = text
  }

  var isAtEnd: Bool { place == text.count }

  mutating func number(_ width: Int) -> Int? {
    guard text.count - place >= width else { return nil }
    var value = 0
    for byte in text[place..<place + width] {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    place += width
    return value
  }

  mutating func skip(_ separator: Unicode.Scalar) -> Bool {
    guard place < text.count, text[place] == UInt8(ascii: separator) else { return false }
    place += 1
    return true
  }

  mutating func skipAny(_ separators: String) -> Bool {
    separators.unicodeScalars.contains { skip($0) }
  }

  /// Milliseconds behind a point; 0 without one, nil for a point without digits.
  mutating func fraction() -> Int? {
    guard skip(".") else { return 0 }
    guard var millis = number(1).map({ $0 * 100 }) else { return nil }
    for weight in [10, 1] { millis += (number(1) ?? 0) * weight }
    while number(1) != nil {}
    return millis
  }

  /// Minutes east of UTC.
  mutating func offsetMinutes() -> Int? {
    if skipAny("Zz") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(2) else { return nil }
    _ = skip(":")
    guard let minutes = number(2), hours < 24, minutes < 60 else { return nil }
    return (isEast ? 1 : -1) * (hours * 60 + minutes)
  }
}
