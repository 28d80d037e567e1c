import FootfallPlatform
import FootfallSystem

/// A network that a test plugs and unplugs.
package final class ManualConnectivity: Connectivity {
  private struct State {
    var isOnline: Bool?
    var observer: (@Sendable (Bool?) -> Void)?
    var starts = 0
  }
  private let state: Lock<State>

  /// A network that is there, is not, or of which nothing is known.
  package init(_ isOnline: Bool? = true) { state = Lock(State(isOnline: isOnline)) }

  /// Whether somebody watches.
  package var isWatched: Bool { state.withLock { $0.observer != nil } }

  /// How often somebody began to watch.
  package var starts: Int { state.withLock { $0.starts } }

  /// Tells the present answer, and all that are set, on the threads of the callers.
  package func start(_ observer: @escaping @Sendable (_ isOnline: Bool?) -> Void) {
    let present = state.withLock { state in
      state.observer = observer
      state.starts += 1
      return state.isOnline
    }
    observer(present)
  }

  /// Stops telling.
  package func stop() { state.withLock { $0.observer = nil } }

  /// Changes the network, and tells the observer if that makes a difference.
  package func set(_ isOnline: Bool?) {
    let observer = state.withLock { state in
      defer { state.isOnline = isOnline }
      return state.isOnline == isOnline ? nil : state.observer
    }
    observer?(isOnline)
  }
}
