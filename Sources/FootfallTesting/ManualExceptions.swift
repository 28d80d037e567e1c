package import FootfallCore
import FootfallPlatform
import FootfallSystem

/// A system with room for one handler of uncaught exceptions, which a test raises.
///
/// What the library puts there is the chain that it uses on Apple's systems too.
package final class ManualExceptions: ExceptionSource {
  private let handler: Lock<(@Sendable (RaisedException) -> Void)?>
  private let chain = ExceptionChain<RaisedException> { $0 }

  /// A system where `earlier` is the handler; nil for none.
  package init(earlier: (@Sendable (RaisedException) -> Void)? = nil) {
    handler = Lock(earlier)
  }

  /// Whether there is a handler.
  package var isHandled: Bool { handler.withLock { $0 != nil } }

  /// Tells of what is raised from here on.
  package func watch(_ onException: @escaping @Sendable (RaisedException) -> Void) -> Bool {
    chain.add(onException) {
      handler.withLock { handler in
        defer { handler = { [chain] in chain.handle($0) } }
        return handler
      }
    }
    return true
  }

  /// Raises an exception that nobody catches; the process would end when this returns.
  package func raise(_ exception: RaisedException) {
    handler.withLock { $0 }?(exception)
  }
}
