#if canImport(os)
import os

/// Where log lines go unless the app says otherwise.
package enum LogSink {
  private static let unified = os.Logger(subsystem: "footfall", category: "footfall")

  /// The unified log, readable in Console under the subsystem `footfall`.
  ///
  /// Lines hold neither property values nor keys, so they are public.
  package static let system: @Sendable (LogLine) -> Void = { line in
    switch line.level {
    case .trace, .debug: unified.debug("\(line.text, privacy: .public)")
    case .info: unified.info("\(line.text, privacy: .public)")
    case .notice: unified.notice("\(line.text, privacy: .public)")
    case .warning: unified.warning("\(line.text, privacy: .public)")
    case .error: unified.error("\(line.text, privacy: .public)")
    case .critical: unified.critical("\(line.text, privacy: .public)")
    }
  }
}
#endif
