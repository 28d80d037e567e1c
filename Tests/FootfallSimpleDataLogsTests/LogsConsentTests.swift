import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: the opt-out` {
  let world = LogsWorld()
  let held = ScriptedTransport.Step.hold(.answered(status: 202, headers: [:], body: []))

  /// A client with so many unsent events, in so many files as they make.
  private func client(unsent: Int) async -> SimpleDataLogsClient {
    let client = world.client()
    client.footfall.isOffline = true
    for _ in 0..<unsent { client.track("secret") }
    await client.settle()
    client.footfall.isOffline = false
    return client
  }

  @Test func `SDL-76: off before configure, nothing of an earlier launch stays or leaves`()
    async throws
  {
    let offline = LogsWorld(
      ScriptedTransport(otherwise: .fail(.offline(""))),
      files: world.files
    )
    let earlier = offline.client()
    for _ in 0..<30 { earlier.track("secret") }
    await earlier.flush()
    #expect(earlier.diagnostics.stored == 30)
    earlier.shutdown(limitSeconds: 0)
    let client = world.client(.all, before: { $0.setEnabled(false) })
    for _ in 0..<3 { client.track("secret") }
    await client.flush()
    await world.pass(3_600, for: client)
    #expect(world.script.requests.isEmpty && !world.files.holds("secret"))
    #expect(client.diagnostics.stored == 0)
  }

  @Test func `SDL-77: off deletes what is unsent, and on again collects anew`() async throws {
    let client = await client(unsent: 30)
    client.setEnabled(false)
    client.setEnabled(true)
    client.track("new")
    await client.flush()
    #expect(try world.names == [["new"]])
  }

  @Test func `SDL-78: what races with the switch is neither kept nor sent`() async throws {
    let client = world.client()
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<125 { client.track("secret") } } }
      group.addTask { client.setEnabled(false) }
    }
    await client.settle()
    #expect(!world.files.holds("secret"))
    let sent = world.script.requests.count
    await world.pass(3_600, for: client)
    #expect(world.script.requests.count == sent)
    #expect(client.diagnostics.dropped[.optedOut] + client.diagnostics.delivered == 1_000)
  }

  @Test func `SDL-79: the last send takes what was tracked before and nothing after`() async throws
  {
    world.script.then(held, held, held)
    let client = await client(unsent: 120)
    let done = Lock(false)
    client.flushAndDisable { done.withLock { $0 = true } }
    client.track("late")
    for number in 1...3 {
      await world.script.waitForRequests(number)
      await world.pass(0.2, for: client)
      #expect(!done.withLock { $0 })
      world.script.release()
    }
    await client.flushAndDisable()
    #expect(done.withLock { $0 } && !client.footfall.isEnabled)
    #expect(try world.names.map(\.count) == [50, 50, 20])
    #expect(!world.files.holds("secret") && !world.files.holds("late"))
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 1])
  }

  @Test(arguments: [nil, 1] as [Double?])
  func `SDL-80: a server that hangs holds up the end for the limit`(limit: Double?) async throws {
    world.script.then(held)
    let client = await client(unsent: 3)
    let isOver = Lock(false)
    let ending = Task {
      if let limit {
        await client.flushAndDisable(timeLimit: limit)
      } else {
        await client.flushAndDisable()
      }
      isOver.withLock { $0 = true }
    }
    await world.script.waitForRequests(1)
    await world.pass((limit ?? 10) - 0.2, for: client)
    #expect(!isOver.withLock { $0 })
    await world.pass(0.2, for: client)
    await ending.value
    #expect(!world.files.holds("secret"))
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 3])
  }

  @Test func `SDL-81: a wait of 200 seconds does not hold up the last send`() async throws {
    world.script.then(.status(503, headers: ["retry-after": "200"]))
    let client = await client(unsent: 3)
    await client.flush()
    await client.flush()
    #expect(world.script.requests.count == 1)
    await client.flushAndDisable()
    #expect(world.script.requests.count == 2 && client.diagnostics.delivered == 3)
  }

  @Test func `a refused key does not hold up the last send, and no limit means no send`()
    async throws
  {
    world.script.then(.status(401))
    let client = await client(unsent: 3)
    await client.flush()
    await client.flushAndDisable()
    #expect(world.script.requests.count == 2)
    client.setEnabled(true)
    client.track("secret")
    await client.flushAndDisable(timeLimit: 0)
    #expect(world.script.requests.count == 2 && !world.files.holds("secret"))
  }

  @Test func `SDL-82: the choice is not kept`() async throws {
    let client = await client(unsent: 1)
    client.setEnabled(false)
    client.shutdown(limitSeconds: 0)
    let next = LogsWorld(files: world.files)
    let again = next.client()
    again.track("on")
    await again.flush()
    #expect(try next.names == [["on"]])
  }

  @Test func `SDL-117: disable deletes, and what comes after it is on again arrives`() async throws
  {
    let client = await client(unsent: 30)
    client.disable()
    #expect(!world.files.holds("secret"))
    client.track("ignored")
    client.setEnabled(true)
    client.track("new")
    await client.flush()
    #expect(try world.names == [["new"]])
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 31])
  }

  @Test(arguments: [false, true])
  func `SDL-118: the completion is called once`(hangs: Bool) async throws {
    if hangs { world.script.then(held) }
    let client = await client(unsent: 3)
    let calls = Lock(0)
    client.flushAndDisable(timeLimit: 5) { calls.withLock { $0 += 1 } }
    await world.script.waitForRequests(1)
    if hangs {
      await world.pass(4.8, for: client)
      #expect(calls.withLock { $0 } == 0)
      await world.pass(0.2, for: client)
    } else {
      // Joins the last send, or finds it over.
      await client.flushAndDisable()
      #expect(try world.events.count == 3)
    }
    await client.settle()
    #expect(calls.withLock { $0 } == 1)
    #expect(!world.files.holds("secret"))
    await world.pass(3_600, for: client)
    #expect(calls.withLock { $0 } == 1)
  }
}
