/// Something that must hold of a person: what segments are made of and people are filtered by.
///
/// Written like a condition (`user.plan:is:pro`, `platform:is:iOS`, `group.org:is:15`), or as
/// `did-at-least 3 30d Bought|props.price:over:9`, `did-at-most 0 ever Bought`, `first-seen within 30d`,
/// `active not-within 7d`, `in-list 4`, `not-in-list 4`. Days are stretches of 24 hours back from now.
/// Test events are not looked at.
public enum PersonRule: Sendable, Hashable {
  /// Whether something lies in the last days or before them.
  public enum Span: String, Sendable, CaseIterable {
    /// In the last days.
    case within
    /// Before them.
    case notWithin = "not-within"
  }

  /// What holds of the person now: a property, a group they are in or did something in, or what their
  /// last event says of device and app.
  case holds(Condition)
  /// Did an event so often or more, in the last days or ever.
  case didAtLeast(Int, FunnelStep, days: Int?)
  /// Did an event so often or less, in the last days or ever.
  case didAtMost(Int, FunnelStep, days: Int?)
  /// Was seen for the first time in the last days, or before them.
  case firstSeen(Span, days: Int)
  /// Did something in the last days, or nothing.
  case active(Span, days: Int)
  /// Is on an imported list.
  case inList(Int64)
  /// Is not on an imported list.
  case notInList(Int64)

  /// Whether it tells one person from another: by who they are or what is known of them, not by what they did.
  var namesPeople: Bool {
    switch self {
    case .holds(let condition): condition.field.namesPeople
    case .didAtLeast(_, let step, _), .didAtMost(_, let step, _):
      step.conditions.contains { $0.field.namesPeople }
    case .firstSeen, .active: false
    // A list is of people one by one.
    case .inList, .notInList: true
    }
  }

  /// The most days a rule looks back.
  public static let maxDays = 3_660
  /// The most times a rule asks for.
  public static let maxTimes = 1_000_000

  /// Reads a rule as it is written; nil for anything else.
  public init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      .map(String.init)
    switch words.first {
    case "did-at-least", "did-at-most":
      guard words.count == 4, let times = Int(words[1]), (0...Self.maxTimes).contains(times),
        words[2] == "ever" || Self.days(words[2]) != nil, let step = FunnelStep(words[3])
      else { return nil }
      let days = Self.days(words[2])
      self =
        words[0] == "did-at-least"
        ? .didAtLeast(times, step, days: days) : .didAtMost(times, step, days: days)
    case "first-seen", "active":
      guard words.count == 3, let span = Span(rawValue: words[1]), let days = Self.days(words[2])
      else { return nil }
      self = words[0] == "active" ? .active(span, days: days) : .firstSeen(span, days: days)
    case "in-list", "not-in-list":
      guard words.count == 2, let list = Int64(words[1]), list > 0 else { return nil }
      self = words[0] == "in-list" ? .inList(list) : .notInList(list)
    default:
      guard let condition = Condition(text), condition.field.isOfPeople else { return nil }
      self = .holds(condition)
    }
  }

  private static func days(_ text: String) -> Int? {
    guard text.hasSuffix("d"), let days = Int(text.dropLast()), (1...maxDays).contains(days)
    else { return nil }
    return days
  }

  /// The rule as `init` reads it.
  public var text: String {
    func span(_ days: Int?) -> String { days.map { "\($0)d" } ?? "ever" }
    return switch self {
    case .holds(let condition): condition.text
    case .didAtLeast(let times, let step, let days):
      "did-at-least \(times) \(span(days)) \(step.text)"
    case .didAtMost(let times, let step, let days):
      "did-at-most \(times) \(span(days)) \(step.text)"
    case .firstSeen(let how, let days): "first-seen \(how.rawValue) \(days)d"
    case .active(let how, let days): "active \(how.rawValue) \(days)d"
    case .inList(let list): "in-list \(list)"
    case .notInList(let list): "not-in-list \(list)"
    }
  }

  /// The rule as people say it.
  ///
  /// - Parameter lists: the names of imported lists by number.
  /// - Returns: such as `did Bought at least 3 times in the last 30 days`.
  public func title(lists: [Int64: String] = [:]) -> String {
    func span(_ days: Int?) -> String { days.map { " in the last \(Self.days($0))" } ?? "" }
    func name(_ list: Int64) -> String { lists[list] ?? "number \(list)" }
    switch self {
    case .holds(let condition): return condition.title
    case .didAtLeast(1, let step, let days): return "did \(step.title)" + span(days)
    case .didAtLeast(let times, let step, let days):
      return "did \(step.title) at least \(times) times" + span(days)
    case .didAtMost(0, let step, let days): return "did not do \(step.title)" + span(days)
    case .didAtMost(let times, let step, let days):
      return "did \(step.title) at most \(times) \(times == 1 ? "time" : "times")" + span(days)
    case .firstSeen(.within, let days): return "first seen in the last \(Self.days(days))"
    case .firstSeen(.notWithin, let days):
      return "first seen more than \(Self.days(days)) ago"
    case .active(.within, let days): return "active in the last \(Self.days(days))"
    case .active(.notWithin, let days): return "not active in the last \(Self.days(days))"
    case .inList(let list): return "on the list \(name(list))"
    case .notInList(let list): return "not on the list \(name(list))"
    }
  }

  private static func days(_ days: Int) -> String { days == 1 ? "day" : "\(days) days" }

  /// The imported list it asks for; nil for none.
  public var list: Int64? {
    switch self {
    case .inList(let list), .notInList(let list): list
    default: nil
    }
  }
}

extension Field {
  /// The words of fields that are no property and can be said of a person.
  public static let wordsOfPeople = [
    "platform", "version", "system", "model", "make", "country", "language",
  ]

  /// Whether it can be said of a person and not only of an event.
  public var isOfPeople: Bool {
    switch self {
    case .platform, .version, .system, .model, .make, .country, .language, .user, .group: true
    case .name, .person, .deployment, .channel, .timeZone, .property: false
    }
  }
}
