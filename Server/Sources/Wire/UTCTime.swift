/// A moment's date and time of day in UTC, and the texts that protocols write it as.
package struct UTCTime {
  /// The date.
  package let year, month, day: Int
  /// The time of day.
  package let hour, minute, second, millisecond: Int
  /// 0 for Sunday.
  private let weekday: Int

  /// The moment, given in milliseconds since 1970.
  package init(_ ms: Int64) {
    let days = Int((Double(ms) / 86_400_000).rounded(.down))
    let rest = Int(ms) - days * 86_400_000
    // Counted in eras of 400 years that begin in March, so that the leap day comes last.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1_000 % 60
    millisecond = rest % 1_000
    weekday = ((days + 4) % 7 + 7) % 7
  }

  /// As in `20261102T093015Z`.
  package var compact: String {
    "\(Self.padded(year, 4))\(Self.padded(month))\(Self.padded(day))T"
      + "\(Self.padded(hour))\(Self.padded(minute))\(Self.padded(second))Z"
  }

  /// As in `2026-11-02T09:30:15.000Z`.
  package var extended: String {
    "\(Self.padded(year, 4))-\(Self.padded(month))-\(Self.padded(day))T"
      + "\(Self.padded(hour)):\(Self.padded(minute)):\(Self.padded(second))."
      + "\(Self.padded(millisecond, 3))Z"
  }

  /// As in the header `Date`: `Mon, 02 Nov 2026 09:30:15 GMT` (RFC 9110, section 5.6.7).
  package var http: String {
    var text = JSONText()
    text.reserve(32)
    text.append(literal: Self.days[weekday])
    text.append(literal: ", ")
    text.append(decimal: UInt64(day), digits: 2)
    text.append(literal: " ")
    text.append(literal: Self.months[month - 1])
    text.append(literal: " ")
    text.append(Self.padded(year, 4))
    text.append(literal: " ")
    text.append(decimal: UInt64(hour), digits: 2)
    text.append(literal: ":")
    text.append(decimal: UInt64(minute), digits: 2)
    text.append(literal: ":")
    text.append(decimal: UInt64(second), digits: 2)
    text.append(literal: " GMT")
    return String(decoding: text.bytes, as: UTF8.self)
  }

  private static let days: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months: [StaticString] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
