import FootfallCore
import FootfallSystem
import FootfallPlatform
import FootfallTesting
import Testing

@testable import FootfallEngine

@Suite(.timeLimit(.minutes(5))) struct `A writer that does not keep up` {
  let world = EngineWorld()

  @Test func `SDL-43: of 6,000 events 1,000 are skipped, with one line; new ones are kept after`()
    async
  {
    let engine = world.engine { $0.waitingEvents = 5_000 }
    await engine.settle()
    let disk = StuckDisk(world.files)
    engine.track("first")
    disk.waitUntilStuck()
    for number in 0..<6_000 { engine.track(EventName("e\(number)")) }
    disk.release()
    await engine.settle()
    #expect(engine.diagnostics.dropped.byReason == [.inboxFull: 1_000])
    #expect(world.lines(.warning) == ["1000 events were dropped: inbox_full."])
    engine.track("later")
    while engine.diagnostics.stored > 0 { _ = await engine.flush() }
    let kept = ["first"] + (0..<5_000).map { "e\($0)" } + ["later"]
    #expect(world.names(to: EngineWorld.main) == kept)
  }

  @Test func `the next time it is said again`() async {
    let engine = world.engine { $0.waitingEvents = 10 }
    await engine.settle()
    for count in [12, 13] {
      let disk = StuckDisk(world.files)
      engine.track("first")
      disk.waitUntilStuck()
      for _ in 0..<count { engine.track("e") }
      disk.release()
      await engine.settle()
    }
    #expect(engine.diagnostics.dropped.byReason == [.inboxFull: 5])
    #expect(world.lines(.warning).count { $0.contains("inbox_full") } == 2)
  }
}
