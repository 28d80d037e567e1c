/// What became of a client's events at one of the places they go to, since it was started.
public struct DestinationDiagnostics: Sendable, Hashable {
  /// Events the server took.
  public var delivered = 0
  /// Events on disk, not delivered yet, those of earlier runs included.
  public var stored = 0
  /// The bytes of those.
  public var storedBytes = 0
  /// Identifies that are sent as part of another, or that a later `clearAll` made pointless; no loss.
  public var merged = 0
  /// Losses by reason, whole events and parts.
  public var dropped = DropCounts()
  /// Events the server refused, by its own reason.
  public var rejected: [String: Int] = [:]
  /// Requests sent, answered or not.
  public var requests = 0
  /// Why events stay on the device at the moment; nil when nothing is in the way.
  public var problem: DeliveryProblem?
  /// Whether events can be written to disk.
  public var isReady = false

  /// Nothing happened yet.
  public init() {}
}
