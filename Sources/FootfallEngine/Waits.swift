import FootfallPlatform
import FootfallSystem

/// Callers that wait for the engine's thread, up to a time on the client's clock.
///
/// Any thread but the engine's own, which would wait for itself: there every wait is over at once.
final class Waits: Sendable {
  private struct State {
    var last = 0
    var open: Set<Int> = []
    /// How often the clock was said to have moved.
    var looks = 0
    var isFinished = false
    var thread: ThreadIdentity?
  }

  private let state = Monitor(State())
  private let clocks: Clocks

  init(_ clocks: Clocks) {
    self.clocks = clocks
  }

  /// Seconds on the clock that only goes forward.
  var now: Double { Double(clocks.monotonic().nanoseconds) / 1e9 }

  /// The engine's thread is the calling one.
  func begin(on thread: ThreadIdentity) {
    state.withLock { $0.thread = thread }
  }

  /// Whether the caller is the engine's thread, as in a plugin's or a result's call.
  var isOnThread: Bool {
    state.withLock { $0.thread == .current }
  }

  /// Begins to wait for something; its number is given to `end` and `wait`.
  func begin() -> Int {
    state.withLock { state in
      state.last += 1
      state.open.insert(state.last)
      return state.last
    }
  }

  /// What a caller waits for is there.
  func end(_ number: Int) {
    state.change { _ = $0.open.remove(number) }
  }

  /// Nothing more will come: the thread has ended.
  func finish() {
    state.change { $0.isFinished = true }
  }

  /// The clock has moved, for clocks that tests move.
  func look() {
    state.change { $0.looks += 1 }
  }

  /// Blocks until `end` was called for a number; false if the time came first.
  @discardableResult
  func wait(for number: Int, until deadline: Double) -> Bool {
    guard !isOnThread else { return forget(number) }
    while true {
      let looks = state.withLock { $0.looks }
      let left = deadline - now
      let isOver: Bool? = state.wait(timeoutSeconds: left) { state in
        if state.isFinished || !state.open.contains(number) { return true }
        return state.looks == looks ? nil : false
      }
      if isOver == true { return true }
      guard now < deadline else { return forget(number) }
    }
  }

  private func forget(_ number: Int) -> Bool {
    state.withLock { state in
      state.open.remove(number) == nil
    }
  }
}

// MARK: - Forks

extension Waits {
  func holdForFork() { state.holdForFork() }

  func releaseInParent() { state.releaseInParent() }

  /// The threads that waited and the one they waited for are the parent's.
  func renewInChild() {
    state.renewInChild()
    state.withLock { state in
      state.open = []
      state.thread = nil
    }
  }
}
