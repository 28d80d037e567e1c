import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: what happens after failures` {
  /// A server that answers 501, 502, 503 … to one request after the other.
  private static func failing(_ count: Int) -> AmplitudeWorld {
    let world = AmplitudeWorld()
    for number in 1...count { world.script.then(.status(500 + number)) }
    return world
  }

  /// Expects failures with these waits between them, and nothing sent in between.
  private func expectWaits(
    _ waits: [Double],
    in world: AmplitudeWorld,
    of engine: Engine
  ) async {
    for (number, wait) in waits.enumerated() {
      await engine.untilAnswered(501 + number)
      #expect(engine.diagnostics.requests == number + 1)
      await world.pass(wait - 0.5, for: engine)
      #expect(engine.diagnostics.requests == number + 1)
      await world.pass(0.5, for: engine)
    }
    await engine.untilAnswered(501 + waits.count)
    #expect(engine.diagnostics.requests == waits.count + 1)
  }

  /// Expects that nothing more is sent, whatever time passes and whoever flushes.
  private func expectOffline(_ world: AmplitudeWorld, _ engine: Engine) async {
    let requests = engine.diagnostics.requests
    await world.pass(3_600, for: engine)
    let report = await engine.flush()
    #expect(report.problem != nil && report.delivered == 0)
    #expect(engine.diagnostics.requests == requests)
  }

  @Test func `AMP-D13: after two retries the client is offline, until it is set online`()
    async throws
  {
    let world = Self.failing(3)
    let engine = world.engine(maxRetries: 2)
    engine.track("a")
    engine.flush { _ in }
    await expectWaits([1, 2], in: world, of: engine)
    await expectOffline(world, engine)
    engine.setOffline(false)
    _ = await engine.flush()
    await engine.untilDelivered(1)
    #expect(try world.names == Array(repeating: ["a"], count: 4))
  }

  @Test func `AMP-D14: the waits double, and the seventh failure in a row is the last`() async {
    let world = Self.failing(7)
    let engine = world.engine()
    engine.track("a")
    engine.flush { _ in }
    await expectWaits([1, 2, 4, 8, 16, 32], in: world, of: engine)
    await expectOffline(world, engine)
  }

  @Test func `AMP-D34: with ten retries no wait is longer than a minute`() async {
    let world = Self.failing(11)
    let engine = world.engine(maxRetries: 10)
    engine.track("a")
    engine.flush { _ in }
    await expectWaits([1, 2, 4, 8, 16, 32, 60, 60, 60, 60], in: world, of: engine)
    await expectOffline(world, engine)
  }

  @Test func `AMP-D35: one success ends the row of failures`() async throws {
    let world = Self.failing(6)
    world.script.then(AmplitudeWorld.ok, .status(513))
    let engine = world.engine()
    engine.track("a")
    engine.flush { _ in }
    await expectWaits([1, 2, 4, 8, 16], in: world, of: engine)
    await world.pass(32, for: engine)
    await engine.untilDelivered(1)
    engine.track("b")
    engine.flush { _ in }
    await engine.untilAnswered(513)
    await world.pass(0.5, for: engine)
    #expect(engine.diagnostics.requests == 8)
    await world.pass(0.5, for: engine)
    await engine.untilDelivered(2)
    #expect(try world.names.suffix(2) == [["b"], ["b"]])
  }

  @Test func `AMP-D15: a server that cannot be reached means offline at once`() async {
    let world = AmplitudeWorld(ScriptedTransport(otherwise: .fail(.offline("refused"))))
    let engine = world.engine()
    engine.track("a")
    let report = await engine.flush()
    #expect(report.problem?.kind == .offline)
    #expect(engine.diagnostics.requests == 1)
    await expectOffline(world, engine)
  }

  @Test(arguments: [ScriptedTransport.Step.status(429), .fail(.timedOut)])
  func `AMP-D15: a busy or slow server is only a failure`(answer: ScriptedTransport.Step) async {
    let world = AmplitudeWorld()
    world.script.then(answer)
    let engine = world.engine()
    engine.track("a")
    let report = await engine.flush()
    #expect(report.problem != nil && report.kept == 1)
    await world.pass(1, for: engine)
    await engine.untilDelivered(1)
  }

  @Test func `AMP-D16: while offline nothing is sent, and then everything`() async throws {
    let world = AmplitudeWorld()
    let engine = world.engine()
    engine.setOffline(true)
    for number in 0..<40 { engine.track(EventName("e\(number)")) }
    let report = await engine.flush()
    #expect(report.kept == 40)
    #expect(engine.diagnostics.requests == 0)
    engine.setOffline(false)
    await engine.untilDelivered(40)
    #expect(try world.names.flatMap { $0 } == (0..<40).map { "e\($0)" })
  }

  @Test func `AMP-D17: without a monitor the client stays offline until it is set online`()
    async throws
  {
    let world = AmplitudeWorld()
    world.script.then(.fail(.offline("no route")))
    let engine = world.engine()
    engine.track("a")
    _ = await engine.flush()
    await expectOffline(world, engine)
    await world.pass(86_400, for: engine)
    #expect(engine.diagnostics.requests == 1)
    engine.setOffline(false)
    _ = await engine.flush()
    await engine.untilDelivered(1)
  }

  @Test func `AMP-D38: what gathered while the app said offline goes at the next tick`()
    async throws
  {
    let world = AmplitudeWorld()
    let engine = world.engine()
    engine.setOffline(true)
    for name in ["a", "b", "c"] as [EventName] { engine.track(name) }
    await engine.settle()
    await world.pass(10, for: engine)
    engine.setOffline(false)
    await engine.settle()
    await world.pass(20, for: engine)
    await engine.untilDelivered(3)
    #expect(try world.names == [["a", "b", "c"]])
  }

  @Test func `AMP-D46: a network that returns sends what was stored meanwhile, in one request`()
    async throws
  {
    let world = AmplitudeWorld()
    let engine = world.engine()
    // Once the watch has told how it is at the beginning.
    await engine.settle()
    engine.setConnectivity(isOnline: false)
    for name in ["a", "b", "c"] as [EventName] { engine.track(name) }
    await engine.settle()
    for _ in 0..<2 { await world.pass(30, for: engine) }
    let report = await engine.flush()
    #expect(report.problem?.kind == .offline)
    #expect(engine.diagnostics.stored == 3)
    #expect(engine.diagnostics.requests == 0)
    engine.setConnectivity(isOnline: true)
    await engine.untilDelivered(3)
    #expect(try world.names == [["a", "b", "c"]])
  }

  @Test func `AMP-D21: an address that is none is a failure like others, and no crash`() async {
    let transport = Environment.live(log: .silent).transport
    let world = AmplitudeWorld(transport: transport)
    let engine = world.engine(endpoint: AmplitudeEndpoint(serverURL: "not an address"))
    engine.track("a")
    let report = await engine.flush()
    #expect(report.problem?.kind == .unexpectedAnswer)
    #expect(report.kept == 1)
    await world.pass(1, for: engine)
    await engine.until { $0.requests == 2 }
    engine.shutdown(limitSeconds: 0)
  }

  @Test func `AMP-D26: a process killed before it could delete the file sends the same ids again`()
    async throws
  {
    let world = AmplitudeWorld()
    // The server took them and said so, which nobody hears any more.
    world.script.then(.hold(.answered(status: 200, headers: [:], body: [])))
    let engine = world.engine()
    engine.track("a")
    engine.track("b")
    engine.flush { _ in }
    await world.script.waitForRequests(1)
    world.files.endProcess()
    let again = AmplitudeWorld(files: world.files)
    let relaunched = again.engine()
    _ = await relaunched.flush()
    await relaunched.untilDelivered(2)
    let (first, second) = try (world.requests[0], again.requests.flatMap { $0 })
    // The server counts an insert_id of a device once.
    #expect(first.map(\.insert_id) == second.map(\.insert_id))
    #expect(first.map(\.device_id) == second.map(\.device_id))
    #expect(first.map(\.time) == second.map(\.time))
  }
}
