import FootfallSystem

/// Wakes the engine's thread.
final class Signal: Sendable {
  enum Urgency: Int, Comparable, Sendable {
    /// When more has gathered.
    case soon = 1
    /// At once.
    case now

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  private let raised = Monitor<Urgency?>(nil)

  /// Wakes the thread, or keeps it from falling asleep.
  func raise(_ urgency: Urgency = .soon) {
    raised.change { $0 = max($0 ?? urgency, urgency) }
  }

  /// Blocks until raised or until `seconds` have passed; for good if nil.
  ///
  /// After a call for `soon` it goes on waiting for `gatherSeconds`, unless something is urgent.
  func wait(seconds: Double?, gatherSeconds: Double) {
    let urgency =
      if let seconds {
        raised.wait(timeoutSeconds: seconds) { $0 }
      } else {
        raised.wait { $0 }
      }
    if urgency == .soon, gatherSeconds > 0 {
      _ = raised.wait(timeoutSeconds: gatherSeconds) { $0 == .now ? $0 : nil }
    }
    raised.withLock { $0 = nil }
  }
}
