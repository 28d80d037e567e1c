import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: sessions and activity` {
  let day = LogsDay()

  @Test func `SDL-45: the day of an app that is rarely in front`() async throws {
    await day.launch(.all, mode: .inactivityTimeout(minutes: 30))
    await day.track("a", at: "09:10:00")
    await day.track("b", at: "09:39:59")
    await day.track("c", at: "10:09:59")
    await day.announce(.background, at: "10:11:00")
    await day.announce(.foreground, at: "10:12:00")
    await day.track("d", at: "10:41:00")
    await day.track("x", at: "10:50:00", dated: "09:00:00")
    await day.track("e", at: "11:11:30")
    #expect(
      try await day.told() == [
        "session_start S1@09:00:00", "app_launched S1@09:00:00", "a S1@09:10:00", "b S1@09:39:59",
        "session_end S1@09:39:59 (2399)", "session_start S2@10:09:59", "c S2@10:09:59",
        "session_end S2@10:09:59 (0)", "session_start S3@10:41:00", "d S3@10:41:00",
        "x S3@09:00:00", "session_end S3@10:41:00 (0)", "session_start S4@11:11:30",
        "e S4@11:11:30",
      ]
    )
    day.crash(at: "11:15:00")
    await day.launch(.all, mode: .inactivityTimeout(minutes: 30), at: "13:00:00")
    #expect(
      try await day.told() == [
        "app_crashed S4@11:15:00", "session_end S4@11:15:00 (210)", "session_start S5@13:00:00",
        "app_launched S5@13:00:00",
      ]
    )
  }

  @Test func `SDL-102: unless told otherwise a session ends after 30 minutes away`() async throws {
    await day.launch(.sessions)
    await day.announce(.foreground, at: "12:00:00")
    #expect(try await day.told() == ["session_start S1@09:00:00"])
    await day.announce(.background, at: "12:00:00")
    await day.announce(.foreground, at: "12:30:00")
    #expect(
      try await day.told() == ["session_end S1@12:00:00 (10800)", "session_start S2@12:30:00"]
    )
  }

  @Test func `SDL-101: what is captured arrives without a call, and crashes are watched`()
    async throws
  {
    await day.launch(.all)
    #expect(
      try await day.told() == ["session_start S1@09:00:00", "app_launched S1@09:00:00"]
    )
    #expect(day.world?.exceptions.isHandled == true)
    let some = LogsDay()
    await some.launch([.sessions, .crashes])
    #expect(try await some.told() == ["session_start S1@09:00:00"])
    #expect(some.world?.exceptions.isHandled == true)
    let other = LogsDay()
    await other.launch(.appLaunches)
    #expect(try await other.told() == ["app_launched -@09:00:00"])
    #expect(other.world?.exceptions.isHandled == false)
  }

  @Test func `SDL-132: all is a session's start and a first launch`() async throws {
    await day.launch(.all)
    #expect(
      try await day.told() == ["session_start S1@09:00:00", "app_launched S1@09:00:00"]
    )
    #expect(try day.world?.events.last?["is_first_launch"] == true)
  }

  @Test func `SDL-133: after 30 quiet minutes the end comes first, at the last activity`()
    async throws
  {
    await day.launch(.sessions, mode: .inactivityTimeout(minutes: 30))
    await day.track("a", at: "09:30:00")
    #expect(
      try await day.told() == [
        "session_start S1@09:00:00", "session_end S1@09:00:00 (0)", "session_start S2@09:30:00",
        "a S2@09:30:00",
      ]
    )
  }

  @Test(
    arguments: [
      ("macOS", .inactive, 9.9, "active"), ("macOS", .inactive, 10.1, "background"),
      ("iOS", .background, 9.9, "background"), ("iOS", .background, 10.1, "background"),
    ] as [(String, AppPhase, Double, WireValue)]
  )
  func `SDL-116: on a Mac the user is active for ten seconds after any input`(
    platform: String,
    phase: AppPhase,
    secondsAgo: Double,
    state: WireValue
  ) async throws {
    var world = LogsWorld(phase: phase)
    world.platform = platform
    let client = world.client(activity: .automatic)
    await client.settle()
    world.touches.touch()
    world.clock.advance(bySeconds: secondsAgo)
    client.track("a")
    await client.flush()
    #expect(try world.events.map { $0["app_state"] } == [state])
  }

  @Test func `on a Mac another app in front counts as away; Linux knows of no activity`()
    async throws
  {
    await day.launch(.sessions, platform: "macOS")
    await day.announce(.inactive, at: "09:10:00")
    await day.announce(.foreground, at: "09:40:00")
    #expect(try await day.told().count == 3)
    var world = LogsWorld()
    world.platform = "Linux"
    let client = world.client(activity: .automatic)
    client.track("a")
    await client.flush()
    #expect(try world.events.map(\.props) == [nil])
  }
}
