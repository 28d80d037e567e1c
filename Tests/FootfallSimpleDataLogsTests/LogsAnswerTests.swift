import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: answers` {
  let world = LogsWorld()

  private func track(_ range: Range<Int>, in client: SimpleDataLogsClient) {
    for number in range { client.track("e\(number)") }
  }

  @Test func `SDL-27: only 202 is a success; 200 is waited out like a failure`() async throws {
    world.script.then(.status(200))
    let client = world.client()
    client.track("a")
    let report = await client.footfall.flush()
    #expect(report.delivered == 0 && report.kept == 1)
    #expect(report.problem?.kind == .unexpectedAnswer)
    #expect(world.files.paths.contains { $0.hasSuffix(".batch") })
    await world.pass(1, for: client)
    await client.untilDelivered(1)
    #expect(try world.names == [["a"], ["a"]])
  }

  /// Listens from before the first event, so that every end is told.
  private func ends(
    of names: [String],
    answer body: String
  ) async -> (outcomes: [String: EventResult.Outcome], client: SimpleDataLogsClient) {
    world.script.then(.status(202, body))
    let client = world.client()
    let outcomes = Lock<[String: EventResult.Outcome]>([:])
    let subscription = client.footfall.observeResults { result, _ in
      outcomes.withLock { $0[result.name.text] = result.outcome }
    }
    for name in names { client.track(name) }
    await client.flush()
    await client.until { $0.delivered + $0.dropped.events == names.count }
    subscription.cancel()
    return (outcomes.withLock { $0 }, client)
  }

  @Test func `an event that a 202 rejects is dropped under that name, and told as such`() async {
    let body =
      #"{"accepted":2,"duplicates":0,"#
      + #""rejected":[{"index":1,"event_id":"x","reason":"ts_out_of_range"}]}"#
    let (outcomes, client) = await ends(of: ["a", "b", "c"], answer: body)
    let refused = EventResult.Outcome.dropped(
      .rejectedByServer,
      status: 202,
      message: "ts_out_of_range"
    )
    #expect(outcomes["b"] == refused)
    #expect(outcomes["a"] == .delivered(status: 202) && outcomes["c"] == outcomes["a"])
    #expect(client.diagnostics.delivered == 2 && client.diagnostics.stored == 0)
    #expect(client.diagnostics.dropped.byReason == [.rejectedByServer: 1])
    #expect(world.script.requests.count == 1)
  }

  @Test(arguments: ["", "<html>", #"{"rejected":[{"index":0"#, #"{"rejected":7}"#])
  func `a 202 whose body cannot be read means that everything is delivered`(body: String) async {
    let (outcomes, client) = await ends(of: ["a", "b"], answer: body)
    #expect(outcomes["a"] == .delivered(status: 202) && outcomes["b"] == outcomes["a"])
    #expect(client.diagnostics.delivered == 2 && client.diagnostics.dropped.isEmpty)
    #expect(world.script.requests.count == 1)
  }

  @Test func `SDL-28: after 401 nothing is sent for 60 s, then one request every 10 min`() async {
    let world = LogsWorld(ScriptedTransport(otherwise: .status(401)))
    let client = world.client()
    client.track("a")
    let report = await client.footfall.flush()
    #expect(report.problem?.kind == .keyRefused)
    track(0..<30, in: client)
    await world.pass(59.5, for: client)
    #expect(client.diagnostics.requests == 1)
    await world.pass(0.5, for: client)
    for count in 2...3 {
      await world.script.waitForRequests(count)
      // A flush ends no pause, so it tells when the answer was looked at.
      await client.flush()
      await world.pass(599.5, for: client)
      #expect(client.diagnostics.requests == count)
      await world.pass(0.5, for: client)
    }
    await world.script.waitForRequests(4)
    await client.flush()
    #expect(client.diagnostics.requests == 4)
    #expect(world.lines(.error).count == 1)
    #expect(client.diagnostics.stored == 31)
  }

  @Test func `SDL-29: a key accepted at the probe delivers everything at once`() async throws {
    world.script.then(.status(401))
    let client = world.client()
    track(0..<120, in: client)
    await client.flush()
    await world.pass(60, for: client)
    await client.untilDelivered(120)
    #expect(
      try world.names.flatMap { $0 } == (0..<50).map { "e\($0)" } + (0..<120).map { "e\($0)" }
    )
  }

  @Test func `SDL-30: a relaunch ends the pause after a refused key`() async throws {
    world.script.then(.status(401))
    let client = world.client()
    client.track("a")
    await client.flush()
    client.shutdown(limitSeconds: 0)
    world.clock.advance(bySeconds: 5)
    let again = LogsWorld(files: world.files)
    let relaunched = again.client()
    await relaunched.untilDelivered(1)
    #expect(try again.names == [["a"]])
  }

  @Test func `SDL-31: a server that takes ten events at a time gets all fifty, once each`()
    async throws
  {
    let world = LogsWorld(
      ScriptedTransport(
        otherwise: .make { request in
          let events = request.body.split(separator: UInt8(ascii: "\n")).count
          return .answered(status: events > 10 ? 413 : 202, headers: [:], body: [])
        }
      )
    )
    let client = world.client()
    track(0..<50, in: client)
    await client.untilDelivered(50)
    let taken = try world.requests.filter { $0.count <= 10 }.flatMap { $0 }
    #expect(taken.map(\.name) == (0..<50).map { "e\($0)" })
    #expect(Set(taken.map(\.event_id)).count == 50)
  }

  @Test func `SDL-32: one event too large among fifty costs that one alone`() async {
    let world = LogsWorld(
      ScriptedTransport(
        otherwise: .make { request in
          let isPoisoned = String(decoding: request.body, as: UTF8.self).contains("\"e17\"")
          return .answered(status: isPoisoned ? 413 : 202, headers: [:], body: [])
        }
      )
    )
    let client = world.client()
    track(0..<50, in: client)
    await client.flush()
    await client.untilDelivered(49)
    #expect(client.diagnostics.delivered == 49)
    #expect(client.diagnostics.dropped.byReason == [.tooLarge: 1])
    #expect(world.lines(.warning).count == 1)
    #expect(client.diagnostics.stored == 0)
  }

  @Test func `SDL-33: a kill in the middle of a split loses nothing`() async throws {
    world.script.then(.status(413), .status(202), .hold(.failed(.timedOut)))
    let client = world.client()
    track(0..<50, in: client)
    await world.script.waitForRequests(3)
    world.files.endProcess()
    let again = LogsWorld(files: world.files)
    let relaunched = again.client()
    await relaunched.untilDelivered(50)
    #expect(try again.names.flatMap { $0 } == (0..<50).map { "e\($0)" })
    #expect(
      try again.requests.flatMap { $0 }.map(\.event_id) == world.requests[0].map(\.event_id)
    )
  }

  @Test func `SDL-34: a file the server cannot read is put aside, and the next one is sent`()
    async throws
  {
    world.script.then(.status(415))
    let client = world.client()
    track(0..<100, in: client)
    await client.untilDelivered(50)
    await client.flush()
    #expect(try world.names == [(0..<50).map { "e\($0)" }, (50..<100).map { "e\($0)" }])
    #expect(world.files.paths.filter { $0.hasSuffix(".unsupported") }.count == 1)
    client.shutdown(limitSeconds: 0)
    let again = LogsWorld(files: world.files)
    let relaunched = again.client()
    await relaunched.flush()
    #expect(again.script.requests.isEmpty)
  }

  @Test func `SDL-35: waits are random shares of a bound that doubles up to five minutes`() async {
    for number in 1...12 { world.script.then(.status(500 + number)) }
    let client = world.client()
    client.track("a")
    Task { await client.flush() }
    for number in 1...11 {
      await client.untilAnswered(500 + number)
      #expect(client.diagnostics.requests == number)
      let bound = min(300, Double(1 << (number - 1)))
      var waited = 0.0
      while client.diagnostics.requests == number, waited < 2 * bound {
        await world.pass(bound / 64, for: client)
        waited += bound / 64
      }
      #expect(waited <= bound)
    }
  }

  @Test(arguments: [("90", 90.0), ("Mon, 01 Dec 2025 09:30:45 GMT", 45)])
  func `SDL-36: Retry-After is waited for, as seconds and as a date`(
    value: String,
    seconds: Double
  ) async {
    world.script.then(.status(503, headers: ["retry-after": value]))
    let client = world.client()
    client.track("a")
    let report = await client.footfall.flush()
    #expect(report.problem?.kind == .serverBusy)
    await client.flush()
    await world.pass(seconds - 0.5, for: client)
    #expect(client.diagnostics.requests == 1)
    await world.pass(0.5, for: client)
    await client.untilDelivered(1)
  }

  @Test func `SDL-37: a batch answered with 400 is neither dropped nor split, until caps act`()
    async throws
  {
    let world = LogsWorld(ScriptedTransport(otherwise: .status(400)))
    let client = world.client()
    track(0..<100, in: client)
    for _ in 0..<3 { await client.flush() }
    #expect(try Set(world.names) == [(0..<50).map { "e\($0)" }])
    #expect(client.diagnostics.stored == 100)
    for number in 100..<10_050 {
      client.track("e\(number)")
      if number.isMultiple(of: 1_000) { await client.settle() }
    }
    await client.flush()
    await client.flush()
    #expect(client.diagnostics.dropped.byReason == [.backlogFull: 50])
    #expect(try world.names.last == (50..<100).map { "e\($0)" })
  }

  @Test func `SDL-38: what is tracked without a network arrives in order when it is back`()
    async throws
  {
    let isOnline = Lock(false)
    let world = LogsWorld(
      ScriptedTransport(
        otherwise: .make { _ in
          guard isOnline.withLock({ $0 }) else { return .failed(.offline("no route")) }
          return .answered(status: 202, headers: [:], body: [])
        }
      )
    )
    let client = world.client()
    for number in 0..<300 {
      client.track("e\(number)")
      if number % 30 == 0 { await world.pass(360, for: client) }
    }
    let report = await client.footfall.flush()
    #expect(report.problem?.kind == .offline && report.kept == 300)
    let before = world.script.requests.count
    isOnline.withLock { $0 = true }
    await world.pass(300, for: client)
    await client.flush()
    await client.untilDelivered(300)
    #expect(try world.names.dropFirst(before).flatMap { $0 } == (0..<300).map { "e\($0)" })
  }

  @Test func `SDL-39: a redirect to another host is not followed`() async throws {
    let other = try LoopbackServer(.status(202))
    let target = other.url("/v1/events")
    let server = try LoopbackServer { _ in .status(301, headers: [("Location", target)]) }
    defer {
      server.stop()
      other.stop()
    }
    let world = LogsWorld(transport: Environment.live(log: .silent).transport)
    let client = world.client(endpoint: server.url(""))
    client.track("a")
    let report = await client.footfall.flush()
    #expect(report.kept == 1)
    #expect(server.requests.count == 1)
    #expect(other.connections == 0)
    client.shutdown(limitSeconds: 0)
  }

  @Test func `SDL-121: a request without an answer is given up after 30 s, and tried again`()
    async throws
  {
    world.script.then(.fail(.timedOut))
    let client = world.client()
    client.track("a")
    let report = await client.footfall.flush()
    #expect(world.script.requests.map(\.timeoutSeconds) == [30])
    #expect(report.kept == 1 && report.problem?.kind == .timedOut)
    #expect(world.files.paths.contains { $0.hasSuffix(".batch") })
    await world.pass(1, for: client)
    await client.untilDelivered(1)
    #expect(try world.names == [["a"], ["a"]])
  }
}
