import FootfallPlatform
import FootfallSystem

/// Passes an app's phases on, and remembers where it is, for events that say so.
struct AppPlace: AppLifecycle {
  private let base: any AppLifecycle
  private let phase = Lock<AppPhase?>(nil)

  init(_ base: any AppLifecycle) {
    self.base = base
  }

  /// Where the app is; nil before that is known.
  var current: AppPhase? { phase.withLock { $0 } }

  /// Where the app is, as the documented client names it.
  var name: String {
    switch current {
    case .foreground: "active"
    case .inactive: "inactive"
    default: "background"
    }
  }

  func start(_ observer: @escaping @Sendable (AppPhase, BackgroundTime) -> Void) {
    base.start { [phase] next, time in
      if next.presence != nil { phase.withLock { $0 = next } }
      observer(next, time)
    }
  }

  func stop() { base.stop() }

  func askForTime() -> BackgroundTime { base.askForTime() }
}
