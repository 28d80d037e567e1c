import FootfallCore
package import FootfallEngine
package import FootfallPlatform

/// What is told without a call of the app's.
///
/// Source: `simpledatalogs.md` sections 4 and 5.
package struct SimpleDataLogsCapture: Sendable, Hashable {
  /// When a session ends.
  package enum SessionMode: Sendable, Hashable {
    /// After 30 minutes away from the app.
    case activation
    /// After so many minutes without an event; fewer than 1 count as 1.
    case inactivityTimeout(minutes: Int)
  }

  /// Whether every launch is an event.
  package var tellsLaunches = false
  /// Whether starts and ends of sessions are events, and every event carries its session.
  package var tellsSessions = false
  /// When a session ends.
  package var sessionMode = SessionMode.activation
  /// Whether events say whether the user was active, and for how long.
  package var tellsActivity = true

  /// Nothing is told but, on every event, the user's activity.
  package init() {}

  /// Launches and sessions.
  package static let all: SimpleDataLogsCapture = {
    var capture = SimpleDataLogsCapture()
    capture.tellsLaunches = true
    capture.tellsSessions = true
    return capture
  }()

  /// The rules that say so on a device.
  ///
  /// On a Mac the app is left as soon as another is active, and input counts anywhere; on Linux
  /// nobody knows of activity.
  package func rules(on device: DeviceContext) -> PipelineRules {
    let isMac = device.platform == "macOS"
    var sessions = tellsSessions ? sessionRules : nil
    if isMac { sessions?.awayFrom = .inactive }
    var activity: PipelineRules.ActivityRules? = isMac ? .mac : PipelineRules.ActivityRules()
    if !tellsActivity || device.platform == "Linux" { activity = nil }
    return .simpleDataLogs(sessions: sessions, tellsLaunches: tellsLaunches, activity: activity)
  }

  private var sessionRules: SessionRules {
    switch sessionMode {
    case .activation: .activation
    case .inactivityTimeout(let minutes): .inactivity(minutes: minutes)
    }
  }
}
