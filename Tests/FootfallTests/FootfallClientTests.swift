@testable import Footfall
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The client` {
  let world = World()

  @Test func `what is tracked arrives with name, properties, order, time and device`() async throws
  {
    let client = try world.client()
    client.track("Song Played", ["title": "Here Comes the Sun", "duration_s": 185])
    client.track("Song Paused")
    let report = await client.flush()
    #expect(report == DeliveryReport(delivered: 2, kept: 0))
    let events = try world.events
    #expect(events.map(\.name) == ["Song Played", "Song Paused"])
    #expect(events.map(\.seq) == [1, 2])
    #expect(events.map(\.ts) == [1_764_581_400_123, 1_764_581_400_123])
    #expect(Set(events.map(\.id)).count == 2)
    #expect(Set(events.map(\.device_id)) == [try #require(client.deviceID)])
    let body = String(decoding: try #require(world.transport.requests.first).body, as: UTF8.self)
    #expect(body.contains(#""props":{"title":"Here Comes the Sun","duration_s":185}"#))
    #expect(try #require(try world.bodies.first).client.platform == "iOS")
  }

  @Test func `a request says where, who and when`() async throws {
    let client = try world.client()
    client.track("a")
    await client.flush()
    let request = try #require(world.transport.requests.first)
    #expect(request.url == "http://127.0.0.1:4001/v1/events")
    let headers = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value) })
    #expect(headers["Authorization"] == "Bearer ff_pub_test")
    #expect(headers["Content-Type"] == "application/json")
    #expect(headers["Footfall-Sent-At"] == "2025-12-01T09:30:00.123Z")
    #expect(headers["User-Agent"] == "footfall-swift/0.0.0")
  }

  @Test func `the user changes for what is tracked after the call and stays over a relaunch`()
    async throws
  {
    let client = try world.client()
    client.track("a")
    client.setUserID("user-12345")
    client.track("b")
    client.identify(.add("logins", 1))
    client.setUserID("")
    client.track("c")
    client.setUserID("user-2")
    await client.flush()
    #expect(try world.events.map(\.user_id) == [nil, "user-12345", "user-12345", nil])
    #expect(try world.events[2].name == "$identify")
    #expect(try world.events[2].ops == ["$add": ["logins": 1]])
    let device = client.deviceID
    client.shutdown()

    let again = try World(files: world.files).client()
    again.track("d")
    await again.flush()
    #expect(again.deviceID == device)
    #expect(again.diagnostics.delivered == 1)
  }

  @Test func `sequence numbers go on after a relaunch`() async throws {
    let first = try world.client()
    first.track("a")
    first.track("b")
    await first.flush()
    first.shutdown()
    let second = World(files: world.files)
    let client = try second.client()
    client.track("c")
    await client.flush()
    #expect(try world.events.map(\.seq) == [1, 2])
    #expect(try second.events.map(\.seq) == [3])
  }

  @Test func `events tracked before the shared client is configured arrive with their own times`()
    async throws
  {
    let client = FootfallClient()
    client.track("early")
    #expect(client.diagnostics.waiting == 1)
    let environment = Environment.test(transport: world.transport, files: world.files)
    let endpoint = try #require(URL(string: "http://127.0.0.1:4001/"))
    let configuration = FootfallClient.Configuration(key: "k", endpoint: endpoint)
    #expect(client.start(configuration) { environment })
    #expect(!client.start(configuration) { environment }, "the second configuration is ignored")
    let report = await client.flush()
    #expect(report.delivered == 1)
    #expect(world.transport.requests.map(\.url) == ["http://127.0.0.1:4001/v1/events"])
  }

  @Test func `a closed client takes nothing and says so`() async throws {
    let client = try world.client()
    client.track("a")
    client.shutdown()
    #expect(world.transport.isShutDown)
    client.track("b")
    client.setEnabled(false)
    let report = await client.flush()
    #expect(report.problem?.kind == .shutDown)
    #expect(client.diagnostics.dropped[.shutDown] == 1)
    #expect(try world.events.map(\.name) == ["a"])
  }

  @Test func `batches hold fifty events and keep the order`() async throws {
    let client = try world.client()
    for number in 0..<120 { client.track(EventName("e\(number)")) }
    let report = await client.flush()
    #expect(report.delivered == 120)
    #expect(try world.bodies.map(\.events.count) == [50, 50, 20])
    #expect(try world.events.map(\.name) == (0..<120).map { "e\($0)" })
  }
}
