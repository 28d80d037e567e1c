internal import FootfallSystem
internal import Synchronization

/// Lets readers wait for the log to grow, at hardly any cost to those who write.
final class Tail: Sendable {
  private struct State {
    var isClosed = false
    var interruptions = 0
  }

  private let state = Monitor(State())
  /// Readers that wait; writers only touch the monitor if there are any.
  private let waiting = Atomic<Int>(0)

  /// Called after the log has grown.
  func wake() {
    guard waiting.load(ordering: .sequentiallyConsistent) > 0 else { return }
    state.change { _ in }
  }

  /// Ends the waits under way.
  func interrupt() { state.change { $0.interruptions += 1 } }

  /// Ends all waits for good; false if that was done before.
  func close() -> Bool {
    state.change { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
  }

  /// Blocks until `look` finds something; nil when the time is over, interrupted, cancelled or
  /// closed.
  ///
  /// `isCancelled` is asked again after each interruption.
  func wait<R>(timeoutSeconds: Double?, unless isCancelled: () -> Bool, look: () -> R?) -> R? {
    // Counted before the first look: a writer either sees the count or has grown the log by then.
    waiting.add(1, ordering: .sequentiallyConsistent)
    defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
    let interruptions = state.withLock { $0.interruptions }
    let check = { (state: inout State) -> R?? in
      if let found = look() { return .some(found) }
      let isOver = state.isClosed || state.interruptions != interruptions || isCancelled()
      return isOver ? .some(nil) : nil
    }
    guard let timeoutSeconds else { return state.wait(until: check) }
    return state.wait(timeoutSeconds: timeoutSeconds, until: check) ?? nil
  }

  /// Blocks until closed, but no longer than that; whether it is closed.
  func waitForClose(seconds: Double) -> Bool {
    state.wait(timeoutSeconds: seconds) { $0.isClosed ? true : nil } ?? false
  }
}
