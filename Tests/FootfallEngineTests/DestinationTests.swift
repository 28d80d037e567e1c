import FootfallCore
import FootfallSystem
import FootfallPlatform
import FootfallTesting
import Testing

@testable import FootfallEngine

@Suite(.timeLimit(.minutes(5))) struct `Several destinations` {
  let world = EngineWorld()

  @Test func `every event goes to each of them, in order`() async {
    let engine = world.engine(others: true)
    for name in ["a", "b", "c"] as [EventName] { engine.track(name) }
    let report = await engine.flush()
    #expect(world.names(to: EngineWorld.main) == ["a", "b", "c"])
    #expect(world.names(to: EngineWorld.other) == ["a", "b", "c"])
    #expect(report == DeliveryReport(delivered: 6))
  }

  @Test func `one that is down keeps its events while the other delivers`() async {
    world.answer(EngineWorld.other, 500)
    let engine = world.engine(others: true)
    engine.track("a")
    let report = await engine.flush()
    #expect(report.delivered == 1 && report.kept == 1)
    #expect(report.problem?.kind == .unexpectedAnswer)
    engine.track("b")
    _ = await engine.flush()
    #expect(world.names(to: EngineWorld.main) == ["a", "b"])

    let numbers = engine.diagnostics.destinations
    #expect(numbers["main"]?.delivered == 2 && numbers["main"]?.stored == 0)
    #expect(numbers["other"]?.delivered == 0 && numbers["other"]?.stored == 2)
    #expect(numbers["main"]?.problem == nil)
    #expect(engine.diagnostics.problem?.kind == .unexpectedAnswer)

    world.answer(EngineWorld.other, 202)
    let last = await engine.flush()
    #expect(last == DeliveryReport(delivered: 2))
    #expect(engine.diagnostics.delivered == 4 && engine.diagnostics.stored == 0)
  }

  @Test func `the main one's problem comes first in a report`() async {
    world.answer(EngineWorld.main, 401)
    world.answer(EngineWorld.other, 500)
    let engine = world.engine(others: true)
    engine.track("a")
    let report = await engine.flush()
    #expect(report.problem?.kind == .keyRefused)
    #expect(report.kept == 2)
  }

  @Test func `what one of them did not take is sent to it after a relaunch, and only to it`()
    async
  {
    world.answer(EngineWorld.other, 500)
    let engine = world.engine(others: true)
    engine.track("a")
    _ = await engine.flush()
    engine.shutdown(limitSeconds: 1)
    let again = EngineWorld(files: world.files)
    let relaunched = again.engine(others: true)
    let report = await relaunched.flush()
    #expect(report == DeliveryReport(delivered: 1))
    #expect(again.names(to: EngineWorld.main).isEmpty)
    #expect(again.names(to: EngineWorld.other) == ["a"])
  }

  @Test func `switching off deletes what every one of them kept`() async {
    world.answer(EngineWorld.main, 500)
    world.answer(EngineWorld.other, 500)
    let engine = world.engine(others: true)
    engine.track("a")
    _ = await engine.flush()
    engine.setEnabled(false)
    await engine.settle()
    #expect(engine.diagnostics.stored == 0)
    #expect(engine.diagnostics.dropped.byReason == [.optedOut: 2])
    #expect(!world.files.paths.contains { $0.hasSuffix(".batch") })
  }

  @Test(arguments: [true, false], [EngineWorld.main, EngineWorld.other])
  func `losses that a server has not heard of survive a relaunch, and are told once`(
    isKilled: Bool,
    url: String
  ) async {
    /// The disk of a run once it is over, one way or the other.
    func end(_ engine: Engine, in world: EngineWorld) async -> MemoryFiles {
      world.clock.advance(bySeconds: 1)
      engine.poke()
      await engine.settle()
      guard !isKilled else { return world.files.copy() }
      engine.shutdown(limitSeconds: 1)
      return world.files
    }
    world.answer(url, 500)
    let engine = world.engine(others: true)
    engine.track("a", ["x": .double(.infinity)], nil)
    _ = await engine.flush()
    let again = EngineWorld(files: await end(engine, in: world))
    let relaunched = again.engine(others: true)
    _ = await relaunched.flush()
    relaunched.track("b")
    _ = await relaunched.flush()
    let told = again.transport.requests.filter { $0.url == url }.map { request in
      String(decoding: request.body, as: UTF8.self).contains(#"{"property_not_finite":1}"#)
    }
    #expect(told == [true, false])
    let third = EngineWorld(files: await end(relaunched, in: again))
    let last = third.engine(others: true)
    last.track("c")
    _ = await last.flush()
    let bodies = third.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(!bodies.contains { $0.contains("property_not_finite") })
  }

  @Test func `a shutdown waits for all of them, and stores what is left`() async {
    world.answer(EngineWorld.other, 500)
    let engine = world.engine(others: true)
    engine.track("a")
    engine.shutdown(limitSeconds: 5)
    #expect(world.names(to: EngineWorld.main) == ["a"])
    #expect(engine.diagnostics.destinations["other"]?.stored == 1)
  }
}
