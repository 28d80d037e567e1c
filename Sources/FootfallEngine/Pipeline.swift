package import FootfallCore
package import FootfallPlatform

/// Everything between the inbox and the destinations: whose an event is, its session and number,
/// what is added to it, and what plugins make of it.
///
/// For the engine's thread only. Has no clock and touches nothing outside; plugins are called from
/// here, and may call the client, which only leaves word in the inbox. There is one, which is never
/// copied: it is large, and copies made in passing were a third of what an event cost.
package struct Pipeline: ~Copyable {
  let rules: PipelineRules
  /// Whether there are sessions at all; asked for every event, where the rules would be copied.
  let hasSessions: Bool
  var plugins = PipelinePlugins()
  var identity: IdentityCore
  /// Whose an event is that says nothing itself.
  var owner: EventIdentity
  var sessions: SessionCore
  var activity: ActivityCore
  var heartbeat = HeartbeatCore()
  var lifecycle: LifecycleCore
  /// What the library tells by itself now.
  var tells: Telling
  var defaultProperties = Properties()
  var isCollecting: Bool
  /// What is known of an earlier crash, until it is told.
  var crash: CrashRecord?

  /// What came before the launch and has to wait for it.
  var early: [PipelineInput] = []
  var hasLaunched = false
  /// Events kept back until it is known who the user is; nil when that is known.
  var unidentified: [StampedEvent]?
  var saysThatWaitIsFull = true

  var random: RandomBytes
  private var context: PipelineContext
  /// What the app says of itself, and what is known of the device.
  private(set) var appContext: EventContext
  private var deviceContext = EventContext()
  private var ids: EventIDSequence
  private var nextSequence: Int64
  private var sequenceCeiling: Int64

  /// Sequence numbers are reserved in blocks of so many, to be used without storing.
  ///
  /// After a kill the rest of the block is skipped: numbers grow, they need not be without gaps.
  private static let sequenceBlock: Int64 = 10_000

  /// A pipeline with what the last run kept.
  ///
  /// - Parameters:
  ///   - rules: How events are completed.
  ///   - context: What is known about app and device.
  ///   - state: What the last run kept.
  ///   - isCollecting: Whether events are taken from the start.
  ///   - random: For the ids of events, sessions and devices.
  package init(
    rules: PipelineRules = .native,
    context: EventContext = EventContext(),
    state: PipelineState = PipelineState(),
    isCollecting: Bool = true,
    random: RandomBytes
  ) {
    var random = random
    self.rules = rules
    hasSessions = rules.sessions != nil
    appContext = context
    self.context = PipelineContext(context, rules)
    self.isCollecting = isCollecting
    identity = IdentityCore(rules: rules.identity, state: state.identity)
    owner = EventIdentity(deviceID: nil, isTest: rules.isTest)
    sessions = SessionCore(rules: rules.sessions ?? .native, state: state.session)
    activity = ActivityCore(
      awayFrom: rules.activity?.awayFrom ?? .background,
      inputMilliseconds: rules.activity?.inputMilliseconds
    )
    lifecycle = LifecycleCore(version: state.app)
    tells = Telling(rules)
    unidentified = rules.waitsForIdentify == nil ? nil : []
    ids = EventIDSequence(random: random.next())
    nextSequence = Self.usable(state.sequenceCeiling)
    sequenceCeiling = nextSequence
    self.random = random
    updateOwner()
  }

  /// What the next run needs to know.
  package var state: PipelineState {
    PipelineState(
      identity: identity.state,
      session: sessions.state,
      sequenceCeiling: sequenceCeiling,
      app: lifecycle.version
    )
  }

  /// Whether the launch was taken in.
  package var isLaunched: Bool { hasLaunched }
  /// The device's id; nil before the first input, or if the app said that there is none.
  package var deviceID: String? { owner.deviceID }
  /// The signed-in user.
  package var userID: String? { owner.userID }
  /// The open session.
  package var sessionID: SessionID? { hasSessions ? sessions.state.session?.id : nil }

  /// When `timePassed` is due, in milliseconds of the steady clock; nil while nothing waits.
  package var deadlineMilliseconds: Int64? {
    let beat = heartbeat.deadline.map { Int64(clamping: ($0 * 1_000).rounded(.up)) }
    let session = hasSessions ? sessions.deadline : nil
    return earlier(session, beat)
  }

  /// Takes in what happened and adds what is to be done to `output`.
  package mutating func receive(_ input: PipelineInput, into output: inout PipelineOutput) {
    guard hasLaunched || !mustWaitForLaunch(input) else { return early.append(input) }
    switch input {
    case .event(let event): take(event, &output)
    case .change(let change, let now): take(change, at: now, &output)
    }
  }

  /// Someone called `flush()`: tells destination plugins.
  package func flush() {
    for plugin in plugins.destination { plugin.flush() }
  }

  /// Takes in what is known about the device from here on; what the app says comes before it.
  mutating func learn(_ device: EventContext) {
    deviceContext = device
    context = PipelineContext(appContext.filled(from: device), rules)
  }

  /// The context of an event that says nothing of it itself.
  var commonContext: EventContext { context.filling(EventContext()) }

  /// Gives back the numbers that were reserved and not used: the client ends in good order.
  package mutating func releaseSequence() {
    sequenceCeiling = nextSequence
  }

  /// Takes in what an earlier run kept, found only now: numbers are never taken back, and what was
  /// said meanwhile counts.
  ///
  /// A session of the earlier run is forgotten if the launch is past.
  package mutating func restore(_ stored: PipelineState) {
    nextSequence = max(nextSequence, Self.usable(stored.sequenceCeiling))
    sequenceCeiling = max(sequenceCeiling, nextSequence)
    identity.restore(stored.identity)
    if !hasLaunched {
      sessions = SessionCore(rules: sessions.rules, state: stored.session)
      lifecycle = LifecycleCore(version: stored.app)
    }
    updateOwner()
  }

  /// Takes in something that is not an event.
  mutating func take(
    _ change: PipelineInput.Change,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    switch change {
    case .launch(let launch): begin(launch, at: now, &output)
    case .identity(let input): identify(input, at: now, &output)
    case .reset: reset(at: now, &output)
    case .profile: tellProfile(at: now, &output)
    case .session(let input): feed(input, at: now, &output)
    case .presence(let presence):
      activity.receive(.presence(presence), at: now)
      feed(.presence(presence), at: now, &output)
      beat(.presence(isAway: presence >= sessions.rules.awayFrom), at: now, &output)
      follow(.presence(presence), at: now, &output)
    case .userInput(let ago): activity.receive(.userInput(millisecondsAgo: ago), at: now)
    case .defaultProperties(let properties): setDefaults(properties, &output)
    case .addPlugin(let plugin): plugins.add(plugin)
    case .removePlugin(let plugin):
      plugins.remove(plugin)
      plugin.tearDown()
    case .collecting(let isOn): collect(isOn, at: now, &output)
    case .features(let features): follow(features, at: now, &output)
    case .appContext(let own):
      appContext = own
      learn(deviceContext)
    case .delivered: beat(.delivered, at: now, &output)
    case .terminate: feed(.terminate, at: now, &output)
    case .timePassed:
      feed(.timePassed, at: now, &output)
      beat(.timePassed, at: now, &output)
    }
  }

  private mutating func setDefaults(_ properties: Properties, _ output: inout PipelineOutput) {
    let finite = properties.filter(\.value.isFinite)
    output.losses.count(.propertyNotFinite, properties.count - finite.count)
    defaultProperties = Properties(pairs: finite)
  }

  private mutating func collect(_ isOn: Bool, at now: Moment, _ output: inout PipelineOutput) {
    guard isOn != isCollecting else { return }
    isCollecting = isOn
    if !isOn { dropWaiting(.optedOut, &output) }
    feed(.collection(isOn: isOn), at: now, &output)
    plugins.forEach { $0.collectionChanged(isOn) }
  }

  mutating func updateOwner() {
    owner.deviceID = identity.state.deviceID
    owner.userID = identity.state.userID
  }
}

// MARK: - Events

extension Pipeline {
  /// Takes in a tracked event.
  mutating func take(_ stamped: StampedEvent, _ output: inout PipelineOutput) {
    if let details = stamped.details, details.operations != nil, stamped.name == .identify {
      identify(by: details, at: stamped.moment, &output)
    }
    guard isCollecting else { return drop(stamped, .optedOut, &output) }
    guard let stamped = read(stamped, &output) else { return }
    if rules.sendsAfterIdentify, stamped.details?.operations != nil { output.wantsFlush = true }
    guard unidentified == nil else { return keepBack(stamped, &output) }
    pass(stamped, &output)
  }

  /// Finds the session of an event and lets it go on.
  mutating func pass(_ stamped: StampedEvent, _ output: inout PipelineOutput) {
    let session: SessionID?
    if hasSessions {
      guard let found = findSession(of: stamped, &output) else { return }
      session = found.id
    } else {
      let own = stamped.details?.options.sessionID
      session = own == .outside ? nil : own
    }
    var event = Event(stamped, sequence: takeSequence(&output), identity: owner)
    event.sessionID = session
    event.sessionTimes = times(of: session)
    complete(&event, at: stamped.moment, &output)
  }

  /// Reads the properties that the caller's thread had no time for; nil if the event is refused for them.
  private func read(_ stamped: StampedEvent, _ output: inout PipelineOutput) -> StampedEvent? {
    guard let unread = stamped.unread else { return stamped }
    let read = unread.read()
    if let refusal = read.refusal {
      output.log(.warning, "An event was dropped: \(refusal).")
      drop(stamped, .invalid, &output)
      return nil
    }
    if !read.unsupported.isEmpty {
      output.losses.count(.propertyNotSupported, read.unsupported.count)
      let names = read.unsupported.joined(separator: ", ")
      output.log(
        .warning,
        "“\(stamped.name)” has properties of types that cannot be sent, which were left out: \(names)."
      )
    }
    var stamped = stamped
    let own = stamped.properties
    stamped.properties = own.isEmpty ? read.properties : read.properties.merging(own)
    stamped.unread = nil
    return stamped
  }

  /// Tells that what is known of the device is to be sent; no plugin sees that, and no session has it.
  mutating func tellProfile(at now: Moment, _ output: inout PipelineOutput) {
    guard let name = rules.profile, isCollecting else { return }
    output.events.append(
      Event(
        name,
        identifier: .made(takeID(at: now)),
        milliseconds: now.wallMilliseconds,
        sequence: takeSequence(&output),
        deviceID: owner.deviceID,
        userID: owner.userID,
        context: context.filling(EventContext())
      )
    )
  }

  /// Tells something of the library's own, as the client.
  mutating func tell(
    _ content: EventContent,
    in session: SessionID?,
    milliseconds: Int64,
    id: String? = nil,
    times: SessionTimes? = nil,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    var event = Event(
      content.name,
      content.properties,
      identifier: id.map { .own($0) } ?? .made(takeID(at: now)),
      milliseconds: milliseconds,
      isBackDated: milliseconds < now.wallMilliseconds,
      sequence: takeSequence(&output),
      deviceID: owner.deviceID,
      userID: owner.userID,
      sessionID: session,
      isTest: owner.isTest
    )
    event.sessionTimes = times
    complete(&event, at: now, &output)
  }

  /// Adds to an event what belongs on it, lets plugins see it, and hands it on.
  private mutating func complete(
    _ event: inout Event,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    if event.userOperations == nil, event.groupOperations == nil {
      addProperties(to: &event, at: now, &output)
    }
    guard run(plugins.before, on: &event, &output) else { return }
    event.context = context.filling(event.context)
    guard run(plugins.enrichment, on: &event, &output) else { return }
    if rules.needsOwner, event.userID == nil, event.deviceID == nil, event.groupOperations == nil {
      output.log(.error, "An event was dropped: it has neither a user nor a device.")
      return drop(event, .invalid, &output)
    }
    output.events.append(event)
    for plugin in plugins.destination { plugin.receive(event) }
  }

  /// The event's own value wins over `app_state` and `engaged_ms`, and these over the defaults.
  ///
  /// Source: `simpledatalogs.md` section 1.3.
  private mutating func addProperties(
    to event: inout Event,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    let stamp =
      rules.activity == nil ? nil : activity.stamp(isBackDated: event.isBackDated, at: now)
    guard stamp != nil || !defaultProperties.isEmpty else { return }
    // What is no number is as good as not given.
    if event.properties.contains(where: { !$0.value.isFinite }) {
      let finite = event.properties.filter(\.value.isFinite)
      output.losses.count(.propertyNotFinite, event.properties.count - finite.count)
      event.properties = Properties(pairs: finite)
    }
    if let stamp { event.properties.fill(from: stamp.properties) }
    if !defaultProperties.isEmpty { event.properties.fill(from: defaultProperties) }
  }

  private func run(
    _ plugins: [any Plugin],
    on event: inout Event,
    _ output: inout PipelineOutput
  ) -> Bool {
    for plugin in plugins {
      guard let changed = plugin.process(event) else {
        drop(event, .plugin, &output)
        return false
      }
      event = changed
    }
    return true
  }

  private func drop(_ event: Event, _ reason: DropReason, _ output: inout PipelineOutput) {
    output.losses.count(reason)
    let result = EventResult(
      id: event.id,
      name: event.name,
      outcome: .dropped(reason, status: nil, message: "")
    )
    output.dropped.append(PipelineOutput.Dropped(result: result, onResult: event.onResult))
  }

  func drop(_ stamped: StampedEvent, _ reason: DropReason, _ output: inout PipelineOutput) {
    drop(Event(stamped, sequence: 0, identity: owner), reason, &output)
  }

  mutating func takeID(at now: Moment) -> EventID {
    ids.next(at: now.wallMilliseconds) { random.next() }
  }

  private mutating func takeSequence(_ output: inout PipelineOutput) -> Int64 {
    if nextSequence >= sequenceCeiling {
      sequenceCeiling = min(nextSequence, Self.largestSequence) + Self.sequenceBlock
      output.isStateChanged = true
    }
    // At the very end numbers repeat rather than stop the app.
    defer { nextSequence = min(nextSequence + 1, Self.largestSequence) }
    return nextSequence
  }

  /// The largest number an event is given: the largest that JSON carries exactly, for every reader.
  private static let largestSequence: Int64 = 1 << 53

  /// The number to go on with; 1 after one that no client can have come to.
  ///
  /// An earlier client may have left any number, which would otherwise come back at every start.
  private static func usable(_ ceiling: Int64) -> Int64 {
    (1...largestSequence).contains(ceiling) ? ceiling : 1
  }
}

extension PropertyValue {
  /// Whether this is no number that JSON cannot carry; values inside are not looked at.
  fileprivate var isFinite: Bool {
    if case .double(let number) = self { number.isFinite } else { true }
  }
}

extension Properties {
  /// Adds what others say of keys that are missing here.
  fileprivate mutating func fill(from others: Properties) {
    for (key, value) in others where self[key] == nil { self[key] = value }
  }
}
