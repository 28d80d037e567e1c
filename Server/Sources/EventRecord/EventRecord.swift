/// One event as the server keeps it, whatever protocol it came in by.
///
/// The binary form in the ingest log is written by `RecordWriter` (without building this value) and
/// read by `RecordReader`. Times are milliseconds since 1970 (UTC).
public struct EventRecord: Sendable, Hashable {
  /// What the record asks for.
  public enum Kind: UInt8, Sendable {
    /// Something a person did; counted.
    case event = 0
    /// Property operations on the person; not counted.
    case identify = 1
    /// Property operations on a group; not counted.
    case groupIdentify = 2
  }

  /// The 128-bit key under which the event counts once, see `EventKey`.
  public var key: EventKey
  /// What the record asks for.
  public var kind: Kind
  /// True when the client marked the event as coming from a debug build or an internal device.
  public var isTest: Bool
  /// The event's own time as the client sent it.
  public var timestampMs: Int64
  /// The client's counter; events of one client are ordered by it.
  public var sequence: Int64
  /// The event's own id as sent; empty when the protocol has none.
  public var id: String
  /// The event's name.
  public var name: String
  /// The device's id; empty when not given.
  public var deviceID: String
  /// The person's id; empty when not given.
  public var userID: String
  /// The session's id; empty when not given.
  public var sessionID: String
  /// The event's properties as one JSON object, minified; empty when there are none.
  public var properties: String
  /// The groups as one JSON object; empty when there are none.
  public var groups: String
  /// Property operations as one JSON object; empty when there are none.
  public var operations: String
  /// What the protocol sent beside all this, as one JSON object; empty when there is nothing.
  public var context: String
}

/// The 128-bit key of an event.
public struct EventKey: Sendable, Hashable {
  /// The upper half.
  public var high: UInt64
  /// The lower half.
  public var low: UInt64

  /// A key from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
