import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallEngine

/// What the machine tells the engine: network, sleep, memory, folders, input.
@Suite(.timeLimit(.minutes(5))) struct `The machine` {
  @Test func `a network that returns ends an ordinary wait`() async throws {
    let world = ShellWorld(
      transport: ScriptedTransport([.fail(.offline(""))], otherwise: .status(202)),
      isOnline: false
    )
    let engine = world.engine()
    for number in 0..<5 { engine.track(EventName("e\(number)")) }
    _ = await engine.flush()
    #expect(world.transport.requests.count == 1)
    world.connectivity.set(true)
    await world.transport.waitForRequests(2)
    _ = await engine.flush()
    #expect(engine.diagnostics.delivered == 5)
  }

  @Test func `an hour without a network loses nothing and keeps the order (SDL-38)`() async throws {
    let isThere = Lock(false)
    let world = ShellWorld(
      transport: ScriptedTransport(
        otherwise: .make { _ in
          isThere.withLock { $0 }
            ? .answered(status: 202, headers: [:], body: []) : .failed(.offline(""))
        }
      ),
      isOnline: false
    )
    let engine = world.engine()
    for minute in 0..<60 {
      for number in 0..<5 { engine.track(EventName("e\(minute * 5 + number)")) }
      await world.pass(60, for: engine)
    }
    _ = await engine.flush()
    let failed = world.transport.requests.count
    isThere.withLock { $0 = true }
    world.connectivity.set(true)
    await world.transport.waitForRequests(failed + 1)
    _ = await engine.flush()
    let arrived = world.names.suffix(300)
    #expect(Array(arrived) == (0..<300).map { "e\($0)" })
    #expect(engine.diagnostics.delivered == 300)
    #expect(engine.diagnostics.stored == 0)
  }

  @Test
  func `without a network nothing is sent where the rules say so, and all of it once it is back`()
    async throws
  {
    let world = ShellWorld(isOnline: false)
    let engine = world.engine { $0.main.delivery = .amplitude(maxRetries: 5) }
    await engine.settle()
    for name in ["a", "b", "c"] { engine.track(EventName(name)) }
    await world.pass(30, for: engine)
    await world.pass(30, for: engine)
    #expect(world.transport.requests.isEmpty)
    #expect(engine.diagnostics.stored == 3)
    world.connectivity.set(true)
    await world.transport.waitForRequests(1)
    await engine.settle()
    #expect(world.names == ["a", "b", "c"])
  }

  @Test func `the network is watched while something may be sent, and not for this machine`()
    async throws
  {
    let world = ShellWorld()
    let engine = world.engine()
    await engine.settle()
    #expect(world.connectivity.isWatched)
    engine.setEnabled(false)
    await engine.settle()
    #expect(!world.connectivity.isWatched)
    engine.setEnabled(true)
    await engine.settle()
    #expect(world.connectivity.isWatched)
    engine.shutdown(limitSeconds: 1)
    #expect(!world.connectivity.isWatched)

    let local = ShellWorld()
    await local.engine(url: "http://127.0.0.1:4001/v1/events").settle()
    #expect(local.connectivity.starts == 0)
    let off = ShellWorld()
    await off.engine(isEnabled: false).settle()
    #expect(off.connectivity.starts == 0)
  }

  @Test(arguments: [true, false])
  func `leaving the screen sends what waits where the rules say so (AMP-D18)`(
    flushes: Bool
  )
    async throws
  {
    let world = ShellWorld()
    let engine = world.engine { $0.leaving = flushes ? .flushes : .stores }
    engine.track("e")
    await engine.settle()
    world.lifecycle.announce(.background)
    await engine.settle()
    if flushes { await world.transport.waitForRequests(1) }
    _ = flushes ? await engine.flush() : DeliveryReport()
    #expect(world.transport.requests.count == (flushes ? 1 : 0))
    #expect(world.lifecycle.openGrants == 0)
    #expect(engine.diagnostics.stored == (flushes ? 0 : 1))
  }

  @Test func `background time is given back after 20 s whatever the server does (SDL-74, SDL-123)`()
    async throws
  {
    let world = ShellWorld(
      transport: ScriptedTransport(otherwise: .hold(.answered(status: 202, headers: [:], body: [])))
    )
    let engine = world.engine()
    for number in 0..<12 { engine.track(EventName("e\(number)")) }
    await engine.settle()
    world.lifecycle.announce(.background)
    await world.transport.waitForRequests(1)
    await world.clock.waitForSleepers(1)
    world.clock.advance(bySeconds: 19.9)
    #expect(world.lifecycle.openGrants == 1)
    world.clock.advance(bySeconds: 0.1)
    while world.lifecycle.openGrants > 0, !Task.isCancelled { await Task.yield() }
    #expect(await world.left() == 12)
  }

  @Test func `a machine about to sleep sends at once, or after it wakes (SDL-122)`() async throws {
    let world = ShellWorld()
    let engine = world.engine()
    for number in 0..<7 { engine.track(EventName("e\(number)")) }
    await engine.settle()
    world.lifecycle.announce(.asleep)
    await world.transport.waitForRequests(1)
    #expect(world.names.count == 7)

    let offline = ShellWorld(
      transport: ScriptedTransport([.fail(.offline(""))], otherwise: .status(202))
    )
    let sleeper = offline.engine()
    for number in 0..<7 { sleeper.track(EventName("e\(number)")) }
    await sleeper.settle()
    offline.lifecycle.announce(.asleep)
    await offline.transport.waitForRequests(1)
    await sleeper.settle()
    let tracked = offline.clock.now.timeIntervalSince1970 * 1_000
    offline.clock.sleepMachine(seconds: 8 * 3_600)
    offline.lifecycle.announce(.awake)
    await offline.transport.waitForRequests(2)
    #expect(Array(offline.names.suffix(7)) == (0..<7).map { "e\($0)" })
    let body = try #require(offline.transport.requests.last).body
    let times = String(decoding: body, as: UTF8.self).components(separatedBy: "\"ts\":").dropFirst()
      .compactMap { Double($0.prefix { $0.isNumber }) }
    #expect(times.count == 7 && times.allSatisfy { abs($0 - tracked) <= 1 })
  }

  @Test func `each folder is readied once, also when it is opened again (SDL 25)`() async throws {
    let world = ShellWorld()
    let engine = world.engine()
    engine.track("e")
    _ = await engine.flush()
    #expect(world.prepared.withLock { $0 } == ["/client"])
  }

  @Test func `little memory loses nothing`() async throws {
    let world = ShellWorld()
    let engine = world.engine()
    engine.track("a")
    await engine.settle()
    world.lifecycle.announce(.memoryWarning)
    engine.track("b")
    world.lifecycle.announce(.memoryWarning)
    _ = await engine.flush()
    #expect(world.names == ["a", "b"])
  }

  @Test func `input by the user counts where the rules want it`() async throws {
    var world = ShellWorld()
    let touches = ManualUserActivity(world.clock)
    world.activity = touches
    world.lifecycle.announce(.background)
    let engine = world.engine { $0.rules.activity = .mac }
    await engine.settle()
    touches.touch()
    engine.track("at the keyboard")
    await engine.settle()
    await world.pass(3_600, for: engine)
    engine.track("away")
    _ = await engine.flush()
    let body = world.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    let states = body.components(separatedBy: "\"app_state\":\"").dropFirst().map { rest in
      String(rest.prefix { $0 != "\"" })
    }
    #expect(states == ["active", "inactive"] || Set(states).count == 2, "\(states)")
  }

  @Test func `another locale shows from the next foreground on`() async throws {
    let world = ShellWorld()
    let engine = world.engine()
    engine.track("before")
    await engine.settle()
    var moved = Environment.test().device
    moved.locale = "fr_FR"
    world.device.withLock { [moved] in $0 = moved }
    world.lifecycle.announce(.foreground)
    engine.track("after")
    _ = await engine.flush()
    let bodies = world.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(world.names == ["before", "after"] && bodies.count == 2)
    // Said once for all events of a batch.
    #expect(bodies.map { $0.components(separatedBy: "\"locale\":\"en_GB\"").count } == [2, 1])
    #expect(bodies.map { $0.components(separatedBy: "\"locale\":\"fr_FR\"").count } == [1, 2])
  }

  @Test func `once everything is delivered nothing waits for time`() async throws {
    let world = ShellWorld()
    let engine = world.engine { $0.rules.sessions = .native }
    for number in 0..<120 { engine.track(EventName("e\(number)")) }
    _ = await engine.flush()
    for _ in 0..<5 { await world.pass(5, for: engine) }
    #expect(engine.diagnostics.stored == 0)
    while engine.inbox.signal.sleepSeconds == nil, !Task.isCancelled { await Task.yield() }
    #expect(engine.inbox.signal.sleepSeconds == .infinity)
  }
}
