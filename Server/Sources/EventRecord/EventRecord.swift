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
    /// The bytes of a stream's record as they were put (`properties`), with its partition key (`id`), the
    /// stream's number (`name`) and the shard (`sequence`): for the stream's readers, not for stores.
    case streamRecord = 3

    /// What an event of a name is where nothing else says it: the names of identifies are theirs alone.
    package init(named name: String) {
      self =
        switch name {
        case "$identify": .identify
        case "$groupidentify": .groupIdentify
        default: .event
        }
    }
  }

  /// What else is known about an event.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// One bit per flag, as in the record.
    public let rawValue: UInt8

    /// Flags from their bits; unknown bits are kept.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// The client marked the event as coming from a debug build or an internal device.
    public static let test = Flags(rawValue: 1)
    /// The event's own time lies more than 24 h ahead; insights use the receive time.
    public static let timeInFuture = Flags(rawValue: 2)
    /// The client sent no time; `timestampMs` is the receive time.
    public static let timeMissing = Flags(rawValue: 4)
    /// The client sent no identity; the key is random and never has a duplicate.
    public static let keyIsRandom = Flags(rawValue: 8)
    /// The event was erased: nothing of it is left but its length, and no reader sees it.
    public static let erased = Flags(rawValue: 64)
    /// The client sent no identity; the key is made of all that the event says, and repeats only
    /// within minutes.
    public static let keyIsContent = Flags(rawValue: 128)
  }

  /// The 128-bit key under which the event counts once, see `EventKey`.
  public var key: EventKey
  /// What the record asks for.
  public var kind: Kind
  /// What else is known about the event.
  public var flags: Flags
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

  /// True when the client marked the event as coming from a debug build or an internal device.
  public var isTest: Bool {
    get { flags.contains(.test) }
    set { if newValue { flags.insert(.test) } else { flags.remove(.test) } }
  }

  /// A record from its parts.
  public init(
    key: EventKey,
    kind: Kind = .event,
    flags: Flags = [],
    timestampMs: Int64,
    sequence: Int64 = 0,
    id: String = "",
    name: String,
    deviceID: String = "",
    userID: String = "",
    sessionID: String = "",
    properties: String = "",
    groups: String = "",
    operations: String = "",
    context: String = ""
  ) {
    self.key = key
    self.kind = kind
    self.flags = flags
    self.timestampMs = timestampMs
    self.sequence = sequence
    self.id = id
    self.name = name
    self.deviceID = deviceID
    self.userID = userID
    self.sessionID = sessionID
    self.properties = properties
    self.groups = groups
    self.operations = operations
    self.context = context
  }
}
