import FootfallCore

/// What the library tells without being called, and a server may switch.
extension Pipeline {
  /// What is told by itself besides sessions, whose core knows.
  struct Telling: Sendable, Equatable {
    /// Whether each launch is.
    var launches: Bool
    /// Whether installs, updates, openings and leaving are.
    var appLifecycle: Bool

    init(_ rules: PipelineRules) {
      launches = rules.appLaunched != nil
      appLifecycle = rules.tellsAppLifecycle
    }
  }

  /// Does from here on what the settings say; what they do not name stays.
  mutating func follow(
    _ features: FeatureSet,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    if let isOn = features.choice(.sessions) { feed(.announce(isOn), at: now, &output) }
    tells.launches = features.choice(.launches) ?? tells.launches
    tells.appLifecycle = features.choice(.appLifecycle) ?? tells.appLifecycle
  }

  /// Tells that the client was started.
  mutating func tellLaunch(isFirst: Bool, at now: Moment, _ output: inout PipelineOutput) {
    guard isCollecting, tells.launches else { return }
    let name = rules.appLaunched ?? rules.vocabulary.appLaunched
    let content = EventContent(name, ["is_first_launch": .boolean(isFirst)])
    take(stamp(content, at: now), &output)
  }

  /// Follows what becomes of the app, and tells it.
  mutating func follow(
    _ input: LifecycleCore.Input,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    let before = lifecycle.version
    let effects = lifecycle.receive(input)
    if lifecycle.version != before { output.isStateChanged = true }
    guard isCollecting, tells.appLifecycle else { return }
    for effect in effects {
      take(stamp(rules.vocabulary.lifecycleEvent(effect), at: now), &output)
    }
  }
}
