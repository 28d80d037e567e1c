import Dispatch
import Foundation

/// Time as the dashboard sees it.
package struct DashboardClock: Sendable {
  /// Wall time in milliseconds since 1970.
  package var nowMs: @Sendable () -> Int64
  /// Runs some work after a number of seconds, on a thread that may render but must not wait.
  package var after: @Sendable (_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> Void

  /// Time from the outside.
  package init(
    nowMs: @escaping @Sendable () -> Int64,
    after: @escaping @Sendable (_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> Void
  ) {
    self.nowMs = nowMs
    self.after = after
  }

  /// The time of this machine.
  package static var live: DashboardClock {
    let queue = DispatchQueue(label: "footfall.dashboard.live")
    return DashboardClock(
      nowMs: { Int64(Date().timeIntervalSince1970 * 1_000) },
      after: { seconds, work in queue.asyncAfter(deadline: .now() + seconds, execute: work) }
    )
  }
}
