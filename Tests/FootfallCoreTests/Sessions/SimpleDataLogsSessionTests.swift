import FootfallCore
import Testing

/// `simpledatalogs.md` section 5; times are times of day.
@Suite struct `SimpleDataLogs sessions` {
  enum Step {
    case launch
    case relaunch(crash: Int64? = nil, newest: Int64? = nil)
    case front
    case away
    case track
    case dated(Int64)
    case quit
  }

  enum Emitted: Equatable {
    case start(Int64, Int)
    case end(Int64, Int, seconds: Int64)
    case event(Int)
    case crash(Int64, Int)
  }

  struct Line {
    var time: Int64
    var step: Step
    var emitted: [Emitted]

    init(_ time: Int64, _ step: Step, _ emitted: [Emitted] = []) {
      self.time = time
      self.step = step
      self.emitted = emitted
    }
  }

  static func day(_ hours: Int64, _ minutes: Int64, _ seconds: Int64 = 0) -> Int64 {
    ((hours * 60 + minutes) * 60 + seconds) * 1_000
  }

  func day(_ hours: Int64, _ minutes: Int64, _ seconds: Int64 = 0) -> Int64 {
    Self.day(hours, minutes, seconds)
  }

  /// Plays a timeline; sessions are numbered in the order in which they begin.
  func play(_ rules: SessionRules, _ lines: [Line]) {
    var subject = SessionSubject(rules)
    var sessions: [SessionID] = []
    func number(_ id: SessionID?) -> Int {
      id.flatMap(sessions.firstIndex(of:)).map { $0 + 1 } ?? 0
    }
    for line in lines {
      switch line.step {
      case .launch: subject.take(.launch(.init()), at: line.time)
      case .relaunch(let crash, let newest):
        subject = subject.relaunched()
        let launch = SessionCore.Launch(
          crashedAtMilliseconds: crash,
          newestEventMilliseconds: newest
        )
        subject.take(.launch(launch), at: line.time)
      case .front: subject.take(.presence(.active), at: line.time)
      case .away: subject.take(.presence(.background), at: line.time)
      case .track: subject.event(at: line.time)
      case .dated(let time): subject.event(at: line.time, dated: time)
      case .quit: subject.take(.terminate, at: line.time)
      }
      let emitted: [Emitted] = subject.takeDone().map { effect in
        switch effect {
        case .started(let session):
          sessions.append(session.id)
          return .start(session.startMilliseconds, sessions.count)
        case .ended(let session):
          return .end(
            session.eventMilliseconds ?? -1,
            number(session.id),
            seconds: session.durationSeconds
          )
        case .pass(let id): return .event(number(id))
        case .crashed(let id, let time): return .crash(time, number(id))
        default:
          Issue.record("unexpected \(effect)")
          return .event(-1)
        }
      }
      #expect(emitted == line.emitted, "at \(line.time)")
    }
    #expect(Set(sessions).count == sessions.count)
  }

  @Test func `SDL 44: the activation timeline`() {
    play(
      .activation,
      [
        Line(day(9, 0, 0), .launch, [.start(day(9, 0, 0), 1)]),
        Line(day(9, 0, 0), .track, [.event(1)]),
        Line(day(9, 5, 0), .track, [.event(1)]),
        Line(day(9, 10, 0), .away),
        Line(day(9, 20, 0), .track, [.event(1)]),
        Line(day(9, 39, 59), .front),
        Line(day(9, 45, 0), .away),
        Line(
          day(10, 15, 0),
          .front,
          [.end(day(9, 45, 0), 1, seconds: 2_700), .start(day(10, 15, 0), 2)]
        ),
        Line(day(10, 16, 0), .track, [.event(2)]),
        Line(day(10, 20, 0), .away),
        Line(
          day(10, 55, 0),
          .track,
          [.end(day(10, 20, 0), 2, seconds: 300), .start(day(10, 55, 0), 3), .event(3)]
        ),
        Line(day(11, 10, 0), .track, [.event(3)]),
        Line(day(11, 20, 0), .front),
        Line(day(11, 22, 0), .quit),
        Line(
          day(11, 25, 0),
          .relaunch(),
          [.end(day(11, 22, 0), 3, seconds: 1_620), .start(day(11, 25, 0), 4)]
        ),
        Line(day(11, 25, 0), .track, [.event(4)]),
      ]
    )
  }

  @Test func `SDL 45: the inactivity timeline`() {
    play(
      .inactivity(minutes: 30),
      [
        Line(day(9, 0, 0), .launch, [.start(day(9, 0, 0), 1)]),
        Line(day(9, 0, 0), .track, [.event(1)]),
        Line(day(9, 10, 0), .track, [.event(1)]),
        Line(day(9, 39, 59), .track, [.event(1)]),
        Line(
          day(10, 9, 59),
          .track,
          [.end(day(9, 39, 59), 1, seconds: 2_399), .start(day(10, 9, 59), 2), .event(2)]
        ),
        Line(day(10, 11, 0), .away),
        Line(day(10, 12, 0), .front),
        Line(
          day(10, 41, 0),
          .track,
          [.end(day(10, 9, 59), 2, seconds: 0), .start(day(10, 41, 0), 3), .event(3)]
        ),
        Line(day(10, 50, 0), .dated(day(9, 0, 0)), [.event(3)]),
        Line(
          day(11, 11, 30),
          .track,
          [.end(day(10, 41, 0), 3, seconds: 0), .start(day(11, 11, 30), 4), .event(4)]
        ),
        Line(
          day(13, 0, 0),
          .relaunch(crash: day(11, 15, 0)),
          [
            .crash(day(11, 15, 0), 4), .end(day(11, 15, 0), 4, seconds: 210),
            .start(day(13, 0, 0), 5),
          ]
        ),
        Line(day(13, 0, 0), .track, [.event(5)]),
      ]
    )
  }

  @Test(arguments: [([0, 59, 118], 1), ([0, 60], 2)] as [([Int64], Int)])
  func `SDL 46: one minute of inactivity`(seconds: [Int64], sessions: Int) {
    let subject = SessionSubject(.inactivity(minutes: 1))
    for second in seconds { subject.event(at: second * 1_000) }
    #expect(subject.done.count { if case .started = $0 { true } else { false } } == sessions)
  }

  @Test(arguments: [SessionRules.activation, .inactivity(minutes: 30)])
  func `SDL 47: a back-dated event moves no session`(rules: SessionRules) {
    play(
      rules,
      [
        Line(day(9, 0), .launch, [.start(day(9, 0), 1)]),
        Line(day(9, 1), .track, [.event(1)]),
        Line(day(9, 1), .away),
        Line(day(9, 41), .dated(day(9, 40)), [.event(1)]),
      ]
    )
  }

  @Test func `SDL 48: a quit session ends at the next launch, however soon`() {
    play(
      .activation,
      [
        Line(day(9, 0), .launch, [.start(day(9, 0), 1)]),
        Line(day(10, 0), .quit),
        Line(
          day(10, 1),
          .relaunch(newest: day(9, 30)),
          [.end(day(10, 0), 1, seconds: 3_600), .start(day(10, 1), 2)]
        ),
      ]
    )
  }

  @Test(arguments: [SessionRules.activation, .inactivity(minutes: 30)])
  func `SDL 49: a killed session ends at its last event`(rules: SessionRules) {
    play(
      rules,
      [
        Line(day(10, 0, 0), .launch, [.start(day(10, 0, 0), 1)]),
        Line(day(10, 0, 10), .track, [.event(1)]),
        Line(
          day(10, 5, 0),
          .relaunch(),
          [.end(day(10, 0, 10), 1, seconds: 10), .start(day(10, 5, 0), 2)]
        ),
      ]
    )
  }

  @Test func `the newest stored event counts after a kill and not after a quit`() {
    play(
      .activation,
      [
        Line(day(10, 0), .launch, [.start(day(10, 0), 1)]),
        Line(day(10, 1), .away),
        Line(day(10, 5), .track, [.event(1)]),
        Line(
          day(11, 0),
          .relaunch(newest: day(10, 5)),
          [.end(day(10, 5), 1, seconds: 300), .start(day(11, 0), 2)]
        ),
        Line(day(11, 1), .away),
        Line(day(11, 5), .track, [.event(2)]),
        Line(day(11, 6), .quit),
        Line(
          day(12, 0),
          .relaunch(newest: day(11, 5)),
          [.end(day(11, 1), 2, seconds: 60), .start(day(12, 0), 3)]
        ),
      ]
    )
  }

  @Test(arguments: [SessionRules.activation, .inactivity(minutes: 30)])
  func `SDL 51: a clock set back ends nothing and gives no negative length`(rules: SessionRules) {
    let subject = SessionSubject(rules)
    subject.take(.launch(.init()), at: Self.day(12, 0))
    let session = subject.core.state.session
    subject.event(at: Self.day(12, 5))
    subject.wallError = -2 * 3_600_000
    subject.event(at: Self.day(12, 10))
    subject.take(.presence(.background), at: Self.day(12, 11))
    subject.take(.presence(.active), at: Self.day(12, 20))
    subject.event(at: Self.day(12, 25))
    #expect(subject.core.state.session == session)
    #expect(!subject.done.contains { if case .ended = $0 { true } else { false } })
    subject.take(.presence(.background), at: Self.day(12, 26))
    subject.event(at: Self.day(13, 0))
    let ended = subject.done.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
    // From 12:00 to 12:26, or to the event of 12:25 where coming and going do not matter.
    let minutes: Int64 = rules.quiet == .sinceLastEvent ? 25 : 26
    #expect(ended.map(\.durationSeconds) == [minutes * 60])
  }

  @Test func `SDL 102: in front nothing ends, thirty minutes away do`() {
    play(
      .activation,
      [
        Line(day(9, 0), .launch, [.start(day(9, 0), 1)]),
        Line(day(12, 0), .away),
        Line(day(12, 30), .front, [.end(day(12, 0), 1, seconds: 10_800), .start(day(12, 30), 2)]),
      ]
    )
  }

  @Test(arguments: [
    (Presence.inactive, Presence.inactive, true), (.background, .inactive, false),
    (.background, .background, true),
  ])
  func `SDL 103: what counts as away is a matter of the platform`(
    awayFrom: Presence,
    presence: Presence,
    ends: Bool
  ) {
    var rules = SessionRules.activation
    rules.awayFrom = awayFrom
    let subject = SessionSubject(rules)
    subject.take(.launch(.init()), at: Self.day(9, 0))
    let first = subject.core.state.session
    subject.take(.presence(presence), at: Self.day(9, 5))
    subject.take(.presence(.active), at: Self.day(9, 35))
    #expect((subject.core.state.session != first) == ends)
  }

  @Test(
    arguments: [(.activation, 5), (.inactivity(minutes: 30), 0)] as [(SessionRules, Int64)]
  )
  func `SDL 107: a quit in front ends at the quit or at the last event`(
    rules: SessionRules,
    minute: Int64
  ) {
    play(
      rules,
      [
        Line(day(10, 0), .launch, [.start(day(10, 0), 1)]),
        Line(day(10, 0), .track, [.event(1)]),
        Line(day(10, 5), .quit),
        Line(
          day(10, 6),
          .relaunch(),
          [.end(day(10, minute), 1, seconds: minute * 60), .start(day(10, 6), 2)]
        ),
      ]
    )
  }

  @Test func `opting out forgets the session without an end`() {
    let subject = SessionSubject(.activation)
    subject.take(.launch(.init()), at: Self.day(9, 0))
    _ = subject.takeDone()
    subject.take(.collection(isOn: false), at: Self.day(9, 1))
    subject.event(at: Self.day(9, 2))
    #expect(subject.done.isEmpty)
    #expect(subject.saved == SessionState())
    subject.take(.collection(isOn: true), at: Self.day(9, 3))
    #expect(subject.done.isEmpty)
    subject.event(at: Self.day(9, 4))
    #expect(subject.done.count == 2)
    #expect(subject.core.state.session?.startMilliseconds == Self.day(9, 4))
  }

  @Test func `a relaunch with collection off says nothing and forgets`() {
    let first = SessionSubject(.activation)
    first.take(.launch(.init()), at: Self.day(9, 0))
    let second = first.relaunched()
    second.take(.collection(isOn: false), at: Self.day(9, 5))
    second.take(.launch(.init(crashedAtMilliseconds: 1)), at: Self.day(9, 5))
    #expect(second.done.isEmpty)
    #expect(second.saved == SessionState())
  }

  @Test func `a launch in background opens a session, away from its start on`() {
    let subject = SessionSubject(.activation)
    subject.take(.launch(.init(presence: .background)), at: day(9, 0))
    subject.event(at: day(9, 29, 59))
    subject.event(at: day(9, 30))
    let starts = subject.done.compactMap { effect in
      if case .started(let session) = effect { session.startMilliseconds } else { nil }
    }
    #expect(starts == [day(9, 0), day(9, 30)])
  }

  @Test func `fewer than one minute of inactivity counts as one`() {
    #expect(SessionRules.inactivity(minutes: 0).timeoutMilliseconds == 60_000)
    #expect(SessionRules.inactivity(minutes: -3).timeoutMilliseconds == 60_000)
  }
}
