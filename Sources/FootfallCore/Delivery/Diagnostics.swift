/// What became of the events of one client since it was started.
///
/// When nothing is on its way between two places, `tracked` and what an earlier run left equal
/// `delivered + stored + waiting + dropped.events`.
public struct Diagnostics: Sendable, Hashable {
  /// Events given to the client, whatever became of them.
  public var tracked = 0
  /// Events the server took.
  public var delivered = 0
  /// Events on disk, not delivered yet, those of earlier runs included.
  public var stored = 0
  /// Events in memory, not yet written.
  public var waiting = 0
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
