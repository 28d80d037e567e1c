import Footfall
import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: before identify, and sessions` {
  let world = PhaseWorld()

  private func time(_ seconds: Int64) -> String {
    Timestamp.rfc3339(milliseconds: 1_782_900_000_000 + seconds * 1_000)
  }

  private func events(_ name: String) -> [Item] { world.items.filter { $0.name == name } }

  @Test func `PHA-13: 200 events wait for identify with their times, the 201st is refused`() async {
    let client = await world.started()
    for number in 0..<200 {
      client.sdk.track("e\(number)")
      if number == 99 { await world.pass(60, client) }
    }
    client.sdk.track("refused")
    await client.settle()
    #expect(client.stored == 0)
    world.clock.advance(bySeconds: 60)
    await client.sdk.identify()
    await client.flush()
    let events = world.items.filter { $0.type == "event" }
    #expect(events.map(\.name) == (0..<200).map { "e\($0)" })
    #expect(Set(events.prefix(100).map(\.time)) == [time(0)])
    #expect(Set(events.suffix(100).map(\.time)) == [time(60)])
    #expect(world.lines.withLock { $0 }.count { $0.contains("200") } == 1)
  }

  @Test(arguments: [(3_601, false), (3_600, true)])
  func `PHA-14: an event waits for an hour`(seconds: Int, isSent: Bool) async {
    let client = await world.started()
    client.sdk.track("early")
    await world.pass(Double(seconds), client)
    await client.sdk.identify()
    await client.flush()
    #expect(events("early").count == (isSent ? 1 : 0))
  }

  @Test func `PHA-15: the session begins with the earliest event that waited`() async {
    world.answer { items in
      // A server that refuses what lies before its session.
      let start = items.first { $0.type == "session" }?.time ?? ""
      let early = items.filter { $0.type == "event" && $0.time < start }
      let errors = Dictionary(uniqueKeysWithValues: early.map { ($0.order, "VALIDATION_ERROR") })
      return PhaseWorld.took(items, errors: errors)
    }
    let client = await world.started()
    client.sdk.track("first")
    await world.pass(600, client)
    client.sdk.track("second")
    await world.pass(600, client)
    await client.sdk.identify()
    await client.flush()
    await client.delivered()
    #expect(world.items.first { $0.type == "session" }?.time == "2026-07-01T10:00:00.000Z")
    #expect(client.numbers?.delivered == 4 && client.numbers?.dropped.isEmpty == true)
  }

  @Test func `PHA-16: an event's id is made at the call`() async {
    let client = await world.started()
    client.sdk.track("early")
    await world.pass(600, client)
    await client.sdk.identify()
    await client.flush()
    let id = events("early").first?.id ?? ""
    #expect(ULID.isValid(id))
    #expect(ULID.milliseconds(of: id) == 1_782_900_000_000)
  }

  @Test func `PHA-4: an identify before the start returns after it, with a device and a session`()
    async
  {
    let client = world.client()
    let order = Lock<[String]>([])
    world.transport.then(.hold(PhaseWorld.took([])))
    async let identified: Void = {
      await client.sdk.identify()
      order.withLock { $0.append("identified") }
    }()
    for _ in 0..<100 { await Task.yield() }
    world.clock.advance(bySeconds: 0.05)
    order.withLock { $0.append("started") }
    await client.start()
    await identified
    #expect(order.withLock { $0 } == ["started", "identified"])
    await world.transport.waitForRequests(1)
    // It is sent at once, and stays queued until that is answered.
    #expect(client.stored == 2)
    #expect(world.items.map(\.type) == ["device", "session"])
    world.transport.release()
  }

  @Test func `PHA-64: what was tracked before the start comes behind device and session`() async {
    let client = world.client()
    for name in ["a", "b", "c"] {
      client.sdk.track(name)
      world.clock.advance(bySeconds: 1)
    }
    world.clock.advance(bySeconds: 5)
    await client.start()
    await client.sdk.identify()
    await client.flush()
    #expect(world.items.map(\.name) == ["device", "session", "a", "b", "c"])
    #expect(world.items.suffix(3).map(\.time) == [time(0), time(1), time(2)])
  }

  @Test func `PHA-65: screens count toward the 200 and keep their times`() async {
    let client = await world.started()
    client.sdk.trackScreen("ProfileView")
    world.clock.advance(bySeconds: 30)
    client.track(198)
    client.sdk.trackScreen("settingsView")
    client.sdk.track("refused")
    await world.pass(30, client)
    await client.sdk.identify()
    await client.flush()
    let events = world.items.filter { $0.type == "event" }
    #expect(events.count == 200)
    #expect([events.first?.name, events.last?.name] == ["/profile-view", "/settings-view"])
    #expect([events.first?.time, events.last?.time] == [time(0), time(30)])
    #expect(
      events.filter { $0.payload["isScreen"] == "1" || $0.payload["isScreen"] == "true" }.count == 2
    )
  }

  @Test func `PHA-66: 1,000 calls of one name are 1,000 events`() async {
    let client = await world.identified()
    for _ in 0..<50 {
      for _ in 0..<20 { client.sdk.track("same") }
      await client.flush()
    }
    #expect(Set(events("same").map(\.id)).count == 1_000)
  }

  @Test func `PHA-67: 8 threads lose nothing`() async {
    let client = await world.identified()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<100 { client.sdk.track("parallel") } } }
    }
    await client.flush()
    #expect(Set(events("parallel").map(\.id)).count == 800)
  }

  @Test func `PHA-38: no batch has two devices`() async {
    let client = await world.started()
    await client.sdk.identify()
    client.track(3)
    await client.settle()
    await client.sdk.reset()
    await client.sdk.identify()
    client.track(3)
    await client.flush()
    // A ping names no device, but its session.
    let devices = world.batches.map { Set($0.compactMap { $0.payload["deviceId"] }) }
    let sessions = world.batches.map { Set($0.compactMap { $0.payload["sessionId"] }) }
    #expect(devices.allSatisfy { $0.count <= 1 } && sessions.allSatisfy { $0.count <= 1 })
    #expect(Set(devices.flatMap(\.self)).count == 2 && Set(sessions.flatMap(\.self)).count == 2)
    #expect(world.items.count == 11)
  }

  @Test func `PHA-40: a session lasts two hours, however active`() async {
    let world = PhaseWorld(phase: .foreground)
    let client = await world.identified()
    let first = client.footfall.sessionID
    for _ in 0..<119 { await world.pass(60, client) }
    client.sdk.track("before")
    await client.settle()
    #expect(client.footfall.sessionID == first)
    await world.pass(61, client)
    client.sdk.track("after")
    await client.settle()
    #expect(client.footfall.sessionID != first)
    await client.flush()
    let after = world.items.first { $0.name == "after" }
    let session = world.items.last { $0.type == "session" }
    #expect(after?.payload["sessionId"] == session?.id)
    #expect(world.items.first { $0.name == "before" }?.payload["sessionId"] != session?.id)
  }

  @Test(arguments: [(301, false), (299, true)])
  func `PHA-41: a session outlives 5 minutes in the background`(seconds: Int, isSame: Bool) async {
    let world = PhaseWorld(phase: .foreground)
    let client = await world.identified()
    let first = client.footfall.sessionID
    world.lifecycle.announce(.background)
    await client.flush()
    await world.pass(Double(seconds), client)
    world.lifecycle.announce(.foreground)
    await client.settle()
    #expect((client.footfall.sessionID == first) == isSame)
    await client.flush()
    #expect(world.items.count { $0.type == "session" } == (isSame ? 1 : 2))
  }
}
