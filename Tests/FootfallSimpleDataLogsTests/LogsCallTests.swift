import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: calls` {
  let world = LogsWorld()

  @Test func `SDL-6: events of one thread arrive in their order`() async throws {
    let client = world.client()
    for name in ["a", "b", "c"] { client.track(name) }
    await client.flush()
    #expect(try world.names == [["a", "b", "c"]])
  }

  @Test func `SDL-7: eight threads lose nothing and make no id twice`() async throws {
    let client = world.client()
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask { for number in 0..<500 { client.track("\(thread)/\(number)") } }
      }
    }
    await client.flush()
    await client.untilDelivered(4_000)
    let events = try world.events
    #expect(events.count == 4_000 && Set(events.map(\.event_id)).count == 4_000)
  }

  @Test func `SDL-8: the time of an event is that of its call`() async throws {
    let client = world.client()
    world.clock.setWallClock(to: Date(timeIntervalSince1970: 1_782_900_000.123))
    client.track("a")
    await client.settle()
    world.clock.advance(bySeconds: 300)
    await client.flush()
    #expect(try world.events.map(\.ts) == ["2026-07-01T10:00:00.123Z"])
  }

  @Test func `SDL-10: an event's own value goes over the defaults, which are replaced whole`()
    async throws
  {
    let client = world.client()
    client.setDefaultProperties(["v": "1", "k": "d"])
    client.track("a", properties: ["k": "e"])
    client.setDefaultProperties([:])
    client.track("b")
    await client.flush()
    let events = try world.events
    #expect(events.map { $0["v"] } == ["1", nil] && events.map { $0["k"] } == ["e", nil])
  }

  @Test(arguments: [nil, ""] as [String?])
  func `SDL-11: the device of an event is that of its call`(none: String?) async throws {
    let client = world.client()
    client.setDeviceID("a")
    client.track("first")
    client.setDeviceID(none)
    client.track("second")
    await client.flush()
    #expect(try world.requests.map { $0.map(\.device_id) } == [["a", nil]])
    #expect(client.diagnostics.dropped.isEmpty && world.lines(.warning).isEmpty)
  }

  @Test func `SDL-13: an id of the app's own is the same in whatever letters it was`() async throws
  {
    let client = world.client()
    let id = "0F0B7C9E-5A1D-4C2E-9D3F-0000000000AB"
    let (upper, lower) = (UUID(uuidString: id), UUID(uuidString: id.lowercased()))
    client.track("a", eventID: try #require(upper))
    client.track("a", eventID: try #require(lower))
    await client.flush()
    // Which of them counts is the collector's to say; they are the same event.
    #expect(try Set(world.events.map(\.event_id)) == [id.lowercased()])
  }

  @Test func `SDL-14: ten years back is sent, a day more is dropped with a line`() async throws {
    let client = world.client()
    let day = 86_400.0
    client.track("kept", at: world.clock.now - 3_650 * day)
    client.track("dropped", at: world.clock.now - 3_651 * day)
    await client.flush()
    #expect(try world.names == [["kept"]])
    #expect(client.diagnostics.dropped.byReason == [.tooOld: 1])
    #expect(world.lines(.warning).count == 1)
  }

  @Test func `SDL-15: an event of the future is one of now`() async throws {
    let client = world.client(activity: .automatic)
    let now = world.clock.now
    client.track("a", at: now + 3_600)
    client.track("b")
    await client.flush()
    let events = try world.events
    #expect(events[0].ts == events[1].ts && events[0]["app_state"] == "active")
  }

  @Test func `SDL-16: an event of the past says nothing of activity`() async throws {
    let client = world.client(activity: .automatic)
    client.track("a", at: world.clock.now - 60)
    await client.flush()
    #expect(try world.events.map(\.props) == [nil])
  }

  @Test func `SDL-111: an id of the app's own makes an event of now`() async throws {
    let client = world.client(activity: .automatic)
    let id = UUID()
    client.track("a", eventID: id)
    client.track("b")
    await client.flush()
    let events = try world.events
    #expect(events[0].event_id == id.uuidString.lowercased() && events[0].ts == events[1].ts)
    #expect(events[0]["app_state"] == "active")
  }

  @Test func `SDL-112: the same time twice is two events`() async throws {
    let client = world.client()
    for _ in 0..<2 { client.track("a", at: world.clock.now - 60) }
    await client.flush()
    let events = try world.events
    #expect(events[0].ts == events[1].ts && events[0].event_id != events[1].event_id)
  }

  @Test func `SDL-108: a screen is an event with its name, and what else is said`() async throws {
    let client = world.client()
    client.trackScreen("Settings")
    client.trackScreen("Settings", properties: ["tab": 2])
    client.trackScreen("Settings", properties: ["screen": "own"])
    await client.flush()
    let events = try world.events
    #expect(Set(events.map(\.name)) == ["screen_view"])
    #expect(
      events.map { $0.props?.mapValues(\.value) }
        == [["screen": "Settings"], ["screen": "Settings", "tab": 2], ["screen": "own"]]
    )
  }

  @Test func `SDL-110: no screen is told by itself`() async throws {
    let client = world.client(.all, activity: .automatic)
    for _ in 0..<3 {
      world.lifecycle.announce(.inactive)
      world.lifecycle.announce(.foreground)
    }
    client.track("a")
    await client.flush()
    #expect(try world.events.map(\.name) == ["session_start", "app_launched", "a"])
  }

  @Test func `SDL-75: a call costs far less than 5 ms, whatever the disk and the server do`()
    async throws
  {
    // Both are stuck: a call that waited for either would never return.
    let world = LogsWorld(ScriptedTransport(otherwise: .hold(.failed(.timedOut))))
    let client = world.client()
    client.track("sent")
    Task { await client.flush() }
    await world.script.waitForRequests(1)
    let disk = StuckDisk(world.files)
    client.track("first")
    disk.waitUntilStuck()
    for _ in 0..<4_000 { client.track("stuck") }
    disk.release()
    await client.settle()
    // What this thread worked, not how long others kept it from working.
    let properties: [String: AppValue] = ["format": "png", "duration_ms": 412, "is_pro": true]
    var worst = 0.0
    for number in 0..<10_000 {
      let began = try Self.threadSeconds
      client.track("export_finished", properties: properties)
      worst = max(worst, try Self.threadSeconds - began)
      if number.isMultiple(of: 1_000) { await client.settle() }
    }
    #expect(worst < 0.005)
    world.script.release()
  }

  private static var threadSeconds: Double {
    get throws {
      var time = timespec()
      try #require(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
  }

  @Test func `SDL-86: what was tracked before configure arrives, unless it was switched off`()
    async throws
  {
    let client = world.unconfigured()
    client.track("early")
    let time = Timestamp.rfc3339(
      milliseconds: Int64((world.clock.now.timeIntervalSince1970 * 1_000).rounded(.down))
    )
    world.clock.advance(bySeconds: 60)
    world.configure(client)
    await client.flush()
    #expect(try world.events.map(\.ts) == [time])
    let other = LogsWorld()
    let asked = other.unconfigured()
    asked.track("early")
    asked.setEnabled(false)
    asked.setEnabled(true)
    other.configure(asked)
    asked.track("later")
    await asked.flush()
    #expect(try other.names == [["later"]])
  }

  @Test func `before configure 5,000 events wait`() async throws {
    let client = world.unconfigured()
    for _ in 0..<5_010 { client.track("early") }
    #expect(client.diagnostics.dropped.byReason == [.inboxFull: 10])
    world.configure(client)
    await client.flush()
    await client.untilDelivered(5_000)
  }

  @Test func `SDL-85, SDL-106: only the first configure counts`() async throws {
    let client = world.unconfigured()
    world.configure(client, key: "sdl_pub_first")
    world.configure(client, .all, endpoint: "http://127.0.0.1:9", key: "sdl_pub_second")
    client.track("a")
    await client.flush()
    world.lifecycle.announce(.background)
    world.lifecycle.announce(.foreground)
    await client.flush()
    #expect(try world.names == [["a"]])
    #expect(world.script.requests.map(\.url) == ["https://edge.simpledatalogs.com/v1/events"])
    #expect(world.script.requests[0].headers.first?.value == "Bearer sdl_pub_first")
    #expect(world.lines(.warning).count == 1)
  }

  @Test func `a second server gets every event too, whatever the first one says`() async throws {
    let script = ScriptedTransport(
      otherwise: .make { request in
        .answered(status: request.url.hasPrefix("http://127") ? 202 : 401, headers: [:], body: [])
      }
    )
    let world = LogsWorld(script)
    let client = world.unconfigured()
    client.mirror(to: try #require(URL(string: "http://127.0.0.1:4001")), ingestKey: "sdl_pub_own")
    world.configure(client)
    client.track("a")
    await client.flush()
    let sent = world.script.requests.map { ($0.url, $0.headers.first?.value) }
    #expect(sent.count == 2)
    #expect(
      sent.contains { $0 == ("http://127.0.0.1:4001/v1/events", "Bearer sdl_pub_own") }
        && sent.contains { $0.1 == "Bearer sdl_pub_x" }
    )
    #expect(client.diagnostics.destinations["mirror-1"]?.delivered == 1)
    client.setEnabled(false)
    #expect(!world.files.holds("\"a\""))
  }

  @Test func `an empty key starts nothing and says so, and a key after it does`() async throws {
    let client = world.unconfigured()
    client.track("a")
    world.configure(client, key: "")
    #expect(world.lines(.error).count == 1 && world.files.paths.isEmpty)
    world.configure(client)
    await client.flush()
    #expect(try world.names == [["a"]])
  }

  @Test func `SDL-87: requests go to the endpoint, and the path is added`() async {
    let client = world.client(endpoint: "http://localhost:4001")
    client.track("a")
    await client.flush()
    #expect(world.script.requests.map(\.url) == ["http://localhost:4001/v1/events"])
  }

  @Test func `SDL-105: what is said before configure is on the launch's own events too`()
    async throws
  {
    let client = world.client(
      .all,
      before: { client in
        client.setDeviceID("d1")
        client.setDefaultProperties(["app_version": "1.1.0"])
      }
    )
    client.trackScreen("Settings")
    client.track("manual")
    await client.flush()
    let events = try world.events
    #expect(
      events.map(\.name) == ["session_start", "app_launched", "screen_view", "manual"]
    )
    #expect(events.allSatisfy { $0.device_id == "d1" && $0["app_version"] == "1.1.0" })
  }

  @Test func `SDL-83: what was written before a flush is delivered when it returns`() async throws {
    let client = world.client()
    for _ in 0..<12 { client.track("a") }
    await client.settle()
    await client.flush()
    #expect(try world.events.count == 12)
    #expect(client.diagnostics.delivered == 12)
  }

  @Test func `SDL-84: a flush ends with the first failure and keeps both files`() async throws {
    let world = LogsWorld(ScriptedTransport(otherwise: .status(500)))
    let client = world.client()
    for number in 0..<60 { client.track("e\(number)") }
    await world.script.waitForRequests(1)
    await client.settle()
    let before = world.script.requests.count
    let report = await client.footfall.flush()
    #expect(world.script.requests.count == before + 1)
    #expect(report.kept == 60)
    #expect(world.files.paths.count { $0.hasSuffix(".batch") } == 2)
  }
}
