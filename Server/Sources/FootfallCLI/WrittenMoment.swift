import Foundation

/// A moment as a command's option has it: a day (UTC), or a time in RFC 3339.
struct WrittenMoment {
  /// In milliseconds since 1970.
  let ms: Int64

  /// Reads a text; nil for one that is neither, as a whole.
  ///
  /// Foundation's styles take the start of a text for all of it: a time would be its day.
  init?(_ text: String) {
    let pattern =
      /(\d{4}-\d{2}-\d{2})(?:[Tt](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2})))?/
      .asciiOnlyDigits()
    guard let parts = text.wholeMatch(of: pattern)?.output else { return nil }
    let whole = "\(parts.1)T\(parts.2 ?? "00:00:00")Z"
    let style = Date.ISO8601FormatStyle()
    let date: Date
    do { date = try style.parse(whole) } catch { return nil }
    // What is no day or time of the calendar, such as 30 February, would be another one.
    guard style.format(date) == whole else { return nil }
    let fraction = parts.3.flatMap { Double("0." + $0) } ?? 0
    var offset: Int64 = 0
    if let sign = parts.4, let hours = parts.5.flatMap({ Int64($0) }),
      let minutes = parts.6.flatMap({ Int64($0) })
    {
      guard hours < 24, minutes < 60 else { return nil }
      offset = (hours * 60 + minutes) * (sign == "-" ? -60_000 : 60_000)
    }
    ms = Int64((date.timeIntervalSince1970 * 1_000 + fraction * 1_000).rounded()) - offset
  }
}
