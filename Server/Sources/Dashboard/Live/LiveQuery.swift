import Foundation
import HTTPServing
import Insights

/// What the live page is asked to show; all of it stands in the page's address.
struct LiveQuery: Sendable, Equatable {
  enum Range: String, CaseIterable, Sendable {
    case hour = "1h"
    case month = "30d"
    case quarter = "90d"

    var title: String {
      switch self {
      case .hour: "Last hour"
      case .month: "30 days"
      case .quarter: "90 days"
      }
    }

    var interval: EventSeries.Interval { self == .hour ? .minute : .day }

    /// How many minutes or days, the running one included.
    var buckets: Int64 {
      switch self {
      case .hour: 60
      case .month: 30
      case .quarter: 90
      }
    }
  }

  var name: String?
  var person: String?
  var range = Range.hour
  var before: RecentEvents.Place?

  init() {}

  init(_ request: Request) {
    name = Self.field(request.query("name"))
    person = Self.field(request.query("person"))
    range = request.query("range").flatMap(Range.init) ?? .hour
    before = request.query("before").flatMap(RecentEvents.Place.init(text:))
  }

  /// Whether only some events are shown.
  var isFiltered: Bool { name != nil || person != nil }

  /// The address of the page or a part of it with the same question.
  func address(project: UInt32, part: String? = nil) -> Address {
    let path = ["projects", "\(project)", "live"] + (part.map { [$0] } ?? [])
    return Address(segments: path)
      .with("name", name).with("person", person)
      .with("range", range == .hour ? nil : range.rawValue)
      .with("before", before?.text)
  }

  /// The same question with another time range.
  func over(_ range: Range) -> LiveQuery {
    var query = self
    query.range = range
    query.before = nil
    return query
  }

  /// The same question for one name only.
  func only(name: String?) -> LiveQuery {
    var query = self
    query.name = name
    query.before = nil
    return query
  }

  // Names have up to 256 characters and ids somewhat more; longer text can match nothing.
  private static func field(_ text: String?) -> String? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    return String(text.prefix(1_024))
  }
}
