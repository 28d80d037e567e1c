import FootfallCore
import FootfallTesting
import Testing

@testable import FootfallEngine

@Suite(.timeLimit(.minutes(5))) struct `A disk that fails while the client runs` {
  @Test func `keeps no flush waiting and no thread busy, and is used again once it works`()
    async throws
  {
    let world = ShellWorld()
    let engine = world.engine()
    await engine.settle()
    world.files.intercept { _, _ in .fail(5) }
    for number in 0..<60 { engine.track(EventName("lost \(number)")) }
    let report = await engine.flush()
    #expect(report.problem?.kind == .storageFailed)
    // A thread that is busy never sleeps.
    while (engine.inbox.signal.sleepSeconds ?? 0) <= 0, !Task.isCancelled { await Task.yield() }
    #expect(engine.diagnostics.dropped[.storageFailed] == 60)
    world.files.intercept(nil)
    await world.pass(5, for: engine)
    engine.track("later")
    let later = await engine.flush()
    #expect(later == DeliveryReport(delivered: 1))
    #expect(world.names == ["later"])
  }
}
