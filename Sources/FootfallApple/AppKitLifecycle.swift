#if canImport(AppKit) && !canImport(UIKit)
import AppKit
package import FootfallPlatform
import Foundation

/// The lifecycle of an app on macOS.
package final class AppKitLifecycle: AppLifecycle {
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
        (NSApplication.didBecomeActiveNotification, .foreground),
        (NSApplication.didResignActiveNotification, .inactive),
        (NSApplication.didHideNotification, .background),
        (NSApplication.didUnhideNotification, .inactive),
        (NSApplication.willTerminateNotification, .terminating),
      ]
      for (name, phase) in phases {
        observers.observe(name) { _ in observer(phase, .none) }
      }
      let workspace = NSWorkspace.shared.notificationCenter
      observers.observe(NSWorkspace.willSleepNotification, in: workspace) { _ in
        observer(.asleep, .none)
      }
      observers.observe(NSWorkspace.didWakeNotification, in: workspace) { _ in
        observer(.awake, .none)
      }
      observer(Self.present, .none)
    }
  }

  /// Stops telling.
  ///
  /// Any thread.
  package func stop() { observers.removeAll() }

  /// Asks the running application and not `NSApplication.shared`, which would make one in a tool.
  private static var present: AppPhase {
    NSRunningApplication.current.isActive ? .foreground : .inactive
  }
}
#endif
