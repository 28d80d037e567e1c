import Foundation
import FootfallSystem

/// The two clocks the catalogue reads.
package struct CatalogClock: Sendable {
  /// Wall time in milliseconds since 1970: stamps rows and ends links and sessions.
  package var nowMs: @Sendable () -> Int64
  /// Monotonic time in nanoseconds: says when to look for changes by other processes.
  package var monotonicNs: @Sendable () -> UInt64

  /// Clocks from the outside.
  package init(
    nowMs: @escaping @Sendable () -> Int64,
    monotonicNs: @escaping @Sendable () -> UInt64
  ) {
    self.nowMs = nowMs
    self.monotonicNs = monotonicNs
  }

  /// The clocks of this machine.
  package static let live = CatalogClock(
    nowMs: { Int64(Date().timeIntervalSince1970 * 1_000) },
    monotonicNs: { MonotonicTime.now().nanoseconds }
  )
}
