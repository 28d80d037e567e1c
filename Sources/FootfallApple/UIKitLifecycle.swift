#if canImport(UIKit) && !os(watchOS)
package import FootfallPlatform
import Foundation
import FootfallSystem
import UIKit

/// The lifecycle of an app on iOS, iPadOS, tvOS and visionOS.
package final class UIKitLifecycle: AppLifecycle {
  private let observers = NotificationObservers()
  /// Kept since only the main thread may ask for it, while asking it for time is anybody's.
  private let application = Lock<UIApplication?>(nil)

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
      (UIApplication.didReceiveMemoryWarningNotification, .memoryWarning),
      (UIApplication.willTerminateNotification, .terminating),
    ]
    for (name, phase) in phases {
      observers.observe(name) { _ in observer(phase, .none) }
    }
    observers.observe(UIApplication.didEnterBackgroundNotification) { notification in
      observer(.background, BackgroundTime(asking: notification.object as? UIApplication))
    }
    onMainActor { [application] in
      let running = Self.running
      application.withLock { $0 = running }
      observer(Self.phase(of: running), .none)
    }
  }

  /// Stops telling.
  ///
  /// Any thread.
  package func stop() { observers.removeAll() }

  /// Asks the system for time; see `AppLifecycle`.
  package func askForTime() -> BackgroundTime {
    BackgroundTime(asking: application.withLock { $0 })
  }

  /// The application; none in an app extension, where asking for it would end the process.
  @MainActor private static var running: UIApplication? {
    Bundle.main.bundlePath.hasSuffix(".appex") ? nil : UIApplication.shared
  }

  @MainActor private static func phase(of application: UIApplication?) -> AppPhase {
    switch application?.applicationState {
    case .inactive: .inactive
    case .background: .background
    case .active, nil: .foreground
    @unknown default: .foreground
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
