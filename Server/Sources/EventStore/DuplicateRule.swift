public import EventRecord

/// For how long an event's key counts once.
///
/// Source: architecture, invariant 2; Amplitude HTTP V2, deduplication.
public enum DuplicateRule: Sendable, Hashable {
  /// The key counts once for as long as the store keeps the data.
  case forever
  /// Two events of one key are the same only when their own times are less than this apart.
  case ownTimesWithin(milliseconds: Int64)
  /// Two events of one key are the same only when the minutes of their own times are less than this
  /// apart.
  case ownMinutesWithin(Int64)

  /// The rule of the protocol a record came in by.
  public init(_ source: RecordHeader.Source) {
    switch source {
    case .native, .pinpoint, .phase, .kinesis, .firehose: self = .forever
    case .amplitude: self = .ownTimesWithin(milliseconds: Self.sevenDaysMs)
    }
  }

  /// The rule for an event of a protocol.
  public init(_ source: RecordHeader.Source, flags: EventRecord.Flags) {
    self =
      flags.contains(.keyIsContent) ? .ownMinutesWithin(Self.contentMinutes) : .init(source)
  }

  /// True when two events of one key, with these own times, are one event.
  public func areSame(_ first: Int64, _ second: Int64) -> Bool {
    switch self {
    case .forever: true
    case .ownTimesWithin(let limit):
      // Wrapping: a distance that overflows is far beyond any limit.
      (first > second ? first &- second : second &- first).magnitude < limit.magnitude
    case .ownMinutesWithin(let limit):
      abs(Self.minute(first) - Self.minute(second)) < limit
    }
  }

  /// For how long a request of which nothing but its content is known counts as one that is sent again.
  public static let contentMinutes: Int64 = 10

  /// The minute in which a moment lies, counted from 1970.
  public static func minute(_ ms: Int64) -> Int64 {
    ms >= 0 ? ms / 60_000 : (ms + 1) / 60_000 - 1
  }

  /// Seven days in milliseconds.
  public static let sevenDaysMs: Int64 = 7 * 86_400_000
}
