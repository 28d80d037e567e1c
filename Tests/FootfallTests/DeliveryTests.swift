import Footfall
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Delivery` {
  let world = World()

  @Test func `SDL-1: fifty events make one request at once`() async throws {
    let client = try world.client()
    for number in 0..<50 { client.track(EventName("e\(number)")) }
    await world.transport.waitForRequests(1)
    #expect(try world.bodies.map(\.events.count) == [50])
  }

  @Test func `events wait ten seconds from the first one on`() async throws {
    let client = try world.client()
    client.track("a")
    await client.settle()
    await world.pass(9, for: client)
    client.track("b")
    await client.settle()
    #expect(world.transport.requests.isEmpty)
    await world.pass(1, for: client)
    await world.transport.waitForRequests(1)
    #expect(try world.bodies.map { $0.events.map(\.name) } == [["a", "b"]])
  }

  @Test func `SDL-3: 120 events make requests of 50, 50 and, ten seconds later, 20`() async throws {
    let client = try world.client()
    for number in 0..<120 { client.track(EventName("e\(number)")) }
    await world.transport.waitForRequests(2)
    await client.settle()
    await world.pass(9.9, for: client)
    #expect(try world.bodies.map(\.events.count) == [50, 50])
    await world.pass(0.1, for: client)
    await world.transport.waitForRequests(3)
    #expect(try world.bodies.map(\.events.count) == [50, 50, 20])
  }

  @Test func `SDL-6: events of one thread arrive in their order`() async throws {
    let client = try world.client()
    for name in ["a", "b", "c"] as [EventName] { client.track(name) }
    await client.flush()
    #expect(try world.events.map(\.name) == ["a", "b", "c"])
  }

  @Test func `SDL-7: eight threads lose nothing and make no id twice`() async throws {
    let client = try world.client()
    await withTaskGroup { group in
      for thread in 0..<8 {
        group.addTask { for number in 0..<500 { client.track(EventName("\(thread)/\(number)")) } }
      }
    }
    let report = await client.flush()
    #expect(report.delivered + client.diagnostics.delivered >= 4_000)
    let events = try world.events
    #expect(Set(events.map(\.id)).count == 4_000)
    #expect(events.map(\.seq) == Array(1...4_000))
    for thread in 0..<8 {
      let own = events.map(\.name).filter { $0.hasPrefix("\(thread)/") }
      #expect(own == (0..<500).map { "\(thread)/\($0)" })
    }
  }

  @Test func `SDL-8: the time of an event is that of the call, not of the delivery`() async throws {
    let client = try world.client()
    client.track("a")
    await client.settle()
    world.clock.advance(bySeconds: 300)
    await client.flush()
    #expect(try world.events.map(\.ts) == [1_764_581_400_123])
    let headers = world.transport.requests[0].headers
    #expect(headers.first { $0.name == "Footfall-Sent-At" }?.value == "2025-12-01T09:35:00.123Z")
  }

  @Test func `SDL-14: an event may lie 3,650 days back, not more`() async throws {
    let client = try world.client()
    let limit: TimeInterval = 3_650 * 86_400
    client.track("at", [:], EventOptions(at: world.clock.now - limit))
    client.track("over", [:], EventOptions(at: world.clock.now - limit - 86_400))
    client.track("ahead", [:], EventOptions(at: world.clock.now + 3_600))
    await client.flush()
    #expect(try world.events.map(\.name) == ["at", "ahead"])
    #expect(try world.events.map(\.ts) == [1_449_221_400_123, 1_764_581_400_123])
    #expect(client.diagnostics.dropped.byReason == [.tooOld: 1])
    #expect(world.lines(.warning).count == 1)
  }

  @Test func `SDL-112: the same time twice is two events`() async throws {
    let client = try world.client()
    let time = world.clock.now - 60
    client.track("a", [:], EventOptions(at: time))
    client.track("a", [:], EventOptions(at: time))
    client.track("own", [:], EventOptions(id: "order-1"))
    await client.flush()
    let events = try world.events
    #expect(events[0].ts == events[1].ts && events[0].id != events[1].id)
    #expect(events[2].id == "order-1")
  }

  @Test func `SDL-23: sealed batches go oldest first`() async throws {
    world.transport.then(.status(500))
    let client = try world.client { $0.delivery.maxBatchEvents = 2 }
    for name in ["a", "b", "c", "d", "e", "f"] as [EventName] { client.track(name) }
    await world.transport.waitForRequests(1)
    await client.settle()
    await client.flush()
    #expect(try world.events.map(\.name) == ["a", "b", "a", "b", "c", "d", "e", "f"])
  }

  @Test func `SDL-26: once 12 events are delivered no event is left on the disk`() async throws {
    let client = try world.client()
    for _ in 0..<12 { client.track("marker") }
    await client.settle()
    #expect(world.isOnDisk("marker"))
    await client.flush()
    #expect(!world.isOnDisk("marker"))
    #expect(!world.files.paths.contains { $0.hasSuffix(".batch") })
  }

  @Test func `SDL-28: after 401 nothing is sent for 60 s, then one request every 10 min`()
    async throws
  {
    let world = World(transport: ScriptedTransport(otherwise: .status(401)))
    let client = try world.client()
    client.track("a")
    let report = await client.flush()
    #expect(report.problem?.kind == .keyRefused)
    for _ in 0..<30 { client.track("meanwhile") }
    await world.pass(59.9, for: client)
    #expect(world.transport.requests.count == 1)
    await world.pass(0.1, for: client)
    await world.transport.waitForRequests(2)
    for count in 2...3 {
      await client.settle()
      await world.pass(599, for: client)
      #expect(world.transport.requests.count == count)
      await world.pass(1, for: client)
      await world.transport.waitForRequests(count + 1)
    }
    await client.settle()
    #expect(world.lines(.error).count == 1)
    #expect(client.diagnostics.stored == 31)
  }

  @Test func `SDL-29: a key accepted at the probe delivers everything at once`() async throws {
    world.transport.then(.status(401))
    let client = try world.client { $0.delivery.maxBatchEvents = 10 }
    for _ in 0..<35 { client.track("a") }
    await client.flush()
    await world.pass(60, for: client)
    await world.transport.waitForRequests(5)
    let report = await client.flush()
    #expect(report.problem == nil)
    #expect(client.diagnostics.delivered == 35)
  }

  @Test func `SDL-30: a relaunch ends the pause after a refused key`() async throws {
    world.transport.then(.status(401))
    let client = try world.client()
    client.track("a")
    await client.flush()
    client.shutdown()
    world.clock.advance(bySeconds: 5)
    let again = World(files: world.files)
    _ = try again.client()
    await again.transport.waitForRequests(1)
    #expect(try again.events.map(\.name) == ["a"])
  }

  @Test func `SDL-31: a server that takes ten events at a time gets all fifty, once each`()
    async throws
  {
    let world = World(transport: ScriptedTransport(otherwise: .make(Self.accepting(10))))
    let client = try world.client()
    for number in 0..<50 { client.track(EventName("e\(number)")) }
    await client.flush()
    let accepted = try world.bodies.filter { $0.events.count <= 10 }.flatMap(\.events)
    #expect(accepted.map(\.name) == (0..<50).map { "e\($0)" })
    #expect(Set(accepted.map(\.id)).count == 50)
    #expect(client.diagnostics.delivered == 50)
  }

  @Test func `SDL-32: one event too large among fifty costs that one alone`() async throws {
    let world = World(
      transport: ScriptedTransport(
        otherwise: .make { request in
          let isPoisoned = String(decoding: request.body, as: UTF8.self).contains("\"poison\"")
          return .answered(status: isPoisoned ? 413 : 202, headers: [:], body: [])
        }
      )
    )
    let client = try world.client()
    for number in 0..<50 { client.track(number == 17 ? "poison" : EventName("e\(number)")) }
    let report = await client.flush()
    #expect(client.diagnostics.delivered == 49)
    #expect(client.diagnostics.dropped.byReason == [.tooLarge: 1])
    #expect(report.rejected == ["too_large": 1])
    #expect(world.lines(.warning).count == 1)
    #expect(client.diagnostics.stored == 0)
  }

  @Test func `SDL-33: a kill in the middle of a split loses nothing`() async throws {
    world.transport.then(.status(413), .status(202), .answer(.failed(.timedOut)))
    let client = try world.client()
    for number in 0..<50 { client.track(EventName("e\(number)")) }
    await world.transport.waitForRequests(3)
    world.files.endProcess()
    let again = World(files: world.files)
    let relaunched = try again.client()
    await relaunched.flush()
    #expect(try again.events.map(\.name) == (0..<50).map { "e\($0)" })
    #expect(try again.events.map(\.id) == world.bodies[0].events.map(\.id))
  }

  @Test func `SDL-34: a batch the server cannot read is put aside and never sent again`()
    async throws
  {
    world.transport.then(.status(415))
    let client = try world.client { $0.delivery.maxBatchEvents = 2 }
    for name in ["a", "b", "c", "d"] as [EventName] { client.track(name) }
    let report = await client.flush()
    #expect(report.kept == 2)
    #expect(try world.events.map(\.name) == ["a", "b", "c", "d"])
    #expect(world.files.paths.filter { $0.hasSuffix(".unsupported") }.count == 1)
    client.shutdown()
    let again = World(files: world.files)
    let relaunched = try again.client()
    await relaunched.flush()
    #expect(again.transport.requests.isEmpty)
  }

  @Test(arguments: ["90", "Tue, 01 Dec 2025 09:31:30 GMT"])
  func `SDL-36: Retry-After is waited for, as seconds and as a date`(value: String) async throws {
    world.transport.then(.status(503, headers: ["retry-after": value]))
    let client = try world.client()
    client.track("a")
    let report = await client.flush()
    #expect(report.problem?.kind == .serverBusy)
    let second = await client.flush()
    #expect(second.problem?.kind == .serverBusy)
    await world.pass(89, for: client)
    #expect(world.transport.requests.count == 1)
    await world.pass(1, for: client)
    await world.transport.waitForRequests(2)
  }

  @Test func `SDL-37: a batch answered with 400 is neither dropped nor split, and others wait`()
    async throws
  {
    let world = World(transport: ScriptedTransport(otherwise: .status(400)))
    let client = try world.client { $0.delivery.maxBatchEvents = 2 }
    for name in ["a", "b", "c", "d"] as [EventName] { client.track(name) }
    for _ in 0..<3 { await client.flush() }
    #expect(try Set(world.bodies.map { $0.events.map(\.name) }) == [["a", "b"]])
    #expect(client.diagnostics.stored == 4)
  }

  @Test func `SDL-38: what is tracked without a network arrives in order when it is back`()
    async throws
  {
    let world = World(transport: ScriptedTransport(otherwise: .fail(.offline("no route"))))
    let client = try world.client()
    for number in 0..<300 {
      client.track(EventName("e\(number)"))
      if number % 30 == 0 { await world.pass(360, for: client) }
    }
    let offline = await client.flush()
    #expect(offline.problem?.kind == .offline)
    #expect(offline.kept == 300)
    client.shutdown()
    let back = World(files: world.files)
    let again = try back.client()
    await again.flush()
    #expect(try back.events.map(\.name) == (0..<300).map { "e\($0)" })
  }

  @Test func `a failure waits, and the same bytes are sent again`() async throws {
    world.transport.then(.status(500))
    let client = try world.client()
    client.track("a", ["b": [1, 2.5, "c"]])
    await client.flush()
    world.clock.advance(bySeconds: 3_600)
    await client.flush()
    let bodies = world.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.count == 2 && bodies[0] == bodies[1])
    let sentAt = world.transport.requests.map { request in
      request.headers.first { $0.name == "Footfall-Sent-At" }?.value
    }
    #expect(sentAt[0] != sentAt[1])
  }

  @Test func `SDL-83: what was written before a flush is delivered when it returns`() async throws {
    let client = try world.client()
    for _ in 0..<12 { client.track("a") }
    await client.settle()
    let report = await client.flush()
    #expect(report == DeliveryReport(delivered: 12))
    #expect(try world.events.count == 12)
  }

  @Test func `SDL-84: a flush ends with the first failure and keeps both batches`() async throws {
    let world = World(transport: ScriptedTransport(otherwise: .status(500)))
    let client = try world.client { $0.delivery.maxBatchEvents = 2 }
    for name in ["a", "b", "c"] as [EventName] { client.track(name) }
    await world.transport.waitForRequests(1)
    await client.settle()
    let before = world.transport.requests.count
    let report = await client.flush()
    #expect(world.transport.requests.count == before + 1)
    #expect(report.kept == 3)
    #expect(report.problem?.kind == .unexpectedAnswer)
  }

  @Test func `flushes at the same time share one pass and all return`() async throws {
    world.transport.then(.hold(.answered(status: 202, headers: [:], body: [])))
    let client = try world.client()
    client.track("a")
    async let first = client.flush()
    await world.transport.waitForRequests(1)
    client.track("b")
    async let second = client.flush()
    // The second flush has begun once it has sealed its event; before, the first one rightly says
    // that an event is kept.
    for _ in 0..<100_000 {
      if world.files.paths.count(where: { $0.hasSuffix(".batch") }) == 2 { break }
      await Task.yield()
    }
    world.transport.release()
    let reports = await [first, second]
    #expect(reports.allSatisfy { $0.problem == nil && $0.kept == 0 })
    #expect(try world.events.map(\.name) == ["a", "b"])
  }

  @Test func `SDL-87: requests go to the endpoint, path v1 events`() async throws {
    let client = try world.client { configuration in
      configuration.endpoint = URL(fileURLWithPath: "/")
      if let local = URL(string: "http://localhost:4001") { configuration.endpoint = local }
    }
    client.track("a")
    await client.flush()
    #expect(world.transport.requests.map(\.url) == ["http://localhost:4001/v1/events"])
  }

  /// Takes requests of at most `most` events, and refuses others as too large.
  private static func accepting(_ most: Int) -> @Sendable (UploadRequest) -> UploadResponse {
    { request in
      let text = String(decoding: request.body, as: UTF8.self)
      let events = text.split(separator: "\n").count
      return .answered(status: events > most ? 413 : 202, headers: [:], body: [])
    }
  }
}
