/// Events, requests and choices: what the app tells.
extension SessionCore {
  /// Takes in an event and says how it goes on, if it does.
  mutating func track(
    _ event: TrackedEvent,
    at now: Moment,
    _ random: inout some RandomNumberGenerator
  ) -> Effect? {
    guard mayMove else { return nil }
    if event.kind == .sessionStart { return takeStart(event, at: now, &random) }
    let leavesSessionAlone =
      event.choice == .outside || event.kind == .sessionEnd
      || event.isBackDated && rules.clock == .steady
    if !leavesSessionAlone { extendOrOpen(event, at: now, &random) }
    guard isCollecting else { return nil }
    switch event.choice {
    case .current: return .pass(state.session?.id)
    case .outside: return .pass(nil)
    case .other(let id): return .pass(id)
    }
  }

  private mutating func extendOrOpen(
    _ event: TrackedEvent,
    at now: Moment,
    _ random: inout some RandomNumberGenerator
  ) {
    let time = event.milliseconds
    if state.session == nil {
      guard rules.opensByItself, rules.opensWhileAway || !isAway else { return }
      open(at: time, now, &random)
    } else if isOver(at: time, now) {
      rotate(mayOpen: false, at: time, now, &random)
    } else if !isResting || rules.quiet != .sinceLeavingFront {
      touch(time, isBackDated: event.isBackDated, now)
    }
  }

  /// A `session_start` of the caller's own: with a session it says which one is open, without it
  /// only asks for one.
  private mutating func takeStart(
    _ event: TrackedEvent,
    at now: Moment,
    _ random: inout some RandomNumberGenerator
  ) -> Effect? {
    switch event.choice {
    case .outside: return isCollecting ? .pass(nil) : nil
    case .other(let id):
      let start = if case .number(let start) = id { start } else { event.milliseconds }
      state.session = OpenSession(id: id, startMilliseconds: start)
      state.isAnnounced = isCollecting
      state.isPaused = false
      mark(event.milliseconds, now)
      steadyStart = steady(of: start, now)
      return isCollecting ? .pass(id) : nil
    case .current:
      extendOrOpen(event, at: now, &random)
      guard !reportedSwallowedStart else { return nil }
      reportedSwallowedStart = true
      return .swallowedStart
    }
  }

  /// Ends the open session because the app wants it, if there is one.
  mutating func finish(at now: Moment) {
    guard state.session != nil else { return }
    let wasLeft = rules.pauses ? state.isPaused : isAway
    if rules.clock == .steady, !wasLeft { touch(now.wallMilliseconds, now) }
    close(at: now)
  }

  /// The end of a session whose start was not told is not told either; and none while it is off.
  mutating func announce(_ isOn: Bool) {
    rules.announces = isOn
    if !isOn, state.session != nil { state.isAnnounced = false }
  }

  mutating func collect(_ isOn: Bool) {
    guard isOn != isCollecting else { return }
    isCollecting = isOn
    guard !isOn, rules.forgetsWhenOff else { return }
    state = SessionState()
    (steadyStart, steadyActivity) = (nil, nil)
  }
}
