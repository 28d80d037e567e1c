import Footfall
import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: when batches are sent` {
  let world = PhaseWorld()

  @Test func `PHA-24: 19 events wait for 10 s, the 20th sends all at once`() async {
    let client = await world.identified()
    client.track(19)
    await world.pass(9.9, client)
    #expect(client.requests == 1)
    await world.pass(0.2, client)
    await client.delivered()
    #expect(world.batches.map(\.count) == [2, 19])
    client.track(19)
    await client.settle()
    #expect(client.requests == 2)
    client.sdk.track("20th")
    await client.settle()
    #expect(client.requests == 3)
    await client.delivered()
    #expect(world.batches.map(\.count) == [2, 19, 20])
  }

  @Test(arguments: [1, 7, 120])
  func `PHA-25: 120 items leave in requests of 50, 50 and 20, however they came`(
    portion: Int
  )
    async
  {
    let client = await world.identified()
    client.footfall.setConnectivity(isOnline: false)
    for number in 0..<120 {
      client.sdk.track("e\(number)")
      if number % portion == 0 { await client.settle() }
    }
    await client.settle()
    #expect(client.stored == 120)
    client.footfall.setConnectivity(isOnline: true)
    await client.delivered()
    #expect(world.batches.dropFirst().map(\.count) == [50, 50, 20])
    #expect(world.items.dropFirst(2).map(\.name) == (0..<120).map { "e\($0)" })
    #expect(world.batches.allSatisfy { $0.map(\.order) == Array($0.indices) })
  }

  @Test func `what gathers during a request leaves in full ones, and a flush waits for all of it`()
    async
  {
    let client = await world.identified()
    world.transport.then(
      .hold(PhaseWorld.took([0, 1, 2].map { Item(["clientOrder": $0, "type": "event"]) }))
    )
    client.track(3)
    await client.settle()
    Task { await client.footfall.flush() }
    await world.transport.waitForRequests(2)
    for number in 0..<120 {
      client.sdk.track("later\(number)")
      if number % 7 == 0 { await client.settle() }
    }
    await client.settle()
    async let report = client.footfall.flush()
    await client.settle()
    world.transport.release()
    await client.delivered()
    await client.flush()
    // How much of it fell to this flush depends on when its call came.
    let told = await report
    #expect(told.kept == 0 && told.problem == nil && told.rejected.isEmpty)
    #expect(client.footfall.diagnostics.delivered >= 123)
    #expect(world.batches.dropFirst().map(\.count) == [3, 50, 50, 20])
  }

  @Test func `PHA-31: of 1,000 items the oldest session goes whole, the devices stay`() async {
    let world = PhaseWorld(phase: .foreground)
    let client = await world.started()
    await client.settle()
    client.footfall.setConnectivity(isOnline: false)
    await client.settle()
    func track(_ name: String, upTo stored: Int) async {
      var number = 0
      while client.stored < stored {
        client.sdk.track("\(name)\(number)")
        number += 1
        await client.settle()
      }
    }
    // The first session with its device item, then another one with its own.
    await client.sdk.identify()
    await track("a", upTo: 301)
    let first = client.footfall.sessionID
    world.lifecycle.announce(.background)
    await world.pass(301, client)
    world.lifecycle.announce(.foreground)
    await client.sdk.identify()
    await track("b", upTo: 1_000)
    #expect(client.footfall.sessionID != first)
    client.sdk.track("last")
    await client.settle()
    let kept = client.stored
    client.footfall.setConnectivity(isOnline: true)
    await client.delivered()
    let items = world.items
    #expect(items.count == kept)
    #expect(items.count { $0.type == "device" } == 2)
    #expect(items.count { $0.type == "session" } == 1)
    #expect(!items.contains { $0.name.hasPrefix("a") && $0.type == "event" })
    let sessions = Set(items.compactMap { $0.payload["sessionId"] })
    #expect(sessions.count == 1 && first.map { "\($0)".contains(sessions.first ?? "") } == false)
    #expect(items.last { $0.type == "event" }?.name == "last")
    let dropped = client.numbers?.dropped[.backlogFull] ?? 0
    #expect(dropped == 1_001 - kept)
    #expect(world.lines(with: "\(dropped) oldest events were dropped") == 1)
  }

  @Test func `PHA-35: a flush returns after the answer, and offline at once with all kept`() async {
    let client = await world.identified()
    client.track(12)
    let report = await client.flush()
    #expect(report == DeliveryReport(delivered: 12))
    client.track(12)
    client.footfall.setConnectivity(isOnline: false)
    let offline = await client.flush()
    #expect(offline.kept == 12 && offline.problem?.kind == .offline)
    #expect(client.requests == 2)
  }

  @Test func `PHA-78: going to the background sends at once, in time that ends with the answer`()
    async
  {
    let world = PhaseWorld(phase: .foreground)
    let client = await world.identified()
    client.track(5)
    await client.settle()
    world.transport.then(.hold(PhaseWorld.took([])))
    world.lifecycle.announce(.background)
    await world.transport.waitForRequests(2)
    #expect(world.batches[1].prefix(5).map(\.name) == ["e0", "e1", "e2", "e3", "e4"])
    #expect(world.lifecycle.openGrants == 1)
    world.transport.release()
    await client.flush()
    #expect(world.lifecycle.openGrants == 0)
  }

  @Test func `PHA-79: what waits goes as soon as the network is back`() async {
    let client = await world.identified()
    client.footfall.setConnectivity(isOnline: false)
    client.track(5)
    await world.pass(3, client)
    #expect(client.requests == 1)
    client.footfall.setConnectivity(isOnline: true)
    await client.settle()
    #expect(client.requests == 2)
    await client.delivered()
    #expect(world.batches[1].count == 5)
  }

  @Test func `PHA-80: 10 s after the last attempt, and not a request without items`() async {
    let client = await world.identified()
    await world.pass(30, client)
    client.track(5)
    await world.pass(9.9, client)
    #expect(client.requests == 1)
    await world.pass(0.1, client)
    #expect(client.requests == 2)
    await client.delivered()
    await world.pass(2, client)
    client.track(5)
    await world.pass(7.9, client)
    #expect(client.requests == 2)
    await world.pass(2, client)
    #expect(client.requests == 3)
    await client.delivered()
    for _ in 0..<60 { await world.pass(1, client) }
    #expect(client.requests == 3)
    #expect(world.batches.map(\.count) == [2, 5, 5])
  }

  @Test func `PHA-34: a relaunch without network keeps ids and order`() async {
    let client = await world.identified()
    client.footfall.setConnectivity(isOnline: false)
    client.track(7)
    await client.settle()
    client.footfall.shutdown(limitSeconds: 0)
    let again = PhaseWorld(files: world.files)
    again.answer(500)
    let relaunched = await again.started()
    await relaunched.flush()
    let first = again.batches[0]
    #expect(first.map(\.name) == (0..<7).map { "e\($0)" })
    again.recover()
    await again.pass(2, relaunched)
    await relaunched.delivered()
    #expect(again.batches[1].map(\.id) == first.map(\.id))
    #expect(Set(first.map(\.id)).count == 7)
  }

  @Test func `PHA-32: of a session's heartbeats only the newest waits, of two sessions' two`()
    async
  {
    let world = PhaseWorld(phase: .foreground)
    let client = await world.identified()
    client.footfall.setConnectivity(isOnline: false)
    for _ in 0..<3 { await world.pass(5, client) }
    #expect(client.stored == 1)
    // Leaving the screen asks for a submission, which cannot be now.
    world.lifecycle.announce(.background)
    await world.pass(301, client)
    world.lifecycle.announce(.foreground)
    client.sdk.track("back")
    await client.settle()
    for _ in 0..<3 { await world.pass(5, client) }
    client.footfall.setConnectivity(isOnline: true)
    await client.delivered()
    let pings = world.items.filter { $0.type == "ping" }
    #expect(pings.count == 2 && Set(pings.map(\.id)).count == 2)
    #expect(pings.first?.time == Timestamp.rfc3339(milliseconds: 1_782_900_015_000))
    #expect(pings.last?.time == Timestamp.rfc3339(milliseconds: 1_782_900_331_000))
  }

  @Test func `a heartbeat that waits survives the end of the process`() async {
    let world = PhaseWorld(phase: .foreground)
    let client = await world.identified()
    client.footfall.setConnectivity(isOnline: false)
    for _ in 0..<2 { await world.pass(5, client) }
    client.footfall.shutdown(limitSeconds: 0)
    let again = PhaseWorld(files: world.files)
    let relaunched = await again.started()
    await relaunched.flush()
    #expect(again.items.map(\.type) == ["ping"])
    #expect(again.items[0].time == Timestamp.rfc3339(milliseconds: 1_782_900_010_000))
    #expect(relaunched.stored == 0)
  }
}
