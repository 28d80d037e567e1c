import FootfallCore
import Testing

@Suite struct `Remote features` {
  static let hosts = FeatureSet.Feature(
    name: "network",
    path: ["analyticsSDK", "iosSDK", "autocapture", "networkTracking"],
    local: [
      "enabled": true, "ignoreHosts": ["local-ignore.com"], "ignoreAmplitudeRequests": true,
      "captureRules": [["hosts": ["*"], "statusCodeRange": "500-599"]],
    ]
  )

  private func answer(_ autocapture: PropertyValue) -> Properties {
    ["analyticsSDK": ["iosSDK": ["autocapture": autocapture]]]
  }

  private func feature(_ name: String, _ local: PropertyValue) -> FeatureSet.Feature {
    FeatureSet.Feature(
      name: name,
      path: ["analyticsSDK", "iosSDK", "autocapture", name],
      local: local
    )
  }

  /// AMP M1.
  @Test func `a feature can be switched on and off, and others stay as they are`() {
    var features = FeatureSet([
      feature("sessions", true), feature("pageViews", false), feature("appLifecycles", false),
    ])
    #expect(features.isOn("sessions") && !features.isOn("pageViews"))
    features.apply(answer(["pageViews": true, "sessions": false]))
    #expect(features.isOn("pageViews"))
    #expect(!features.isOn("sessions"))
    #expect(!features.isOn("appLifecycles"))
    features.apply(nil)
    #expect(features.isOn("sessions") && !features.isOn("pageViews"))
  }

  /// AMP M2.
  @Test func `a missing key keeps its local value, and a list replaces the local one`() {
    var features = FeatureSet([Self.hosts])
    features.apply(
      answer(["networkTracking": ["enabled": true, "ignoreHosts": ["remote-ignore.com"]]])
    )
    #expect(
      features["network"] == [
        "enabled": true, "ignoreHosts": ["remote-ignore.com"], "ignoreAmplitudeRequests": true,
        "captureRules": [["hosts": ["*"], "statusCodeRange": "500-599"]],
      ]
    )
    #expect(features.ignored == 0)
  }

  /// AMP M6.
  @Test func `remote rules replace local rules as a whole`() throws {
    var features = FeatureSet([Self.hosts])
    let rules: PropertyValue = [["hosts": ["api.example.com"], "statusCodeRange": "400-499"]]
    features.apply(answer(["networkTracking": ["captureRules": rules]]))
    guard case .object(let network)? = features["network"] else {
      Issue.record("no settings")
      return
    }
    #expect(network["captureRules"] == rules)
    #expect(network["ignoreHosts"] == ["local-ignore.com"])
  }

  /// AMP M7.
  @Test func `a part of a feature can be switched off alone`() {
    var features = FeatureSet([
      feature(
        "frustrationInteractions",
        ["enabled": true, "rageClick": ["enabled": true], "deadClick": ["enabled": true]]
      )
    ])
    features.apply(answer(["frustrationInteractions": ["rageClick": ["enabled": false]]]))
    #expect(
      features["frustrationInteractions"] == [
        "enabled": true, "rageClick": ["enabled": false], "deadClick": ["enabled": true],
      ]
    )
  }

  @Test func `what the client does not know is passed over, and a null says nothing`() {
    var features = FeatureSet([feature("sessions", true), Self.hosts])
    features.apply(
      answer(["sessions": nil, "telepathy": true, "networkTracking": ["quantum": true]])
    )
    #expect(features == FeatureSet([feature("sessions", true), Self.hosts]))
    #expect(features["telepathy"] == nil)
  }

  static let otherKinds: [(RemoteRule, PropertyValue, PropertyValue)] = [
    (.both, true, "yes"), (.both, true, 1),
    (.both, ["a": 1], [1]), (.both, "x", nil), (.both, [1], ["a": 1]),
    (.onlyStricter(.lower), true, 0), (.onlyStricter(.higher), 1, true),
    (.onlyStricter(.lower), [1], []), (.onlyStricter(.later(["a", "b"])), "a", "z"),
  ]

  @Test(arguments: otherKinds)
  func `a value of another kind does not count`(
    rule: RemoteRule,
    local: PropertyValue,
    remote: PropertyValue
  ) {
    var ignored = 0
    #expect(rule.merge(local, remote, ignored: &ignored) == local)
    #expect(ignored == (remote == .null ? 0 : 1))
  }

  static let turns: [(RemoteRule.Stricter, PropertyValue, PropertyValue, Bool)] = [
    (.lower, true, false, true),
    (.lower, false, true, false), (.lower, 1.0, 0.2, true), (.lower, 0.2, 1, false),
    (.lower, 1, 0, true), (.higher, false, true, true), (.higher, true, false, false),
    (.higher, 1, 2, true), (.higher, 2, 0, false),
    (.later(["light", "medium", "conservative"]), "light", "conservative", true),
    (.later(["light", "medium", "conservative"]), "conservative", "light", false),
  ]

  /// The ratchet: a remote value that would loosen something is ignored and counted.
  ///
  /// Source: `session-replay.md` section d.5.
  @Test(arguments: turns)
  func `a ratchet turns one way only`(
    stricter: RemoteRule.Stricter,
    local: PropertyValue,
    remote: PropertyValue,
    counts: Bool
  ) {
    var features = FeatureSet([
      FeatureSet.Feature(name: "x", path: ["x"], local: local, rule: .onlyStricter(stricter))
    ])
    features.apply(["x": remote])
    #expect(features["x"] == (counts ? remote : local))
    #expect(features.ignored == (counts ? 0 : 1))
    features.apply(["x": local])
    #expect(features["x"] == local, "the ratchet compares with the local value, not the last one")
    #expect(features.ignored == 0)
  }
}
