#if canImport(WatchKit) && os(watchOS)
package import FootfallPlatform
import Foundation
import WatchKit

/// The lifecycle of an app on watchOS, where nothing announces the end of the process.
package final class WatchKitLifecycle: AppLifecycle {
  private let observers = NotificationObservers()

  /// Makes an adapter that observes nothing yet.
  package init() {}

  /// Starts telling phases on the main thread, the present one first.
  ///
  /// Any thread.
  package func start(_ observer: @escaping @Sendable (AppPhase, BackgroundTime) -> Void) {
    observers.removeAll()
    onMainActor { [observers] in
      let phases: [(Notification.Name, AppPhase)] = [
        (WKApplication.willEnterForegroundNotification, .foreground),
        (WKApplication.didBecomeActiveNotification, .foreground),
        (WKApplication.willResignActiveNotification, .inactive),
        (WKApplication.didEnterBackgroundNotification, .background),
      ]
      for (name, phase) in phases {
        observers.observe(name) { _ in observer(phase, .none) }
      }
      observer(Self.present, .none)
    }
  }

  /// Stops telling.
  ///
  /// Any thread.
  package func stop() { observers.removeAll() }

  @MainActor private static var present: AppPhase {
    switch WKApplication.shared().applicationState {
    case .active: return .foreground
    case .inactive: return .inactive
    case .background: return .background
    @unknown default: return .foreground
    }
  }
}
#endif
