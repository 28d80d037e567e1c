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

  private struct State {
    var urgency: Urgency?
    /// Whether the thread stayed behind in a parent process.
    var isOrphaned = false
    var revive: (@Sendable () -> Void)?
    /// How long the thread sleeps at most; nil while it is awake.
    var sleepSeconds: Double?
  }

  private let raised = Monitor(State())

  /// Wakes the thread, or keeps it from falling asleep; makes a new one if it stayed in a parent
  /// process.
  func raise(_ urgency: Urgency = .soon) {
    let revive: (@Sendable () -> Void)? = raised.change { state in
      state.urgency = max(state.urgency ?? urgency, urgency)
      guard state.isOrphaned else { return nil }
      state.isOrphaned = false
      return state.revive
    }
    revive?()
  }

  /// Says how a thread is made in a forked child.
  func reviveOrphan(by revive: @escaping @Sendable () -> Void) {
    raised.withLock { $0.revive = revive }
  }

  /// Blocks until raised or until `seconds` have passed; for good if nil.
  ///
  /// After a call for `soon` it goes on waiting for `gatherSeconds`, unless something is urgent.
  func wait(seconds: Double?, gatherSeconds: Double) {
    raised.withLock { $0.sleepSeconds = seconds ?? .infinity }
    let urgency =
      if let seconds {
        raised.wait(timeoutSeconds: seconds) { $0.urgency }
      } else {
        raised.wait { $0.urgency }
      }
    if urgency == .soon, gatherSeconds > 0 {
      _ = raised.wait(timeoutSeconds: gatherSeconds) { $0.urgency == .now ? true : nil }
    }
    raised.withLock { state in
      state.urgency = nil
      state.sleepSeconds = nil
    }
  }

  /// How long the thread sleeps at most unless it is raised; nil while it is awake.
  var sleepSeconds: Double? { raised.withLock { $0.urgency == nil ? $0.sleepSeconds : nil } }
}

// MARK: - Forks

extension Signal {
  func holdForFork() { raised.holdForFork() }

  func releaseInParent() { raised.releaseInParent() }

  func renewInChild(isOrphaned: Bool) {
    raised.renewInChild()
    raised.withLock { state in
      state.urgency = nil
      state.isOrphaned = isOrphaned
    }
  }
}
