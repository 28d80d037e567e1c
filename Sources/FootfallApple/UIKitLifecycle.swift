#if canImport(UIKit) && !os(watchOS)
package import FootfallPlatform
import Foundation
import FootfallSystem
import UIKit

/// The lifecycle of an app on iOS, iPadOS, tvOS and visionOS.
package final class UIKitLifecycle: AppLifecycle {
  private let observers = NotificationObservers()

  /// Makes an adapter that observes nothing yet.
  package init() {}

  /// Starts telling phases; the present one follows on the main thread.
  ///
  /// Any thread.
  package func start(_ observer: @escaping @Sendable (AppPhase, BackgroundTime) -> Void) {
    observers.removeAll()
    let phases: [(Notification.Name, AppPhase)] = [
      (UIApplication.willEnterForegroundNotification, .foreground),
      (UIApplication.didBecomeActiveNotification, .foreground),
      (UIApplication.willResignActiveNotification, .inactive),
      (UIApplication.willTerminateNotification, .terminating),
    ]
    for (name, phase) in phases {
      observers.observe(name) { _ in observer(phase, .none) }
    }
    observers.observe(UIApplication.didEnterBackgroundNotification) { notification in
      observer(.background, BackgroundTime(asking: notification.object as? UIApplication))
    }
    onMainActor { observer(Self.present, .none) }
  }

  /// Stops telling.
  ///
  /// Any thread.
  package func stop() { observers.removeAll() }

  @MainActor private static var present: AppPhase {
    // An app extension has no application object, and asking for it would end the process.
    guard !Bundle.main.bundlePath.hasSuffix(".appex") else { return .foreground }
    switch UIApplication.shared.applicationState {
    case .active: return .foreground
    case .inactive: return .inactive
    case .background: return .background
    @unknown default: return .foreground
    }
  }
}

extension BackgroundTime {
  /// Asks the system for time until the work is done or the grant expires.
  fileprivate init(asking application: UIApplication?) {
    guard let application else {
      self = .none
      return
    }
    let granted = Lock(UIBackgroundTaskIdentifier.invalid)
    let finish: @Sendable () -> Void = {
      let task = granted.withLock { task in
        defer { task = .invalid }
        return task
      }
      if task != .invalid { application.endBackgroundTask(task) }
    }
    let task = application.beginBackgroundTask(withName: "Footfall") { finish() }
    granted.withLock { $0 = task }
    self.init(onFinish: finish)
  }
}
#endif
