package import FootfallCore

/// What Amplitude's client captures by itself, as the app chose it; a server may change each of it.
///
/// Source: `amplitude.md` sections 2.2 and 2.13.
package struct AmplitudeAutocapture: Sendable, Hashable {
  /// Whether starts and ends of sessions are told.
  package var sessions = true
  /// Whether installs, updates, openings of the app and leaving it are.
  package var appLifecycles = false
  /// Whether screens that are shown are; `pageViews` to the server.
  package var screenViews = false
  /// Whether taps and other gestures are.
  package var elementInteractions = false
  /// Whether clicks in anger and clicks without effect are, and which of both.
  package var frustrationInteractions: Properties = [
    "enabled": false, "rageClick": ["enabled": true], "deadClick": ["enabled": true],
  ]
  /// Whether network requests are, and which.
  package var networkTracking: Properties = [
    "enabled": false, "ignoreHosts": [], "ignoreAmplitudeRequests": true,
    "captureRules": [["hosts": ["*"], "methods": ["*"], "statusCodeRange": "500-599"]],
  ]
  /// Whether the library tells of its own work, and in what part of all processes.
  package var diagnostics: Properties = ["enabled": true, "sampleRate": 0.0]

  /// The usual choice: sessions alone.
  package init() {}

  /// The same as settings that a server may change, with the places they have in its answer.
  package var features: FeatureSet {
    let captured: [(AutomaticFeature, String, PropertyValue)] = [
      (.sessions, "sessions", .boolean(sessions)),
      (.appLifecycle, "appLifecycles", .boolean(appLifecycles)),
      (.screenViews, "pageViews", .boolean(screenViews)),
      (.elementInteractions, "elementInteractions", .boolean(elementInteractions)),
      (.frustrationInteractions, "frustrationInteractions", .object(frustrationInteractions)),
      (.networkTracking, "networkTracking", .object(networkTracking)),
    ]
    let own = FeatureSet.Feature(
      .diagnostics,
      path: ["diagnostics", "iosSDK"],
      local: .object(diagnostics)
    )
    return FeatureSet(
      captured.map { feature, name, local in
        FeatureSet.Feature(
          feature,
          path: ["analyticsSDK", "iosSDK", "autocapture", name],
          local: local
        )
      } + [own]
    )
  }
}
