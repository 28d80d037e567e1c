public import EventRecord

/// For how long an event's key counts once.
///
/// Source: architecture, invariant 2; Amplitude HTTP V2, deduplication.
public enum DuplicateRule: Sendable, Hashable {
  /// The key counts once for as long as the store keeps the data.
  case forever
  /// Two events of one key are the same only when their own times are less than this apart.
  case ownTimesWithin(milliseconds: Int64)

  /// The rule of the protocol a record came in by.
  public init(_ source: RecordHeader.Source) {
    switch source {
    case .native, .phase: self = .forever
    case .amplitude: self = .ownTimesWithin(milliseconds: Self.sevenDaysMs)
    }
  }

  /// True when two events of one key, with these own times, are one event.
  public func areSame(_ first: Int64, _ second: Int64) -> Bool {
    switch self {
    case .forever: true
    case .ownTimesWithin(let limit):
      // Wrapping: a distance that overflows is far beyond any limit.
      (first > second ? first &- second : second &- first).magnitude < limit.magnitude
    }
  }

  /// Seven days in milliseconds.
  public static let sevenDaysMs: Int64 = 7 * 86_400_000
}
