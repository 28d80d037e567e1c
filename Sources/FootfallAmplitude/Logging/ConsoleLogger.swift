package import FootfallPlatform
import FootfallSystem

/// Writes to the system's log: subsystem `Amplitude`, category `Logging`; standard error on Linux.
///
/// Any thread.
open class ConsoleLogger: Logger, @unchecked Sendable {
  // Sendable: its one variable is behind a lock.
  /// The type that names levels.
  public typealias LogLevel = LogLevelEnum

  /// The system's log.
  private static let system = LogSink.system(subsystem: "Amplitude", category: "Logging")
  private let level: Lock<Int>
  private let sink: @Sendable (LogLine) -> Void

  /// A console that says so much; nothing until a client sets the level, unless given.
  public init(logLevel: Int = LogLevelEnum.off.rawValue) {
    level = Lock(logLevel)
    sink = Self.system
  }

  /// A console whose lines a test sees.
  package init(sink: @escaping @Sendable (LogLine) -> Void) {
    level = Lock(LogLevelEnum.off.rawValue)
    self.sink = sink
  }

  /// How much is said, as the raw value of a `LogLevelEnum`.
  public var logLevel: Int {
    get { level.withLock { $0 } }
    set { level.withLock { $0 = newValue } }
  }

  /// Something failed.
  open func error(message: String) { say(.error, .error, message) }
  /// Something was refused or is doubtful.
  open func warn(message: String) { say(.warn, .warning, message) }
  /// Something is done.
  open func log(message: String) { say(.log, .info, message) }
  /// A detail.
  open func debug(message: String) { say(.debug, .debug, message) }

  private func say(
    _ least: LogLevelEnum,
    _ level: FootfallPlatform.LogLevel,
    _ message: String
  ) {
    guard logLevel >= least.rawValue else { return }
    sink(LogLine(level: level, message: message))
  }
}
