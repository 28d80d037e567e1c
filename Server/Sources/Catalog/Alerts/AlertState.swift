/// How an alert stands; kept with every change, so that a stop of the server forgets nothing.
public struct AlertState: Sendable, Hashable, Codable {
  /// What the last look found.
  public enum Level: String, Sendable, Codable {
    /// There was no look yet.
    case unknown
    /// Not too far.
    case calm
    /// Too far.
    case firing
  }

  /// What a look found.
  public struct Finding: Sendable, Hashable, Codable {
    /// The number of the last bucket that is over.
    public var value: Double
    /// That of the bucket before; nil where there is none.
    public var before: Double?
    /// When the bucket begins, in milliseconds since 1970; nil where buckets are no times.
    public var bucketMs: Int64?

    /// A finding from its parts.
    public init(value: Double, before: Double?, bucketMs: Int64?) {
      self.value = value
      self.before = before
      self.bucketMs = bucketMs
    }
  }

  /// Something that is to be told.
  public struct Message: Sendable, Hashable, Codable {
    /// What it tells.
    public enum Kind: String, Sendable, Codable {
      /// The number went too far.
      case firing
      /// It is back.
      case calm
      /// Somebody wants to see whether telling works.
      case test
    }

    /// Grows with every message of the alert: who gets one twice can tell.
    public var number: Int
    /// What it tells.
    public var kind: Kind
    /// When that was so, in milliseconds since 1970.
    public var atMs: Int64
    /// What was found; nil of a test before the first look.
    public var finding: Finding?
    /// How often it was tried.
    public var attempts = 0
    /// When it is tried next, in milliseconds since 1970.
    public var nextMs: Int64
    /// Whether it left and nobody knows yet whether it was taken; nil is false.
    public var isUnderWay: Bool?

    init(number: Int, kind: Kind, atMs: Int64, finding: Finding?, nextMs: Int64) {
      self.number = number
      self.kind = kind
      self.atMs = atMs
      self.finding = finding
      self.nextMs = nextMs
    }

    /// Reads what any version wrote: what that one did not know is as it is at first.
    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      number = try values.decode(Int.self, forKey: .number)
      kind = try values.decode(Kind.self, forKey: .kind)
      atMs = try values.decode(Int64.self, forKey: .atMs)
      finding = try values.decodeIfPresent(Finding.self, forKey: .finding)
      attempts = try values.decodeIfPresent(Int.self, forKey: .attempts) ?? attempts
      nextMs = try values.decodeIfPresent(Int64.self, forKey: .nextMs) ?? atMs
      isUnderWay = try values.decodeIfPresent(Bool.self, forKey: .isUnderWay)
    }
  }

  /// What the last look found.
  public var level = Level.unknown
  /// Since when that is so, in milliseconds since 1970.
  public var sinceMs: Int64?
  /// The number that was found last.
  public var finding: Finding?
  /// When was looked last.
  public var lookedMs: Int64?
  /// Why the last look found nothing; nil when it did.
  public var problem: String?
  /// What was told last, or is not worth telling.
  public var told = Level.calm
  /// What is to be told, in order.
  public var messages: [Message] = []
  /// How many messages there were.
  public var lastNumber = 0
  /// Whether it looks and tells at all.
  public var isPaused = false

  /// An alert that has not looked yet.
  public init() {}

  /// Reads what any version wrote: what that one did not know is as it is at first.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    level = try values.decodeIfPresent(Level.self, forKey: .level) ?? level
    sinceMs = try values.decodeIfPresent(Int64.self, forKey: .sinceMs)
    finding = try values.decodeIfPresent(Finding.self, forKey: .finding)
    lookedMs = try values.decodeIfPresent(Int64.self, forKey: .lookedMs)
    problem = try values.decodeIfPresent(String.self, forKey: .problem)
    told = try values.decodeIfPresent(Level.self, forKey: .told) ?? told
    messages = try values.decodeIfPresent([Message].self, forKey: .messages) ?? messages
    lastNumber = try values.decodeIfPresent(Int.self, forKey: .lastNumber) ?? lastNumber
    isPaused = try values.decodeIfPresent(Bool.self, forKey: .isPaused) ?? isPaused
  }
}
