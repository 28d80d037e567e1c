import Foundation
import HTTPServing
import Insights

/// Which people a list shows and how it is sorted; all of it stands in the page's address.
struct PeopleQuery: Sendable, Equatable {
  var search = ""
  /// What must hold of everyone, as rules are written.
  var rules: [String] = []
  /// The segment's number, as text.
  var segment: String?
  var order = PeopleList.Order.lastSeen
  var isAscending = false
  var after: PeopleList.Place?
  /// Whether a rule was put together from its parts: the address can be said shorter.
  private(set) var isGathered = false

  static let pageSize = 50
  // An address is never that long; longer text can match nothing.
  private static let maxLength = 2_000

  init() {}

  init(_ request: Request) {
    func field(_ name: String) -> String {
      let text = request.query(name)?.trimmingCharacters(in: .whitespaces) ?? ""
      return String(text.prefix(Self.maxLength))
    }
    search = field("q")
    rules = EscapedList.parts(of: field("where"), separator: ";").filter { !$0.isEmpty }
    segment = field("segment").isEmpty ? nil : field("segment")
    order = PeopleList.Order(rawValue: field("sort")) ?? .lastSeen
    isAscending = field("dir") == "up"
    after = PeopleList.Place(text: field("after"))
    if let rule = RuleParts(request).rule {
      rules.append(rule)
      isGathered = true
    }
  }

  /// Whether only some people are shown.
  var isFiltered: Bool { !search.isEmpty || !rules.isEmpty || segment != nil }

  /// The address of the list.
  func address(project: UInt32) -> Address {
    Address("projects", "\(project)", "people")
      .with("q", search)
      .with("where", EscapedList.text(of: rules, separator: ";"))
      .with("segment", segment)
      .with("sort", order == .lastSeen ? nil : order.rawValue)
      .with("dir", isAscending ? "up" : nil)
      .with("after", after?.text)
  }

  /// The same sorted by a column: the one it is sorted by is turned round.
  func sorted(by order: PeopleList.Order) -> PeopleQuery {
    var query = self
    query.isAscending = order == self.order && !isAscending
    query.order = order
    query.after = nil
    return query
  }

  /// The same without one of the rules.
  func without(rule index: Int) -> PeopleQuery {
    var query = self
    query.rules.remove(at: index)
    query.after = nil
    return query
  }
}

/// The parts of a rule as forms send them: what kind it is and what it needs.
struct RuleParts {
  /// The names of the fields of the form.
  static let names = ["kind", "f", "op", "v", "event", "times", "days"]

  /// The rule as it is written; nil while a part is missing.
  let rule: String?

  init(_ request: Request) {
    func part(_ name: String) -> String {
      String((request.query(name) ?? "").trimmingCharacters(in: .whitespaces).prefix(1_000))
    }
    let days = part("days")
    let span = days.isEmpty ? "ever" : days + "d"
    let times = part("times").isEmpty ? "1" : part("times")
    // What is written stands in one field; a name may hold what separates steps and conditions.
    let step = EscapedList.text(of: [part("event")], separator: "|")
    let text: String =
      switch part("kind") {
      case "did": part("event").isEmpty ? "" : "did-at-least \(times) \(span) \(step)"
      case "did-not": part("event").isEmpty ? "" : "did-at-most 0 \(span) \(step)"
      case "did-at-most": part("event").isEmpty ? "" : "did-at-most \(times) \(span) \(step)"
      case "new": "first-seen within \(days)d"
      case "old": "first-seen not-within \(days)d"
      case "active": "active within \(days)d"
      case "inactive": "active not-within \(days)d"
      case "in-list", "not-in-list": "\(part("kind")) \(part("v"))"
      default: Self.condition(part("f"), part("op"), part("v"))
      }
    rule = PersonRule(text)?.text
  }

  private static func condition(_ field: String, _ word: String, _ value: String) -> String {
    guard !field.isEmpty,
      let comparison = Condition.Comparison(rawValue: word.isEmpty ? "is" : word),
      !comparison.takesValue || !value.isEmpty
    else { return "" }
    // A bare word is a property: that is what people look for first.
    let isKnown = Field(field)?.isOfPeople ?? false
    return "\(isKnown ? field : "user." + field):\(comparison.rawValue)"
      + (comparison.takesValue ? ":" + value : "")
  }
}
