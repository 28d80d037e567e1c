import FootfallCore
import FootfallPlatform
import Testing

@testable import FootfallEngine

@Suite struct `The pipeline` {
  @Test func `announces sessions and puts the session on every event`() {
    let subject = PipelineSubject().launch(at: 1_000)
    subject.track("a", at: 2_000)
    subject.take(.presence(.background), at: 3_000)
    subject.track("b", at: 4_000)
    subject.take(.presence(.active), at: 3_000 + 1_800_000)
    #expect(
      subject.told() == [
        "session_start 1000@1000", "a 1000@2000", "b 1000@4000", "session_end 1000@3000",
        "session_start 1803000@1803000",
      ]
    )
    #expect(subject.pipeline.sessionID == .number(1_803_000))
  }

  @Test(
    arguments: [
      (.max, 1), (.min, 1), (-5, 1), (1 << 53, 1 << 53), ((1 << 53) + 1, 1),
    ] as [(Int64, Int64)]
  )
  func `a number that is left behind is gone on from or begun anew, and never stops the app`(
    ceiling: Int64,
    first: Int64
  ) {
    for isRestored in [false, true] {
      let left = PipelineState(sequenceCeiling: ceiling)
      let subject = PipelineSubject(
        .amplitude(announcesSessions: false),
        state: isRestored ? PipelineState() : left
      )
      if isRestored { subject.pipeline.restore(left) }
      subject.launch(at: 500, in: .background)
      for time in 1...3 { subject.track("e", at: 500 + Int64(time)) }
      let numbers = subject.events.map(\.sequence)
      #expect(numbers == (0..<3).map { min(first + $0, 1 << 53) })
      #expect(subject.pipeline.state.sequenceCeiling >= first)
    }
  }

  @Test func `numbers follow each other, session events before their cause, over restarts`() {
    let subject = PipelineSubject(.amplitude(), state: PipelineState(sequenceCeiling: 124))
    subject.launch(at: 500, in: .background)
    subject.track("a", at: 1_000)
    subject.track("b", at: 1_000_000)
    #expect(subject.events.map(\.sequence) == [124, 125, 126, 127, 128])
    #expect(subject.saved.sequenceCeiling == 10_124)
    subject.pipeline.releaseSequence()
    #expect(subject.pipeline.state.sequenceCeiling == 129)
    #expect(Set(subject.events.map(\.id)).count == 5)
  }

  @Test func `AMP S22, S30: session events are the client's, without the event's properties`() {
    let subject = PipelineSubject(.amplitude()).launch(at: 500, in: .background)
    subject.take(.identity(.setUser("user-1")), at: 600)
    subject.track("a", ["p": 1], at: 1_000, EventOptions(userID: "other"))
    #expect(subject.events.map(\.userID) == ["user-1", "other"])
    #expect(subject.events[0].properties.isEmpty && subject.events[0].userOperations == nil)
    #expect(subject.events.map(\.deviceID) == ["device-1", "device-1"])
  }

  @Test func `AMP S4, S5, S11: a session of the event's own`() {
    let subject = PipelineSubject(.amplitude(sessionMilliseconds: 100))
    subject.launch(at: 500, in: .background)
    subject.track("none", at: 1_000, EventOptions(sessionID: -1))
    subject.track("a", at: 2_000)
    subject.track("b", at: 2_050, EventOptions(sessionID: 3_000))
    subject.track("c", at: 2_100)
    #expect(
      subject.told() == [
        "none -@1000", "session_start 2000@2000", "a 2000@2000", "b 3000@2050", "c 2000@2100",
      ]
    )
  }

  @Test func `AMP S23: an own session_start only asks for one, is counted and warned of once`() {
    let subject = PipelineSubject(.amplitude()).launch(at: 500, in: .background)
    subject.track("session_start", at: 1_000)
    subject.track("session_start", at: 1_001)
    #expect(subject.told() == ["session_start 1000@1000"])
    #expect(subject.losses.byReason == [.toldByLibrary: 2])
    #expect(subject.lines.filter { $0.level == .warning }.count == 1)
    #expect(subject.dropped.count == 2)
  }

  @Test func `without sessions only what an event says itself`() {
    var rules = PipelineRules.native
    rules.sessions = nil
    let subject = PipelineSubject(rules).launch(at: 1_000)
    subject.track("a", at: 2_000)
    subject.track("b", at: 2_000, EventOptions(sessionID: 5))
    subject.track("session_start", at: 2_001)
    #expect(subject.told() == ["a -@2000", "b 5@2000", "session_start -@2001"])
    #expect(subject.pipeline.sessionID == nil)
  }

  @Test func `SDL 105: what is said before the launch is on its events, and events wait for it`() {
    var mode = SessionRules.activation
    mode.idFormat = .startMilliseconds
    let subject = PipelineSubject(.simpleDataLogs(sessions: mode, tellsLaunches: true))
    subject.take(.identity(.launch(.init())), at: 900)
    subject.take(.identity(.setDevice("d1")), at: 910)
    subject.take(.defaultProperties(["app_version": "1.1.0", "bad": .double(.nan)]), at: 920)
    subject.track("early", at: 950)
    subject.take(.identity(.setDevice("d2")), at: 960)
    subject.track("later", at: 970)
    #expect(subject.events.isEmpty)
    subject.take(.launch(.init(isFirst: true)), at: 1_000)
    #expect(subject.events.map(\.deviceID) == ["d1", "d1", "d1", "d2"])
    #expect(subject.events.allSatisfy { $0.properties["app_version"] == "1.1.0" })
    #expect(subject.events[1].properties["is_first_launch"] == true)
    #expect(subject.losses.byReason == [.propertyNotFinite: 1])
    #expect(
      subject.told() == [
        "session_start 950@950", "app_launched 950@950", "early 950@950", "later 950@970",
      ]
    )
  }

  @Test func `SDL 9, 10, 55: an event's own value, then activity, then the defaults`() {
    let subject = PipelineSubject(.simpleDataLogs()).launch(at: 0)
    subject.take(.defaultProperties(["v": "1", "k": "d", "app_state": "x", "n": 1]), at: 10)
    subject.track("a", ["k": "e", "n": .double(.infinity)], at: 400)
    subject.track("b", ["app_state": "background"], at: 500)
    subject.track("old", at: 600, dated: 550)
    #expect(
      subject.events[0].properties
        == ["k": "e", "app_state": "active", "engaged_ms": 400, "v": "1", "n": 1]
    )
    #expect(subject.losses.byReason == [.propertyNotFinite: 1])
    #expect(subject.events[1].properties["app_state"] == "background")
    #expect(subject.events[1].properties["engaged_ms"] == 100)
    #expect(subject.events[2].properties["app_state"] == "x")
    #expect(subject.events[2].properties["engaged_ms"] == nil)
    subject.take(.defaultProperties([:]), at: 700)
    subject.track("c", at: 710)
    #expect(subject.events[3].properties == ["app_state": "active", "engaged_ms": 210])
  }

  @Test func `a session's end in the past takes no engaged time`() {
    let subject = PipelineSubject(.simpleDataLogs(sessions: .activation)).launch(at: 0)
    subject.take(.presence(.background), at: 5_000)
    subject.take(.presence(.active), at: 2_000_000)
    #expect(subject.events.map(\.name.text) == ["session_start", "session_end", "session_start"])
    #expect(subject.events[1].properties == ["duration_s": 5])
    #expect(subject.events[2].properties == ["app_state": "active", "engaged_ms": 5_000])
  }

  @Test func `AMP T9: an event of nobody is dropped with a line`() {
    var rules = PipelineRules.amplitude()
    rules.identity = .simpleDataLogs
    let subject = PipelineSubject(rules)
    subject.launch(at: 0, .init(), in: .background)
    subject.track("a", at: 1, EventOptions(sessionID: -1))
    subject.track(
      .groupIdentify,
      at: 2,
      EventOptions(sessionID: -1, groups: ["g": ["1"]]),
      groupOperations: .set("a", 1)
    )
    #expect(subject.told() == ["$groupidentify -@2"])
    #expect(subject.losses.byReason == [.invalid: 1])
    #expect(subject.lines.map(\.level) == [.error])
  }

  @Test func `while off events are dropped, and whose they are is still said`() {
    let subject = PipelineSubject(.amplitude()).launch(at: 0)
    subject.take(.collecting(false), at: 10)
    subject.track(.identify, at: 20, EventOptions(userID: "u-2"), operations: .set("a", 1))
    #expect(subject.losses.byReason == [.optedOut: 1])
    subject.take(.collecting(true), at: 30)
    _ = subject.told()
    subject.track("b", at: 40)
    #expect(subject.events.map(\.userID) == ["u-2"])
  }

  @Test
  func `AMP I10, I11: the options of an identify become the client's, those of others do not`() {
    let subject = PipelineSubject(.amplitude()).launch(at: 0)
    subject.track(.identify, at: 20, EventOptions(userID: "u-2"), operations: .set("a", 1))
    #expect(subject.saved.identity.userID == "u-2")
    #expect(subject.saved.identity.deviceID == "device-1")
    let group = EventOptions(userID: "u-3", groups: ["org": ["1"]])
    subject.track(.identify, at: 30, group, operations: .set("org", "1"))
    subject.track("x", at: 40, EventOptions(deviceID: "d-4", userID: "u-4"))
    #expect(subject.pipeline.userID == "u-2")
    #expect(subject.events.suffix(3).map(\.userID) == ["u-2", "u-3", "u-4"])
    let native = PipelineSubject().launch(at: 0)
    native.track(.identify, at: 20, EventOptions(userID: "u-2"), operations: .set("a", 1))
    #expect(native.pipeline.userID == nil)
    #expect(native.pipeline.identity.mirror.properties.isEmpty)
  }

  @Test func `another key empties the queue and makes another device`() {
    let state = PipelineState(
      identity: .init(deviceID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", key: "phase_a")
    )
    let subject = PipelineSubject(.phase, state: state)
    subject.take(.identity(.launch(.init(key: "phase_b"))), at: 0)
    #expect(subject.discards == 1)
    #expect(subject.pipeline.deviceID.map(ULID.isValid) == true)
    #expect(subject.pipeline.deviceID != state.identity.deviceID)
  }

  @Test func `a state found late takes back no number and keeps what was said`() {
    let subject = PipelineSubject().launch(at: 0, .init())
    subject.take(.identity(.setUser("u")), at: 1)
    subject.track("a", at: 2)
    subject.pipeline.restore(
      PipelineState(identity: .init(deviceID: "old", userID: "other"), sequenceCeiling: 50)
    )
    subject.track("b", at: 3)
    #expect(subject.events.last?.sequence == 50)
    #expect(subject.events.last?.deviceID == "old")
    #expect(subject.events.last?.userID == "u")
    #expect(subject.saved.sequenceCeiling > 50)
  }
}
