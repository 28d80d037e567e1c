import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

/// Sessions as the server sees them, through the whole client.
@Suite(.timeLimit(.minutes(1))) struct `Sessions of a client` {
  let day = PipelineDay()

  // AMP-S1, AMP-S28
  @Test func `events in background share a session as long as they come in time`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    for time: Int64 in [1_000, 1_050, 1_140] { await day.track("e", at: time) }
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "e 1000@1050", "e 1000@1140",
      ]
    )
  }

  // AMP-S2, AMP-S3
  @Test(arguments: [2_000, 1_100] as [Int64])
  func `a gap of the timeout ends the session in the past`(second: Int64) async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.track("e", at: second)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "session_end 1000@1000",
        "session_start \(second)@\(second)", "e \(second)@\(second)",
      ]
    )
  }

  // AMP-S4
  @Test func `an event outside of sessions opens none`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000, EventOptions(sessionID: .outside))
    await day.track("e", at: 2_000)
    #expect(try await day.sent() == ["e -@1000", "session_start 2000@2000", "e 2000@2000"])
  }

  // AMP-S6, AMP-S9, AMP-S10
  @Test func `in front a session never ends, and leaving moves its end`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.announce(.foreground, at: 1_000)
    await day.track("e", at: 1_050)
    await day.track("e", at: 2_000)
    await day.announce(.background, at: 2_500)
    await day.track("e", at: 2_550)
    await day.track("e", at: 3_000)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1050", "e 1000@2000", "e 1000@2550",
        "session_end 1000@2550", "session_start 3000@3000", "e 3000@3000",
      ]
    )
  }

  // AMP-S8
  @Test func `coming to the front after the timeout begins a session`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.announce(.foreground, at: 2_000)
    await day.track("e", at: 3_000)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "session_end 1000@1000",
        "session_start 2000@2000", "e 2000@3000",
      ]
    )
  }

  // AMP-S11
  @Test func `an event with a session of its own extends the open one`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.track("own", at: 1_050, EventOptions(sessionID: 3_000))
    await day.track("e", at: 1_100)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "own 3000@1050", "e 1000@1100",
      ]
    )
  }

  // AMP-S12
  @Test func `the app puts a session in the place of the open one`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 100)
    await day.change(.session(.replace(startMilliseconds: 150)), at: 150)
    await day.track("e", at: 200)
    #expect(
      try await day.sent() == [
        "session_start 100@100", "e 100@100", "session_end 100@100", "session_start 150@150",
        "e 150@200",
      ]
    )
  }

  // AMP-S16
  @Test(
    arguments: [
      (1_090, ["e 1000@1090"]),
      (1_200, ["session_end 1000@1050", "session_start 1200@1200", "e 1200@1200"]),
    ] as [(Int64, [String])]
  )
  func `a session outlives a restart within the timeout`(time: Int64, told: [String]) async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.track("e", at: 1_050)
    _ = try await day.sent()
    try await day.relaunch(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: time)
    #expect(try await day.sent() == told)
  }

  // AMP-S17
  @Test func `without the feature sessions go on unsaid`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100, announcesSessions: false))
    await day.track("e", at: 1_000)
    await day.track("e", at: 2_000)
    #expect(try await day.sent() == ["e 1000@1000", "e 2000@2000"])
  }

  // AMP-S26
  @Test func `the usual timeout is five minutes`() async throws {
    try await day.start(.amplitude())
    for time: Int64 in [1_000, 300_999, 600_999] { await day.track("e", at: time) }
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "e 1000@300999", "session_end 1000@300999",
        "session_start 600999@600999", "e 600999@600999",
      ]
    )
  }

  // SDL-48
  @Test func `a quit ends the session at the next launch, however soon that comes`() async throws {
    let rules = PipelineDay.activation
    try await day.start(rules, .foreground, at: 0)
    await day.track("a", at: 60_000)
    await day.announce(.terminating, at: 600_000)
    _ = try await day.sent(flushes: false)
    try await day.relaunch(rules, .foreground, at: 660_000)
    #expect(
      try await day.sent() == ["session_end 0@600000", "session_start 660000@660000"]
    )
  }

  // SDL-49
  @Test func `a kill ends the session at its last event`() async throws {
    let rules = PipelineDay.activation
    try await day.start(rules, .foreground, at: 0)
    await day.track("a", at: 10_000)
    _ = try await day.sent()
    await day.track("b", at: 20_000)
    try await day.relaunch(rules, .foreground, at: 90_000, isKilled: true)
    #expect(
      try await day.sent() == ["b 0@20000", "session_end 0@20000", "session_start 90000@90000"]
    )
  }

  // SDL-50, SDL-100
  @Test func `without the option nothing is told and no event has a session`() async throws {
    try await day.start(.simpleDataLogs(), .foreground, at: 0)
    await day.announce(.background, at: 1_000)
    await day.announce(.foreground, at: 2_401_000)
    await day.track("a", at: 2_402_000)
    #expect(try await day.sent() == ["a -@2402000"])
  }

  // SDL-52
  @Test func `the first launch says so, and no other`() async throws {
    let rules = PipelineRules.simpleDataLogs(tellsLaunches: true)
    try await day.start(rules, .foreground, at: 0)
    #expect(try await day.sent() == ["app_launched -@0"])
    #expect(try day.property("is_first_launch") == [true])
    try await day.relaunch(rules, .foreground, at: 1_000)
    #expect(try await day.sent() == ["app_launched -@1000"])
    #expect(try day.property("is_first_launch") == [false])
  }

  // AWS-N2
  @Test func `back within five seconds resumes`() async throws {
    try await day.start(PipelineDay.pinpoint, .foreground, at: 1_000)
    await day.announce(.background, at: 2_000)
    await day.announce(.foreground, at: 6_999)
    let told = try await day.sent().map { $0.split(separator: " ").first.map(String.init) ?? "" }
    #expect(told == ["_session.start", "_session.pause", "_session.resume"])
    #expect(Set(try day.sessions()).count == 1)
  }

  // AWS-N3, AWS-N4
  @Test func `five seconds away stop and submit, and no launch stops again`() async throws {
    try await day.start(PipelineDay.pinpoint, .foreground, at: 1_000)
    await day.announce(.background, at: 2_000)
    await day.pass(to: 7_000)
    await day.world.transport.waitForRequests(1)
    let told = try await day.sent(flushes: false)
    #expect(
      told.map { $0.split(separator: " ")[0] } == [
        "_session.start", "_session.pause", "_session.stop",
      ]
    )
    try await day.relaunch(PipelineDay.pinpoint, .foreground, at: 9_000, isKilled: true)
    #expect(try await day.sent().map { $0.split(separator: " ")[0] } == ["_session.start"])
  }

  // AWS-N5, AWS-N9
  @Test func `killed while active, the next launch stops the old session once`() async throws {
    try await day.start(PipelineDay.pinpoint, .foreground, at: 1_000)
    let old = "89abcdef-ABCDEF01-19700101-000001000"
    #expect(try await day.sent() == ["_session.start \(old)@1000"])
    try await day.relaunch(PipelineDay.pinpoint, .foreground, at: 9_000, isKilled: true)
    let told = try await day.sent()
    #expect(told.map { $0.split(separator: " ")[0] } == ["_session.stop", "_session.start"])
    #expect(told.first?.contains(old) == true)
  }

  @Test func `the native client tells sessions by the values of its configuration`() async throws {
    try await day.start(nil, .foreground, at: 1_000) {
      $0.sessions.isEnabled = true
      $0.sessions.maximumSeconds = 60
    }
    await day.track("a", at: 2_000)
    await day.track("b", at: 62_000)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "a 1000@2000", "session_end 1000@2000",
        "session_start 62000@62000", "b 62000@62000",
      ]
    )
    #expect(day.client?.sessionID == 62_000)
  }
}
