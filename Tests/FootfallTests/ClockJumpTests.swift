import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// A wall clock that is set by years while the client runs, or between two runs.
@Suite(.timeLimit(.minutes(5))) struct `A clock that is set` {
  let day = PipelineDay()
  private static let start: Int64 = 1_764_581_400_000
  private static let year: Int64 = 31_536_000_000
  private static let minute: Int64 = 60_000

  private func begin(
    _ day: PipelineDay,
    _ phase: AppPhase = .foreground,
    maximumSeconds: TimeInterval? = nil
  ) async throws {
    try await day.start(nil, phase, at: Self.start) {
      $0.sessions.isEnabled = true
      $0.sessions.maximumSeconds = maximumSeconds
    }
  }

  @Test(arguments: [10, -10] as [Int64])
  func `in front the session goes on, every event has its clock's time, and none is lost`(
    years: Int64
  ) async throws {
    try await begin(day)
    await day.track("a", at: Self.start + 1_000)
    var expected = ["session_start", "a"].map { ($0, $0 == "a" ? Self.start + 1_000 : Self.start) }
    for round in 1...4 as ClosedRange<Int64> {
      // There and back, twice.
      let time = Self.start + (round % 2 == 1 ? years * Self.year : 0) + round * Self.minute
      day.setClock(to: time)
      await day.track("b", at: time + 1_000)
      expected.append(("b", time + 1_000))
    }
    let session = "\(Self.start)"
    #expect(try await day.sent() == expected.map { "\($0) \(session)@\($1)" })
    #expect(Set(try day.ids()).count == expected.count)
    #expect(try day.numbers() == Array(1...Int64(expected.count)))
    let counts = try #require(day.client?.diagnostics)
    #expect(counts.delivered == expected.count && counts.stored == 0 && counts.dropped.isEmpty)
  }

  @Test(arguments: [10, -10] as [Int64])
  func `away, a session lasts as long as the time that really went by`(years: Int64) async throws {
    for (away, isOver) in [(5 * Self.minute, false), (31 * Self.minute, true)] {
      let day = PipelineDay()
      try await begin(day)
      await day.announce(.background, at: Self.start + Self.minute)
      let set = Self.start + years * Self.year
      day.setClock(to: set)
      await day.announce(.foreground, at: set + away)
      let told = try await day.sent()
      #expect(told.count == (isOver ? 3 : 1), "\(told)")
      guard isOver else { continue }
      #expect(told[1] == "session_end \(Self.start)@\(Self.start + Self.minute) (60)")
      #expect(told[2] == "session_start \(set + away)@\(set + away)")
    }
  }

  @Test(arguments: [10, -10] as [Int64])
  func `a session is as long as it was, whatever start and end say`(years: Int64) async throws {
    try await begin(day)
    let set = Self.start + years * Self.year
    day.setClock(to: set)
    await day.announce(.background, at: set + 3 * Self.minute)
    await day.announce(.foreground, at: set + 40 * Self.minute)
    let told = try await day.sent()
    #expect(told[1] == "session_end \(Self.start)@\(set + 3 * Self.minute) (180)")
    let end = EndedSession(
      id: 0,
      startMilliseconds: 0,
      endMilliseconds: 1,
      eventMilliseconds: 1,
      measuredMilliseconds: 7_900
    )
    #expect(end.durationSeconds == 7 && end.times.durationMilliseconds == 7_900)
  }

  @Test(arguments: [10, -10] as [Int64])
  func `a session of an earlier run is measured from the launch on`(years: Int64) async throws {
    try await begin(day, maximumSeconds: 7_200)
    await day.track("a", at: Self.start + Self.minute)
    _ = try await day.sent()
    let launch = Self.start + 2 * Self.minute
    try await relaunch(at: launch, maximumSeconds: 7_200)
    let set = launch + years * Self.year
    day.setClock(to: set)
    await day.track("b", at: set + 60 * Self.minute)
    #expect(try await day.sent() == ["b \(Self.start)@\(set + 60 * Self.minute)"])
    // Two hours after its start it is over, by the clock that nobody sets.
    await day.track("c", at: set + 119 * Self.minute)
    let told = try await day.sent()
    let length = (60 + 2) * 60
    #expect(told.first == "session_end \(Self.start)@\(set + 60 * Self.minute) (\(length))")
    #expect(told.count == 3)
  }

  private func relaunch(at time: Int64, maximumSeconds: TimeInterval) async throws {
    try await day.relaunch(nil, .foreground, at: time) {
      $0.sessions.isEnabled = true
      $0.sessions.maximumSeconds = maximumSeconds
    }
  }

  @Test func `between runs only the wall clock counts: back a session goes on, forward it ends`()
    async throws
  {
    for (years, isOver) in [(-10, false), (10, true)] as [(Int64, Bool)] {
      let day = PipelineDay()
      try await begin(day)
      await day.track("a", at: Self.start + Self.minute)
      _ = try await day.sent()
      let launch = Self.start + years * Self.year
      try await day.relaunch(nil, .foreground, at: launch) { $0.sessions.isEnabled = true }
      await day.track("b", at: launch + 1_000)
      let told = try await day.sent()
      #expect(told.map { $0.contains("session_end") }.contains(true) == isOver, "\(told)")
      if isOver { #expect(told[0] == "session_end \(Self.start)@\(Self.start + Self.minute) (60)") }
      #expect(told.last?.hasSuffix("@\(launch + 1_000)") == true)
    }
  }

  @Test(arguments: [10, -10] as [Int64])
  func `events wait for their batch as long as said`(years: Int64) async throws {
    let world = World()
    let client = try world.client()
    client.track("a")
    await client.settle()
    world.clock.setWallClock(to: world.clock.now + TimeInterval(years * Self.year / 1_000))
    client.poke()
    await world.pass(9.5, for: client)
    #expect(world.transport.requests.isEmpty)
    await world.pass(0.5, for: client)
    await world.transport.waitForRequests(1)
    let sent = Timestamp.rfc3339(milliseconds: Timestamp.milliseconds(of: world.clock.now))
    let header = world.transport.requests[0].headers.first { $0.name == "Footfall-Sent-At" }
    #expect(header?.value.prefix(16) == sent.prefix(16))
  }

  @Test(arguments: [10, -10] as [Int64])
  func `a wait that a server asked for is as long as it said`(years: Int64) async throws {
    let world = World()
    world.transport.then(.status(503, headers: ["retry-after": "60"]))
    let client = try world.client()
    client.track("a")
    await client.flush()
    world.clock.setWallClock(to: world.clock.now + TimeInterval(years * Self.year / 1_000))
    await world.pass(59, for: client)
    #expect(world.transport.requests.count == 1)
    await world.pass(60, for: client)
    await world.transport.waitForRequests(2)
    #expect(try world.events.map(\.name) == ["a", "a"])
  }

  @Test func `events of before and after a clock was set survive a kill, each with its time`()
    async throws
  {
    try await begin(day, .background)
    for (number, years) in [0, 7, -9, 0].enumerated() {
      let time = Self.start + Int64(years) * Self.year + Int64(number)
      day.setClock(to: time)
      await day.track(EventName("e\(number)"), at: time, EventOptions(sessionID: .outside))
    }
    let times = [0, 7 * Self.year + 1, -9 * Self.year + 2, 3].map { Self.start + $0 }
    try await day.relaunch(nil, at: Self.start + Self.minute, isKilled: true)
    #expect(try await day.sent() == times.enumerated().map { "e\($0) -@\($1)" })
    #expect(Set(try day.ids()).count == 4)
    #expect(try day.numbers() == [1, 2, 3, 4])
  }

  @Test
  func `by Amplitude's rules the events' times count: forward a session ends, back it goes on`()
    async throws
  {
    try await day.start(.amplitude(sessionMilliseconds: 100))
    await day.track("e", at: 1_000)
    day.setClock(to: Self.start)
    await day.track("e", at: Self.start)
    day.setClock(to: 2_000)
    await day.track("e", at: 2_000)
    await day.track("e", at: 2_050)
    #expect(
      try await day.sent() == [
        "session_start 1000@1000", "e 1000@1000", "session_end 1000@1000",
        "session_start \(Self.start)@\(Self.start)", "e \(Self.start)@\(Self.start)",
        "e \(Self.start)@2000", "e \(Self.start)@2050",
      ]
    )
  }

  @Test func `another time zone is on the batches after it, and moves no time`() async throws {
    day.world.device.withLock { $0.timeZone = "Europe/London" }
    try await begin(day)
    await day.track("a", at: Self.start + 1_000)
    day.world.device.withLock { $0.timeZone = "Pacific/Auckland" }
    await day.announce(.background, at: Self.start + 2_000)
    await day.announce(.foreground, at: Self.start + 3_000)
    await day.track("b", at: Self.start + 4_000)
    #expect(
      try await day.sent() == [
        "session_start \(Self.start)@\(Self.start)", "a \(Self.start)@\(Self.start + 1_000)",
        "b \(Self.start)@\(Self.start + 4_000)",
      ]
    )
    let zones = try day.world.transport.requests.map { request in
      let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
      return (body?["client"] as? [String: Any])?["time_zone"] as? String
    }
    #expect(zones == ["Europe/London", "Pacific/Auckland"])
  }
}
