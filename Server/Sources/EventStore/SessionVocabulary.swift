/// The names by which events tell of the session they are part of.
public enum SessionVocabulary {
  /// Names of events that mark a session's start.
  ///
  /// Source: the native vocabulary; Amplitude's; Pinpoint's, with that of its old web clients.
  public static let startNames = [
    "session_start", "[Amplitude] Start Session", "_session.start", "_session_start",
  ]
  /// The name of events that tell of a crash.
  public static let crashName = "app_crashed"
  /// The property that says whether the app is in front.
  public static let state = "app_state"
  /// What `state` says of an app that is not in front.
  public static let background = "background"
  /// The property that says how long the app was in front, in milliseconds.
  public static let engaged = "engaged_ms"
  /// An event cannot have been in front for longer, in milliseconds: a week.
  public static let longestEngagedMs: Int64 = 7 * 86_400_000
  /// A session that seems to be longer, in milliseconds, has no length: a clock was set in between.
  public static let longestMs: Int64 = 7 * 86_400_000
}
