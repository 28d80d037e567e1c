package import FootfallCore

/// What is told without a call of the app's; nothing unless passed to `configure`.
public struct Autocapture: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: Int

  /// Options from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// `app_launched` at every launch, with `is_first_launch`.
  public static let appLaunches = Autocapture(rawValue: 1)
  /// `session_start` and `session_end`, whose `duration_s` is its length in seconds, and a `session_id`
  /// on every event.
  public static let sessions = Autocapture(rawValue: 2)
  /// `app_crashed` at the launch after an uncaught `NSException`, with `exception_name`, `reason` and
  /// `stack`.
  ///
  /// Traps of Swift and signals are no exceptions, and Linux has none.
  public static let crashes = Autocapture(rawValue: 4)
  /// All three.
  public static let all: Autocapture = [.appLaunches, .sessions, .crashes]
}

/// When a session ends.
public enum SessionMode: Sendable, Hashable {
  /// After 30 minutes away: on a Mac behind another app, elsewhere in the background.
  case activation
  /// After so many minutes without an event; fewer than 1 count as 1.
  case inactivityTimeout(minutes: Int)
}

/// Whether events say that the user was active.
///
/// If so they carry `app_state`, `active` or `background`, and `engaged_ms`, the milliseconds that the
/// app was in front since the event before. Back-dated events carry neither, and on Linux nothing is
/// known of it.
public struct Activity: Sendable, Hashable {
  private let isOn: Bool

  /// They say so as far as the system tells.
  public static let automatic = Activity(isOn: true)
  /// They say nothing of it.
  public static let off = Activity(isOn: false)
}

/// What is taken out of the reason of a crash before it is saved.
///
/// The files' paths in its stack are always cut to their last component.
public struct CrashReasonRedaction: Sendable, Hashable {
  /// Whether digits become `#`, UUIDs `<uuid>` and hexadecimal values `<hex>`.
  public var shouldStripNumbers: Bool
  /// Whether paths and file URLs become `<path>`.
  public var shouldStripPaths: Bool
  /// Whether e-mail addresses become `<email>`.
  public var shouldStripEmails: Bool
  /// How long the reason is at most, in characters; at most 4,000.
  public var maxLength: Int

  /// A redaction of chosen parts; of all of them, cut at 200 characters, unless given.
  public init(
    shouldStripNumbers: Bool = true,
    shouldStripPaths: Bool = true,
    shouldStripEmails: Bool = true,
    maxLength: Int = 200
  ) {
    self.shouldStripNumbers = shouldStripNumbers
    self.shouldStripPaths = shouldStripPaths
    self.shouldStripEmails = shouldStripEmails
    self.maxLength = maxLength
  }

  /// Numbers, paths and addresses, cut at 200 characters.
  public static let standard = CrashReasonRedaction()

  /// The rule that does it.
  package var rule: ReasonRedaction {
    ReasonRedaction(
      numbers: shouldStripNumbers,
      paths: shouldStripPaths,
      emails: shouldStripEmails,
      maxLength: maxLength
    )
  }
}
