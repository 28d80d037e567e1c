#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Where log lines go unless the app says otherwise.
package enum LogSink {
  /// The standard error stream, one line in one write, so that lines of several threads do not mix.
  package static let system = system(subsystem: "footfall")

  /// The standard error stream, with lines that begin with a name.
  package static func system(
    subsystem: String,
    category: String = ""
  ) -> @Sendable (LogLine) -> Void {
    { line in
      var text = "\(subsystem) \(line.level): \(line.text)\n"
      // What does not fit or cannot be written is lost: there is nowhere left to say so.
      _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }
}

extension Logger {
  static func systemLevel(_ level: LogLevel?, variable: String) -> LogLevel? {
    Self.level(asked: getenv(variable).map { String(cString: $0) }, otherwise: level)
  }
}
#endif
