import FootfallCore

/// The start of the client, and what was said before it.
extension Pipeline {
  /// Whether an input has to wait for the launch.
  ///
  /// Whose the events are and what is on them may be said before, for the launch's own events too;
  /// once an event waits, everything waits behind it.
  func mustWaitForLaunch(_ input: PipelineInput) -> Bool {
    guard case .change(let change, _) = input else { return true }
    switch change {
    case .launch, .features: return false
    // Events that were tracked before collection ends are still of the time before.
    case .collecting: return early.contains { $0.stamped != nil }
    case .identity, .appContext, .defaultProperties, .addPlugin, .removePlugin:
      return !early.isEmpty
    case .reset, .profile, .session, .presence, .userInput, .delivered, .terminate, .timePassed:
      return true
    }
  }

  /// Ends what an earlier run left open and tells of the launch, then lets go what waited for it.
  mutating func begin(
    _ launch: PipelineInput.Launch,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    guard !hasLaunched else { return }
    hasLaunched = true
    crash = launch.crash
    // The session must not begin after the first event in it.
    var now = now
    if let first = early.lazy.compactMap(\.stamped).first,
      first.moment.steadyMilliseconds < now.steadyMilliseconds
    {
      now = first.moment
    }
    nameEndpointInSessions()
    if !isCollecting { feed(.collection(isOn: false), at: now, &output) }
    activity.receive(.presence(launch.session.presence), at: now)
    beat(.presence(isAway: launch.session.presence >= sessions.rules.awayFrom), at: now, &output)
    feed(.launch(launch.session), at: now, &output)
    // Where there are no sessions, no session has told it.
    tellCrash(in: nil, at: now, &output)
    tellLaunch(isFirst: launch.isFirst, at: now, &output)
    let app = LifecycleCore.Input.launch(
      launch.app,
      isFirst: launch.isFirst,
      launch.session.presence
    )
    follow(app, at: now, &output)
    let waited = early
    early = []
    for input in waited { receive(input, into: &output) }
  }

  /// Tells of the crash that ended the process before, once, in the session that it ended.
  mutating func tellCrash(
    in session: SessionID?,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    guard isCollecting, let crash else { return }
    self.crash = nil
    tell(
      crash.content(rules.vocabulary.appCrashed),
      in: session,
      milliseconds: crash.milliseconds,
      id: crash.id,
      at: now,
      &output
    )
  }

  /// An event of the library's own that counts as tracked.
  mutating func stamp(
    _ content: EventContent,
    details: EventDetails? = nil,
    at now: Moment
  ) -> StampedEvent {
    StampedEvent(
      name: content.name,
      properties: content.properties,
      id: takeID(at: now),
      milliseconds: now.wallMilliseconds,
      moment: now,
      details: details
    )
  }

  /// Pinpoint's sessions are named after the endpoint, which is the device.
  private mutating func nameEndpointInSessions() {
    guard case .pinpoint(let app, "") = sessions.rules.idFormat else { return }
    sessions.rules.idFormat = .pinpoint(appID: app, endpointID: owner.deviceID ?? "")
  }
}

extension PipelineInput {
  fileprivate var stamped: StampedEvent? {
    if case .event(let event) = self { event } else { nil }
  }
}
