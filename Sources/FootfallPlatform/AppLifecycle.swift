package import FootfallCore
package import Foundation

/// What happens to the app, as far as storing and sending events cares.
package enum AppPhase: Sendable, Hashable, CaseIterable {
  /// In use: a window is active or about to be.
  case foreground
  /// On screen without the user's attention, as behind a call or another window.
  case inactive
  /// Out of sight; the system may stop the process soon.
  case background
  /// The machine is about to sleep.
  case asleep
  /// The machine has woken: what was so before it slept is so again.
  case awake
  /// The system is short of memory: write and let go of what need not be held.
  case memoryWarning
  /// The process ends as soon as the observer returns: write what is held, wait for nothing.
  case terminating

  /// How much of the user's attention this leaves the app; nil where it does not change that.
  ///
  /// Sleep does not: the clock that measures attention stands still meanwhile.
  package var presence: Presence? {
    switch self {
    case .foreground: .active
    case .inactive: .inactive
    case .background: .background
    case .asleep, .awake, .memoryWarning, .terminating: nil
    }
  }
}

/// Tells when an app comes, goes and ends.
///
/// Two real forms: the adapters of `FootfallApple`, and `HeadlessLifecycle` for processes without an
/// interface. An adapter turns notifications into phases and decides nothing.
package protocol AppLifecycle: Sendable {
  /// Starts telling an observer the phases, the present one first.
  ///
  /// The observer is called on the thread of the notification, for UI adapters the main thread, and
  /// synchronously: after it has returned from `.terminating` the process may be gone. It must not
  /// wait for long. One observer at a time; a second call replaces the first.
  func start(_ observer: @escaping @Sendable (AppPhase, BackgroundTime) -> Void)

  /// Stops telling. Any thread; a call that is on its way may still arrive.
  func stop()

  /// Asks for time to finish a request even if the app leaves the screen meanwhile.
  ///
  /// Any thread, after `start`; `.none` where the system grants none, and before the first phase was
  /// told. Give it back as soon as the answer or the failure is there.
  func askForTime() -> BackgroundTime
}

extension AppLifecycle {
  /// No time is granted, and none is needed.
  package func askForTime() -> BackgroundTime { .none }
}

/// Time the system grants for finishing work after the app has left the screen.
///
/// Handed out with every phase; where the system grants none, `finish()` does nothing. Whoever
/// receives it calls `finish()` when the work is done, on any thread, as often as it likes.
package struct BackgroundTime: Sendable {
  /// The longest that time granted with `.background` is kept, in seconds.
  ///
  /// Source: `simpledatalogs.md`, section 7.
  package static let limitSeconds = 20.0

  private let onFinish: @Sendable () -> Void

  /// Makes a grant; `onFinish` gives it back and must bear being called twice.
  package init(onFinish: @escaping @Sendable () -> Void) { self.onFinish = onFinish }

  /// No time was granted, and none is needed.
  package static let none = BackgroundTime {}

  /// Gives the granted time back.
  package func finish() { onFinish() }

  /// The same grant, given back after some seconds if nobody did before.
  ///
  /// `sleep` is the environment's; it is cancelled as soon as the time is given back.
  package func bounded(
    seconds: TimeInterval = BackgroundTime.limitSeconds,
    by sleep: @escaping @Sendable (TimeInterval) async -> Void
  ) -> BackgroundTime {
    let limit = Task { [self] in
      await sleep(seconds)
      finish()
    }
    return BackgroundTime { [self] in
      limit.cancel()
      finish()
    }
  }
}

/// The lifecycle of a process without an interface: in the foreground until it ends.
///
/// A server or command line says itself when it ends, by `flush()` and `shutdown()`, or lets
/// `ProcessEnd` watch.
package struct HeadlessLifecycle: AppLifecycle {
  /// Makes the lifecycle of a process without an interface.
  package init() {}

  /// Tells `.foreground` once, on the caller's thread, and nothing afterwards.
  package func start(_ observer: @escaping @Sendable (AppPhase, BackgroundTime) -> Void) {
    observer(.foreground, .none)
  }

  /// Does nothing: there is nothing to stop.
  package func stop() {}
}
