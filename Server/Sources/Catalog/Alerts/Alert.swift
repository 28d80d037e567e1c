/// A question that the server asks again and again, and whom it tells when the answer goes too far.
public struct Alert: Sendable, Hashable, Identifiable {
  /// What is decided about an alert by people.
  public struct Terms: Sendable, Hashable {
    /// What it is called; 1 to 100 characters.
    public var name: String
    /// The question's word.
    public var question: String
    /// What the question is asked with, as in an address.
    public var parameters: String
    /// When it is too far.
    public var rule: AlertRule
    /// Minutes between two looks, 1 to 1,440.
    public var everyMinutes: Int
    /// Where a change is told: an address of http or https.
    public var webhook: String

    /// Terms from their parts.
    public init(
      name: String,
      question: String,
      parameters: String,
      rule: AlertRule,
      everyMinutes: Int = 15,
      webhook: String
    ) {
      self.name = name
      self.question = question
      self.parameters = parameters
      self.rule = rule
      self.everyMinutes = everyMinutes
      self.webhook = webhook
    }

    /// Where a change is told, as far as somebody of a role may know.
    ///
    /// An address may hold a secret: who may not change alerts is shown its host alone.
    public func webhook(shownTo role: Role) -> String {
      role.may(.manageBoards) ? webhook : WebhookAddress(webhook)?.host ?? ""
    }
  }

  /// The most alerts of a project.
  public static let maxAlerts = 100

  /// Grows by one with every alert.
  public let id: Int64
  /// The project it is about.
  public let project: UInt32
  /// What was decided about it.
  public let terms: Terms
  /// How it stands.
  public let state: AlertState
  /// When it was made, in milliseconds since 1970.
  public let createdAtMs: Int64
}

/// When a number is too far; compared is the last bucket that is over, of the question's first line.
public enum AlertRule: Sendable, Hashable {
  /// Above this.
  case over(Double)
  /// Below this.
  case under(Double)
  /// More than this share above the bucket before; 0.5 is half as much again.
  case rise(Double)
  /// More than this share below the bucket before.
  case fall(Double)

  /// The words of the kinds.
  public static let words = ["over", "under", "rise", "fall"]

  /// A rule of a kind; nil for a word or a number that makes none.
  public init?(_ word: String, _ amount: Double) {
    guard amount.isFinite, abs(amount) < 1e15 else { return nil }
    switch word {
    case "over": self = .over(amount)
    case "under": self = .under(amount)
    case "rise" where amount >= 0: self = .rise(amount)
    case "fall" where (0...1).contains(amount): self = .fall(amount)
    default: return nil
    }
  }

  /// The kind's word.
  public var word: String {
    switch self {
    case .over: "over"
    case .under: "under"
    case .rise: "rise"
    case .fall: "fall"
    }
  }

  /// The number that it is compared with.
  public var amount: Double {
    switch self {
    case .over(let amount), .under(let amount), .rise(let amount), .fall(let amount): amount
    }
  }

  /// Whether a number is too far; a change from nothing is none that could be told as a share.
  public func isBroken(by value: Double, before: Double?) -> Bool {
    switch self {
    case .over(let limit): return value > limit
    case .under(let limit): return value < limit
    case .rise(let share):
      guard let before, before > 0 else { return false }
      return value / before - 1 > share
    case .fall(let share):
      guard let before, before > 0 else { return false }
      return 1 - value / before > share
    }
  }
}
