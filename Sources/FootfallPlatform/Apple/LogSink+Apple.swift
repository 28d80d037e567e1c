#if canImport(os)
import os

/// Where log lines go unless the app says otherwise.
package enum LogSink {
  /// The unified log, readable in Console under the subsystem `footfall`.
  package static let system = system(subsystem: "footfall")

  /// The unified log under a subsystem and a category.
  ///
  /// Lines hold neither property values nor keys, so they are public.
  package static func system(
    subsystem: String,
    category: String = "footfall"
  ) -> @Sendable (LogLine) -> Void {
    let unified = os.Logger(subsystem: subsystem, category: category)
    return { line in
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
}

extension Logger {
  /// The unified log has levels of its own to choose from.
  static func systemLevel(_ level: LogLevel?, variable: String) -> LogLevel? { level }
}
#endif
