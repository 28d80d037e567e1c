import FootfallSystem

/// How a task ended.
enum TaskOutcome {
  /// With a value, or with none.
  case result(AnyObject?)
  case error(any Error)
  case cancelled
}

/// What stands behind a task: its outcome, once there is one, and what waits for it.
///
/// Safety: what is in the state is only touched under its lock, and an outcome never changes
/// once it is there. Values and blocks go from thread to thread as in the documented product, whose
/// callers answer for what they share.
final class TaskCore: @unchecked Sendable {
  private struct State {
    var outcome: TaskOutcome?
    var waiting: [() -> Void] = []
  }

  private let state = Lock(State())

  /// How it ended; nil as long as it did not.
  var outcome: TaskOutcome? { state.withLock { $0.outcome } }

  /// Ends it and runs what waits for that, on this thread; false if it had ended before.
  @discardableResult
  func end(_ outcome: TaskOutcome) -> Bool {
    let waiting = state.withLock { state -> [() -> Void]? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return false }
    for run in waiting { run() }
    return true
  }

  /// Runs `body` once it has ended: now, or on the thread that ends it.
  func whenEnded(_ body: @escaping () -> Void) {
    let hasEnded = state.withLock { state in
      if state.outcome == nil { state.waiting.append(body) }
      return state.outcome != nil
    }
    if hasEnded { body() }
  }

  /// Blocks until it has ended.
  func wait() {
    // Made where somebody waits: few do, and it costs more than all the rest of a task.
    let hasEnded = Monitor(false)
    whenEnded { hasEnded.change { $0 = true } }
    hasEnded.wait { $0 ? () : nil }
  }

  /// Ends as a block's value says: as the task that it is does, or with the value itself.
  func end(with value: Any?) {
    guard let value = Self.unwrapped(value) else { return _ = end(.result(nil)) }
    guard let task = value as? any CoreOwner else { return _ = end(.result(Self.object(value))) }
    let other = task.core
    other.whenEnded { [self] in
      if let outcome = other.outcome { end(outcome) }
    }
  }

  /// What is inside an optional, however deep.
  private static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return unwrapped(mirror.children.first?.value)
  }
}

/// What has a task's core, whatever the type of its result.
protocol CoreOwner: AnyObject {
  var core: TaskCore { get }
}
