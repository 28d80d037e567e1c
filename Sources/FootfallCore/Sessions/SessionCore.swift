/// Decides when sessions begin and end, and which one an event belongs to.
///
/// Ends are found late, at the next event, return or launch, and lie in the past; the exception is
/// a paused session, which ends when `deadline` is due. The shell feeds in everything in the order
/// in which it happened and performs the effects in theirs.
package struct SessionCore: Sendable {
  /// What is kept for the next run.
  package internal(set) var state: SessionState
  /// What makes a session begin and end.
  package var rules: SessionRules

  var isAway = true
  var isCollecting = true
  /// Whether a paused session ends by itself.
  var timesOut = false
  var reportedSwallowedStart = false
  /// The open session's start and last activity by the steady clock, if this process saw them.
  var steadyStart: Int64?
  var steadyActivity: Int64?
  /// What the present input has led to so far.
  var effects: [Effect] = []

  /// A core with its rules and what the last run kept.
  package init(rules: SessionRules = .native, state: SessionState = SessionState()) {
    self.rules = rules
    self.state = state
  }

  /// When `timePassed` is due, in milliseconds of the steady clock; nil while nothing waits.
  package var deadline: Int64? {
    guard state.session != nil, state.isPaused, timesOut, let steadyActivity else { return nil }
    return steadyActivity.plus(rules.timeoutMilliseconds)
  }

  /// Takes in what happened at `now` and says what to do, in order.
  package mutating func receive(
    _ input: Input,
    at now: Moment,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    let before = state
    var pass: Effect?
    switch input {
    case .launch(let launch): begin(launch, at: now, &random)
    case .presence(let presence): move(to: presence, at: now, &random)
    case .event(let event): pass = track(event, at: now, &random)
    case .start(let start) where mayMove && state.session == nil:
      open(at: start ?? now.wallMilliseconds, now, &random)
    case .replace(let start, let id) where mayMove:
      finish(at: now)
      if start >= 0 || id == nil { open(id, at: start, now, &random) }
    case .end: finish(at: now)
    case .pause(let timesOut): pause(timesOut: timesOut, at: now)
    case .resume: resume(at: now, &random)
    case .collection(let isOn): collect(isOn)
    case .announce(let isOn): announce(isOn)
    case .terminate: terminate(at: now)
    case .timePassed:
      if let deadline, deadline <= now.steadyMilliseconds { close(at: now) }
    case .start, .replace: break
    }
    defer { effects = [] }
    if state.session?.id != before.session?.id { effects.append(.current(state.session?.id)) }
    if let pass { effects.append(pass) }
    if state != before { effects.append(.persist) }
    return effects
  }
}

// MARK: - One session after the other

extension SessionCore {
  /// Whether sessions go on at all: not while off, if off forgets them.
  var mayMove: Bool { isCollecting || !rules.forgetsWhenOff }

  /// Whether the user is away from the session.
  var isResting: Bool { isAway || state.isPaused }

  /// Whether the open session is told to anyone.
  var mayTell: Bool { state.isAnnounced && isCollecting }

  /// Whether the open session ended before `time`, the time of an event or return.
  func isOver(at time: Int64, _ now: Moment) -> Bool {
    if let maximum = rules.maximumMilliseconds, let start = state.session?.startMilliseconds,
      gap(from: start, steadyStart, to: time, now) >= maximum
    {
      return true
    }
    guard isResting || rules.quiet == .sinceLastEvent else { return false }
    guard let last = state.lastActivityMilliseconds else { return true }
    return gap(from: last, steadyActivity, to: time, now) >= rules.timeoutMilliseconds
  }

  private func gap(from past: Int64, _ steadyPast: Int64?, to time: Int64, _ now: Moment) -> Int64 {
    switch rules.clock {
    case .eventTime: time.minus(past)
    case .steady:
      if let steadyPast {
        now.steadyMilliseconds.minus(steadyPast)
      } else {
        max(0, now.wallMilliseconds.minus(past))
      }
    }
  }

  /// Puts a new session in the place of the open one, which is over.
  mutating func rotate(
    mayOpen: Bool,
    at time: Int64,
    _ now: Moment,
    _ random: inout some RandomNumberGenerator
  ) {
    close(at: now)
    if mayOpen || rules.opensWhileAway || !isAway { open(at: time, now, &random) }
  }

  mutating func open(
    _ name: SessionID? = nil,
    at start: Int64,
    _ now: Moment,
    _ random: inout some RandomNumberGenerator
  ) {
    let made = rules.idFormat.make(startMilliseconds: start, using: &random)
    guard let id = name ?? made else { return }
    let session = OpenSession(id: id, startMilliseconds: start)
    state.session = session
    state.isAnnounced = rules.announces && isCollecting
    state.isPaused = false
    mark(start, now)
    steadyStart = steady(of: start, now)
    if mayTell { effects.append(.started(session)) }
  }

  mutating func close(at now: Moment) {
    guard let session = state.session else { return }
    if mayTell {
      let end = state.lastActivityMilliseconds
      let ended = EndedSession(
        id: session.id,
        startMilliseconds: session.startMilliseconds,
        endMilliseconds: end,
        eventMilliseconds: rules.datesEndWhenSaid ? now.wallMilliseconds : end,
        measuredMilliseconds: lengthIfClockWasSet
      )
      effects.append(.ended(ended))
      if rules.flushesAtEnd { effects.append(.flush) }
    }
    state.session = nil
    state.isAnnounced = true
    state.isPaused = false
    steadyStart = nil
  }

  /// Moves the last activity on; only a clock that was set back moves it back, not a back-dated
  /// event.
  mutating func touch(_ time: Int64, isBackDated: Bool = false, _ now: Moment) {
    let last = isBackDated ? state.lastActivityMilliseconds : nil
    mark(max(time, last ?? time), now)
  }

  mutating func mark(_ time: Int64, _ now: Moment) {
    state.lastActivityMilliseconds = time
    steadyActivity = now.steadyMilliseconds
  }
}

// MARK: - Clocks that are set

extension SessionCore {
  /// Less is no sign of a clock that was set, in milliseconds: the two clocks are read and corrected
  /// by themselves.
  private static let tolerance: Int64 = 1_000

  /// When `time` was by the steady clock, as far as the wall clock can be believed now.
  func steady(of time: Int64, _ now: Moment) -> Int64 {
    now.steadyMilliseconds.minus(max(0, now.wallMilliseconds.minus(time)))
  }

  /// Places a session of an earlier run on the steady clock, so that from here on a wall clock that
  /// is set changes nothing about it.
  mutating func anchor(at now: Moment) {
    guard let session = state.session, let last = state.lastActivityMilliseconds else { return }
    let activity = steady(of: last, now)
    steadyActivity = activity
    steadyStart = activity.minus(max(0, last.minus(session.startMilliseconds)))
  }

  /// How long the open session was up to its last activity, if the wall clock was set since its
  /// start.
  private var lengthIfClockWasSet: Int64? {
    guard rules.measuresLength, rules.clock == .steady, let steadyStart, let steadyActivity,
      let start = state.session?.startMilliseconds, let end = state.lastActivityMilliseconds
    else { return nil }
    let (steady, wall) = (max(0, steadyActivity.minus(steadyStart)), end.minus(start))
    return steady.minus(wall).magnitude > Self.tolerance ? steady : nil
  }
}

extension Int64 {
  /// The sum, or the nearest number there is: times come from files and callers.
  func plus(_ other: Int64) -> Int64 {
    let (sum, overflowed) = addingReportingOverflow(other)
    return overflowed ? (other > 0 ? .max : .min) : sum
  }

  /// The difference, or the nearest number there is.
  func minus(_ other: Int64) -> Int64 {
    let (difference, overflowed) = subtractingReportingOverflow(other)
    return overflowed ? (other < 0 ? .max : .min) : difference
  }
}
