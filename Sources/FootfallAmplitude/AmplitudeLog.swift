package import FootfallPlatform

/// How much Amplitude's client says.
///
/// Source: `amplitude.md` section 2.3, `LogLevel`.
package enum AmplitudeLogLevel: Int, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case off
  /// What failed.
  case error
  /// What was refused or is doubtful, too.
  case warn
  /// What it does, too.
  case log
  /// Every detail, too.
  case debug

  /// How much has to be said for a line to be seen; never `off`.
  package init(_ line: LogLevel) {
    self =
      switch line {
      case .critical, .error: .error
      case .warning: .warn
      case .notice, .info: .log
      case .debug, .trace: .debug
      }
  }

  /// The least that lines have to matter; nil if none is said.
  package var least: LogLevel? {
    LogLevel.allCases.first { AmplitudeLogLevel($0).rawValue <= rawValue }
  }
}

/// A log of the app's own, with Amplitude's four kinds of lines.
///
/// It gets every line, whatever its level: the filtering is its own. Source: `amplitude.md` section
/// 2.5, L9 and L15.
package protocol AmplitudeLog: AnyObject, Sendable {
  /// How much is to be said; set once, when the client is made.
  var logLevel: Int { get set }
  /// Something failed.
  func error(message: String)
  /// Something was refused or is doubtful.
  func warn(message: String)
  /// Something is done.
  func log(message: String)
  /// A detail.
  func debug(message: String)
}

extension Logger {
  /// Amplitude's console: a level that is fixed when the client is made.
  ///
  /// - Parameters:
  ///   - level: How much is said; `warn` unless told otherwise.
  ///   - sink: Takes the lines; the system's log unless told otherwise.
  /// - Returns: A logger.
  package static func amplitude(
    _ level: AmplitudeLogLevel = .warn,
    sink: @escaping @Sendable (LogLine) -> Void = LogSink.system(subsystem: "Amplitude")
  ) -> Logger {
    Logger(level: level.least, sink: sink)
  }

  /// A logger that hands every line to a log of the app's own, and tells it the level.
  ///
  /// - Parameters:
  ///   - own: Takes the lines.
  ///   - level: What it is told to say; `warn` unless told otherwise.
  /// - Returns: A logger.
  package static func amplitude(
    _ own: any AmplitudeLog,
    level: AmplitudeLogLevel = .warn
  ) -> Logger {
    own.logLevel = level.rawValue
    return Logger(level: .trace, holdsRepeats: false) { line in
      switch AmplitudeLogLevel(line.level) {
      case .off: break
      case .error: own.error(message: line.text)
      case .warn: own.warn(message: line.text)
      case .log: own.log(message: line.text)
      case .debug: own.debug(message: line.text)
      }
    }
  }
}
