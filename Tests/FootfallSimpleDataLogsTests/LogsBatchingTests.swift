import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: batches` {
  let world = LogsWorld()

  @Test func `SDL-1: fifty events make one request at once`() async throws {
    let client = world.client()
    for number in 0..<50 { client.track("e\(number)") }
    await client.untilDelivered(50)
    #expect(try world.names == [(0..<50).map { "e\($0)" }])
  }

  @Test func `SDL-2: ten seconds run from the first event on`() async throws {
    let client = world.client()
    client.track("a")
    await client.settle()
    await world.pass(9, for: client)
    client.track("b")
    await client.settle()
    await world.pass(0.5, for: client)
    #expect(client.diagnostics.requests == 0)
    await world.pass(0.5, for: client)
    await client.untilDelivered(2)
    #expect(try world.names == [["a", "b"]])
  }

  @Test func `SDL-2: in a debug build they are five`() async throws {
    let client = world.client(isDebug: true)
    client.track("a")
    await client.settle()
    await world.pass(4.5, for: client)
    #expect(client.diagnostics.requests == 0)
    await world.pass(0.5, for: client)
    await client.untilDelivered(1)
    await world.pass(4, for: client)
    client.track("b")
    await client.settle()
    #expect(try world.names == [["a"]])
  }

  @Test func `SDL-3: 120 events make requests of 50, 50 and, ten seconds later, 20`() async throws {
    let client = world.client()
    for number in 0..<120 { client.track("e\(number)") }
    await client.untilDelivered(100)
    await world.pass(9.5, for: client)
    #expect(try world.names.map(\.count) == [50, 50])
    await world.pass(0.5, for: client)
    await client.untilDelivered(120)
    #expect(try world.names.map(\.count) == [50, 50, 20])
  }

  @Test func `SDL-4: no request reaches 256 KB, and large events arrive`() async throws {
    let client = world.client()
    for number in 0..<10 { client.track("e\(number)", properties: ["t": text(40_000)]) }
    await client.flush()
    await client.untilDelivered(10)
    #expect(world.script.requests.allSatisfy { $0.body.count < 262_144 })
    #expect(try world.names.flatMap { $0 } == (0..<10).map { "e\($0)" })
    #expect(client.diagnostics.dropped.isEmpty)
  }

  @Test func `SDL-5: an event over the size of a request is dropped with one line`() async throws {
    let client = world.client()
    client.track("a")
    client.track("large", properties: ["t": text(300_000)])
    client.track("b")
    await client.flush()
    #expect(try world.names == [["a", "b"]])
    #expect(client.diagnostics.dropped.byReason == [.tooLarge: 1])
    #expect(world.lines(.warning).count == 1)
  }

  @Test func `an event that just fits is sent in a body one byte below the limit`() async throws {
    let client = world.client()
    client.track("e", properties: ["t": "x"])
    await client.flush()
    let room = 262_143 - world.script.requests[0].body.count
    client.track("e", properties: ["t": text(1 + room)])
    client.track("e", properties: ["t": text(2 + room)])
    await client.flush()
    #expect(world.script.requests.map(\.body.count).last == 262_143)
    #expect(client.diagnostics.delivered == 2)
    #expect(client.diagnostics.dropped.byReason == [.tooLarge: 1])
  }

  @Test func `SDL-104: without an endpoint requests go to the service by https`() async {
    let client = world.client()
    client.track("a")
    await client.flush()
    #expect(world.script.requests.map(\.url) == ["https://edge.simpledatalogs.com/v1/events"])
  }
}

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: caps` {
  let world = LogsWorld(ScriptedTransport(otherwise: .fail(.offline("no route"))))

  private func delivered(from files: MemoryFiles) async throws -> [String] {
    let back = LogsWorld(files: files)
    let client = back.client()
    let stored = client.diagnostics.stored
    await client.flush()
    await client.until { $0.stored == 0 && $0.delivered >= stored && $0.isReady }
    return try back.names.flatMap { $0 }
  }

  @Test func `SDL-40: of 10,050 events the first fifty go, with one line`() async throws {
    let client = world.client()
    for number in 0..<10_050 {
      client.track("e\(number)")
      if number.isMultiple(of: 1_000) { await client.settle() }
    }
    let report = await client.footfall.flush()
    #expect(report.kept == 10_000)
    #expect(client.diagnostics.dropped.byReason == [.backlogFull: 50])
    #expect(world.lines(.warning).filter { $0.contains("50 oldest") }.count == 1)
    client.shutdown(limitSeconds: 0)
    #expect(try await delivered(from: world.files) == (50..<10_050).map { "e\($0)" })
  }

  @Test func `SDL-41: of 501 files of one event the first goes`() async throws {
    let client = world.client()
    client.footfall.isOffline = true
    for number in 0..<501 {
      client.track("e\(number)")
      await client.flush()
    }
    #expect(client.diagnostics.stored == 500)
    #expect(world.files.paths.filter { $0.hasSuffix(".batch") }.count == 500)
    client.shutdown(limitSeconds: 0)
    #expect(try await delivered(from: world.files) == (1..<501).map { "e\($0)" })
  }

  @Test func `SDL-42: of 10.2 MB at most 10,000,000 bytes stay, the newest`() async throws {
    let client = world.client()
    for number in 0..<51 {
      client.track("e\(number)", properties: ["t": text(200_000)])
      await client.settle()
    }
    let report = await client.footfall.flush()
    let bytes = world.files.paths.filter { $0.hasSuffix(".batch") }
      .reduce(0) { $0 + (world.files.bytes($1)?.count ?? 0) }
    #expect(bytes <= 10_000_000)
    #expect(report.kept == 49)
    client.shutdown(limitSeconds: 0)
    #expect(try await delivered(from: world.files) == (2..<51).map { "e\($0)" })
  }
}
