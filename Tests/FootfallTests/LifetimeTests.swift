import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import Footfall

/// Events of every part of a client's life, from before its start to after its end.
@Suite(.timeLimit(.minutes(5))) struct `From before the start to after the end` {
  private let ends = Lock<[String: EventResult.Outcome]>([:])

  private func track(_ client: FootfallClient, _ names: String...) {
    for name in names {
      client.track(EventName(name)) { [ends] result in
        ends.withLock { $0[result.name.text] = result.outcome }
      }
    }
  }

  private func reason(_ name: String) -> DropReason? {
    guard case .dropped(let reason, _, _)? = ends.withLock({ $0[name] }) else { return nil }
    return reason
  }

  /// The names of the events that a server was sent.
  private func sent(_ world: World) throws -> [String] { try world.events.map(\.name) }

  @Test func `what is tracked before the start waits for it`() async throws {
    let world = World()
    let environment = world.environment()
    let client = FootfallClient(clocks: environment.clocks, random: environment.random)
    track(client, "a", "b")
    client.setUserID("user-1")
    track(client, "c")
    client.start(world.configuration()) { environment }
    track(client, "d")
    await client.flush()
    #expect(try world.events.map(\.name) == ["a", "b", "c", "d"])
    #expect(try world.events.map(\.user_id) == [nil, nil, "user-1", "user-1"])
    client.shutdown(limitSeconds: 0)
  }

  @Test func `what is tracked before a start that is off, or that never comes, is counted`()
    async throws
  {
    let world = World()
    let environment = world.environment()
    let client = FootfallClient(clocks: environment.clocks, random: environment.random)
    track(client, "a", "b")
    client.start(world.configuration { $0.isEnabled = false }) { environment }
    track(client, "c")
    await client.settle()
    for name in ["a", "b", "c"] { #expect(reason(name) == .optedOut, "\(name)") }
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 3])
    let never = FootfallClient(clocks: environment.clocks, random: environment.random)
    track(never, "d")
    never.shutdown(limitSeconds: 1)
    track(never, "e")
    for name in ["d", "e"] { #expect(reason(name) == .shutDown, "\(name)") }
    #expect(never.diagnostics.dropped.byReason == [.shutDown: 2])
    #expect(world.transport.requests.isEmpty)
  }

  @Test func `what is tracked while it is off, after the end and after that is counted`()
    async throws
  {
    let world = World()
    let client = try world.client()
    track(client, "a")
    await client.flush()
    client.setEnabled(false)
    track(client, "off")
    client.setEnabled(true)
    track(client, "b")
    await client.flush()
    await client.flushAndDisable(limitSeconds: 1)
    track(client, "off again")
    client.shutdown(limitSeconds: 1)
    track(client, "late")
    await client.settle()
    #expect(reason("off") == .optedOut && reason("off again") == .optedOut)
    #expect(reason("late") == .shutDown)
    #expect(try sent(world) == ["a", "b"])
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 2, .shutDown: 1])
    #expect(client.diagnostics.tracked == 5)
  }

  @Test func `while the process ends and the client is shut down every event has one end`()
    async throws
  {
    let world = World(transport: ScriptedTransport(otherwise: .status(202)))
    let client = try world.client { $0.delivery.maxBatchEvents = 7 }
    let isOver = Lock(false)
    let tracked = Lock<Set<String>>([])
    let threads = try (0..<4).map { thread in
      try SystemThread(name: "tracker") {
        var number = 0
        while !isOver.withLock({ $0 }) || number < 50 {
          let name = "\(thread)-\(number)"
          tracked.withLock { _ = $0.insert(name) }
          track(client, name)
          number += 1
        }
      }
    }
    world.lifecycle.announce(.background)
    world.lifecycle.announce(.terminating)
    client.shutdown(limitSeconds: 5)
    isOver.withLock { $0 = true }
    threads.forEach { $0.join() }
    client.shutdown(limitSeconds: 5)
    let next = World(files: world.files)
    let relaunched = try next.client()
    await relaunched.flush()
    await relaunched.settle()
    let (first, second) = (try sent(world), try sent(next))
    #expect(Set(first).count == first.count && Set(second).count == second.count, "sent twice")
    // What was on its way as the time was up goes again, under the same ids.
    let again = Set(first).intersection(second)
    #expect(again.isSubset(of: first.suffix(7)), "sent again")
    let arrived = first + second
    let dropped = tracked.withLock { $0 }.filter { reason($0) != nil }
    #expect(dropped.isDisjoint(with: arrived))
    #expect(dropped.union(arrived) == tracked.withLock { $0 }, "an event without an end")
    #expect(dropped.allSatisfy { reason($0) == .shutDown || reason($0) == .inboxFull })
    #expect(client.diagnostics.dropped.events == dropped.count)
  }
}
