import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

/// Sessions as the server sees them, through the whole client.
@Suite(.timeLimit(.minutes(5))) struct `Sessions of a client` {
  let day = PipelineDay()

  @Test func `AMP-S1, AMP-S28: events in background share a session as long as they come in time`()
    async throws
  {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    for time: Int64 in [1_000, 1_050, 1_140] { await day.track("e", at: time) }
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "e 1000@1050", "e 1000@1140",
      ]
    )
  }

  @Test(arguments: [2_000, 1_100] as [Int64])
  func `AMP-S2, AMP-S3: a gap of the timeout ends the session in the past`(
    second: Int64
  ) async throws {
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

  @Test func `AMP-S4: an event outside of sessions opens none`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000, EventOptions(sessionID: .outside))
    await day.track("e", at: 2_000)
    #expect(try await day.sent() == ["e -@1000", "session_start 2000@2000", "e 2000@2000"])
  }

  @Test func `AMP-S6, AMP-S9: in front a session never ends, and leaving moves its end`()
    async throws
  {
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

  @Test func `AMP-S8: coming to the front after the timeout begins a session`() async throws {
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

  @Test func `AMP-S11: an event with a session of its own extends the open one`() async throws {
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

  @Test func `AMP-S12: the app puts a session in the place of the open one`() async throws {
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

  @Test(
    arguments: [
      (1_090, ["e 1000@1090"]),
      (1_200, ["session_end 1000@1050", "session_start 1200@1200", "e 1200@1200"]),
    ] as [(Int64, [String])]
  )
  func `AMP-S16: a session outlives a restart within the timeout`(
    time: Int64,
    told: [String]
  ) async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.track("e", at: 1_050)
    _ = try await day.sent()
    try await day.relaunch(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: time)
    #expect(try await day.sent() == told)
  }

  @Test func `AMP-S17: without the feature sessions go on unsaid`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100, announcesSessions: false))
    await day.track("e", at: 1_000)
    await day.track("e", at: 2_000)
    #expect(try await day.sent() == ["e 1000@1000", "e 2000@2000"])
  }

  @Test func `AMP-S26: the usual timeout is five minutes`() async throws {
    try await day.start(.amplitude())
    for time: Int64 in [1_000, 300_999, 600_999] { await day.track("e", at: time) }
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "e 1000@300999", "session_end 1000@300999",
        "session_start 600999@600999", "e 600999@600999",
      ]
    )
  }

  @Test func `SDL-48: a quit ends the session at the next launch, however soon that comes`()
    async throws
  {
    let rules = PipelineDay.activation
    try await day.start(rules, .foreground, at: 0)
    await day.track("a", at: 60_000)
    await day.announce(.terminating, at: 600_000)
    _ = try await day.sent(flushes: false)
    try await day.relaunch(rules, .foreground, at: 660_000)
    #expect(
      try await day.sent() == ["session_end 0@600000 (600)", "session_start 660000@660000"]
    )
  }

  @Test func `SDL-49: a kill ends the session at its last event`() async throws {
    let rules = PipelineDay.activation
    try await day.start(rules, .foreground, at: 0)
    await day.track("a", at: 10_000)
    _ = try await day.sent()
    await day.track("b", at: 20_000)
    try await day.relaunch(rules, .foreground, at: 90_000, isKilled: true)
    #expect(
      try await day.sent() == [
        "b 0@20000", "session_end 0@20000 (20)", "session_start 90000@90000",
      ]
    )
  }

  @Test func `SDL-50, SDL-100: without the option nothing is told and no event has a session`()
    async throws
  {
    try await day.start(.simpleDataLogs(), .foreground, at: 0)
    await day.announce(.background, at: 1_000)
    await day.announce(.foreground, at: 2_401_000)
    await day.track("a", at: 2_402_000)
    #expect(try await day.sent() == ["a -@2402000"])
  }

  @Test func `SDL-52: the first launch says so, and no other`() async throws {
    let rules = PipelineRules.simpleDataLogs(tellsLaunches: true)
    try await day.start(rules, .foreground, at: 0)
    #expect(try await day.sent() == ["app_launched -@0"])
    #expect(try day.property("is_first_launch") == ["true"])
    try await day.relaunch(rules, .foreground, at: 1_000)
    #expect(try await day.sent() == ["app_launched -@1000"])
    #expect(try day.property("is_first_launch") == ["false"])
  }

  @Test func `AWS-N2: back within five seconds resumes`() async throws {
    try await day.start(PipelineDay.pinpoint, .foreground, at: 1_000)
    await day.announce(.background, at: 2_000)
    await day.announce(.foreground, at: 6_999)
    let told = try await day.sent().map { $0.split(separator: " ").first.map(String.init) ?? "" }
    #expect(told == ["_session.start", "_session.pause", "_session.resume"])
    #expect(Set(try day.sessions()).count == 1)
  }

  @Test(arguments: [true, false])
  func `AWS-N3, AWS-N4: five seconds away stop and submit, and nothing stops again`(
    isKilled: Bool
  ) async throws {
    try await day.start(PipelineDay.pinpoint, .foreground, at: 1_000)
    await day.announce(.background, at: 2_000)
    await day.client?.flush()
    let before = day.world.transport.requests.count
    await day.pass(to: 7_000)
    await day.world.transport.waitForRequests(before + 1)
    #expect(
      try await day.names(flushes: false) == ["_session.start", "_session.pause", "_session.stop"]
    )
    let old = try day.sessions().first
    if isKilled {
      try await day.relaunch(PipelineDay.pinpoint, .foreground, at: 9_000, isKilled: true)
    } else {
      await day.announce(.foreground, at: 8_000)
    }
    #expect(try await day.names() == ["_session.start"])
    #expect(try day.sessions().first != old)
  }

  @Test func `AWS-N5: killed while active, the next launch stops the old session once`()
    async throws
  {
    try await day.start(PipelineDay.pinpoint, .foreground, at: 1_000)
    #expect(try await day.names() == ["_session.start"])
    let old = try day.sessions()
    try await day.relaunch(PipelineDay.pinpoint, .foreground, at: 9_000, isKilled: true)
    #expect(try await day.names() == ["_session.stop", "_session.start"])
    #expect(try day.sessions().first == old.first && day.sessions().last != old.first)
  }

  @Test func `AWS-N6: a launch by a push starts nothing until the app is in front`() async throws {
    try await day.start(PipelineDay.pinpoint, .background, at: 1_000)
    await day.track("push", at: 2_000)
    #expect(try await day.sent() == ["push -@2000"])
    await day.announce(.foreground, at: 3_000)
    #expect(try await day.names() == ["_session.start"])
  }

  @Test func `AWS-N7: with timeout 0 leaving stops and submits, without recording nothing is told`()
    async throws
  {
    let rules = PipelineRules.pinpoint(appID: "app", sessionMilliseconds: 0)
    try await day.start(rules, .foreground, at: 1_000)
    await day.announce(.background, at: 2_000)
    await day.world.transport.waitForRequests(1)
    #expect(try await day.names() == ["_session.start", "_session.stop"])
    let silent = PipelineDay()
    try await silent.start(
      .pinpoint(appID: "app", announcesSessions: false),
      .foreground,
      at: 1_000
    )
    await silent.announce(.background, at: 2_000)
    await silent.pass(to: 9_000)
    await silent.announce(.foreground, at: 10_000)
    #expect(try await silent.names().isEmpty)
  }

  @Test func `AWS-N9: a session is named after app, endpoint and start`() async throws {
    try await day.start(PipelineDay.pinpoint, .foreground, at: 1_793_611_800_000)
    #expect(try await day.names() == ["_session.start"])
    #expect(try day.sessions() == ["89abcdef-ABCDEF01-20261102-093000000"])
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
        "session_start 1000@1000", "a 1000@2000", "session_end 1000@2000 (1)",
        "session_start 62000@62000", "b 62000@62000",
      ]
    )
    #expect(day.client?.sessionID == 62_000)
  }

  @Test func `AMP-S5: an event outside of sessions extends none`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 800)
    await day.track("none", at: 890, EventOptions(sessionID: .outside))
    await day.track("e", at: 950)
    #expect(
      try await day.sent() == [
        "session_start 800@800", "e 800@800", "none -@890", "session_end 800@800",
        "session_start 950@950", "e 950@950",
      ]
    )
  }

  @Test func `AMP-S7: coming to the front in time goes on`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.announce(.foreground, at: 1_050)
    await day.track("e", at: 2_000)
    #expect(try await day.sent() == ["session_start 1000@1000", "e 1000@1000", "e 1000@2000"])
  }

  @Test func `AMP-S10: leaving the front is what a session ends with`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.announce(.foreground, at: 1_000)
    await day.track("e", at: 1_500)
    await day.announce(.background, at: 2_000)
    await day.track("e", at: 3_000)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1500", "session_end 1000@2000",
        "session_start 3000@3000", "e 3000@3000",
      ]
    )
  }

  @Test(arguments: [1_100, 500] as [Int64])
  func `AMP-S13, AMP-S34: in front the app's session has no timeout`(start: Int64) async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.announce(.foreground, at: 1_000)
    await day.track("e", at: 1_050)
    await day.change(.session(.replace(startMilliseconds: start)), at: 1_100)
    await day.track("e", at: 2_000)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1050", "session_end 1000@1050",
        "session_start \(start)@\(start)", "e \(start)@2000",
      ]
    )
  }

  @Test func `AMP-S14: no session, until the next event`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.change(.session(.replace(startMilliseconds: -1)), at: 1_010)
    #expect(day.client?.sessionID == nil)
    await day.track("e", at: 2_000)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "session_end 1000@1000",
        "session_start 2000@2000", "e 2000@2000",
      ]
    )
  }

  @Test
  func
    `AMP-S20, AMP-S22, AMP-S30: session events are the client's, without the properties of an event`()
    async throws
  {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.change(.identity(.setUser("user-12345")), at: 900)
    await day.track("e", ["p": 1], at: 1_000, EventOptions(userID: "other"))
    await day.track("e", ["p": 1], at: 2_000)
    #expect(
      try await day.names() == ["session_start", "e", "session_end", "session_start", "e"]
    )
    #expect(
      try day.users() == ["user-12345", "other", "user-12345", "user-12345", "user-12345"]
    )
    #expect(Set(try day.devices()) == ["0000ABCDEF01"])
    #expect(try day.property("p") == [nil, "1", nil, nil, "1"])
  }

  @Test func `AMP-S23: an own session_start only asks for a session, and is warned of once`()
    async throws
  {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("session_start", at: 1_000)
    await day.track("session_start", at: 1_010)
    #expect(try await day.sent() == ["session_start 1000@1000"])
    #expect(day.world.lines(.warning).filter { $0.contains("session_start") }.count == 1)
    #expect(day.client?.diagnostics.dropped[.toldByLibrary] == 2)
  }

  @Test func `AMP-S24: a back-dated event does not move the end of a session back`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100), .foreground, at: 1_000)
    await day.track("e", at: 5_000)
    await day.track("old", at: 5_010, EventOptions(at: Date(timeIntervalSince1970: 1)))
    await day.change(.session(.end), at: 5_020)
    #expect(try await day.sent().last == "session_end 1000@5000")
  }

  @Test func `AMP-S27: returning in time goes on, too late begins anew`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100), .foreground, at: 1_000)
    await day.track("e", at: 1_500)
    await day.announce(.background, at: 2_000)
    await day.announce(.foreground, at: 2_050)
    await day.track("e", at: 2_060)
    #expect(try await day.sent() == ["session_start 1000@1000", "e 1000@1500", "e 1000@2060"])
    let late = PipelineDay()
    try await late.start(.amplitude(sessionMilliseconds: 100), .foreground, at: 1_000)
    await late.track("e", at: 1_500)
    await late.announce(.background, at: 2_000)
    await late.announce(.foreground, at: 2_200)
    #expect(
      try await late.sent().suffix(2) == ["session_end 1000@2000", "session_start 2200@2200"]
    )
  }

  @Test func `AMP-S31: the client shows the session of its events`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    #expect(day.client?.sessionID == nil)
    await day.track("e", at: 1_000)
    #expect(day.client?.sessionID == 1_000)
    #expect(try await day.sent().last == "e 1000@1000")
  }

  @Test func `AMP-S32: an identify outside of sessions extends none`() async throws {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    await day.identify(.set("a", 1), at: 1_050, EventOptions(sessionID: .outside))
    await day.track("e", at: 1_120)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "$identify -@1050", "session_end 1000@1000",
        "session_start 1120@1120", "e 1120@1120",
      ]
    )
  }
}
