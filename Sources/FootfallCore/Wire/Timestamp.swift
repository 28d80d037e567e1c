package import struct Foundation.Date

/// Moments as whole milliseconds and as text.
package enum Timestamp {
  /// A moment in milliseconds since 1970, to the nearest; what does not fit is brought to the
  /// nearest end, and what is no number is 0.
  ///
  /// Rounded, since a date made from milliseconds may lie a hair before them.
  package static func milliseconds(of date: Date) -> Int64 {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    if let exact = Int64(exactly: milliseconds) { return exact }
    return milliseconds.isNaN ? 0 : milliseconds < 0 ? .min : .max
  }

  /// A time in milliseconds since 1970 as RFC 3339 in UTC, such as `2026-12-01T09:30:00.123Z`.
  ///
  /// Written by hand, since a formatter costs more than the request it stands in. Years outside 0
  /// to 9999 do not fit the form and are brought to its nearest end.
  package static func rfc3339(milliseconds: Int64) -> String {
    let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
    let (days, rest) = floorDivide(bounded, by: 86_400_000)
    let date = civil(daysSince1970: days)
    let seconds = rest / 1_000
    return digits(date.year, 4) + "-" + digits(date.month, 2) + "-" + digits(date.day, 2) + "T"
      + digits(seconds / 3_600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":"
      + digits(seconds % 60, 2) + "." + digits(rest % 1_000, 3) + "Z"
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// The Gregorian date of a day, counting years from March.
  private static func civil(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(daysSince1970 + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
    )
  }

  private static func digits(_ value: Int64, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
