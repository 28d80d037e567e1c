/// How long to wait after failures: full jitter, from 1 second up to 5 minutes, and never less
/// than the server asked for.
///
/// Source: `simpledatalogs.md` section 3.4; the native client has the same rule.
package struct RetryCore: Sendable {
  /// The bound after the first failure, in seconds; it doubles with each further one.
  package var firstBoundSeconds = 1.0
  /// The largest bound, in seconds.
  package var largestBoundSeconds = 300.0
  /// The most of a `Retry-After` that is honoured, in seconds.
  package var retryAfterCapSeconds = 3_600.0
  /// Failures since the last success.
  package private(set) var failures = 0

  /// A core without failures.
  package init() {}

  /// The largest wait the next failure can bring without a `Retry-After`, in seconds.
  package var boundSeconds: Double {
    var bound = firstBoundSeconds
    for _ in 0..<min(failures, 64) where bound < largestBoundSeconds { bound *= 2 }
    return min(bound, largestBoundSeconds)
  }

  /// Counts a failure and says how long to wait, in seconds.
  package mutating func failed(
    retryAfterSeconds: Double? = nil,
    using random: inout some RandomNumberGenerator
  ) -> Double {
    let jitter = Double.random(in: 0...boundSeconds, using: &random)
    failures += 1
    guard let retryAfterSeconds else { return jitter }
    return max(jitter, min(max(retryAfterSeconds, 0), retryAfterCapSeconds))
  }

  /// Counts a success: the next failure is the first again.
  package mutating func succeeded() {
    failures = 0
  }
}
