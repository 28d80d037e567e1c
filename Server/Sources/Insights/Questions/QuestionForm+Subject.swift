import Foundation

extension QuestionForm {
  /// What is asked about, as one line: events, people, conditions, days; whoever sees a chart elsewhere
  /// than on its page reads there what it counts.
  func subject() throws(Problem) -> String {
    var parts: [String] = []
    for (name, word) in [("events", ""), ("event", ""), ("first", "first "), ("again", "then ")] {
      let steps = try steps(name)
      if !steps.isEmpty { parts.append(word + steps.map(\.title).joined(separator: ", ")) }
    }
    let way = try steps("steps")
    // Of paths “steps” is how many there are.
    if way.count > 1 { parts.append(way.map(\.title).joined(separator: " → ")) }
    let without = try steps("without")
    if !without.isEmpty { parts.append("without " + without.map(\.title).joined(separator: ", ")) }
    let conditions = try conditions()
    if !conditions.isEmpty {
      parts.append("where " + conditions.map(\.title).joined(separator: " and "))
    }
    if let name = try setting.segments.name(of: values["segment"]) {
      parts.append("people in “\(name)”")
    }
    if values["test"] == Switch.yes.rawValue { parts.append("test events, too") }
    let range = try TimeRange(self)
    parts.append(days(range))
    return parts.joined(separator: " · ")
  }

  /// A moment's day in the zone that is asked with, as people write it.
  func date(_ ms: Int64) throws(Problem) -> String { Self.date(ms, try timeZone()) }

  private static func date(_ ms: Int64, _ zone: TimeZone) -> String {
    var style = Date.FormatStyle(locale: Locale(identifier: "en_GB"), timeZone: zone)
      .day().month(.abbreviated).year()
    style.calendar.timeZone = zone
    return Date(timeIntervalSince1970: Double(ms) / 1_000).formatted(style)
  }

  private func days(_ range: TimeRange) -> String {
    let zone = range.timeZone
    let first = Self.date(range.fromMs, zone)
    return range.days == 1 ? first : "\(first) to \(Self.date(range.toMs - 1, zone))"
  }
}
