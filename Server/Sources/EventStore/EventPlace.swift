public import EventRecord

/// A moment in the order in which property operations apply: corrected time, then the client's
/// counter.
public struct EventPlace: Sendable, Hashable, Comparable {
  /// The event's corrected time, in milliseconds since 1970.
  public let correctedMs: Int64
  /// The client's counter.
  public let sequence: Int64
  /// Decides between events that are alike in the rest.
  public let key: EventKey

  /// A place from its parts.
  public init(correctedMs: Int64, sequence: Int64, key: EventKey) {
    self.correctedMs = correctedMs
    self.sequence = sequence
    self.key = key
  }

  /// The place of an event.
  public init(of event: StoredEvent) {
    self.init(correctedMs: event.correctedMs, sequence: event.sequence, key: event.key)
  }

  /// Earlier first.
  public static func < (a: Self, b: Self) -> Bool {
    (a.correctedMs, a.sequence, a.key.high, a.key.low)
      < (b.correctedMs, b.sequence, b.key.high, b.key.low)
  }
}
