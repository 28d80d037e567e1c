package import FootfallCore
import FootfallSystem

/// Tells of the exception that ends the process, for those who want to keep it.
///
/// Real form: `UncaughtExceptions` of `FootfallApple`. Traps of Swift and signals are no exceptions.
package protocol ExceptionSource: Sendable {
  /// Tells of every exception that nobody catches, on its thread, before the process ends; false on
  /// a system that has none.
  ///
  /// For as long as the process runs. Whoever was told before is told afterwards, as it was.
  func watch(_ onException: @escaping @Sendable (RaisedException) -> Void) -> Bool
}

/// A system without exceptions.
package struct NoExceptions: ExceptionSource {
  /// Makes a source that never tells anything.
  package init() {}

  /// Does nothing, and says so.
  package func watch(_ onException: @escaping @Sendable (RaisedException) -> Void) -> Bool { false }
}

/// All that is done when nobody catches an exception: what the library does, then what was done before.
///
/// A system has room for one handler, so the library takes it once for all clients of the process,
/// and calls whoever had it. `Exception` is the system's own kind.
package final class ExceptionChain<Exception>: Sendable {
  /// What is called with an exception.
  package typealias Handler = @Sendable (Exception) -> Void

  private struct State {
    var watchers: [@Sendable (RaisedException) -> Void] = []
    var isInstalled = false
    var earlier: Handler?
  }

  private let state = Lock(State())
  private let describe: @Sendable (Exception) -> RaisedException

  /// A chain that is not in the system's place yet.
  ///
  /// - Parameter describe: What there is to say of an exception.
  package init(_ describe: @escaping @Sendable (Exception) -> RaisedException) {
    self.describe = describe
  }

  /// Adds someone to be told; `install`, called at the first time only, puts `handle` in the
  /// system's place and gives what was there.
  package func add(
    _ watcher: @escaping @Sendable (RaisedException) -> Void,
    install: () -> Handler?
  ) {
    let isFirst = state.withLock { state in
      state.watchers.append(watcher)
      defer { state.isInstalled = true }
      return !state.isInstalled
    }
    guard isFirst else { return }
    let earlier = install()
    state.withLock { $0.earlier = earlier }
  }

  /// Tells everyone of an exception, the one who was there before last.
  package func handle(_ exception: Exception) {
    let (watchers, earlier) = state.withLock { ($0.watchers, $0.earlier) }
    let raised = describe(exception)
    for watcher in watchers { watcher(raised) }
    earlier?(exception)
  }
}
