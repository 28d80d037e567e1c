/// Tells clients that the process is about to end, so that they can store and send what waits.
///
/// For processes without an interface; an app's lifecycle says it otherwise. Real form:
/// `SystemProcessEnd` on Linux and macOS.
package protocol ProcessEnd: Sendable {
  /// Has a closure run once before the process ends in one of the given ways.
  ///
  /// Closures of several clients run at the same time, each on a thread of its own, and the end waits
  /// for them: `limitSeconds` at most, 0 to 60. Nothing of the process is touched before the first
  /// call. Any thread.
  ///
  /// - Parameters:
  ///   - ways: What counts as the end.
  ///   - limitSeconds: How long the end may be held up by this closure.
  ///   - body: Stores and sends; should return within the limit by itself.
  /// - Returns: What takes the closure back.
  func register(
    for ways: ProcessEndWays,
    limitSeconds: Double,
    _ body: @escaping @Sendable () -> Void
  ) -> ProcessEndRegistration
}

/// The ways in which a process ends that can be noticed.
package struct ProcessEndWays: OptionSet, Sendable, Equatable {
  /// The ways as bits.
  package let rawValue: Int
  /// Ways from bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `exit` is called, or `main` returns.
  package static let exit = ProcessEndWays(rawValue: 1)
  /// SIGTERM or SIGINT arrives, which the app leaves to the system.
  ///
  /// Afterwards the process ends by that signal as it would have. A signal that the process ignores
  /// stays ignored; a handler of the app's own, set before, gets the signal afterwards, and one set
  /// later instead of this.
  package static let signals = ProcessEndWays(rawValue: 2)
}

/// Which closure is meant when it is taken back.
package struct ProcessEndRegistration: Sendable {
  private let onCancel: @Sendable () -> Void

  /// A registration that is taken back by a closure, which must bear being called twice.
  package init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  /// Takes the closure back, as at a client's shutdown; it may be running already.
  package func cancel() { onCancel() }
}

/// No word about the end.
package struct UnknownProcessEnd: ProcessEnd {
  /// Makes a form that never tells.
  package init() {}

  /// Keeps nothing.
  package func register(
    for ways: ProcessEndWays,
    limitSeconds: Double,
    _ body: @escaping @Sendable () -> Void
  ) -> ProcessEndRegistration {
    ProcessEndRegistration {}
  }
}
