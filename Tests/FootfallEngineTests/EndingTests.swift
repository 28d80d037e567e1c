import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallEngine

/// The rows of the table in `simpledatalogs.md`, section 7, by a clock that stands still.
@Suite(.timeLimit(.minutes(5))) struct `The end of an app` {
  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    let events: Int
    var writeSeconds = 0.0
    var answer = ScriptedTransport.Step.status(202)
    var sendSeconds = 0.0
    let quit: Double
    let left: Int
    var requests = 1

    var testDescription: String { id }
  }

  static let rows = [
    Row(id: "SDL-65", events: 0, quit: 0, left: 0, requests: 0),
    Row(id: "SDL-66", events: 20, writeSeconds: 0.04, sendSeconds: 0.5, quit: 0.54, left: 0),
    Row(id: "SDL-68", events: 4_000, writeSeconds: 0.9, sendSeconds: 0.8, quit: 1.7, left: 0),
    Row(
      id: "SDL-72 no network",
      events: 10,
      writeSeconds: 0.01,
      answer: .fail(.offline("")),
      sendSeconds: 0.02,
      quit: 0.03,
      left: 10
    ),
  ]

  @Test(arguments: rows)
  func `the quit is held until what waits is written and sent`(row: Row) async throws {
    let (clock, writing, sending) = (
      Lock<ManualClock?>(nil), Lock(row.writeSeconds), Lock(row.sendSeconds)
    )
    let pass: @Sendable (Lock<Double>) -> Void = { seconds in
      let due = seconds.withLock { seconds in
        defer { seconds = 0 }
        return seconds
      }
      clock.withLock { $0 }?.advance(bySeconds: due)
    }
    let response: UploadResponse =
      if case .answer(let response) = row.answer { response } else { .failed(.cancelled) }
    let transport = ScriptedTransport(
      otherwise: .make { _ in
        pass(sending)
        return response
      }
    )
    let world = ShellWorld(transport: transport)
    clock.withLock { $0 = world.clock }
    let engine = world.engine { settings in
      settings.main.outbox.batchEvents = 4_000
      settings.main.outbox.batchBytes = 4 << 20
      // The end is what writes: nothing is written before.
      settings.gatherSeconds = 60
    }
    await engine.settle()
    let began = world.now
    world.files.intercept { operation, _ in
      if operation == .write { pass(writing) }
      return nil
    }
    for number in 0..<row.events { engine.track(EventName("e\(number)")) }
    let quit = try HeldCall(by: world.clock) { world.lifecycle.announce(.terminating) }
    let held = await quit.end() - began
    #expect(abs(held - row.quit) < 0.001)
    #expect(await world.left() == row.left)
    #expect(transport.requests.count == row.requests)
  }

  @Test(arguments: [("SDL-67", 20), ("SDL-69", 4_000)])
  func `a send that takes too long is waited for until 2 s after the beginning`(
    id: String,
    events: Int
  ) async throws {
    let world = ShellWorld(
      transport: ScriptedTransport(otherwise: .hold(.answered(status: 202, headers: [:], body: [])))
    )
    let engine = world.engine { settings in
      settings.main.outbox.batchEvents = 4_000
      settings.main.outbox.batchBytes = 4 << 20
      settings.main.flush.interval = .afterFirstEvent(seconds: 1_000)
      settings.gatherSeconds = 60
    }
    await engine.settle()
    for number in 0..<events { engine.track(EventName("e\(number)")) }
    let began = world.now
    let quit = try HeldCall(by: world.clock) { world.lifecycle.announce(.terminating) }
    await world.transport.waitForRequests(1)
    await world.pass(1.99, for: engine)
    #expect(quit.returned == nil)
    world.clock.advance(bySeconds: 0.01)
    engine.poke()
    #expect(abs(await quit.end() - began - 2) < 0.001)
    #expect(await world.left() == events)
  }

  @Test func `a disk that takes too long is waited for until 2 s, and writes on (SDL-70)`()
    async throws
  {
    let world = ShellWorld()
    let engine = world.engine { $0.gatherSeconds = 60 }
    await engine.settle()
    let (isWriting, disk) = (Gate(), Gate())
    world.files.intercept { operation, _ in
      guard operation == .write else { return nil }
      isWriting.open()
      disk.wait()
      return nil
    }
    for number in 0..<100 { engine.track(EventName("e\(number)")) }
    let began = world.now
    let quit = try HeldCall(by: world.clock) { world.lifecycle.announce(.terminating) }
    _ = try await HeldCall(by: world.clock) { isWriting.wait() }.end()
    world.clock.advance(bySeconds: 1)
    engine.poke()
    // The second is over: the call of a late event returns at once, whatever the disk does.
    let late = try HeldCall(by: world.clock) { engine.track("late") }
    #expect(await late.end() == began + 1)
    #expect(quit.returned == nil)
    world.clock.advance(bySeconds: 1)
    engine.poke()
    #expect(await quit.end() == began + 2)
    disk.open()
    await engine.settle()
    #expect(await world.left() == 101)
  }

  @Test func `a refused key is not tried again, and holds up nothing (SDL-71)`() async throws {
    let world = ShellWorld(transport: ScriptedTransport(otherwise: .status(401)))
    let engine = world.engine()
    for number in 0..<10 { engine.track(EventName("e\(number)")) }
    _ = await engine.flush()
    #expect(world.transport.requests.count == 1)
    let began = world.now
    world.lifecycle.announce(.terminating)
    #expect(world.now == began)
    #expect(world.transport.requests.count == 1)
    #expect(await world.left() == 10)
  }

  @Test func `an ordinary wait is ended, one the server asked for is not`() async throws {
    for (headers, requests) in [([:], 2), (["retry-after": "60"], 1)] {
      let world = ShellWorld(
        transport: ScriptedTransport([.status(503, headers: headers)], otherwise: .status(202))
      )
      let engine = world.engine()
      engine.track("e")
      _ = await engine.flush()
      world.lifecycle.announce(.terminating)
      #expect(world.transport.requests.count == requests)
      #expect(await world.left() == (requests == 2 ? 0 : 1))
    }
  }

  @Test func `three events of the last moment arrive (SDL-73)`() async throws {
    let world = ShellWorld()
    let engine = world.engine { $0.gatherSeconds = 60 }
    await engine.settle()
    for name in ["a", "b", "c"] { engine.track(EventName(name)) }
    world.lifecycle.announce(.terminating)
    #expect(world.names == ["a", "b", "c"])
  }

  @Test func `an event after the end is on disk when its call returns`() async throws {
    let world = ShellWorld()
    let engine = world.engine { $0.gatherSeconds = 60 }
    await engine.settle()
    world.lifecycle.announce(.terminating)
    engine.track("after")
    #expect(await world.left() == 1)
    #expect(engine.diagnostics.dropped.isEmpty)
  }

  @Test func `sessions hear of the end`() async throws {
    let world = ShellWorld()
    let engine = world.engine { settings in
      var sessions = SessionRules.native
      sessions.endsAtQuit = true
      settings.rules.sessions = sessions
    }
    engine.track("e")
    await engine.settle()
    world.lifecycle.announce(.terminating)
    #expect(world.names.contains("session_end"))
  }
}
