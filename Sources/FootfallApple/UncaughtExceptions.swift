#if canImport(ObjectiveC)
package import FootfallCore
import Foundation
import FootfallPlatform

/// Exceptions of Objective-C that nobody catches.
package struct UncaughtExceptions: ExceptionSource {
  /// Makes a view of the process's handler.
  package init() {}

  /// One for the process, as there is one handler.
  private static let chain = ExceptionChain<NSException> { exception in
    RaisedException(
      name: exception.name.rawValue,
      reason: exception.reason,
      frames: exception.callStackSymbols
    )
  }

  /// Tells of every exception that nobody catches; see `ExceptionSource`.
  package func watch(_ onException: @escaping @Sendable (RaisedException) -> Void) -> Bool {
    Self.chain.add(onException) {
      let earlier = NSGetUncaughtExceptionHandler()
      NSSetUncaughtExceptionHandler { exception in UncaughtExceptions.chain.handle(exception) }
      return earlier.map { handler in { handler($0) } }
    }
    return true
  }
}
#endif
