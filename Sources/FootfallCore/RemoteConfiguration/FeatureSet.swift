/// The settings of the client that a server may change, each with its local value and its rule.
package struct FeatureSet: Sendable, Equatable {
  /// One setting.
  package struct Feature: Sendable, Equatable {
    /// What the client calls it.
    package var name: String
    /// Where it stands in the server's settings.
    package var path: [String]
    /// What the app chose.
    package var local: PropertyValue
    /// How far the server may change that.
    package var rule: RemoteRule

    /// A setting from its parts.
    package init(name: String, path: [String], local: PropertyValue, rule: RemoteRule = .both) {
      self.name = name
      self.path = path
      self.local = local
      self.rule = rule
    }
  }

  private let features: [Feature]
  private var values: [String: PropertyValue]
  /// How many values of the last settings did not count: looser than allowed, or of another kind.
  package private(set) var ignored = 0

  /// Features with their local values.
  package init(_ features: [Feature] = []) {
    self.features = features
    values = [:]
    for feature in features { values[feature.name] = feature.local }
  }

  /// Takes the server's settings in the place of earlier ones; nil for local values alone.
  ///
  /// Every value is found anew from the local one, so that nothing of earlier settings remains.
  package mutating func apply(_ remote: Properties?) {
    ignored = 0
    for feature in features {
      values[feature.name] = feature.rule.merge(
        feature.local,
        remote?.value(at: feature.path),
        ignored: &ignored
      )
    }
  }

  /// What counts for a setting; nil for one that is not among them.
  package subscript(name: String) -> PropertyValue? { values[name] }

  /// Whether a switch is on; false for a setting that is none.
  package func isOn(_ name: String) -> Bool { values[name] == .boolean(true) }
}
