import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import Foundation
import Testing

/// SimpleDataLogs' sessions and activity as the server sees them, through the whole client.
@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs by a client` {
  let day = PipelineDay()
  static let minute: Int64 = 60_000

  static func inactivity(_ minutes: Int) -> PipelineRules {
    var sessions = SessionRules.inactivity(minutes: minutes)
    sessions.idFormat = .startMilliseconds
    return .simpleDataLogs(sessions: sessions)
  }

  @Test func `SDL-44: the day of a user who comes and goes`() async throws {
    let minute = Self.minute
    var rules = PipelineDay.activation
    rules.appLaunched = "app_launched"
    try await day.start(rules, .foreground, at: 0)
    await day.track("a", at: 5 * minute)
    await day.announce(.background, at: 10 * minute)
    await day.track("b", at: 20 * minute)
    await day.announce(.foreground, at: 40 * minute - 1_000)
    await day.announce(.background, at: 45 * minute)
    await day.announce(.foreground, at: 75 * minute)
    await day.track("c", at: 76 * minute)
    await day.announce(.background, at: 80 * minute)
    await day.track("d", at: 115 * minute)
    await day.track("e", at: 130 * minute)
    await day.announce(.foreground, at: 140 * minute)
    await day.announce(.terminating, at: 142 * minute)
    let (second, third) = (75 * minute, 115 * minute)
    #expect(
      try await day.sent(flushes: false) == [
        "session_start 0@0", "app_launched 0@0", "a 0@\(5 * minute)", "b 0@\(20 * minute)",
        "session_end 0@\(45 * minute) (2700)", "session_start \(second)@\(second)",
        "c \(second)@\(76 * minute)", "session_end \(second)@\(80 * minute) (300)",
        "session_start \(third)@\(third)", "d \(third)@\(third)", "e \(third)@\(130 * minute)",
      ]
    )
    try await day.relaunch(rules, .foreground, at: 145 * minute)
    let fourth = 145 * minute
    #expect(
      try await day.sent() == [
        "session_end \(third)@\(142 * minute) (1620)", "session_start \(fourth)@\(fourth)",
        "app_launched \(fourth)@\(fourth)",
      ]
    )
  }

  @Test(arguments: [([0, 59_000, 118_000], 1), ([0, 60_000], 2)] as [([Int64], Int)])
  func `SDL-46: a minute without an event ends the session`(
    times: [Int64],
    sessions: Int
  ) async throws {
    try await day.start(Self.inactivity(1), .foreground, at: 0)
    for time in times { await day.track("e", at: time) }
    _ = try await day.sent()
    #expect(Set(try day.sessions()).count == sessions)
  }

  @Test func `SDL-47: a back-dated event moves no session`() async throws {
    try await day.start(Self.inactivity(30), .foreground, at: 0)
    await day.track("a", at: 1_000)
    let past = Date(timeIntervalSince1970: 0.5)
    await day.track("x", at: 40 * Self.minute, EventOptions(at: past))
    #expect(try await day.sent() == ["session_start 0@0", "a 0@1000", "x 0@500"])
  }

  @Test func `SDL-51: a wall clock that is set back ends no session`() async throws {
    try await day.start(PipelineDay.activation, .foreground, at: 180 * Self.minute)
    await day.track("a", at: 181 * Self.minute)
    day.setClock(to: 61 * Self.minute)
    await day.track("b", at: 62 * Self.minute)
    await day.announce(.background, at: 63 * Self.minute)
    await day.announce(.foreground, at: 64 * Self.minute)
    #expect(try await day.names() == ["session_start", "a", "b"])
    await day.announce(.background, at: 65 * Self.minute)
    await day.announce(.foreground, at: 96 * Self.minute)
    #expect(try await day.names() == ["session_end", "session_start"])
    #expect(try day.property("duration_s").first == "300", "five minutes went by")
  }

  @Test func `SDL-53: who was active, and for how long`() async throws {
    try await day.start(.simpleDataLogs(activity: .mac), .foreground, at: 0)
    await day.track("A", at: 4_000)
    await day.track("B", at: 9_000)
    await day.announce(.inactive, at: 10_000)
    await day.track("C", at: 60_000)
    await day.track("D", at: 70_000)
    await day.change(.userInput(millisecondsAgo: 0), at: 75_000)
    await day.track("E", at: 80_000)
    await day.track("X", at: 82_000, EventOptions(at: Date(timeIntervalSince1970: 1)))
    await day.track("F", at: 86_000)
    await day.announce(.foreground, at: 90_000)
    await day.track("G", at: 93_000)
    await day.pass(to: 100_000)
    day.sleep(until: 1_900_000)
    await day.track("H", at: 1_905_000)
    await day.track("I", ["app_state": "background"], at: 1_910_000)
    #expect(try await day.names() == ["A", "B", "C", "D", "E", "X", "F", "G", "H", "I"])
    let (on, off) = ("active", "background")
    #expect(try day.property("app_state") == [on, on, off, off, on, nil, off, on, on, off])
    #expect(
      try day.property("engaged_ms")
        == ["4000", "5000", "1000", "0", "0", nil, "0", "3000", "12000", "5000"]
    )
  }

  @Test func `SDL-54, SDL-55: off is off, and a value of the caller's wins`() async throws {
    try await day.start(.simpleDataLogs(activity: nil), .foreground, at: 0)
    await day.track("a", at: 1_000)
    _ = try await day.sent()
    #expect(try day.property("app_state") == [nil] && day.property("engaged_ms") == [nil])
    let other = PipelineDay()
    try await other.start(.simpleDataLogs(), .foreground, at: 0)
    await other.track("sync_finished", ["app_state": "background"], at: 1_000)
    _ = try await other.sent()
    #expect(try other.property("app_state") == ["background"])
  }

  @Test func `SDL-103: another app in front ends the session on a Mac, not on a phone`()
    async throws
  {
    var mac = PipelineDay.activation
    mac.sessions?.awayFrom = .inactive
    try await day.start(mac, .foreground, at: 0)
    await day.announce(.inactive, at: Self.minute)
    await day.announce(.foreground, at: 31 * Self.minute)
    #expect(try await day.names() == ["session_start", "session_end", "session_start"])
    let phone = PipelineDay()
    try await phone.start(PipelineDay.activation, .foreground, at: 0)
    await phone.announce(.inactive, at: Self.minute)
    await phone.announce(.foreground, at: 31 * Self.minute)
    #expect(try await phone.names() == ["session_start"])
    await phone.announce(.background, at: 32 * Self.minute)
    await phone.announce(.foreground, at: 62 * Self.minute)
    #expect(try await phone.names() == ["session_end", "session_start"])
  }

  @Test func `SDL-107: a quit in front ends a session then, or at the last event`() async throws {
    for (rules, end) in [(PipelineDay.activation, 5), (Self.inactivity(30), 0)] {
      let day = PipelineDay()
      try await day.start(rules, .foreground, at: 0)
      await day.track("a", at: 0)
      await day.announce(.terminating, at: 5 * Self.minute)
      _ = try await day.sent(flushes: false)
      try await day.relaunch(rules, .foreground, at: 6 * Self.minute)
      let time = Int64(end) * Self.minute
      #expect(try await day.sent().first == "session_end 0@\(time) (\(end * 60))")
    }
  }

  @Test func `SDL-111: an id of the caller's makes it no event of the past`() async throws {
    try await day.start(.simpleDataLogs(), .foreground, at: 0)
    let id = "0f0b7c9e-5a1d-4c2e-9d3f-000000000001"
    await day.track("a", at: 1_000, EventOptions(id: id))
    #expect(try await day.sent() == ["a -@1000"])
    #expect(try day.ids() == [id])
    #expect(try day.property("app_state") == ["active"])
  }

  @Test func `PHA-40, PHA-41: Phase's session ends after two hours, or five minutes in background`()
    async throws
  {
    func sessions(_ way: (PipelineDay) async -> Void) async throws -> Int {
      let day = PipelineDay()
      try await day.start(.phase, .foreground, at: 0)
      await day.identify(.set("plan", "pro"), at: 1_000)
      await day.track("a", at: 1_000)
      await way(day)
      _ = try await day.sent()
      return Set(try day.sessions().compactMap { $0 }).count
    }
    #expect(try await sessions { await $0.track("b", at: 7_202_000) } == 2)
    #expect(try await sessions { await $0.track("b", at: 7_200_000) } == 1)
    for (away, count) in [(301_000, 2), (299_000, 1)] as [(Int64, Int)] {
      let found = try await sessions { day in
        await day.announce(.background, at: 10_000)
        await day.announce(.foreground, at: 10_000 + away)
        await day.track("b", at: 10_000 + away)
      }
      #expect(found == count)
    }
  }
}
