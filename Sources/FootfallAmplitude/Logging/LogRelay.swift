package import FootfallPlatform
import FootfallSystem

extension LogLevelEnum {
  /// How much has to be said for a line to be seen; never `off`.
  package init(_ line: FootfallPlatform.LogLevel) {
    self =
      switch line {
      case .critical, .error: .error
      case .warning: .warn
      case .notice, .info: .log
      case .debug, .trace: .debug
      }
  }

  /// The least that lines have to matter; nil if none is said.
  package var least: FootfallPlatform.LogLevel? {
    FootfallPlatform.LogLevel.allCases.first { LogLevelEnum($0).rawValue <= rawValue }
  }
}

/// Brings the lines of a client to the app's log, which may be exchanged while it runs.
///
/// Source: `amplitude.md` section 2.5, L9, L13 and L15.
final class LogRelay: Sendable {
  /// An app's log, which need not be `Sendable`: it is the app's promise that it can be called from any
  /// thread, as the document has it.
  private struct Held: @unchecked Sendable {
    var log: any Logger
  }

  private let held: Lock<Held>

  init(_ log: any Logger) {
    held = Lock(Held(log: log))
  }

  /// The app's log.
  var log: any Logger {
    get { held.withLock { $0 }.log }
    set { held.withLock { [box = Held(log: newValue)] in $0 = box } }
  }

  /// Hands a line to the method for its level.
  func tell(_ line: LogLine) {
    let log = log
    switch LogLevelEnum(line.level) {
    case .off: break
    case .error: log.error(message: line.text)
    case .warn: log.warn(message: line.text)
    case .log: log.log(message: line.text)
    case .debug: log.debug(message: line.text)
    }
  }

  /// A logger for the engine: what only the console would hide is not even made.
  ///
  /// Amplitude's own console gets equal lines once a minute, since it is a person who reads them; a log
  /// of the app's own gets every line.
  func logger(_ level: LogLevelEnum) -> FootfallPlatform.Logger {
    let isConsole = type(of: log) == ConsoleLogger.self
    return FootfallPlatform.Logger(
      level: isConsole ? level.least : .trace,
      holdsRepeats: isConsole,
      sink: { [self] in tell($0) }
    )
  }
}
