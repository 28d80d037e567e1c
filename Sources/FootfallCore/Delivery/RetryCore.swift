/// How long to wait after failures, and never less than the server asked for.
package struct RetryCore: Sendable {
  /// How waits grow.
  package var shape: BackoffShape
  /// The most of a `Retry-After` that is honoured, in seconds.
  package var retryAfterCapSeconds: Double
  /// Failures since the last success.
  package private(set) var failures = 0

  /// A core without failures.
  package init(shape: BackoffShape = .fullJitter, retryAfterCapSeconds: Double = 3_600) {
    self.shape = shape
    self.retryAfterCapSeconds = Seconds.usable(retryAfterCapSeconds)
  }

  /// The largest wait the next failure can bring without a `Retry-After`, in seconds.
  package var boundSeconds: Double { shape.bound(afterFailure: failures + 1) }

  /// Counts a failure and says how long to wait, in seconds.
  package mutating func failed(
    retryAfterSeconds: Double? = nil,
    using random: inout some RandomNumberGenerator
  ) -> Double {
    failures += 1
    let wait = shape.wait(afterFailure: failures, using: &random)
    guard let retryAfterSeconds else { return wait }
    return max(wait, min(Seconds.usable(retryAfterSeconds), retryAfterCapSeconds))
  }

  /// The next failure is the first again: after a success, or when waiting has come to an end.
  package mutating func reset() {
    failures = 0
  }
}
