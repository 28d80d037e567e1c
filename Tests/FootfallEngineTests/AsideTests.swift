import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallEngine

/// Batches that the server could not read of one version of the library.
@Suite(.timeLimit(.minutes(5))) struct `Batches put aside, over an update` {
  private static let older = "footfall-swift/1.0.0"
  private static let newer = "footfall-swift/1.1.0"

  /// The disk of a client whose first batch the server cannot read; the second was delivered.
  private func left() async -> MemoryFiles {
    let world = EngineWorld()
    world.transport.then(.status(415))
    let engine = world.engine(library: Self.older) { $0.main.outbox.batchEvents = 2 }
    for name in ["a", "b", "c", "d"] as [EventName] { engine.track(name) }
    _ = await engine.flush()
    await engine.settle()
    #expect(engine.diagnostics.delivered == 2 && engine.diagnostics.stored == 2)
    engine.shutdown(limitSeconds: 0)
    return world.files
  }

  @Test func `an update tries them again, once`() async {
    let files = await left()
    let same = EngineWorld(files: files)
    let unchanged = same.engine(library: Self.older)
    _ = await unchanged.flush()
    await unchanged.settle()
    #expect(same.transport.requests.isEmpty)
    #expect(unchanged.diagnostics.stored == 2)
    unchanged.shutdown(limitSeconds: 0)
    let refusing = EngineWorld(files: files.copy())
    refusing.answer(EngineWorld.main, 415)
    let refused = refusing.engine(library: Self.newer)
    _ = await refused.flush()
    _ = await refused.flush()
    await refused.settle()
    #expect(refusing.names(to: EngineWorld.main) == ["a", "b"])
    #expect(refused.diagnostics.stored == 2)
    let updated = EngineWorld(files: files)
    let engine = updated.engine(library: Self.newer)
    let report = await engine.flush()
    await engine.settle()
    #expect(report.kept == 0)
    #expect(updated.names(to: EngineWorld.main) == ["a", "b"])
    #expect(engine.diagnostics.delivered == 2)
  }

  @Test
  func `a kill at any call to the disk of the update's first run loses none and doubles none`()
    async throws
  {
    let files = await left()
    let count = Lock(0)
    func run(_ files: MemoryFiles, calls: Int) async -> [String] {
      count.withLock { $0 = 0 }
      files.intercept { _, _ in
        count.withLock { count in
          count += 1
          return count > calls ? .fail(5) : nil
        }
      }
      let world = EngineWorld(files: files)
      let engine = world.engine(library: Self.newer)
      _ = await engine.flush()
      await engine.settle()
      files.intercept(nil)
      engine.shutdown(limitSeconds: 0)
      return world.names(to: EngineWorld.main)
    }
    #expect(await run(files.copy(), calls: .max) == ["a", "b"])
    let calls = count.withLock { $0 }
    for call in 0...calls {
      let killed = files.copy()
      let first = await run(killed, calls: call)
      let second = await run(killed.copy(), calls: .max)
      #expect([[], ["a", "b"]].contains(first) && [[], ["a", "b"]].contains(second), "\(call)")
      #expect(!(first + second).isEmpty, "lost after call \(call)")
    }
  }

  @Test func `a server that reads none while the disk refuses to move them is asked once`() async {
    let world = EngineWorld()
    world.answer(EngineWorld.main, 415)
    let engine = world.engine()
    await engine.settle()
    world.files.intercept { operation, path in
      operation == .rename && path.hasSuffix(".batch") ? .fail(5) : nil
    }
    engine.track("a")
    _ = await engine.flush()
    _ = await engine.flush()
    await engine.settle()
    #expect(world.transport.requests.count == 1)
    #expect(engine.diagnostics.stored == 1)
  }
}
