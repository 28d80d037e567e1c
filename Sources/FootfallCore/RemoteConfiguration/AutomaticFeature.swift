/// Something that the library does without being called: the app chooses it, and a server may change
/// that choice.
package enum AutomaticFeature: String, Sendable, Hashable, CaseIterable {
  /// Whether starts and ends of sessions are told.
  case sessions
  /// Whether each launch is told.
  case launches
  /// Whether installs, updates, openings of the app and leaving it are told.
  case appLifecycle
  /// Whether screens that are shown are told.
  case screenViews
  /// Whether taps and other gestures are told.
  case elementInteractions
  /// Whether clicks in anger and clicks without effect are told: switches within switches.
  case frustrationInteractions
  /// Which network requests are told: a switch and its rules.
  case networkTracking
  /// Whether the library tells of its own work, and in how many processes.
  case diagnostics
}

extension FeatureSet {
  /// What counts for a feature; nil if it is not among the settings.
  package subscript(feature: AutomaticFeature) -> PropertyValue? { self[feature.rawValue] }

  /// Whether a feature is on, also one with more to it than a switch; nil if it is not among the
  /// settings.
  package func choice(_ feature: AutomaticFeature) -> Bool? {
    switch self[feature] {
    case .boolean(let isOn): isOn
    case .object(let settings): settings["enabled"] == .boolean(true)
    case .integer, .double, .string, .array, .null, nil: nil
    }
  }
}

extension FeatureSet.Feature {
  /// One of the library's own features, with the place of its setting.
  package init(
    _ feature: AutomaticFeature,
    path: [String],
    local: PropertyValue,
    rule: RemoteRule = .both
  ) {
    self.init(name: feature.rawValue, path: path, local: local, rule: rule)
  }
}
