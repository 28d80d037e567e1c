extension Logger {
  /// The level that a variable of the process's environment asks for, for the system's sink.
  ///
  /// `off`, or a level's name in any case: `error`, `warning` (or `warn`), `notice`, `info`, `debug`,
  /// `trace`, `critical`. Anything else, and no value, leaves the level as it is. It lets a person
  /// look at an app's sending without building it anew.
  ///
  /// - Parameters:
  ///   - value: The variable's value; `systemLevel(_:variable:)` reads it.
  ///   - otherwise: The level without the variable; nil for none.
  /// - Returns: The least level of lines that are made; nil for none.
  static func level(asked value: String?, otherwise: LogLevel?) -> LogLevel? {
    guard let name = value?.lowercased(), !name.isEmpty else { return otherwise }
    if name == "off" { return nil }
    if name == "warn" { return .warning }
    return LogLevel.allCases.first { "\($0)" == name } ?? otherwise
  }

  /// A logger to the system's log, or to standard error on Linux, where a variable of the
  /// environment has the last word about the level.
  ///
  /// - Parameters:
  ///   - level: The least level without the variable; nil for none.
  ///   - subsystem: The name that the lines have in the system's log, and begin with on Linux.
  ///   - variable: The variable's name, looked at on Linux only.
  /// - Returns: A logger.
  package static func system(
    level: LogLevel? = .warning,
    subsystem: String = "footfall",
    variable: String = "FOOTFALL_LOG"
  ) -> Logger {
    Logger(
      level: systemLevel(level, variable: variable),
      sink: LogSink.system(subsystem: subsystem)
    )
  }
}
