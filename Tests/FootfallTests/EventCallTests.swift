@testable import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Calls of a client` {
  let world = World()

  @Test func `SDL-10: an event's own value goes over the defaults, which are replaced whole`()
    async throws
  {
    let client = try world.client()
    client.setDefaultProperties(["v": "1", "k": "d", "nan": .double(.nan)])
    client.track("a", ["k": "e"])
    client.setDefaultProperties([:])
    client.track("b")
    await client.flush()
    let events = try world.sent
    #expect(events.map { $0.property("v") } == [#""1""#, nil])
    #expect(events.map { $0.property("k") } == [#""e""#, nil])
    #expect(client.diagnostics.dropped.byReason == [.propertyNotFinite: 1])
  }

  @Test func `SDL-15: an event of the future is one of now`() async throws {
    let client = try world.client { $0.activity = .automatic }
    client.track("a", [:], EventOptions(at: world.clock.now.addingTimeInterval(3_600)))
    await client.flush()
    let event = try #require(try world.sent.first)
    #expect(event["ts"] == "1764581400123")
    #expect(event.property("app_state") == #""active""#)
  }

  @Test func `SDL-16: an event of the past says nothing of activity`() async throws {
    let client = try world.client { $0.activity = .automatic }
    client.track("a", [:], EventOptions(at: world.clock.now.addingTimeInterval(-60)))
    await client.flush()
    let event = try #require(try world.sent.first)
    #expect(event["ts"] == "1764581340123")
    #expect(event.property("app_state") == nil && event.property("engaged_ms") == nil)
  }

  @Test func `SDL-111: an id of the app's own makes an event of now`() async throws {
    let id = "0a1b2c3d-0000-4000-8000-000000000001"
    let client = try world.client { $0.activity = .automatic }
    client.track("a", [:], EventOptions(id: id))
    await client.flush()
    let event = try #require(try world.sent.first)
    #expect(event["id"] == "\"\(id)\"" && event["ts"] == "1764581400123")
    #expect(event.property("app_state") == #""active""#)
  }

  @Test func `SDL-86: what was tracked before the start arrives, unless it was switched off`()
    async throws
  {
    let client = FootfallClient(clocks: world.environment().clocks, random: .seeded(1))
    client.track("early")
    world.clock.advance(bySeconds: 60)
    client.start(world.configuration()) { world.environment() }
    await client.flush()
    #expect(try world.events.map(\.ts) == [1_764_581_400_123])

    let other = World()
    let asked = FootfallClient()
    asked.track("early")
    asked.setEnabled(false)
    asked.setEnabled(true)
    asked.start(other.configuration()) { other.environment() }
    asked.track("later")
    await asked.flush()
    #expect(try other.sent.map(\.name) == ["later"])
  }

  @Test func `SDL-85, SDL-106: only the first configuration counts`() async throws {
    let client = FootfallClient()
    client.start(world.configuration()) { world.environment() }
    let other = World()
    let isFirst = client.start(
      other.configuration {
        $0.key = "ff_pub_other"
        $0.endpoint = World.endpoint("http://127.0.0.1:4002")
        $0.tracksLaunches = true
        $0.sessions.isEnabled = true
      }
    ) { other.environment() }
    #expect(!isFirst)
    client.track("a")
    await client.flush()
    #expect(other.transport.requests.isEmpty)
    #expect(try world.sent.map(\.name) == ["a"])
    let request = try #require(world.transport.requests.first)
    #expect(request.url == "http://127.0.0.1:4001/v1/events")
    #expect(request.headers.contains { $0.value == "Bearer ff_pub_test" })
  }

  @Test func `SDL-105: what was said before the start is on the library's own events too`()
    async throws
  {
    let client = FootfallClient()
    client.setDeviceID("d1")
    client.setDefaultProperties(["app_version": "1.1.0"])
    client.start(
      world.configuration {
        $0.rules = .simpleDataLogs(sessions: .activation, tellsLaunches: true)
      }
    ) { world.environment() }
    client.screen("Settings")
    client.track("manual")
    await client.flush()
    let events = try world.sent
    #expect(events.map(\.name) == ["session_start", "app_launched", "screen_view", "manual"])
    #expect(events.allSatisfy { $0["device_id"] == #""d1""# })
    #expect(events.allSatisfy { $0.property("app_version") == #""1.1.0""# })
  }

  @Test func `SDL-108: a screen is told with its name and other properties`() async throws {
    let client = try world.client()
    client.screen("Settings")
    client.screen("Settings", ["tab": 2])
    client.screen("")
    await client.flush()
    let events = try world.sent
    #expect(events.map(\.name) == ["screen_view", "screen_view"])
    #expect(events.map { $0.property("screen") } == [#""Settings""#, #""Settings""#])
    #expect(events.map { $0.property("tab") } == [nil, "2"])
    #expect(client.diagnostics.dropped.byReason == [.invalid: 1])
    #expect(world.lines(.warning).contains("A screen has no name; its view is not tracked."))
  }

  @Test func `AMP-T12, AMP-T13: links and screens have the names of the rules`() async throws {
    let client = try world.client { $0.rules = .amplitude(announcesSessions: false) }
    let url = World.endpoint("https://www.example.com/products/42")
    client.openedLink(url, referrer: World.endpoint("https://www.google.com"))
    client.openedLink(url)
    client.screen("Settings")
    await client.flush()
    let events = try world.sent
    #expect(
      events.map(\.name) == [
        "[Amplitude] Deep Link Opened", "[Amplitude] Deep Link Opened",
        "[Amplitude] Screen Viewed",
      ]
    )
    #expect(
      events.prefix(2).map { $0.property("[Amplitude] Link URL") }
        == Array(repeating: #""https://www.example.com/products/42""#, count: 2)
    )
    #expect(
      events.prefix(2).map { $0.property("[Amplitude] Link Referrer") }
        == [#""https://www.google.com""#, nil]
    )
    #expect(events[2].property("[Amplitude] Screen Name") == #""Settings""#)
  }

  @Test func `a link has native names too, and may be unknown`() async throws {
    let client = try world.client()
    client.openedLink(nil)
    await client.flush()
    #expect(try world.sent.map(\.name) == ["deep_link_opened"])
    #expect(try world.sent.first?.property("url") == #""""#)
  }

  @Test func `AMP-T15: what is sent is what was given at the call`() async throws {
    let client = try world.client()
    var properties: Properties = ["list": [1, 2]]
    client.track("a", properties)
    properties["list"] = [3]
    properties["more"] = true
    await client.flush()
    #expect(try world.sent.first?["props"] == #"{"list":[1,2]}"#)
  }

  @Test func `AMP-T16: calls return while disk and server are stuck, and keep their order`()
    async throws
  {
    let world = World(
      transport: ScriptedTransport(otherwise: .hold(.answered(status: 202, headers: [:], body: [])))
    )
    let client = try world.client()
    await client.settle()
    let gate = Monitor(false)
    world.files.intercept { operation, _ in
      if operation == .write { _ = gate.wait { $0 ? true : nil } }
      return nil
    }
    client.track("event")
    client.identify(.set("plan", "pro"))
    client.setGroup("orgId", "15")
    client.identifyGroup("orgId", "15", .set("plan", "pro"))
    client.revenue(Revenue(price: 1))
    #expect(client.diagnostics.tracked == 5)
    world.files.intercept(nil)
    gate.change { $0 = true }
    await client.settle()
    client.shutdown(limitSeconds: 0)
    let next = World(files: world.files)
    let again = try next.client()
    await again.flush()
    #expect(
      try next.sent.map(\.name) == [
        "event", "$identify", "$identify", "$groupidentify", "revenue_amount",
      ]
    )
  }

  @Test func `AMP-T17: every event has an id of its own`() async throws {
    let client = try world.client { $0.sessions.isEnabled = true }
    client.track("own", [:], EventOptions(id: "song-played-8f2c"))
    client.track("event")
    client.identify(.add("n", 1))
    client.identifyGroup("orgId", "15", .set("plan", "pro"))
    client.revenue(Revenue(price: 1))
    await client.flush()
    let events = try world.sent
    #expect(events.map(\.name).contains("session_start"))
    let ids = events.compactMap { $0["id"] }
    #expect(Set(ids).count == 6 && ids.allSatisfy { $0.count > 2 })
    #expect(ids.contains(#""song-played-8f2c""#))
  }
}
