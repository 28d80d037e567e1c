import FootfallCore
package import FootfallEngine
package import FootfallPlatform

/// What is told without a call of the app's.
///
/// Source: `simpledatalogs.md` sections 4 to 6.
package struct SimpleDataLogsCapture: Sendable, Hashable {
  /// What the app asked for.
  package var options: Autocapture
  /// When a session ends.
  package var sessionMode = SessionMode.activation
  /// What is taken out of the reasons of crashes; nil for nothing.
  package var redaction: CrashReasonRedaction?
  /// Whether events say whether the user was active, and for how long.
  package var tellsActivity = true

  /// What these options say, and on every event the user's activity.
  package init(_ options: Autocapture = []) {
    self.options = options
  }

  /// The rules that say so on a device.
  ///
  /// On a Mac the app is left as soon as another is active, and input counts anywhere; on Linux
  /// nobody knows of activity.
  package func rules(on device: DeviceContext) -> PipelineRules {
    let isMac = device.platform == "macOS"
    var sessions = options.contains(.sessions) ? sessionRules : nil
    if isMac { sessions?.awayFrom = .inactive }
    var activity: PipelineRules.ActivityRules? = isMac ? .mac : PipelineRules.ActivityRules()
    if !tellsActivity || device.platform == "Linux" { activity = nil }
    return .simpleDataLogs(
      sessions: sessions,
      tellsLaunches: options.contains(.appLaunches),
      activity: activity
    )
  }

  /// What becomes of crashes: one that was saved goes where they are not asked for.
  package var crashes: CrashSettings {
    CrashSettings(isOn: options.contains(.crashes), redaction: redaction?.rule)
  }

  private var sessionRules: SessionRules {
    switch sessionMode {
    case .activation: .activation
    case .inactivityTimeout(let minutes): .inactivity(minutes: minutes)
    }
  }
}
