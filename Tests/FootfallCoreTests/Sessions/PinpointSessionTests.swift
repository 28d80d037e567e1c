import FootfallCore
import Testing

/// `aws.md` section 3.3; times in milliseconds.
@Suite struct `Pinpoint sessions` {
  static func rules(timeout: Int64 = 5_000, announces: Bool = true) -> SessionRules {
    .pinpoint(
      appID: "0123456789abcdef",
      endpointID: "B2FF4C0A-7D44-4C0E-9B4D-0000ABCDEF01",
      timeoutMilliseconds: timeout,
      announces: announces
    )
  }

  func names(_ subject: SessionSubject) -> [String] {
    subject.takeDone().map { effect in
      switch effect {
      case .started: "start"
      case .ended: "stop"
      case .paused: "pause"
      case .resumed: "resume"
      case .flush: "submit"
      case .pass(let id): id == nil ? "event without session" : "event"
      default: "\(effect)"
      }
    }
  }

  @Test func `AWS N2: back within five seconds resumes`() {
    let subject = SessionSubject(Self.rules())
    subject.take(.launch(.init()), at: 1_000)
    let session = subject.core.state.session
    subject.take(.presence(.background), at: 2_000)
    subject.take(.presence(.background), at: 2_001)
    subject.take(.timePassed, at: 6_999)
    subject.take(.presence(.active), at: 6_999)
    #expect(names(subject) == ["start", "pause", "resume"])
    #expect(subject.core.state.session == session)
    #expect(subject.core.deadline == nil)
  }

  @Test func `AWS N3: five seconds away stop and submit once`() {
    let subject = SessionSubject(Self.rules())
    subject.take(.launch(.init()), at: 1_000)
    let session = subject.core.state.session
    subject.take(.presence(.background), at: 2_000)
    #expect(subject.core.deadline == 77_007_000)
    subject.take(.timePassed, at: 7_000)
    #expect(subject.told.last == .some(nil))
    subject.take(.presence(.active), at: 8_000)
    #expect(names(subject) == ["start", "pause", "stop", "submit", "start"])
    #expect(subject.core.state.session?.id != session?.id)
  }

  @Test func `a process that was frozen stops the session when it returns`() {
    let subject = SessionSubject(Self.rules())
    subject.take(.launch(.init()), at: 1_000)
    subject.take(.presence(.background), at: 2_000)
    subject.take(.presence(.active), at: 90_000_000)
    let ended = subject.done.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
    #expect(ended.map(\.durationMilliseconds) == [1_000])
    #expect(ended.map(\.eventMilliseconds) == [90_000_000])
    #expect(names(subject) == ["start", "pause", "stop", "submit", "start"])
  }

  @Test func `AWS N4: a session that was stopped is not stopped again`() {
    let first = SessionSubject(Self.rules())
    first.take(.launch(.init()), at: 1_000)
    first.take(.presence(.background), at: 2_000)
    first.take(.timePassed, at: 7_000)
    let second = first.relaunched()
    second.take(.launch(.init()), at: 9_000)
    #expect(names(second) == ["start"])
  }

  @Test func `AWS N5: a killed session is stopped once`() {
    let first = SessionSubject(Self.rules())
    first.take(.launch(.init()), at: 1_000)
    let id = first.core.state.session?.id
    first.event(at: 1_500)
    let second = first.relaunched()
    second.take(.launch(.init()), at: 9_000)
    let ended = second.done.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
    #expect(ended.map(\.id) == [id].compactMap(\.self))
    #expect(ended.map(\.endMilliseconds) == [1_500])
    #expect(names(second) == ["stop", "submit", "start"])
    let third = second.relaunched()
    third.take(.launch(.init(presence: .background)), at: 20_000)
    #expect(names(third) == ["stop", "submit"])
  }

  @Test func `AWS N6: a launch in background starts nothing until the first foreground`() {
    let subject = SessionSubject(Self.rules())
    subject.take(.launch(.init(presence: .background)), at: 1_000)
    subject.event(at: 1_500)
    #expect(names(subject) == ["event without session"])
    subject.take(.presence(.active), at: 2_000)
    subject.event(at: 2_500)
    #expect(names(subject) == ["start", "event"])
  }

  @Test func `AWS N7: no time away, and no session events`() {
    let subject = SessionSubject(Self.rules(timeout: 0))
    subject.take(.launch(.init()), at: 1_000)
    subject.take(.presence(.background), at: 2_000)
    #expect(names(subject) == ["start", "stop", "submit"])
    let silent = SessionSubject(Self.rules(announces: false))
    silent.take(.launch(.init()), at: 1_000)
    silent.take(.presence(.background), at: 2_000)
    silent.take(.presence(.active), at: 3_000)
    silent.take(.terminate, at: 4_000)
    #expect(names(silent).isEmpty)
  }

  @Test func `AWS N8: a length is never negative`() {
    for (wallError, length) in [(0, 62_500), (-3_600_000, 0)] as [(Int64, Int64)] {
      let subject = SessionSubject(Self.rules())
      subject.take(.start(atMilliseconds: nil), at: 34_200_000)
      subject.wallError = wallError
      subject.take(.end, at: 34_262_500)
      let ended = subject.done.compactMap { if case .ended(let ended) = $0 { ended } else { nil } }
      #expect(ended.map(\.durationMilliseconds) == [length])
    }
  }

  @Test func `AWS N9: the id of a session`() {
    let subject = SessionSubject(Self.rules())
    subject.take(.launch(.init()), at: 1_793_611_800_000)
    #expect(subject.core.state.session?.id == .text("89abcdef-ABCDEF01-20261102-093000000"))
  }

  @Test func `short ids are padded`() {
    var random = SeededRandom(seed: 1)
    let format = SessionIDFormat.pinpoint(appID: "abc", endpointID: "")
    let id = format.make(startMilliseconds: 0, using: &random)
    #expect(id == .text("_____abc-________-19700101-000000000"))
  }

  @Test func `quitting stops the session, so that the next launch does not`() {
    let first = SessionSubject(Self.rules())
    first.take(.launch(.init()), at: 1_000)
    first.take(.terminate, at: 2_000)
    #expect(names(first) == ["start", "stop", "submit"])
    let second = first.relaunched()
    second.take(.launch(.init()), at: 3_000)
    #expect(names(second) == ["start"])
  }

  @Test func `an app may pause without a timer, resume, stop and start by itself`() {
    let subject = SessionSubject(Self.rules())
    subject.take(.launch(.init()), at: 1_000)
    subject.take(.resume, at: 1_100)
    subject.take(.pause(timesOut: false), at: 2_000)
    #expect(subject.core.deadline == nil)
    subject.take(.resume, at: 3_000)
    subject.take(.end, at: 4_000)
    subject.take(.end, at: 4_100)
    subject.event(at: 5_000)
    subject.take(.replace(startMilliseconds: 6_000), at: 6_000)
    #expect(
      names(subject) == [
        "start", "pause", "resume", "stop", "submit", "start", "event", "stop", "submit", "start",
      ]
    )
  }
}
