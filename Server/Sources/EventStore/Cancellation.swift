import FootfallSystem

/// A switch that stops a running statement when whoever asked goes away.
///
/// Any thread. A statement that has not started when the switch is thrown does not start.
public final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Lock(State())
  /// Whether the answer is still wanted, asked a few times a second; nil where only `cancel` says so.
  ///
  /// For stores. Must be short and must not wait.
  public let isWanted: (@Sendable () -> Bool)?
  /// Told how far the statement is, for whoever waits; nil where nobody wants to know.
  public let progress: WorkProgress?

  /// A switch that is not thrown.
  public init() {
    isWanted = nil
    progress = nil
  }

  /// A switch that is thrown by itself once the answer is not wanted any more.
  ///
  /// - Parameters:
  ///   - progress: told how far the statement is; nil where nobody wants to know.
  ///   - isWanted: asked from any thread while the statement runs, never after it is over; must be short
  ///     and must not wait.
  public init(progress: WorkProgress? = nil, while isWanted: @escaping @Sendable () -> Bool) {
    self.progress = progress
    self.isWanted = isWanted
  }

  /// True once `cancel` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Stops the statement that was given this switch; later calls do nothing.
  ///
  /// The statement's action runs under the switch's lock, so that it never outlives the statement.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      state.action?()
      state.action = nil
    }
  }

  /// Sets what `cancel` does while a statement runs; nil when it is over.
  ///
  /// For stores. The action must be short, must not wait and must not call the switch.
  ///
  /// - Returns: false when the switch was thrown before; the action is then not kept.
  public func whileRunning(_ action: (@Sendable () -> Void)?) -> Bool {
    state.withLock { state in
      state.action = state.isCancelled ? nil : action
      return !state.isCancelled
    }
  }
}
