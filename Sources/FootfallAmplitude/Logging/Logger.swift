#if canImport(ObjectiveC)
import Foundation
#endif

/// How much a client says.
#if canImport(ObjectiveC)
@objc(AMPLogLevel)
#endif
public enum LogLevelEnum: Int, Sendable, Hashable, CaseIterable {
  // First, since of an enumeration's very first case the compiler does not see a conditional name.
  /// The name of earlier versions.
  @available(*, deprecated, renamed: "off") public static let OFF = LogLevelEnum.off

  /// Nothing.
  #if canImport(ObjectiveC)
  @objc(AMPLogLevelOFF)
  #endif
  case off
  /// What failed.
  #if canImport(ObjectiveC)
  @objc(AMPLogLevelERROR)
  #endif
  case error
  /// What was refused or is doubtful, too.
  #if canImport(ObjectiveC)
  @objc(AMPLogLevelWARN)
  #endif
  case warn
  /// What it does, too.
  #if canImport(ObjectiveC)
  @objc(AMPLogLevelLOG)
  #endif
  case log
  /// Every detail, too.
  #if canImport(ObjectiveC)
  @objc(AMPLogLevelDEBUG)
  #endif
  case debug

  /// The name of earlier versions.
  @available(*, deprecated, renamed: "error") public static let ERROR = LogLevelEnum.error
  /// The name of earlier versions.
  @available(*, deprecated, renamed: "warn") public static let WARN = LogLevelEnum.warn
  /// The name of earlier versions.
  @available(*, deprecated, renamed: "log") public static let LOG = LogLevelEnum.log
  /// The name of earlier versions.
  @available(*, deprecated, renamed: "debug") public static let DEBUG = LogLevelEnum.debug
}

/// Takes what a client says about its own work.
///
/// A log of the app's own gets every line, on any thread: the filtering by `logLevel` is its own. The
/// client sets that once, when it is made.
public protocol Logger {
  /// The type that names levels, such as `LogLevelEnum`.
  associatedtype LogLevel: RawRepresentable
  /// How much is to be said, as the raw value of a level.
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
