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
    Self.chain.add(onException, install: Self.install)
    return true
  }

  /// Takes the process's one place, and gives who had it.
  private static func install() -> ExceptionChain<NSException>.Handler? {
    let earlier = NSGetUncaughtExceptionHandler()
    NSSetUncaughtExceptionHandler { exception in UncaughtExceptions.chain.handle(exception) }
    guard let earlier else { return nil }
    return { exception in earlier(exception) }
  }
}
#endif
