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

  @Test func `counts no event as lost that is there when the folder opens again`() async {
    let world = ShellWorld()
    let engine = world.engine()
    for number in 0..<20 { engine.track(EventName("kept \(number)")) }
    await engine.settle()
    world.files.intercept { _, _ in .fail(30) }
    for number in 0..<5 { engine.track(EventName("lost \(number)")) }
    await engine.settle()
    #expect(engine.diagnostics.dropped[.storageFailed] == 5)
    #expect(engine.diagnostics.stored == 20)
    world.files.intercept(nil)
    await world.pass(5, for: engine)
    _ = await engine.flush()
    #expect(engine.diagnostics.dropped[.storageFailed] == 5)
    #expect(world.names == (0..<20).map { "kept \($0)" })
  }

  @Test func `sends what is its own while another process's folder cannot be read, and that later`()
    async
  {
    let earlier = ShellWorld(transport: ScriptedTransport(otherwise: .status(503)))
    var engines: [Engine] = []
    for name in ["own", "another's"] as [EventName] {
      // One after the other, so that the first has the first folder.
      let engine = earlier.engine()
      await engine.settle()
      engine.track(name)
      // Sealed, so that nothing but sending is left to do.
      _ = await engine.flush()
      engines.append(engine)
    }
    for engine in engines.reversed() { engine.shutdown(limitSeconds: 0) }
    let world = ShellWorld(files: earlier.files)
    world.files.intercept { _, path in path.contains("/second-1") ? .fail(5) : nil }
    let engine = world.engine()
    await world.transport.waitForRequests(1)
    await engine.settle()
    #expect(world.names == ["own"])
    world.files.intercept(nil)
    await world.pass(5, for: engine)
    await world.transport.waitForRequests(2)
    #expect(world.names == ["own", "another's"])
  }
}
