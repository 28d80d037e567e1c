/// How waits grow from failure to failure: a random share of a bound that doubles.
///
/// The wait after failure n is random(`leastShare` … 1) × min(`largestSeconds`,
/// `firstSeconds` × 2^(n−1)).
package struct BackoffShape: Sendable, Equatable {
  /// The bound after the first failure, in seconds.
  package let firstSeconds: Double
  /// The largest bound, in seconds.
  package let largestSeconds: Double
  /// The smallest share of the bound a wait can be, from 0 (full jitter) to 1 (exact).
  package let leastShare: Double

  /// A shape; what is no number or negative counts as 0.
  package init(firstSeconds: Double, largestSeconds: Double, leastShare: Double) {
    self.firstSeconds = Seconds.usable(firstSeconds)
    self.largestSeconds = Seconds.usable(largestSeconds)
    self.leastShare = min(Seconds.usable(leastShare), 1)
  }

  /// Anything from nothing to a bound of 1 second up to 5 minutes.
  ///
  /// Source: `simpledatalogs.md` section 3.4; the native client has the same rule.
  package static let fullJitter = BackoffShape(
    firstSeconds: 1,
    largestSeconds: 300,
    leastShare: 0
  )
  /// 1, 2, 4, 8, 16, 32, then 60 s each time, exactly.
  ///
  /// Source: `amplitude.md` section 2.12, scenarios D13, D14 and D34.
  package static let exact = BackoffShape(firstSeconds: 1, largestSeconds: 60, leastShare: 1)
  /// Half to all of a bound of 2 seconds up to 5 minutes.
  ///
  /// Source: `phase.md` section 5.7.
  package static let halfJitter = BackoffShape(
    firstSeconds: 2,
    largestSeconds: 300,
    leastShare: 0.5
  )
  /// Anything from nothing to a bound of 100 ms up to 20 seconds.
  ///
  /// Source: `aws.md` section 3.7.
  package static let resend = BackoffShape(firstSeconds: 0.1, largestSeconds: 20, leastShare: 0)

  /// The bound after failure `number`, counted from 1, in seconds.
  package func bound(afterFailure number: Int) -> Double {
    var bound = firstSeconds
    for _ in 1..<min(max(number, 1), 64) where bound < largestSeconds { bound *= 2 }
    return min(bound, largestSeconds)
  }

  /// The wait after failure `number`, counted from 1, in seconds.
  package func wait(
    afterFailure number: Int,
    using random: inout some RandomNumberGenerator
  ) -> Double {
    bound(afterFailure: number) * Double.random(in: leastShare...1, using: &random)
  }
}
