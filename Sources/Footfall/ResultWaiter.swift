import FootfallCore
import FootfallSystem

/// Waits for the result of one event, for as long as someone could still tell it.
///
/// The callback that is handed out is the only way to tell; when it is gone, there is no result.
final class ResultWaiter: Sendable {
  private struct State {
    var isOver = false
    var result: EventResult?
    var waiting: CheckedContinuation<EventResult?, Never>?
  }

  private let state = Lock(State())

  /// What tells the result; call this once.
  func makeCallback() -> @Sendable (EventResult) -> Void {
    let teller = Teller(self)
    return { teller.waiter.end($0) }
  }

  /// The result; nil if nobody can tell it any more, or the surrounding task was cancelled.
  var result: EventResult? {
    get async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isOver = state.withLock { state in
            if !state.isOver { state.waiting = continuation }
            return state.isOver
          }
          if isOver { continuation.resume(returning: state.withLock { $0.result }) }
        }
      } onCancel: {
        end(nil)
      }
    }
  }

  private func end(_ result: EventResult?) {
    let waiting = state.withLock { state -> CheckedContinuation<EventResult?, Never>? in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.result = result
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: result)
  }

  private final class Teller: Sendable {
    let waiter: ResultWaiter
    init(_ waiter: ResultWaiter) { self.waiter = waiter }
    deinit { waiter.end(nil) }
  }
}
