import FootfallCore
import Testing

@Suite struct `Session core` {
  static let minute: Int64 = 60_000

  @Test(arguments: [(1_799_999, false), (1_800_000, true)] as [(Int64, Bool)])
  func `half an hour in background ends a native session`(away: Int64, isNew: Bool) {
    let subject = SessionSubject(.native)
    subject.take(.launch(.init()), at: 1_000)
    subject.take(.presence(.background), at: 5_000)
    subject.take(.presence(.active), at: 5_000 + away)
    #expect(subject.core.state.session?.id == .number(isNew ? 5_000 + away : 1_000))
  }

  @Test(arguments: [(29, false), (30, true)] as [(Int64, Bool)])
  func `a native session outlives a relaunch within half an hour`(minutes: Int64, isNew: Bool) {
    let first = SessionSubject(.native)
    first.take(.launch(.init()), at: 0)
    first.event(at: 1_000)
    let second = first.relaunched()
    second.take(.launch(.init()), at: 1_000 + minutes * Self.minute)
    #expect(second.core.state.session?.startMilliseconds == 0 ? !isNew : isNew)
    #expect(second.done.isEmpty == !isNew)
  }

  @Test func `a longest length ends a session that is always in front`() {
    var rules = SessionRules.native
    rules.maximumMilliseconds = 60 * Self.minute
    let subject = SessionSubject(rules)
    subject.take(.launch(.init()), at: 0)
    subject.event(at: 59 * Self.minute)
    subject.event(at: 60 * Self.minute)
    let starts = subject.done.compactMap { effect in
      if case .started(let session) = effect { session.startMilliseconds } else { nil }
    }
    #expect(starts == [0, 60 * Self.minute])
  }

  @Test(arguments: [(7_199, false), (7_201, true)] as [(Int64, Bool)])
  func `PHA 40: a session of two hours is followed by a new one`(seconds: Int64, isNew: Bool) {
    let subject = SessionSubject(.phase)
    subject.take(.launch(.init()), at: 0)
    #expect(subject.core.state.session == nil)
    subject.take(.start(atMilliseconds: nil), at: 0)
    let first = subject.core.state.session?.id
    subject.event(at: 3_600_000)
    subject.event(at: seconds * 1_000)
    subject.event(at: seconds * 1_000 + 1)
    #expect((subject.core.state.session?.id != first) == isNew)
    #expect(subject.done.last == .pass(subject.core.state.session?.id))
  }

  @Test(arguments: [(299_000, false), (300_000, false), (301_000, true)] as [(Int64, Bool)])
  func `PHA 41: five minutes in background are too long`(away: Int64, isNew: Bool) {
    let subject = SessionSubject(.phase)
    subject.take(.launch(.init()), at: 0)
    subject.take(.start(atMilliseconds: nil), at: 0)
    let first = subject.core.state.session?.id
    subject.take(.presence(.background), at: 1_000)
    subject.take(.presence(.active), at: 1_000 + away)
    #expect((subject.core.state.session?.id != first) == isNew)
  }

  @Test func `identifying again starts no second Phase session, and earlier events move its start`()
  {
    let subject = SessionSubject(.phase)
    subject.take(.launch(.init()), at: 1_000)
    subject.event(at: 2_000)
    #expect(subject.takeDone() == [.pass(nil)])
    subject.take(.start(atMilliseconds: 2_000), at: 9_000)
    subject.take(.start(atMilliseconds: nil), at: 9_500)
    #expect(subject.done.count == 1)
    #expect(subject.core.state.session?.startMilliseconds == 2_000)
  }

  @Test func `a wall clock that jumps by years does not disturb a session`() {
    for error in [Int64(10), -10].map({ $0 * 366 * 86_400_000 }) {
      let subject = SessionSubject(.native)
      subject.take(.launch(.init()), at: 1_800_000_000_000)
      let first = subject.core.state.session
      subject.wallError = error
      subject.take(.presence(.background), at: 1_800_000_001_000)
      subject.event(at: 1_800_000_002_000)
      subject.take(.presence(.active), at: 1_800_000_003_000)
      #expect(subject.core.state.session == first)
    }
  }

  @Test func `impossible times do not trap`() {
    let extremes: [Int64] = [.min, -1, 0, .max]
    for rules in Self.presets {
      for time in extremes {
        let subject = SessionSubject(rules)
        subject.take(.start(atMilliseconds: time), at: 1)
        subject.event(at: 2, dated: time)
        subject.take(.replace(startMilliseconds: time), at: 3)
        subject.take(.presence(.background), at: 4)
        subject.event(at: 5, dated: -time.magnitude.signedClamped)
        subject.take(.end, at: 6)
      }
    }
  }

  static let presets: [SessionRules] = [
    .native, .amplitude(timeoutMilliseconds: 1_000), .activation, .inactivity(minutes: 1), .phase,
    .pinpoint(appID: "app", endpointID: "endpoint"),
  ]

  @Test(arguments: presets.indices, 0..<40)
  func `a random history never doubles a start or an end`(preset: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed * 31 + UInt64(preset))
    var subject = SessionSubject(Self.presets[preset])
    var open: SessionID?
    var everStarted: Set<SessionID> = []
    var now: Int64 = 1_000_000
    for _ in 0..<400 {
      var done: [SessionCore.Effect] = []
      now += Int64.random(in: 1...900_000, using: &random)
      switch Int.random(in: 0..<14, using: &random) {
      case 0..<6: subject.event(at: now)
      case 6: subject.event(at: now, .outside)
      case 7: subject.take(.presence(.active), at: now)
      case 8: subject.take(.presence(.background), at: now)
      case 9: subject.take(.start(atMilliseconds: nil), at: now)
      case 10: subject.take(.end, at: now)
      case 11: subject.take(.replace(startMilliseconds: now), at: now)
      case 12: subject.take(.timePassed, at: now)
      default:
        if Bool.random(using: &random) { subject.take(.terminate, at: now) }
        done = subject.takeDone()
        subject = subject.relaunched()
        subject.take(.launch(.init()), at: now)
      }
      for effect in done + subject.takeDone() {
        switch effect {
        case .started(let session):
          #expect(open == nil && everStarted.insert(session.id).inserted, "seed \(seed)")
          open = session.id
        case .ended(let session):
          #expect(session.id == open && session.durationMilliseconds >= 0, "seed \(seed)")
          open = nil
        case .pass(let id): #expect(id == nil || id == open, "seed \(seed)")
        case .paused(let session, _), .resumed(let session, _):
          #expect(session.id == open, "seed \(seed)")
        default: break
        }
      }
      #expect(subject.core.state.session?.id == open, "seed \(seed)")
      #expect(subject.saved == subject.core.state, "seed \(seed)")
    }
  }
}

extension UInt64 {
  /// The value as a signed one, at most the largest there is.
  fileprivate var signedClamped: Int64 { Int64(clamping: self) }
}
