package import FootfallPlatform
import FootfallSystem

/// A lifecycle whose phases a test announces.
package final class ManualLifecycle: AppLifecycle {
  private struct State {
    var phase: AppPhase
    var observer: (@Sendable (AppPhase, BackgroundTime) -> Void)?
    var granted = 0
    var finished = 0
    var asked = 0
  }
  private let state: Lock<State>

  /// Makes a lifecycle that is in a phase.
  package init(_ phase: AppPhase = .foreground) { state = Lock(State(phase: phase)) }

  /// How many grants of background time were given and not finished.
  package var openGrants: Int { state.withLock { $0.granted - $0.finished } }

  /// How often time was asked for with `askForTime()`.
  package var askedForTime: Int { state.withLock { $0.asked } }

  /// Tells the present phase and all that are announced.
  package func start(_ observer: @escaping @Sendable (AppPhase, BackgroundTime) -> Void) {
    let phase = state.withLock { state in
      state.observer = observer
      return state.phase
    }
    observer(phase, .none)
  }

  /// Stops telling.
  package func stop() { state.withLock { $0.observer = nil } }

  /// Grants time, and counts that it was asked for.
  package func askForTime() -> BackgroundTime {
    state.withLock { state in
      state.asked += 1
      state.granted += 1
    }
    return grant()
  }

  /// Announces a phase on the caller's thread; going to the background grants time.
  package func announce(_ phase: AppPhase) {
    let observer = state.withLock { state in
      // Who comes later is told where the app is, not what happened to the machine.
      if phase.presence != nil { state.phase = phase }
      if phase == .background { state.granted += 1 }
      return state.observer
    }
    observer?(phase, phase == .background ? grant() : .none)
  }

  private func grant() -> BackgroundTime {
    let isOpen = Lock(true)
    return BackgroundTime { [state] in
      let isFirst = isOpen.withLock { isOpen in
        defer { isOpen = false }
        return isOpen
      }
      if isFirst { state.withLock { $0.finished += 1 } }
    }
  }
}
