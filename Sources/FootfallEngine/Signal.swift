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
    /// What ends the sleep; nil while nothing has to.
    var threshold: Urgency?
  }

  private let raised = Monitor(State())

  /// Wakes the thread, or keeps it from falling asleep; makes a new one if it stayed in a parent
  /// process.
  func raise(_ urgency: Urgency = .soon) {
    let (mustWake, revive) = raised.withLock { state in
      state.urgency = max(state.urgency ?? urgency, urgency)
      let mustWake = state.threshold.map { $0 <= urgency } ?? false
      guard state.isOrphaned else { return (mustWake, nil as (@Sendable () -> Void)?) }
      state.isOrphaned = false
      return (mustWake, state.revive)
    }
    if mustWake { raised.wake() }
    revive?()
  }

  /// Says how a thread is made in a forked child.
  func reviveOrphan(by revive: @escaping @Sendable () -> Void) {
    raised.withLock { $0.revive = revive }
  }

  /// Blocks until raised or until `seconds` have passed; for good if nil.
  ///
  /// After a call for `soon` it goes on waiting as `gathering` says, unless something is urgent. While
  /// calls come in a stream it waits that long without being woken by the first of them.
  func wait(
    seconds: Double?,
    gathering: Gathering,
    takenSecondsAgo: Double,
    isStreaming: Bool
  ) {
    let most = seconds ?? .infinity
    let isSomethingWaiting = raised.withLock { state in
      state.sleepSeconds = most
      return state.urgency != nil
    }
    let gatherSeconds = gathering.rest(
      isSomethingWaiting: isSomethingWaiting,
      takenSecondsAgo: takenSecondsAgo
    )
    var urgency: Urgency?
    var left = most
    if isStreaming, gatherSeconds > 0, gatherSeconds < most {
      urgency = sleep(gatherSeconds, until: .now)
      left -= gatherSeconds
    }
    if urgency == nil, sleep(left, until: .soon) == .soon, gatherSeconds > 0 {
      _ = sleep(gatherSeconds, until: .now)
    }
    raised.withLock { state in
      state.urgency = nil
      state.sleepSeconds = nil
      state.threshold = nil
    }
  }

  /// Blocks until something is as urgent as `threshold`, or so long; says what is most urgent then.
  private func sleep(_ seconds: Double, until threshold: Urgency) -> Urgency? {
    raised.withLock { $0.threshold = threshold }
    let reached = raised.wait(timeoutSeconds: seconds) { state in
      state.urgency.flatMap { $0 >= threshold ? $0 : nil }
    }
    return reached ?? raised.withLock { $0.urgency }
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
