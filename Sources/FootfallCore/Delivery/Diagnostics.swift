/// What became of the events of one client since it was started.
///
/// When nothing is on its way between two places, `tracked` and what an earlier run left equal
/// `delivered + stored + waiting + merged + dropped.events`. With several destinations that holds for each of
/// them, and the numbers here are sums.
public struct Diagnostics: Sendable, Hashable {
  /// Events given to the client, whatever became of them.
  public var tracked = 0
  /// Events the server took.
  public var delivered = 0
  /// Events on disk, not delivered yet, those of earlier runs included.
  public var stored = 0
  /// Events in memory, not yet written.
  public var waiting = 0
  /// Identifies that are sent as part of another, or that a later `clearAll` made pointless; no loss.
  public var merged = 0
  /// Losses by reason, whole events and parts.
  public var dropped = DropCounts()
  /// Events the server refused, by its own reason.
  public var rejected: [String: Int] = [:]
  /// Requests sent, answered or not.
  public var requests = 0
  /// Why events stay on the device at the moment; nil when nothing is in the way.
  ///
  /// With several destinations that of the first that has one, the client's own before others.
  public var problem: DeliveryProblem?
  /// Whether events can be written to disk, for every destination.
  public var isReady = false
  /// The numbers of each destination, by its name; the client's own is `main`.
  public private(set) var destinations: [String: DestinationDiagnostics] = [:]

  /// Nothing happened yet.
  public init() {}

  /// Adds the numbers of a destination, the client's own first.
  package mutating func add(_ name: String, _ other: DestinationDiagnostics) {
    delivered += other.delivered
    stored += other.stored
    merged += other.merged
    dropped.add(other.dropped)
    rejected.merge(other.rejected, uniquingKeysWith: +)
    requests += other.requests
    problem = problem ?? other.problem
    isReady = (destinations.isEmpty || isReady) && other.isReady
    destinations[name] = other
  }
}
