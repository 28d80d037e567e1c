package import FootfallSystem

/// How much a log line matters; the cases of swift-log, so that a bridge maps them by name.
public enum LogLevel: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// Every step, for whoever works on the library.
  case trace
  /// Useful while integrating: what was stored, sealed and sent.
  case debug
  /// What happens in normal running, rarely.
  case info
  /// Normal, yet worth knowing: a setting raised to its minimum.
  case notice
  /// Something failed and will be tried again, or an event was refused.
  case warning
  /// Events were lost, or cannot be stored at all.
  case error
  /// The library cannot work.
  case critical

  /// Whether the left level matters less.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// One line for the app's log: a plain sentence with its numbers, never a property value or a key.
public struct LogLine: Sendable, Hashable {
  /// How much it matters.
  public let level: LogLevel
  /// The sentence.
  public let message: String
  /// How often the same sentence was held back since it was last handed out.
  public let repeats: Int

  /// Makes a line.
  public init(level: LogLevel, message: String, repeats: Int = 0) {
    self.level = level
    self.message = message
    self.repeats = repeats
  }

  /// The line as the default sinks print it.
  public var text: String {
    repeats == 0 ? message : "\(message) (\(repeats) more times)"
  }
}

/// Hands sentences about the library's own work to the app's log.
///
/// A message below the level costs a comparison: it is an autoclosure. The same sentence is handed
/// out once a minute at most, with the count of those held back, unless the sink wants them all. The
/// level is fixed when the client starts. Any thread.
package struct Logger: Sendable {
  /// Lines below this are not made; nil if none is made.
  package var level: LogLevel?
  private let sink: @Sendable (LogLine) -> Void
  private let monotonic: @Sendable () -> MonotonicTime
  private let filter: Lock<RepeatFilter>?

  /// Makes a logger.
  ///
  /// - Parameters:
  ///   - level: Lines below it are not made; warnings and worse unless told otherwise, nil for none.
  ///   - holdsRepeats: Whether equal lines come once a minute only. False for a sink that judges for
  ///     itself, with the level `trace`.
  ///   - sink: Receives the lines, on the thread of the caller, with no lock held; may be slow only
  ///     at the library's own cost.
  ///   - monotonic: Measures the minute between two equal lines.
  package init(
    level: LogLevel? = .warning,
    holdsRepeats: Bool = true,
    sink: @escaping @Sendable (LogLine) -> Void = LogSink.system,
    monotonic: @escaping @Sendable () -> MonotonicTime = { .now() }
  ) {
    self.level = level
    self.sink = sink
    self.monotonic = monotonic
    filter = holdsRepeats ? Lock(RepeatFilter()) : nil
  }

  /// A logger that says nothing.
  package static let silent = Logger(level: nil, sink: { _ in })

  /// Logs a message at a level.
  package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard let least = self.level, level >= least else { return }
    let message = message()
    guard let filter else { return sink(LogLine(level: level, message: message)) }
    let now = monotonic().nanoseconds
    guard let repeats = filter.withLock({ $0.receive(message, atNanoseconds: now) }) else { return }
    sink(LogLine(level: level, message: message, repeats: repeats))
  }

  /// Logs at `LogLevel.trace`.
  package func trace(_ message: @autoclosure () -> String) { log(.trace, message()) }
  /// Logs at `LogLevel.debug`.
  package func debug(_ message: @autoclosure () -> String) { log(.debug, message()) }
  /// Logs at `LogLevel.info`.
  package func info(_ message: @autoclosure () -> String) { log(.info, message()) }
  /// Logs at `LogLevel.notice`.
  package func notice(_ message: @autoclosure () -> String) { log(.notice, message()) }
  /// Logs at `LogLevel.warning`.
  package func warning(_ message: @autoclosure () -> String) { log(.warning, message()) }
  /// Logs at `LogLevel.error`.
  package func error(_ message: @autoclosure () -> String) { log(.error, message()) }
  /// Logs at `LogLevel.critical`.
  package func critical(_ message: @autoclosure () -> String) { log(.critical, message()) }
}
