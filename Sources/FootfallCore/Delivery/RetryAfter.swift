/// The header `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date.
package enum RetryAfter {
  /// The seconds to wait from `now` (seconds since 1970); nil when the value cannot be read.
  package static func seconds(_ value: String, now: Double) -> Double? {
    let text = value.drop { $0 == " " }
    if let seconds = Int64(text.prefix { $0 != " " }) { return seconds < 0 ? nil : Double(seconds) }
    return date(String(text)).map { max(0, $0 - now) }
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Double? {
    let parts = text.split { $0 == " " || $0 == "," || $0 == ":" }
    guard parts.count == 8, parts[7] == "GMT", let day = Int64(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int64(parts[3]),
      let hour = Int64(parts[4]), let minute = Int64(parts[5]), let second = Int64(parts[6]),
      (1...31).contains(day), (1_970...9_999).contains(year), (0...23).contains(hour),
      (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = daysSince1970(year: year, month: Int64(month) + 1, day: day)
    return Double(((days * 24 + hour) * 60 + minute) * 60 + second)
  }

  /// Days from 1 January 1970 in the Gregorian calendar, counting years from March.
  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
