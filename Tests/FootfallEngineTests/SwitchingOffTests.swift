import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallEngine

/// Off means off, whatever the disk does meanwhile.
@Suite(.timeLimit(.minutes(5))) struct `Collection that is switched off` {
  @Test func `sends nothing that a stuck disk held up until after the call had returned`()
    async throws
  {
    let world = ShellWorld()
    let engine = world.engine()
    await engine.settle()
    let disk = StuckDisk(world.files)
    // A full batch, which is sealed and sent in the step that writes it.
    for number in 0..<50 { engine.track(EventName("e\(number)")) }
    disk.waitUntilStuck()
    let off = try HeldCall(by: world.clock) { engine.setEnabled(false) }
    while off.returned == nil {
      world.clock.advance(bySeconds: 1)
      engine.poke()
      await Task.yield()
    }
    disk.release()
    await engine.settle()
    #expect(world.transport.requests.isEmpty)
    #expect(engine.diagnostics.dropped[.optedOut] == 50)
    #expect(engine.diagnostics.stored == 0)
  }

  @Test
  func `deletes what an earlier run left once its folder opens, even if it is on again by then`()
    async
  {
    let earlier = ShellWorld(transport: ScriptedTransport(otherwise: .status(503)))
    let before = earlier.engine()
    for number in 0..<10 { before.track(EventName("old \(number)")) }
    await before.settle()
    before.shutdown(limitSeconds: 0)
    let world = ShellWorld(files: earlier.files)
    world.files.intercept { _, _ in .fail(5) }
    let engine = world.engine()
    await engine.settle()
    engine.setEnabled(false)
    engine.setEnabled(true)
    await engine.settle()
    world.files.intercept(nil)
    await world.pass(5, for: engine)
    engine.track("new")
    _ = await engine.flush()
    #expect(world.names == ["new"])
    #expect(engine.diagnostics.dropped[.optedOut] == 10)
  }

  @Test func `takes in what was tracked before, also of a client whose thread had not begun`()
    async throws
  {
    let world = ShellWorld()
    let setup = world.setup { $0.consent = .sendsStored }
    let gate = Monitor(false)
    let engine = world.idleEngine(in: setup)
    _ = engine.start(isEnabled: true, consent: .sendsStored) {
      gate.wait { $0 ? () : nil }
      return setup
    }
    engine.track("before")
    let off = try HeldCall(by: world.clock) { engine.setEnabled(false) }
    while engine.isEnabled, !Task.isCancelled { await Task.yield() }
    engine.track("after")
    gate.change { $0 = true }
    _ = await off.end()
    _ = await engine.flush()
    #expect(world.names == ["before"])
    #expect(engine.diagnostics.dropped[.optedOut] == 1)
  }

  @Test func `never sends a batch whose file could not be deleted, even when it is on again`() async
  {
    let world = EngineWorld()
    world.answer(EngineWorld.main, 503)
    let engine = world.engine()
    for number in 0..<10 { engine.track(EventName("old \(number)")) }
    _ = await engine.flush()
    let sent = world.names(to: EngineWorld.main).count
    world.files.intercept { operation, _ in operation == .remove ? .fail(1) : nil }
    engine.setEnabled(false)
    engine.setEnabled(true)
    await engine.settle()
    world.answer(EngineWorld.main, 202)
    _ = await engine.flush()
    #expect(world.names(to: EngineWorld.main).count == sent)
    world.files.intercept(nil)
    for _ in 0..<2 {
      world.clock.advance(bySeconds: 5)
      engine.poke()
      await engine.settle()
    }
    engine.track("new")
    _ = await engine.flush()
    #expect(Array(world.names(to: EngineWorld.main).dropFirst(sent)) == ["new"])
    #expect(engine.diagnostics.dropped[.optedOut] == 10)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A client that was not started` {
  @Test func `answers a flush at once, and says why nothing was sent`() async {
    let world = ShellWorld()
    let engine = world.idleEngine(in: world.setup())
    engine.track("waits")
    let report = await engine.flush()
    #expect(report.problem?.kind == .shutDown)
    #expect(report.problem?.description.contains("not started") == true)
    #expect(engine.diagnostics.waiting == 1)
  }
}
