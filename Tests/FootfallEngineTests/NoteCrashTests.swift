import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallEngine

/// What a client remembers is in its state's file, or in the journal as long as that is newer.
@Suite(.timeLimit(.minutes(5))) struct `What is remembered after a stop` {
  /// What the app does, one thing after the other, and who is signed in afterwards.
  private static let history: [(user: String?, event: EventName?, isSent: Bool)] = [
    ("u1", "a", false), ("u1", nil, true), ("u2", "b", false), ("u2", "c", true), ("u2", nil, true),
    (nil, "d", false), ("u3", "e", true), ("u3", nil, true),
  ]

  /// An event as the server saw it.
  private struct SentEvent: Decodable, Hashable {
    let id: String
    let seq: Int
    let name: String
    let user_id: String?
  }

  private struct SentBody: Decodable {
    let events: [SentEvent]
  }

  private static func sent(_ world: EngineWorld) throws -> [SentEvent] {
    try world.transport.requests.flatMap {
      try JSONDecoder().decode(SentBody.self, from: Data($0.body)).events
    }
  }

  /// Runs the history on a disk that fails from the call after `calls` on.
  ///
  /// Returns how many steps were over by then, and how many calls there were.
  private static func run(_ world: EngineWorld, calls: Int) async -> (steps: Int, calls: Int) {
    let engine = world.engine()
    await engine.settle()
    let count = Lock(0)
    world.files.intercept { _, _ in
      count.withLock { count in
        count += 1
        return count > calls ? .fail(5) : nil
      }
    }
    var steps = 0
    for step in history {
      if engine.userID != step.user { engine.setIdentity(.setUser(step.user)) }
      if let event = step.event { engine.track(event) }
      if step.isSent { _ = await engine.flush() } else { await engine.settle() }
      world.clock.advance(bySeconds: 2)
      engine.poke()
      await engine.settle()
      if count.withLock({ $0 <= calls }) { steps += 1 }
    }
    world.files.intercept(nil)
    return (steps, count.withLock { $0 })
  }

  @Test func `a kill at any call to the disk forgets nobody, loses nothing and doubles nothing`()
    async throws
  {
    let calls = await Self.run(EngineWorld(), calls: .max).calls
    #expect(calls > 60)
    for call in 0...calls {
      let first = EngineWorld()
      let steps = await Self.run(first, calls: call).steps
      let next = EngineWorld(files: first.files.copy())
      let engine = next.engine()
      await engine.settle()
      let users = [steps - 1, steps].map { step in
        Self.history.indices.contains(step) ? Self.history[step].user : nil
      }
      #expect(users.contains(engine.userID), "call \(call): \(engine.userID ?? "nobody")")
      engine.track("new")
      _ = await engine.flush()
      let (before, after) = (try Self.sent(first), try Self.sent(next))
      let all = Set(before + after)
      #expect(Set(after).count == after.count, "sent twice after call \(call)")
      #expect(Set(all.map(\.name)).count == all.count, "doubled after call \(call)")
      #expect(Set(all.map(\.seq)).count == all.count, "a number used twice after call \(call)")
      let due = Set(Self.history[..<steps].compactMap { $0.event?.text } + ["new"])
      #expect(due.isSubset(of: all.map(\.name)), "lost after call \(call)")
      #expect(all.max { $0.seq < $1.seq }?.name == "new", "out of order after call \(call)")
      for event in all where event.name != "new" {
        let user = Self.history.first { $0.event?.text == event.name }?.user
        #expect(event.user_id == user, "\(event.name) after call \(call)")
      }
    }
  }

  @Test func `once the state is saved and all is delivered, the journal says nothing of anybody`()
    async throws
  {
    let world = EngineWorld()
    let engine = world.engine()
    engine.setIdentity(.setUser("user-17"))
    engine.track("a")
    _ = await engine.flush()
    world.clock.advance(bySeconds: 2)
    engine.poke()
    await engine.settle()
    let journal = world.files.paths.filter { $0.contains("/journal/") }
    for path in journal {
      let text = String(decoding: world.files.bytes(path) ?? [], as: UTF8.self)
      #expect(!text.contains("user-17"), "\(path)")
    }
    let again = EngineWorld(files: world.files.copy())
    let relaunched = again.engine()
    await relaunched.settle()
    #expect(relaunched.userID == "user-17")
  }
}
