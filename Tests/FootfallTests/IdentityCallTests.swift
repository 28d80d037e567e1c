@testable import Footfall
import FootfallCore
import FootfallEngine
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Identity of a client` {
  let world = World()

  @Test func `what a thread set it reads at once, before the start too`() async throws {
    let client = FootfallClient()
    #expect(client.userID == nil && client.deviceID == nil && !client.isOffline)
    client.setUserID("u")
    client.setDeviceID("d")
    client.isOffline = true
    #expect(client.userID == "u" && client.deviceID == "d" && client.isOffline)
    client.setUserID(nil)
    #expect(client.userID == nil && client.deviceID == "d")
    client.setIdentity(userID: "v", deviceID: "e")
    #expect(client.userID == "v" && client.deviceID == "e")
    client.start(world.configuration()) { world.environment() }
    client.track("a")
    await client.settle()
    #expect(client.userID == "v" && client.deviceID == "e" && client.isOffline)
    client.reset()
    #expect(client.userID == nil)
    await client.settle()
    let made = client.deviceID
    #expect(made != nil && made != "e")
    #expect(world.transport.requests.isEmpty, "it was offline from the first moment")
    client.isOffline = false
    client.track("b")
    await client.flush()
    #expect(try world.sent.map { $0["device_id"] } == [#""e""#, made.map { "\"\($0)\"" }])
  }

  @Test func `a user of the configuration counts from the start`() async throws {
    let client = try world.client { $0.identity.userID = "configured" }
    client.track("a")
    await client.flush()
    #expect(client.userID == "configured")
    #expect(try world.events.map(\.user_id) == ["configured"])
  }

  @Test func `ids that cannot be sent are counted and logged, and nothing else is lost`()
    async throws
  {
    let client = try world.client()
    client.setUserID("u")
    client.setUserID("")
    client.track("a")
    client.setUserID(String(repeating: "x", count: 129))
    client.setDeviceID("d")
    client.setUserID(String(repeating: "y", count: 128))
    client.track("b")
    client.setIdentity(userID: "w", deviceID: "")
    client.track("c")
    await client.flush()
    let events = try world.sent
    #expect(events.map(\.name) == ["a", "b", "c"])
    #expect(events.map { $0["user_id"]?.count } == [nil, 130, 3])
    let counts = client.diagnostics
    #expect(counts.dropped.byReason == [.idNotUsed: 3])
    #expect(counts.dropped.events == 0 && counts.tracked == 3 && counts.delivered == 3)
    let lines = world.lines(.warning)
    #expect(lines.contains("The user id is empty; it is not used."))
    #expect(lines.contains("The user id has 129 bytes and may have 128; it is not used."))
    #expect(lines.contains("The device id is empty; it is not used."))
  }

  @Test func `SDL-11: a device id counts for later events, and can be taken back`() async throws {
    let client = try world.client { $0.rules = .simpleDataLogs() }
    client.setDeviceID("a")
    client.track("first")
    client.setDeviceID(nil)
    client.track("second")
    await client.flush()
    #expect(try world.sent.map { $0["device_id"] } == [#""a""#, nil])
    #expect(world.transport.requests.count == 1)
  }

  @Test func `AMP-T3: an option's user is that of its event only`() async throws {
    let client = try world.client()
    client.setUserID("user-1")
    client.track("Invite Sent", [:], EventOptions(userID: "user-12345"))
    client.track("Next")
    await client.flush()
    #expect(try world.events.map(\.user_id) == ["user-12345", "user-1"])
    #expect(client.userID == "user-1")
  }

  @Test func `AMP-T20: an option's device is that of its event only`() async throws {
    let client = try world.client()
    client.setDeviceID("device-1")
    client.track("a", [:], EventOptions(deviceID: "device-2"))
    client.track("b")
    await client.flush()
    #expect(try world.events.map(\.device_id) == ["device-2", "device-1"])
    #expect(client.deviceID == "device-1")
  }

  @Test func `AMP-P7: the same user twice is one change`() async throws {
    let client = try world.client()
    await client.settle()
    let plugin = ProbePlugin("O", .observe)
    client.add(plugin)
    client.setUserID("x-1")
    client.setUserID("x-1")
    await client.settle()
    #expect(plugin.calls == ["O setUp", "O user x-1", "O identity"])
  }

  @Test func `AMP-P8: all at once tells user, device and identity, and sends an identify`()
    async throws
  {
    let client = try world.client()
    await client.settle()
    let plugin = ProbePlugin("O", .observe)
    client.add(plugin)
    client.setIdentity(userID: "u", deviceID: "d", userProperties: ["plan": "pro"])
    await client.flush()
    #expect(plugin.calls == ["O setUp", "O user u", "O device d", "O identity"])
    let event = try #require(try world.sent.first)
    #expect(event.name == "$identify")
    #expect(event["ops"] == #"{"$set":{"plan":"pro"}}"#)
    #expect(event["user_id"] == #""u""# && event["device_id"] == #""d""#)
  }

  @Test func `AMP-P18: every event has device and session, and a user once there is one`()
    async throws
  {
    let client = try world.client { $0.sessions.isEnabled = true }
    for round in 0..<2 {
      if round == 1 {
        client.setUserID("user-1")
        client.endSession()
      }
      client.track("event")
      client.identify(.add("n", 1))
      client.identifyGroup("orgId", "15", .set("plan", "pro"))
      client.revenue(Revenue(price: 1))
    }
    await client.flush()
    let names = ["session_start", "event", "$identify", "$groupidentify", "revenue_amount"]
    let events = try world.sent.filter { $0.name != "session_end" }
    #expect(events.map(\.name) == names + names)
    #expect(events.allSatisfy { $0["device_id"] != nil && $0["session_id"] != nil })
    #expect(
      events.map { $0["user_id"] } == Array(repeating: nil, count: 5)
        + Array(repeating: #""user-1""#, count: 5)
    )
  }

  @Test func `AMP-P20: an event keeps the user it was tracked under`() async throws {
    let client = try world.client()
    client.setUserID("user-1")
    client.track("a")
    client.setUserID("user-2")
    client.track("b")
    await client.flush()
    client.shutdown()
    let next = World(files: world.files)
    let again = try next.client()
    again.track("c")
    await again.flush()
    #expect(try (world.events + next.events).map(\.user_id) == ["user-1", "user-2", "user-2"])
    #expect(again.userID == "user-2")
  }

  @Test func `AMP-P21: ids are kept per key and instance`() async throws {
    let client = try world.client()
    client.setDeviceID("device-xyz")
    client.setUserID("user-xyz")
    await client.settle()
    client.shutdown()
    let next = World(files: world.files)
    let again = try next.client()
    again.track("a")
    await again.flush()
    #expect(again.deviceID == "device-xyz" && again.userID == "user-xyz")
    #expect(try next.events.map(\.device_id) == ["device-xyz"])
    #expect(try next.events.map(\.user_id) == ["user-xyz"])
    for other in [
      try World(files: world.files).client { $0.storage.instance = "other" },
      try World(files: world.files).client { $0.key = "ff_pub_other" },
    ] {
      await other.settle()
      #expect(other.userID == nil && other.deviceID != "device-xyz" && other.deviceID != nil)
    }
  }

  @Test func `AMP-T14: clients of other keys or names share nothing`() async throws {
    var seen: [(device: String?, session: SessionID?)] = []
    for (key, name) in [("A", "default"), ("B", "marketing"), ("A", "marketing")] {
      let own = World(files: world.files)
      own.clock.advance(bySeconds: Double(seen.count))
      let client = try own.client {
        $0.key = key
        $0.storage.instance = name
        $0.sessions.isEnabled = true
        $0.sessions.tracksStartAndEnd = false
      }
      client.track("Signup Completed")
      await client.flush()
      #expect(try own.sent.map(\.name) == ["Signup Completed"])
      #expect(own.transport.requests.count == 1)
      #expect(
        own.transport.requests.first?.headers.contains { $0.value == "Bearer \(key)" } == true
      )
      seen.append((client.deviceID, client.sessionID))
    }
    #expect(Set(seen.map(\.device)).count == 3 && Set(seen.map(\.session)).count == 3)
  }

  @Test func `AMP-T25: user and plugins of one client are not those of another`() async throws {
    let first = try world.client { $0.key = "A" }
    let other = World(files: world.files)
    let second = try other.client {
      $0.key = "B"
      $0.storage.instance = "marketing"
    }
    let plugin = ProbePlugin("A", .enrichment)
    first.setUserID("user-a")
    first.add(plugin)
    first.track("a")
    second.track("b")
    await first.flush()
    await second.flush()
    #expect(try other.events.map(\.user_id) == [nil])
    #expect(plugin.calls.contains("A a") && !plugin.calls.contains("A b"))
  }
}
