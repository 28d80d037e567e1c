import Foundation
import Insights

/// A report's number as pages write it.
enum ReportNumber {
  /// With its unit; a dash where there is none.
  ///
  /// The code of its `currency` stands in front of money; its decimals are those of the currency.
  static func text(_ value: Double?, _ unit: Report.Unit, _ currency: String? = nil) -> String {
    guard let value, value.isFinite else { return "—" }
    return switch unit {
    case .share: decimal(value * 100, places: 1) + " %"
    case .change: change(value)
    case .duration: duration(value)
    case .count: whole(value)
    case .money: money(value, currency)
    case .number, .text, .time:
      value == value.rounded() && abs(value) < 1e15 ? whole(value) : decimal(value, places: 2)
    }
  }

  /// Money without its code, with the decimals of its currency; a dash where there is none.
  static func amount(_ value: Double?, _ currency: String?) -> String {
    guard let value, value.isFinite else { return "—" }
    let isWhole = currency.map(wholeCurrencies.contains) ?? false
    return isWhole ? whole(value) : decimal(value, places: 2)
  }

  private static func money(_ value: Double, _ currency: String?) -> String {
    (currency.map { $0 + "\u{a0}" } ?? "") + amount(value, currency)
  }

  /// Currencies without a smaller unit.
  ///
  /// Source: ISO 4217.
  private static let wholeCurrencies: Set = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
    "VUV", "XAF", "XOF", "XPF",
  ]

  /// How much a number changed, with its sign.
  static func change(_ share: Double) -> String {
    let text = decimal(abs(share) * 100, places: 1) + " %"
    return (share < 0 ? "−" : "+") + text
  }

  /// How much a figure differs from the period before: shares in points, what became more than ten
  /// times as much by how many times; a dash where there is nothing to compare with.
  static func change(from previous: Double, to value: Double?, _ unit: Report.Unit) -> String {
    guard let value, value.isFinite, previous.isFinite else { return "—" }
    let arrow = value > previous ? "▲ " : value < previous ? "▼ " : ""
    if unit == .share {
      let points = (value - previous) * 100
      return arrow + (points < 0 ? "−" : "+") + decimal(abs(points), places: 1) + " pts"
    }
    // Of what was nothing or less there is no share.
    guard previous > 0 else { return "—" }
    let share = value / previous - 1
    if share > 10 { return arrow + "×" + whole(value / previous) }
    return arrow + change(share)
  }

  private static func whole(_ value: Double) -> String {
    Int64(exactly: value.rounded()).map(\.grouped) ?? String(value)
  }

  private static func decimal(_ value: Double, places: Int) -> String {
    let factor: Int64 = places == 1 ? 10 : 100
    guard let scaled = Int64(exactly: (abs(value) * Double(factor)).rounded()) else {
      return String(value)
    }
    let rest = String(scaled % factor)
    let padding = String(repeating: "0", count: places - rest.count)
    return (value < 0 && scaled != 0 ? "−" : "") + (scaled / factor).grouped + "." + padding + rest
  }

  /// A length of time in its two largest units.
  private static func duration(_ ms: Double) -> String {
    guard ms >= 0 else { return "−" + duration(-ms) }
    guard ms >= 1_000 else { return "\(Int(ms.rounded())) ms" }
    let seconds = Int64(min(ms / 1_000, 1e15).rounded())
    func parts(_ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String) -> String {
      small == 0
        ? "\(large.grouped) \(largeUnit)" : "\(large.grouped) \(largeUnit) \(small) \(smallUnit)"
    }
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3_600: parts(seconds / 60, "min", seconds % 60, "s")
    case ..<86_400: parts(seconds / 3_600, "h", seconds / 60 % 60, "min")
    default: parts(seconds / 86_400, "d", seconds / 3_600 % 24, "h")
    }
  }

  /// The start of a bucket.
  static func label(_ ms: Int64, _ interval: TimeAxis.Interval, _ zone: TimeZone) -> String {
    let moment = Moment(ms: ms, zone: zone)
    return switch interval {
    case .hour: "\(moment.shortDate), \(moment.minute)"
    case .day, .week: moment.shortDate
    case .month: moment.month
    }
  }

  /// The same in full.
  static func title(_ ms: Int64, _ interval: TimeAxis.Interval, _ zone: TimeZone) -> String {
    let moment = Moment(ms: ms, zone: zone)
    return switch interval {
    case .hour: "\(moment.longDate), \(moment.minute)"
    case .day: moment.longDate
    case .week: "Week of \(moment.longDate)"
    case .month: moment.month
    }
  }
}
