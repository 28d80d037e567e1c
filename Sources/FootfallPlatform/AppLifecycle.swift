/// What the app is doing, as far as storing and sending events cares.
package enum AppPhase: Sendable, Hashable, CaseIterable {
  /// In use: a window is active or about to be.
  case foreground
  /// On screen without the user's attention, as behind a call or another window.
  case inactive
  /// Out of sight; the system may stop the process soon.
  case background
  /// The machine is about to sleep.
  case asleep
  /// The process ends as soon as the observer returns: write what is held, wait for nothing.
  case terminating
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
}

/// Time the system grants for finishing work after the app has left the screen.
///
/// Handed out with every phase; where the system grants none, `finish()` does nothing. Whoever
/// receives it calls `finish()` when the work is done, on any thread, as often as it likes.
package struct BackgroundTime: Sendable {
  private let onFinish: @Sendable () -> Void

  /// Makes a grant; `onFinish` gives it back and must bear being called twice.
  package init(onFinish: @escaping @Sendable () -> Void) { self.onFinish = onFinish }

  /// No time was granted, and none is needed.
  package static let none = BackgroundTime {}

  /// Gives the granted time back.
  package func finish() { onFinish() }
}

/// The lifecycle of a process without an interface: in the foreground until it ends.
///
/// A server or command line says itself when it ends, by `flush()` and `shutdown()`; the signals of a
/// process belong to the process, so none is touched here.
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
