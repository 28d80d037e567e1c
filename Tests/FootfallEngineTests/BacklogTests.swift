import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallEngine

/// More events than may be in batches at a time.
@Suite(.timeLimit(.minutes(5))) struct `A backlog that is sealed in portions` {
  let world = EngineWorld()

  @Test func `a flush that failed is over, and what is left to seal ends no wait`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine { $0.main.outbox.batchEvents = 1 }
    for number in 0..<20 { engine.track(EventName("e\(number)")) }
    let report = await engine.flush()
    #expect(report.kept == 20 && world.transport.requests.count == 1)
    for number in 20..<30 {
      engine.track(EventName("e\(number)"))
      await engine.settle()
    }
    #expect(world.transport.requests.count == 1)
  }

  @Test(arguments: [1, 2, 8])
  func `a flush is over when all of it is delivered, however few are sealed at a time`(
    ahead: Int
  ) async {
    let engine = world.engine {
      $0.main.outbox.batchEvents = 1
      $0.main.outbox.batchesAhead = ahead
    }
    for number in 0..<30 { engine.track(EventName("e\(number)")) }
    // Full batches are sent by themselves, so that some may be gone before the flush.
    let report = await engine.flush()
    #expect(report.kept == 0 && report.problem == nil)
    #expect(engine.diagnostics.delivered == 30)
    #expect(world.names(to: EngineWorld.main) == (0..<30).map { "e\($0)" })
  }

  @Test func `events wait to be written where so often is written at most`() async {
    let engine = world.engine { $0.main.writeSeconds = 1 }
    engine.track("first")
    await engine.settle()
    let writes = world.files.count(of: .write)
    engine.track("second")
    await engine.settle()
    #expect(world.files.count(of: .write) == writes)
    #expect(engine.diagnostics.stored == 2)
    world.clock.advance(bySeconds: 1)
    engine.poke()
    await engine.settle()
    #expect(world.files.count(of: .write) > writes)
    #expect(await engine.flush() == DeliveryReport(delivered: 2))
  }

  @Test func `a reset where batches do not say whose they are drops all that is left`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine()
    for number in 0..<3 { engine.track(EventName("e\(number)")) }
    await engine.settle()
    let old = engine.deviceID
    await withCheckedContinuation { continuation in
      engine.reset(limitSeconds: 15) { continuation.resume() }
    }
    await engine.settle()
    #expect(engine.diagnostics.stored == 0 && engine.deviceID != old)
    #expect(engine.diagnostics.dropped.byReason == [.deviceReset: 3])
  }
}
