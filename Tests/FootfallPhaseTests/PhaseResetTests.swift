import Footfall
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPhase
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: writing, and a new device` {
  let world = PhaseWorld()

  @Test func `PHA-33: items are written once a second at most, and at once when the app leaves`()
    async
  {
    let world = PhaseWorld(phase: .foreground)
    let client = await world.identified()
    await world.pass(2, client)
    // A store of several steps at one moment is one.
    let (clock, moments) = (world.clock, Lock<Set<UInt64>>([]))
    world.files.intercept { operation, _ in
      if operation == .write { moments.withLock { _ = $0.insert(clock.monotonic.nanoseconds) } }
      return nil
    }
    for number in 0..<10 {
      client.sdk.track("early\(number)")
      await client.settle()
      world.clock.advance(bySeconds: 0.05)
    }
    await world.pass(1, client)
    #expect(moments.withLock { $0.count } <= 2)
    #expect((0..<10).allSatisfy { world.files.holds("early\($0)") })
    client.sdk.track("late")
    await client.settle()
    #expect(!world.files.holds("late") && client.stored == 11)
    world.transport.then(.hold(PhaseWorld.took([])))
    world.lifecycle.announce(.background)
    await client.settle()
    #expect(world.files.holds("late"))
    world.transport.release()
  }

  @Test func `what waits to be written is written at the end of the process`() async {
    let client = await world.identified()
    world.answer(500)
    client.sdk.track("first")
    client.sdk.track("second")
    await client.settle()
    world.lifecycle.announce(.terminating)
    #expect(world.files.holds("second"))
    client.footfall.shutdown(limitSeconds: 0)
  }

  @Test func `what waits to be written goes when collection is switched off, and is counted`() async
  {
    let client = await world.identified()
    await world.pass(2, client)
    // Names that no random id has in it.
    for number in 0..<3 { client.sdk.track("waiting\(number)") }
    await client.settle()
    client.footfall.setEnabled(false)
    await client.settle()
    #expect(client.stored == 0 && !world.files.holds("waiting2"))
    #expect(client.footfall.diagnostics.dropped.byReason == [.optedOut: 3])
  }

  @Test(arguments: [false, true])
  func `PHA-37: a reset drops within 15 s what a failing server does not take`(hangs: Bool) async {
    let client = await world.identified()
    let old = client.footfall.deviceID
    client.track(5)
    await client.settle()
    if hangs {
      world.transport.then(.hold(.failed(.timedOut)))
    } else {
      world.answer(500)
    }
    async let reset: Void = client.sdk.reset()
    if hangs {
      await world.transport.waitForRequests(2)
      await world.pass(15, client)
    }
    await reset
    await client.settle()
    #expect(client.stored == 0)
    #expect(client.footfall.deviceID != old && ULID.isValid(client.footfall.deviceID ?? ""))
    #expect(client.numbers?.dropped.byReason == [.deviceReset: 6])
    let requests = client.requests
    client.sdk.track("later")
    for _ in 0..<60 { await world.pass(1, client) }
    #expect(client.stored == 0 && client.requests == requests)
    world.recover()
    await client.sdk.identify()
    await client.flush()
    let new = world.batches.last ?? []
    #expect(new.map(\.name) == ["device", "session", "later"])
    #expect(new.first?.id == client.footfall.deviceID)
  }

  @Test func `PHA-85: a reset sends what is queued and a last heartbeat as the old device`()
    async throws
  {
    let client = await world.identified()
    let old = try #require(client.footfall.deviceID)
    let session = world.items.last?.id
    client.track(5)
    await client.sdk.reset()
    await client.settle()
    let sent = world.items.dropFirst(2)
    #expect(sent.map(\.name) == ["e0", "e1", "e2", "e3", "e4", "ping"])
    #expect(Set(sent.map { $0.payload["sessionId"] }) == [session])
    let new = try #require(client.footfall.deviceID)
    #expect(new != old)
    #expect(try ClientState.load(from: "/phase", files: world.files)?.deviceID == new)
    #expect(client.numbers?.dropped.isEmpty == true)
    await client.sdk.identify()
    await client.flush()
    let begun = world.items.dropFirst(8)
    #expect(begun.map(\.type) == ["device", "session"])
    #expect(begun.map { $0.payload["deviceId"] } == [new, new])
    #expect(begun.last?.id != session)
  }

  @Test func `what is tracked as the new device during a reset stays`() async {
    let client = await world.identified()
    client.track(5)
    await client.settle()
    world.transport.then(.hold(.failed(.timedOut)))
    async let reset: Void = client.sdk.reset()
    await world.transport.waitForRequests(2)
    await client.sdk.identify()
    client.sdk.track("new")
    await world.pass(15, client)
    await reset
    await client.flush()
    #expect(world.batches.last?.map(\.name) == ["device", "session", "new"])
    #expect(client.numbers?.dropped.byReason == [.deviceReset: 6] && client.stored == 0)
  }
}
