import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: sessions` {
  let day = AmplitudeDay()
  private let rules = PipelineRules.amplitude(sessionMilliseconds: 100)

  @Test func `AMP-S15: a session of the past is over at the next event`() async throws {
    await day.start(rules)
    await day.call(at: 1_764_581_400_000) { $0.startSession(1_000) }
    await day.track(at: 1_764_581_400_010)
    #expect(
      try await day.told() == [
        "session_start 1000@1000", "session_end 1000@1000",
        "session_start 1764581400010@1764581400010", "e 1764581400010@1764581400010",
      ]
    )
  }

  @Test func `AMP-S18: while opted out nothing is told, whatever sessions do`() async throws {
    await day.start(rules) { $0.isEnabled = false }
    await day.track(at: 1_000)
    await day.track(at: 2_000)
    await day.call(at: 3_000) { $0.startSession(3_000) }
    await day.announce(.foreground, at: 3_010)
    await day.announce(.background, at: 3_020)
    #expect(try await day.told().isEmpty)
    #expect(day.engine.diagnostics.stored == 0 && day.script.requests.isEmpty)
    #expect(day.files(with: "session_").isEmpty)
    #expect(day.engine.sessionID == 3_000, "sessions go on unsaid")
  }

  @Test(arguments: [false, true])
  func `AMP-S19: a session that was never told of does not end`(isNamed: Bool) async throws {
    await day.start(rules) { $0.isEnabled = false }
    await day.track(at: 1_000)
    if isNamed { await day.call(at: 1_010) { $0.startSession(1_010) } }
    day.engine.setEnabled(true)
    await day.track(at: 2_000)
    #expect(try await day.told() == ["session_start 2000@2000", "e 2000@2000"])
  }

  @Test func `AMP-S21: the library's own first events are the configured user's`() async throws {
    var rules = rules
    rules.appLaunched = "[Amplitude] Application Opened"
    day.setClock(to: 1_000)
    await day.start(rules, .foreground) { $0.userID = "user-12345" }
    let events = try await day.events()
    #expect(events.map(\.name) == ["session_start", "[Amplitude] Application Opened"])
    #expect(events.map { $0["user_id"] } == ["user-12345", "user-12345"])
    #expect(events.map { $0["session_id"] } == ["1000", "1000"])
  }

  @Test func `AMP-S25: events before the app is known to be in front open its one session`()
    async throws
  {
    await day.start(rules)
    await day.track("early", at: 1_000)
    await day.track("early", at: 1_020)
    await day.announce(.foreground, at: 1_050)
    await day.track(at: 5_000)
    #expect(
      try await day.told() == [
        "session_start 1000@1000", "early 1000@1000", "early 1000@1020", "e 1000@5000",
      ]
    )
    let other = AmplitudeDay()
    other.setClock(to: 1_000)
    await other.start(rules, .foreground)
    await other.track(at: 5_000)
    #expect(try await other.told() == ["session_start 1000@1000", "e 1000@5000"])
  }

  @Test func `AMP-S29: an app that never starts again tells no end`() async throws {
    day.setClock(to: 1_000)
    await day.start(rules, .foreground)
    await day.track(at: 1_500)
    await day.announce(.background, at: 2_000)
    #expect(try await day.told() == ["session_start 1000@1000", "e 1000@1500"])
    day.end()
    #expect(day.files(with: "session_end").isEmpty)
    // What the next start would find is the session, open, up to when it was left.
    let next = AmplitudeDay(files: day.files)
    next.setClock(to: 2_050)
    await next.start(rules)
    await next.track(at: 2_060)
    #expect(try await next.told() == ["e 1000@2060"])
  }

  @Test func `AMP-S33: a session may be named by its start as a date`() async throws {
    await day.start(rules)
    await day.track(at: 1_000)
    let start = Date(timeIntervalSince1970: 1.15)
    await day.call(at: 1_200) { $0.startSession(SessionID(start: start)) }
    #expect(
      try await day.told() == [
        "session_start 1000@1000", "e 1000@1000", "session_end 1000@1000",
        "session_start 1150@1150",
      ]
    )
  }

  @Test func `AMP-S35: on a Mac another app in front ends the session`() async throws {
    let mac = PipelineRules.amplitude(sessionMilliseconds: 100, platform: "macOS")
    day.setClock(to: 1_000)
    await day.start(mac, .foreground)
    await day.announce(.inactive, at: 2_000)
    await day.track(at: 2_200)
    #expect(
      try await day.told() == [
        "session_start 1000@1000", "session_end 1000@2000", "session_start 2200@2200",
        "e 2200@2200",
      ]
    )
    let phone = AmplitudeDay()
    phone.setClock(to: 1_000)
    await phone.start(rules, .foreground)
    await phone.announce(.inactive, at: 2_000)
    await phone.track(at: 2_200)
    #expect(try await phone.told() == ["session_start 1000@1000", "e 1000@2200"])
  }

  @Test(arguments: [Presence.inactive, .background])
  func `what counts as leaving also sends, where leaving does`(from: Presence) async throws {
    await day.start(rules, .foreground) { $0.leavesFrom = from }
    await day.track(at: 1_000)
    await day.announce(.inactive, at: 2_000)
    let isSent = from == .inactive
    if isSent { await day.script.waitForRequests(1) }
    #expect(day.script.requests.isEmpty != isSent)
  }

  @Test func `a date made from milliseconds means just these`() async throws {
    await day.start(.amplitude(announcesSessions: false))
    let times = (0..<50).map { 1_764_581_400_000 + $0 * 7 } as [Int64]
    for time in times {
      let date = Date(timeIntervalSince1970: Double(time) / 1_000)
      await day.track("e", at: 1_764_581_500_000, FootfallCore.EventOptions(at: date))
    }
    #expect(try await day.events().compactMap { $0["time"] } == times.map(String.init))
  }
}
