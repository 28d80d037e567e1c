/// What a flush achieved.
public struct DeliveryReport: Sendable, Hashable {
  /// Events the server took while the flush ran.
  public var delivered: Int
  /// Events still stored on the device when it ended; they are tried again later.
  public var kept: Int
  /// Events lost while the flush ran, by reason in the server's words or the client's.
  public var rejected: [String: Int]
  /// Why events were kept; nil when everything tracked before the call was settled.
  public var problem: DeliveryProblem?

  /// A report from its parts.
  public init(
    delivered: Int = 0,
    kept: Int = 0,
    rejected: [String: Int] = [:],
    problem: DeliveryProblem? = nil
  ) {
    self.delivered = delivered
    self.kept = kept
    self.rejected = rejected
    self.problem = problem
  }
}
