public import Foundation

extension FootfallClient {
  /// When sessions begin and end.
  ///
  /// A session is one visit of the user: it begins when the app comes to the front, outlives short
  /// absences, and is carried by every event. The library tells its start and its end as the events
  /// `session_start` and `session_end`, whose `duration_s` is its length in seconds.
  public struct Sessions: Sendable, Hashable {
    /// Whether there are sessions; true unless changed, but false on Linux.
    ///
    /// A process without a window has no user in front of it whose visit could begin and end. A
    /// program that has one there switches sessions on, and gives them a `maximumSeconds`.
    public var isEnabled = Sessions.isUsual
    /// How long the app may be away before the session is over, in seconds; 1,800 unless changed,
    /// from 1 to a year.
    ///
    /// Away is out of sight, and on a Mac behind another app.
    public var timeoutSeconds: TimeInterval = 1_800
    /// How long a session may last at most, in seconds, from 1 to a year; nil, for no limit, unless
    /// changed.
    ///
    /// A session over it ends at its last event, when the next one comes.
    public var maximumSeconds: TimeInterval?
    /// Whether starts and ends are tracked as events of their own; true unless changed.
    public var tracksStartAndEnd = true

    /// The usual sessions.
    public init() {}

    #if os(Linux)
    private static let isUsual = false
    #else
    private static let isUsual = true
    #endif
  }
}
