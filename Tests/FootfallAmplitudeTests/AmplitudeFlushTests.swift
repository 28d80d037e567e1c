import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: when events are sent` {
  let world = AmplitudeWorld()

  @Test func `AMP-D1: thirty events are sent without waiting for the timer`() async throws {
    let engine = world.engine()
    for number in 0..<29 { engine.track(EventName("e\(number)")) }
    await engine.settle()
    #expect(engine.diagnostics.requests == 0)
    engine.track("e29")
    await engine.untilDelivered(30)
    #expect(try world.names == [(0..<30).map { "e\($0)" }])
  }

  @Test func `AMP-D2: one event is sent after thirty seconds`() async throws {
    let engine = world.engine()
    engine.track("a")
    await engine.settle()
    await world.pass(29.5, for: engine)
    #expect(engine.diagnostics.requests == 0)
    await world.pass(0.5, for: engine)
    await engine.untilDelivered(1)
    #expect(try world.names == [["a"]])
  }

  @Test func `AMP-D3: a queue of none counts as one of one`() async throws {
    let engine = world.engine(queueSize: 0)
    for (number, name) in ["a", "b", "c"].enumerated() {
      engine.track(EventName(name))
      await engine.untilDelivered(number + 1)
    }
    #expect(try world.names == [["a"], ["b"], ["c"]])
  }

  @Test func `AMP-D4: two flushes at once make one request`() async throws {
    world.script.then(.hold(.answered(status: 200, headers: [:], body: [])))
    let engine = world.engine()
    engine.track("a")
    engine.track("b")
    await engine.settle()
    async let first = engine.flush()
    async let second = engine.flush()
    await world.script.waitForRequests(1)
    await engine.settle()
    world.script.release()
    let reports = await [first, second]
    #expect(reports.allSatisfy { $0.problem == nil && $0.kept == 0 })
    #expect(try world.names == [["a", "b"]])
  }

  @Test func `AMP-D5: of two files the older is sent first, the other after its answer`()
    async throws
  {
    let engine = world.engine()
    engine.setOffline(true)
    for name in ["a", "b"] as [EventName] {
      engine.track(name)
      _ = await engine.flush()
    }
    world.script.then(.hold(.answered(status: 200, headers: [:], body: [])))
    engine.setOffline(false)
    async let report = engine.flush()
    await world.script.waitForRequests(1)
    await engine.settle()
    #expect(engine.diagnostics.requests == 1)
    world.script.release()
    #expect(await report.problem == nil)
    #expect(try world.names == [["a"], ["b"]])
  }

  @Test func `AMP-D6: the second file is sent before the tenth`() async throws {
    let engine = world.engine { $0.outbox.batchesAhead = 20 }
    engine.setOffline(true)
    for number in 1...11 {
      engine.track(EventName("e\(number)"))
      _ = await engine.flush()
    }
    engine.shutdown(limitSeconds: 0)
    // A new process reads the names of the files.
    let again = AmplitudeWorld(files: world.files)
    let relaunched = again.engine()
    _ = await relaunched.flush()
    await relaunched.untilDelivered(11)
    #expect(try again.names == (1...11).map { ["e\($0)"] })
  }

  @Test func `AMP-D23: a thousand events of a hundred threads are sent, each once`() async throws {
    let engine = world.engine()
    await withTaskGroup { group in
      for thread in 0..<100 {
        group.addTask {
          for number in 0..<10 { engine.track(EventName("\(thread)/\(number)")) }
        }
      }
    }
    _ = await engine.flush()
    await engine.untilDelivered(1_000)
    let events = try world.requests.flatMap { $0 }
    #expect(events.count == 1_000)
    #expect(Set(events.map(\.insert_id)).count == 1_000)
    #expect(Set(events.map(\.event_type)).count == 1_000)
  }

  @Test func `AMP-D27: a flush sends five events in one request, in their order`() async throws {
    let engine = world.engine()
    for number in 0..<5 { engine.track(EventName("e\(number)")) }
    let report = await engine.flush()
    #expect(report == DeliveryReport(delivered: 5))
    #expect(try world.names == [(0..<5).map { "e\($0)" }])
  }

  @Test func `AMP-D28: the timer ticks whether events wait or not`() async throws {
    let engine = world.engine(intervalSeconds: 1)
    // The ticks begin when the engine does.
    await engine.settle()
    await world.pass(0.125, for: engine)
    engine.track("a")
    await engine.settle()
    await world.pass(0.75, for: engine)
    #expect(engine.diagnostics.requests == 0)
    await world.pass(0.125, for: engine)
    await engine.untilDelivered(1)
    await world.pass(0.5, for: engine)
    engine.track("b")
    await engine.settle()
    await world.pass(0.25, for: engine)
    #expect(engine.diagnostics.requests == 1)
    await world.pass(0.25, for: engine)
    await engine.untilDelivered(2)
    #expect(try world.names == [["a"], ["b"]])
  }

  @Test func `AMP-D30: a hundred events gathered offline leave in one request`() async throws {
    let engine = world.engine()
    engine.setOffline(true)
    for number in 0..<100 {
      engine.track(EventName("e\(number)"))
      if number % 30 == 0 { await world.pass(30, for: engine) }
    }
    await engine.settle()
    #expect(engine.diagnostics.requests == 0)
    engine.setOffline(false)
    await engine.untilDelivered(100)
    #expect(try world.names == [(0..<100).map { "e\($0)" }])
  }

  @Test(arguments: [(5, 10), (50, 1)])
  func `AMP-D42: the queue's size alone decides how many requests fifty events make`(
    queueSize: Int,
    requests: Int
  ) async throws {
    let engine = world.engine(queueSize: queueSize)
    for burst in 0..<10 {
      for number in 0..<5 { engine.track(EventName("e\(burst * 5 + number)")) }
      if queueSize == 5 {
        await engine.untilDelivered(burst * 5 + 5)
      } else {
        await engine.settle()
      }
    }
    await engine.untilDelivered(50)
    #expect(try world.requests.count == requests)
    #expect(try world.names.flatMap { $0 } == (0..<50).map { "e\($0)" })
  }

  @Test func `AMP-D43: the batch path changes nothing but the path`() async throws {
    var sent: [Bool: (names: [[String]], url: String)] = [:]
    for usesBatch in [false, true] {
      let world = AmplitudeWorld()
      let engine = world.engine(endpoint: AmplitudeEndpoint(usesBatch: usesBatch))
      for number in 0..<29 { engine.track(EventName("e\(number)")) }
      await engine.settle()
      #expect(engine.diagnostics.requests == 0)
      engine.track("e29")
      await engine.untilDelivered(30)
      sent[usesBatch] = try (world.names, world.script.requests[0].url)
    }
    #expect(sent[true]?.names == sent[false]?.names)
    #expect(sent[false]?.url == "https://api2.amplitude.com/2/httpapi")
    #expect(sent[true]?.url == "https://api2.amplitude.com/batch")
  }
}
