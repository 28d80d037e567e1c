/// One step on an event's way, for a debug screen or a test that asks what happened to it.
public struct DeliveryStep: Sendable, Hashable {
  /// What happened; may grow.
  public struct Kind: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
    /// The name of the step, such as `stored`.
    public let rawValue: String
    /// A step by name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
    /// The name itself.
    public var description: String { rawValue }

    /// It came from the app to the client's own thread.
    public static let tracked = Kind(rawValue: "tracked")
    /// It ended for good without being delivered; `reason` says why.
    public static let dropped = Kind(rawValue: "dropped")
    /// An identify that waits for others like it.
    public static let held = Kind(rawValue: "held")
    /// An identify that became part of an earlier one, whose id is `other`.
    public static let merged = Kind(rawValue: "merged")
    /// It is on disk.
    public static let stored = Kind(rawValue: "stored")
    /// It is in a batch, whose number is `number`.
    public static let sealed = Kind(rawValue: "sealed")
    /// It is in a request, the destination's `number`th.
    public static let sent = Kind(rawValue: "sent")
    /// The server has it.
    public static let delivered = Kind(rawValue: "delivered")
  }

  /// The event's id.
  public var id: String
  /// The event's name.
  public var name: EventName
  /// What happened.
  public var kind: Kind
  /// The destination it happened at; nil before the event came to one.
  public var destination: String?
  /// Why it was dropped.
  public var reason: DropReason?
  /// The number of the batch or of the request.
  public var number: UInt64?
  /// The id of the event that it became part of.
  public var other: String?

  /// A step from its parts.
  package init(
    _ kind: Kind,
    id: String,
    name: EventName,
    destination: String? = nil,
    reason: DropReason? = nil,
    number: UInt64? = nil,
    other: String? = nil
  ) {
    self.kind = kind
    self.id = id
    self.name = name
    self.destination = destination
    self.reason = reason
    self.number = number
    self.other = other
  }
}
