@testable import Footfall
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Consent of a client` {
  let world = World()
  let held = ScriptedTransport.Step.hold(.answered(status: 202, headers: [:], body: []))

  /// A client with so many unsent events.
  private func client(
    unsent: Int,
    _ change: (inout FootfallClient.Configuration) -> Void = { _ in }
  ) async throws -> FootfallClient {
    let client = try world.client { configuration in
      configuration.delivery.intervalSeconds = 1e6
      change(&configuration)
    }
    client.isOffline = true
    for _ in 0..<unsent { client.track("secret") }
    await client.settle()
    client.isOffline = false
    await client.settle()
    return client
  }

  @Test func `SDL-76: off before the start, nothing of an earlier run stays or leaves`()
    async throws
  {
    try await client(unsent: 30).shutdown(limitSeconds: 0)
    let sent = world.transport.requests.count
    let next = World(files: world.files)
    let client = FootfallClient()
    client.setEnabled(false)
    client.track("secret")
    client.start(next.configuration()) { next.environment() }
    await client.settle()
    await client.flush()
    #expect(next.transport.requests.isEmpty && world.transport.requests.count == sent)
    #expect(!next.isOnDisk("secret"))
    #expect(client.diagnostics.stored == 0)
  }

  @Test func `SDL-78: what races with the switch is neither kept nor sent`() async throws {
    let client = try await client(unsent: 0)
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<125 { client.track("secret") } } }
      group.addTask { client.setEnabled(false) }
    }
    await client.settle()
    #expect(!world.isOnDisk("secret"))
    let sent = world.transport.requests.count
    await world.pass(3_600, for: client)
    #expect(world.transport.requests.count == sent)
    #expect(client.diagnostics.dropped[.optedOut] + client.diagnostics.delivered == 1_000)
  }

  @Test func `SDL-79: the last send takes what was tracked before and nothing after`() async throws
  {
    world.transport.then(held, held, held)
    let client = try await client(unsent: 120) { $0.delivery.maxBatchEvents = 50 }
    let done = Lock(false)
    client.flushAndDisable { done.withLock { $0 = true } }
    client.track("late")
    #expect(!client.isEnabled)
    for number in 1...3 {
      await world.transport.waitForRequests(number)
      await world.pass(0.2, for: client)
      #expect(!done.withLock { $0 })
      world.transport.release()
    }
    await client.flushAndDisable()
    #expect(done.withLock { $0 })
    #expect(try world.sent.map(\.name) == Array(repeating: "secret", count: 120))
    #expect(!client.isEnabled)
    #expect(!world.isOnDisk("secret") && !world.isOnDisk("late"))
    #expect(client.diagnostics.delivered == 120)
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 1])
  }

  @Test(arguments: [nil, 1] as [Double?])
  func `SDL-80: a server that hangs holds up the end for the limit`(limit: Double?) async throws {
    world.transport.then(held)
    let client = try await client(unsent: 3)
    let isOver = Lock(false)
    let ending = Task {
      if let limit {
        await client.flushAndDisable(limitSeconds: limit)
      } else {
        await client.flushAndDisable()
      }
      isOver.withLock { $0 = true }
    }
    await world.transport.waitForRequests(1)
    await world.pass((limit ?? 10) - 0.2, for: client)
    #expect(!isOver.withLock { $0 })
    #expect(world.isOnDisk("secret"))
    await world.pass(0.2, for: client)
    await ending.value
    #expect(!world.isOnDisk("secret"))
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 3])
  }

  @Test func `SDL-81: a wait of 200 seconds does not hold up the last send`() async throws {
    world.transport.then(.status(503, headers: ["retry-after": "200"]))
    let client = try await client(unsent: 3)
    await client.flush()
    #expect(world.transport.requests.count == 1)
    await client.flush()
    #expect(world.transport.requests.count == 1, "the wait holds up an ordinary flush")
    await client.flushAndDisable()
    #expect(world.transport.requests.count == 2)
    #expect(client.diagnostics.delivered == 3)
  }

  @Test func `a refused key does not hold up the last send, and no limit means no send`()
    async throws
  {
    world.transport.then(.status(401))
    let client = try await client(unsent: 3)
    await client.flush()
    await client.flushAndDisable()
    #expect(world.transport.requests.count == 2)
    client.setEnabled(true)
    client.track("secret")
    await client.flushAndDisable(limitSeconds: .nan)
    #expect(world.transport.requests.count == 2)
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 1])
  }

  @Test func `SDL-82: the next process collects`() async throws {
    let client = try await client(unsent: 1)
    client.setEnabled(false)
    client.shutdown()
    let next = World(files: world.files)
    let again = try next.client()
    #expect(again.isEnabled)
    again.track("on")
    await again.flush()
    #expect(try next.sent.map(\.name) == ["on"])
  }

  @Test func `SDL-117: disable deletes, and what comes after it is on again arrives`() async throws
  {
    let client = try await client(unsent: 30)
    client.disable()
    #expect(!world.isOnDisk("secret"))
    client.track("ignored")
    client.setEnabled(true)
    client.track("new")
    await client.flush()
    #expect(try world.sent.map(\.name) == ["new"])
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 31])
  }

  @Test(arguments: [false, true])
  func `SDL-118: the completion is called once`(hangs: Bool) async throws {
    if hangs { world.transport.then(held) }
    let client = try await client(unsent: 3)
    let calls = Lock(0)
    client.flushAndDisable(limitSeconds: 5) { calls.withLock { $0 += 1 } }
    await world.transport.waitForRequests(1)
    if hangs {
      await world.pass(4.8, for: client)
      #expect(calls.withLock { $0 } == 0)
      await world.pass(0.2, for: client)
    } else {
      // Joins the last send, or finds it over.
      await client.flushAndDisable()
      #expect(try world.sent.count == 3)
    }
    await client.settle()
    #expect(calls.withLock { $0 } == 1)
    #expect(!world.isOnDisk("secret"))
    await world.pass(3_600, for: client)
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `off during the last send deletes at once and returns to whoever waits`() async throws
  {
    world.transport.then(held)
    let client = try await client(unsent: 3)
    let ending = Task { await client.flushAndDisable() }
    await world.transport.waitForRequests(1)
    client.setEnabled(false)
    #expect(!world.isOnDisk("secret"))
    await ending.value
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 3])
  }

  @Test func `on during the last send takes it back`() async throws {
    world.transport.then(held)
    let client = try await client(unsent: 3)
    let ending = Task { await client.flushAndDisable() }
    await world.transport.waitForRequests(1)
    client.setEnabled(true)
    client.track("new")
    await client.settle()
    world.transport.release()
    await ending.value
    #expect(client.isEnabled)
    await client.flush()
    #expect(try world.sent.map(\.name) == ["secret", "secret", "secret", "new"])
    #expect(client.diagnostics.dropped.isEmpty)
  }

  @Test func `a client that ends during the last send leaves nothing behind`() async throws {
    world.transport.then(held)
    let client = try await client(unsent: 3)
    let ending = Task { await client.flushAndDisable() }
    await world.transport.waitForRequests(1)
    client.shutdown(limitSeconds: 0)
    await ending.value
    #expect(!world.isOnDisk("secret"))
  }

  @Test func `before the start and after the end it returns at once`() async throws {
    let early = FootfallClient()
    early.track("a")
    await early.flushAndDisable()
    #expect(early.diagnostics.dropped.byReason == [.optedOut: 1])
    let client = try await client(unsent: 0)
    client.shutdown()
    await client.flushAndDisable()
  }

  @Test func `AMP-P10: with the other rule what is stored is still sent`() async throws {
    let client = try await client(unsent: 5) { $0.consent.unsentEvents = .sent }
    client.track("waiting")
    client.setEnabled(false)
    client.track("late")
    let report = await client.flush()
    #expect(report.delivered == 6)
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 1])
    client.setEnabled(true)
    client.track("new")
    await client.flush()
    #expect(try world.sent.last?.name == "new")
  }

  @Test func `with the other rule a start that is off sends what was left`() async throws {
    try await client(unsent: 5).shutdown(limitSeconds: 0)
    let next = World(files: world.files)
    let client = try next.client {
      $0.consent.unsentEvents = .sent
      $0.isEnabled = false
    }
    client.track("late")
    await client.flush()
    #expect(try next.sent.map(\.name) == Array(repeating: "secret", count: 5))
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 1])
  }

  @Test func `AMP-P11: the choice is not kept`() async throws {
    let client = try await client(unsent: 0) { $0.consent.unsentEvents = .sent }
    client.setEnabled(false)
    client.shutdown()
    let next = World(files: world.files)
    #expect(try next.client { $0.consent.unsentEvents = .sent }.isEnabled)
  }
}
