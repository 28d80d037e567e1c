import FootfallPlatform
import FootfallSystem

/// Keyboard and mouse that a test uses, by its own clock.
package final class ManualUserActivity: UserActivitySource {
  private let clock: ManualClock
  private let lastInput = Lock<MonotonicTime?>(nil)

  /// A machine that nobody has touched yet.
  package init(_ clock: ManualClock) { self.clock = clock }

  /// Touches keyboard or mouse.
  package func touch() {
    let now = clock.monotonic
    lastInput.withLock { $0 = now }
  }

  /// Milliseconds since the last touch; nil before the first.
  package func millisecondsSinceInput() -> Int64? {
    let now = clock.monotonic
    return lastInput.withLock { last in
      last.map { Int64((now.seconds(since: $0) * 1_000).rounded()) }
    }
  }
}
