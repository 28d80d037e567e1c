import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: what answers mean` {
  let world = AmplitudeWorld()

  /// How an event ends that an answer refuses.
  private func refused(_ status: Int, _ message: String) -> EventResult.Outcome {
    .dropped(.rejectedByServer, status: status, message: message)
  }

  @Test func `AMP-D7: a refused event is dropped, and the other is sent again alone`() async throws
  {
    world.script.then(
      .status(400, #"{"code":400,"error":"E","events_with_invalid_fields":{"user_id":[0]}}"#)
    )
    let engine = world.engine()
    world.track("bad", in: engine)
    world.track("good", in: engine)
    _ = await engine.flush()
    _ = await engine.flush()
    #expect(try world.names == [["bad", "good"], ["good"]])
    #expect(world.outcome("bad") == refused(400, "E"))
    #expect(world.outcome("good") == .delivered(status: 200))
  }

  @Test func `AMP-D8: refusals and splits are no failures, and take no time`() async throws {
    let engine = world.engine(maxRetries: 1)
    engine.setOffline(true)
    for name in ["a", "b", "c"] as [EventName] {
      engine.track(name)
      _ = await engine.flush()
    }
    world.script.then(
      .status(400, #"{"code":400,"error":"E","events_with_invalid_fields":{"time":[0]}}"#),
      .status(413, #"{"code":413,"error":"Payload too large"}"#)
    )
    engine.setOffline(false)
    _ = await engine.flush()
    await engine.untilDelivered(1)
    #expect(try world.names == [["a"], ["b"], ["c"]])
    // Not offline: what comes next goes at once.
    engine.track("d")
    let report = await engine.flush()
    #expect(report == DeliveryReport(delivered: 1))
  }

  @Test func `AMP-D9: a request that is too large is halved`() async throws {
    world.script.then(.status(413, #"{"code":413,"error":"Payload too large"}"#))
    let engine = world.engine()
    engine.track("a")
    engine.track("b")
    let report = await engine.flush()
    #expect(report.delivered == 2)
    #expect(try world.names == [["a", "b"], ["a"], ["b"]])
  }

  @Test func `AMP-D10: a single event that is too large is dropped with the answer's words`()
    async throws
  {
    world.script.then(.status(413, #"{"code":413,"error":"Payload too large"}"#))
    let engine = world.engine()
    world.track("a", in: engine)
    _ = await engine.flush()
    #expect(
      world.outcome("a") == .dropped(.tooLarge, status: 413, message: "Payload too large")
    )
    #expect(engine.diagnostics.stored == 0)
    #expect(engine.diagnostics.requests == 1)
  }

  @Test func `AMP-D11: a key the server does not know drops the file`() async throws {
    world.script.then(.status(400, #"{"code":400,"error":"Invalid API key: KEY"}"#))
    let engine = world.engine()
    for name in ["a", "b", "c"] as [EventName] { world.track(name, in: engine) }
    _ = await engine.flush()
    for name in ["a", "b", "c"] {
      guard case .dropped(_, let status, let message) = world.outcome(name) else {
        Issue.record("\(name) has not ended")
        continue
      }
      #expect(status == 400)
      #expect(message == "Invalid API key: KEY")
    }
    #expect(engine.diagnostics.stored == 0)
    #expect(engine.diagnostics.requests == 1)
  }

  @Test func `AMP-D12: a silenced device loses its events, others are sent again`() async throws {
    world.script.then(
      .status(400, #"{"code":400,"error":"Events silenced","silenced_devices":["D1"]}"#)
    )
    let engine = world.engine()
    for (name, device) in [("a", "D1"), ("b", "D2"), ("c", "D1"), ("d", "D2")] {
      world.track(EventName(name), FootfallCore.EventOptions(deviceID: device), in: engine)
    }
    _ = await engine.flush()
    await engine.untilDelivered(2)
    #expect(try world.names == [["a", "b", "c", "d"], ["b", "d"]])
    for name in ["a", "c"] { #expect(world.outcome(name) == refused(400, "Events silenced")) }
    for name in ["b", "d"] { #expect(world.outcome(name) == .delivered(status: 200)) }
  }

  @Test(arguments: [202, 299])
  func `AMP-D31: every status below 300 is a success`(status: Int) async throws {
    world.script.then(.status(status))
    let engine = world.engine()
    world.track("a", in: engine)
    let report = await engine.flush()
    #expect(report == DeliveryReport(delivered: 1))
    let outcome = try #require(world.outcome("a"))
    #expect(outcome == .delivered(status: status))
    #expect(AmplitudeResult(outcome)?.message == "Successfully send event")
    #expect(!world.files.paths.contains { $0.hasSuffix(".batch") })
  }

  @Test func `AMP-D25: a callback that looks at the files finds its event's gone`() async {
    let found = Lock<[[String]]>([])
    let engine = world.engine()
    engine.setOffline(true)
    for name in ["a", "b", "c"] as [EventName] {
      engine.track(name, [:], nil) { [files = world.files] result in
        let text = "\"insert_id\":\"\(result.id)\""
        let paths = files.paths.filter { path in
          path.hasSuffix(".batch")
            && String(decoding: files.bytes(path) ?? [], as: UTF8.self).contains(text)
        }
        found.withLock { $0.append(paths) }
      }
      // Each in a file of its own, so that another request follows the first two.
      _ = await engine.flush()
    }
    #expect(world.files.paths.count { $0.hasSuffix(".batch") } == 3)
    engine.setOffline(false)
    _ = await engine.flush()
    await engine.untilDelivered(3)
    #expect(found.withLock { $0 } == [[], [], []])
  }

  @Test func `AMP-D32: everything an answer lists is dropped, the rest is sent again`() async throws
  {
    world.script.then(
      .status(
        400,
        #"""
        {"code":400,"error":"E","events_with_missing_fields":{"event_type":[1]},
        "silenced_events":[2]}
        """#
      )
    )
    let engine = world.engine()
    for name in ["e0", "e1", "e2", "e3"] as [EventName] { world.track(name, in: engine) }
    _ = await engine.flush()
    await engine.untilDelivered(2)
    #expect(try world.names == [["e0", "e1", "e2", "e3"], ["e0", "e3"]])
    for name in ["e1", "e2"] { #expect(world.outcome(name) == refused(400, "E")) }
    for name in ["e0", "e3"] { #expect(world.outcome(name) == .delivered(status: 200)) }
  }

  @Test func `AMP-D33: whatever may be over soon keeps the file, and nothing is told before`()
    async throws
  {
    let statuses = [408, 429, 404, 500, 502]
    for status in statuses { world.script.then(.status(status)) }
    let engine = world.engine()
    world.track("a", in: engine)
    await engine.settle()
    engine.flush { _ in }
    for (number, status) in statuses.enumerated() {
      await engine.untilAnswered(status)
      #expect(world.outcome("a") == nil)
      #expect(engine.diagnostics.stored == 1)
      await world.pass(Double(1 << number), for: engine)
    }
    await engine.untilDelivered(1)
    #expect(try world.names == Array(repeating: ["a"], count: 6))
    #expect(try Set(world.requests.flatMap { $0 }.map(\.insert_id)).count == 1)
    #expect(world.outcome("a") == .delivered(status: 200))
  }

  @Test func `AMP-D24: a refusal that explains nothing does not loop, nor fill the disk`()
    async throws
  {
    let world = AmplitudeWorld(ScriptedTransport(otherwise: .status(400, #"{"code":400}"#)))
    let engine = world.engine()
    for number in 0..<5 { engine.track(EventName("e\(number)")) }
    _ = await engine.flush()
    let bytes = world.storedBytes
    for _ in 0..<600 {
      await world.pass(1, for: engine)
      _ = await engine.flush()
    }
    #expect(engine.diagnostics.requests <= 10)
    #expect(world.storedBytes <= bytes)
  }
}

extension AmplitudeWorld {
  /// The bytes of all files.
  var storedBytes: Int {
    files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) }
  }
}
