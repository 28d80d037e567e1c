import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: days` {
  let day = LogsDay()

  @Test func `SDL-44: the day of a user who comes and goes`() async throws {
    await day.launch(.all)
    await day.track("a", at: "09:05:00")
    await day.announce(.background, at: "09:10:00")
    await day.track("b", at: "09:20:00")
    await day.announce(.foreground, at: "09:39:59")
    await day.announce(.background, at: "09:45:00")
    await day.announce(.foreground, at: "10:15:00")
    await day.track("c", at: "10:16:00")
    await day.announce(.background, at: "10:20:00")
    await day.track("d", at: "10:55:00")
    await day.track("e", at: "11:10:00")
    await day.announce(.foreground, at: "11:20:00")
    await day.announce(.terminating, at: "11:22:00")
    #expect(
      try await day.told(flushes: false) == [
        "session_start S1@09:00:00", "app_launched S1@09:00:00", "a S1@09:05:00", "b S1@09:20:00",
        "session_end S1@09:45:00 (2700)", "session_start S2@10:15:00", "c S2@10:16:00",
        "session_end S2@10:20:00 (300)", "session_start S3@10:55:00", "d S3@10:55:00",
        "e S3@11:10:00",
      ]
    )
    await day.launch(.all, at: "11:25:00")
    #expect(
      try await day.told() == [
        "session_end S3@11:22:00 (1620)", "session_start S4@11:25:00", "app_launched S4@11:25:00",
      ]
    )
  }

  @Test(
    arguments: [
      (["09:00:00", "09:00:59", "09:01:58"], 1), (["09:00:00", "09:01:00"], 2),
    ] as [([String], Int)]
  )
  func `SDL-46: a minute without an event ends the session`(
    times: [String],
    sessions: Int
  ) async throws {
    await day.launch(.sessions, mode: .inactivityTimeout(minutes: 1))
    for time in times { await day.track("e", at: time) }
    #expect(try await day.told().count { $0.hasPrefix("session_start") } == sessions)
  }

  @Test func `fewer than one minute count as one`() async throws {
    await day.launch(.sessions, mode: .inactivityTimeout(minutes: -5))
    await day.track("a", at: "09:00:59")
    #expect(try await day.told().count == 2)
  }

  @Test func `SDL-47: a back-dated event moves no session`() async throws {
    await day.launch(.sessions, mode: .inactivityTimeout(minutes: 30))
    await day.track("a", at: "09:01:00")
    await day.track("x", at: "09:41:00", dated: "08:00:00")
    #expect(
      try await day.told() == ["session_start S1@09:00:00", "a S1@09:01:00", "x S1@08:00:00"]
    )
  }

  @Test func `SDL-48: a quit ends the session at the next launch, however soon that comes`()
    async throws
  {
    await day.launch(.sessions)
    await day.track("a", at: "09:01:00")
    await day.announce(.terminating, at: "10:00:00")
    _ = try await day.told(flushes: false)
    await day.launch(.sessions, at: "10:01:00")
    #expect(
      try await day.told() == ["session_end S1@10:00:00 (3600)", "session_start S2@10:01:00"]
    )
  }

  @Test func `SDL-49: a kill ends the session at its last event`() async throws {
    await day.launch(.sessions)
    await day.track("a", at: "10:00:10")
    _ = try await day.told()
    // Thirty seconds past the hour it is killed; nobody tells.
    await day.launch(.sessions, at: "10:00:30")
    #expect(
      try await day.told() == ["session_end S1@10:00:10 (3610)", "session_start S2@10:00:30"]
    )
  }

  @Test func `SDL-50, SDL-100: without autocapture nothing is told and no event has a session`()
    async throws
  {
    await day.launch([], activity: .automatic)
    await day.announce(.background, at: "09:01:00")
    await day.announce(.foreground, at: "09:41:00")
    await day.announce(.inactive, at: "09:42:00")
    await day.announce(.foreground, at: "09:43:00")
    await day.track("a", at: "09:44:00")
    #expect(try await day.told() == ["a -@09:44:00"])
  }

  @Test func `SDL-51: a wall clock that is set back ends no session`() async throws {
    await day.launch(.sessions, at: "12:00:00")
    await day.track("a", at: "12:01:00")
    day.setClock(to: "10:01:00")
    await day.track("b", at: "10:02:00")
    await day.announce(.background, at: "10:03:00")
    await day.announce(.foreground, at: "10:04:00")
    #expect(try await day.told().map { $0.prefix { $0 != " " } } == ["session_start", "a", "b"])
    await day.announce(.background, at: "10:05:00")
    await day.announce(.foreground, at: "10:36:00")
    // Five minutes went by, whatever the wall clock says.
    #expect(
      try await day.told() == ["session_end S1@10:05:00 (300)", "session_start S2@10:36:00"]
    )
  }

  @Test func `SDL-52: the first launch says so, and no other`() async throws {
    await day.launch(.appLaunches)
    await day.launch(.appLaunches, at: "10:00:00")
    _ = try await day.told()
    #expect(try day.events.map { $0["is_first_launch"] } == [true, false])
  }

  @Test func `SDL-103: another app in front ends the session on a Mac, not on a phone`()
    async throws
  {
    await day.launch(.sessions, platform: "macOS")
    await day.announce(.inactive, at: "09:01:00")
    await day.announce(.foreground, at: "09:31:00")
    #expect(
      try await day.told() == [
        "session_start S1@09:00:00", "session_end S1@09:01:00 (60)", "session_start S2@09:31:00",
      ]
    )
    let phone = LogsDay()
    await phone.launch(.sessions)
    await phone.announce(.inactive, at: "09:01:00")
    await phone.announce(.foreground, at: "09:31:00")
    #expect(try await phone.told() == ["session_start S1@09:00:00"])
    await phone.announce(.background, at: "09:32:00")
    await phone.announce(.foreground, at: "10:02:00")
    #expect(
      try await phone.told() == ["session_end S1@09:32:00 (1920)", "session_start S2@10:02:00"]
    )
  }

  @Test(arguments: [
    (SessionMode.activation, "session_end S1@10:05:00 (3900)"),
    (.inactivityTimeout(minutes: 30), "session_end S2@10:00:00 (0)"),
  ])
  func `SDL-107: a quit in front ends a session then, or at the last event`(
    mode: SessionMode,
    end: String
  ) async throws {
    await day.launch(.sessions, mode: mode)
    await day.track("a", at: "10:00:00")
    await day.announce(.terminating, at: "10:05:00")
    _ = try await day.told(flushes: false)
    await day.launch(.sessions, mode: mode, at: "10:06:00")
    #expect(try await day.told().first == end)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: who was active` {
  let day = LogsDay()

  @Test func `SDL-53: who was active, and for how long`() async throws {
    await day.launch([], platform: "macOS", activity: .automatic)
    await day.track("A", at: "09:00:04")
    await day.track("B", at: "09:00:09")
    await day.announce(.inactive, at: "09:00:10")
    await day.track("C", at: "09:01:00")
    await day.track("D", at: "09:01:10")
    day.touch(at: "09:01:15")
    await day.track("E", at: "09:01:20")
    await day.track("X", at: "09:01:22", dated: "08:00:00")
    await day.track("F", at: "09:01:26")
    await day.announce(.foreground, at: "09:01:30")
    await day.track("G", at: "09:01:33")
    await day.announce(.asleep, at: "09:01:40")
    day.sleep(until: "09:31:40")
    await day.track("H", at: "09:31:45")
    await day.track("I", ["app_state": "background"], at: "09:31:50")
    _ = try await day.told()
    let events = try day.events
    #expect(events.map(\.name) == ["A", "B", "C", "D", "E", "X", "F", "G", "H", "I"])
    let (on, off): (WireValue, WireValue) = ("active", "background")
    #expect(events.map { $0["app_state"] } == [on, on, off, off, on, nil, off, on, on, off])
    #expect(
      events.map { $0["engaged_ms"] }
        == [4_000, 5_000, 1_000, 0, 0, nil, 0, 3_000, 12_000, 5_000]
    )
  }

  @Test func `SDL-54: switched off, no event says who was active`() async throws {
    await day.launch(.all)
    await day.track("a", at: "09:00:01")
    _ = try await day.told()
    #expect(try day.events.count == 3)
    for key in ["app_state", "engaged_ms"] { #expect(try day.events.allSatisfy { $0[key] == nil }) }
  }

  @Test func `SDL-55: the caller's own word about it wins`() async throws {
    await day.launch([], activity: .automatic)
    await day.track("sync_finished", ["app_state": "background"], at: "09:00:01")
    _ = try await day.told()
    #expect(try day.events.map { $0["app_state"] } == ["background"])
  }
}
