import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Testing

/// The rows of the table in `simpledatalogs.md`, section 7, by a clock that stands still.
@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: the end of an app` {
  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    let events: Int
    var writeSeconds = 0.0
    var answer = ScriptedTransport.Step.status(202)
    var sendSeconds = 0.0
    let quit: Double
    let left: Int

    var testDescription: String { id }
  }

  static let rows = [
    Row(id: "SDL-65", events: 0, quit: 0, left: 0),
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

  /// Nothing is written or sent but by the end.
  private func client(in world: LogsWorld) async -> SimpleDataLogsClient {
    let client = world.client(settings: { settings in
      settings.gatherSeconds = 60
      settings.main.flush.interval = .afterFirstEvent(seconds: 1_000)
    })
    await client.settle()
    return client
  }

  /// How many events a next launch finds.
  private func left(in world: LogsWorld) async -> Int {
    let next = LogsWorld(
      ScriptedTransport(otherwise: .fail(.offline(""))),
      files: world.files.copy()
    )
    let client = next.client()
    await client.settle()
    return client.diagnostics.stored
  }

  @Test(arguments: rows)
  func `the quit is held until what waits is written and sent`(row: Row) async throws {
    let clock = ManualClock()
    let (writing, sending) = (Lock(row.writeSeconds), Lock(row.sendSeconds))
    let pass: @Sendable (Lock<Double>) -> Void = { seconds in
      let due = seconds.withLock { seconds in
        defer { seconds = 0 }
        return seconds
      }
      if due > 0 { clock.advance(bySeconds: due) }
    }
    let response: UploadResponse =
      if case .answer(let response) = row.answer { response } else { .failed(.cancelled) }
    let script = ScriptedTransport(
      otherwise: .make { _ in
        pass(sending)
        return response
      }
    )
    let world = LogsWorld(script, clock: clock)
    let client = await client(in: world)
    let began = clock.seconds
    world.files.intercept { operation, _ in
      if operation == .write { pass(writing) }
      return nil
    }
    for number in 0..<row.events { client.track("e\(number)") }
    let quit = try HeldCall(by: clock) { world.lifecycle.announce(.terminating) }
    #expect(abs(await quit.end() - began - row.quit) < 0.001)
    #expect(await left(in: world) == row.left)
  }

  @Test(arguments: [("SDL-67", 20), ("SDL-69", 4_000)])
  func `a send that takes too long is waited for until 2 s after the beginning`(
    id: String,
    events: Int
  ) async throws {
    let held = ScriptedTransport.Step.hold(.answered(status: 202, headers: [:], body: []))
    let world = LogsWorld(ScriptedTransport(otherwise: held))
    let client = await client(in: world)
    for number in 0..<events { client.track("e\(number)") }
    let began = world.clock.seconds
    let quit = try HeldCall(by: world.clock) { world.lifecycle.announce(.terminating) }
    await world.script.waitForRequests(1)
    await world.pass(1.99, for: client)
    #expect(quit.returned == nil)
    world.clock.advance(bySeconds: 0.01)
    client.footfall.poke()
    #expect(abs(await quit.end() - began - 2) < 0.001)
    #expect(await left(in: world) == events)
  }

  @Test func `SDL-70: a disk that takes too long is waited for until 2 s, and writes on`()
    async throws
  {
    let world = LogsWorld()
    let client = await client(in: world)
    let disk = StuckDisk(world.files)
    for number in 0..<5_000 { client.track("e\(number)") }
    let began = world.clock.seconds
    let quit = try HeldCall(by: world.clock) { world.lifecycle.announce(.terminating) }
    _ = try await HeldCall(by: world.clock) { disk.waitUntilStuck() }.end()
    world.clock.advance(bySeconds: 1)
    client.footfall.poke()
    // The second is over: the call of a late event returns at once, whatever the disk does.
    let late = try HeldCall(by: world.clock) { client.track("late") }
    #expect(await late.end() == began + 1)
    #expect(quit.returned == nil)
    world.clock.advance(bySeconds: 1)
    client.footfall.poke()
    #expect(await quit.end() == began + 2)
    disk.release()
    await client.settle()
    #expect(await left(in: world) == 5_001)
  }

  @Test func `SDL-71: a refused key is not tried again, and holds up nothing`() async throws {
    let world = LogsWorld(ScriptedTransport(otherwise: .status(401)))
    let client = world.client()
    for number in 0..<10 { client.track("e\(number)") }
    await client.flush()
    let began = world.clock.seconds
    world.lifecycle.announce(.terminating)
    #expect(world.clock.seconds == began && world.script.requests.count == 1)
    #expect(await left(in: world) == 10)
  }

  @Test func `SDL-73: three events of the last moment arrive`() async throws {
    let world = LogsWorld()
    let client = await client(in: world)
    for name in ["a", "b", "c"] { client.track(name) }
    world.lifecycle.announce(.terminating)
    #expect(try world.names == [["a", "b", "c"]])
  }

  @Test func `SDL-74, SDL-123: background time is given back when the send ends, or after 20 s`()
    async throws
  {
    for hangs in [false, true] {
      let held = ScriptedTransport.Step.hold(.answered(status: 202, headers: [:], body: []))
      let world = LogsWorld(ScriptedTransport([held], otherwise: .status(202)))
      let client = world.client()
      for number in 0..<12 { client.track("e\(number)") }
      await client.settle()
      world.lifecycle.announce(.background)
      await world.script.waitForRequests(1)
      await world.clock.waitForSleepers(1)
      #expect(world.lifecycle.openGrants == 1)
      if hangs {
        world.clock.advance(bySeconds: 19.9)
        #expect(world.lifecycle.openGrants == 1)
        world.clock.advance(bySeconds: 0.1)
      } else {
        world.script.release()
      }
      while world.lifecycle.openGrants > 0, !Task.isCancelled { await Task.yield() }
      guard hangs else {
        await client.untilDelivered(12)
        continue
      }
      let next = LogsWorld(files: world.files.copy())
      let relaunched = next.client()
      await relaunched.untilDelivered(12)
      #expect(try next.names == [(0..<12).map { "e\($0)" }])
    }
  }

  @Test func `SDL-122: a machine about to sleep sends at once, or after it wakes`() async throws {
    let world = LogsWorld()
    let client = world.client()
    for number in 0..<7 { client.track("e\(number)") }
    await client.settle()
    world.lifecycle.announce(.asleep)
    await world.script.waitForRequests(1)
    #expect(try world.names == [(0..<7).map { "e\($0)" }])
    let offline = LogsWorld(ScriptedTransport([.fail(.offline(""))], otherwise: .status(202)))
    let sleeper = offline.client()
    for number in 0..<7 { sleeper.track("e\(number)") }
    await sleeper.settle()
    offline.lifecycle.announce(.asleep)
    await offline.script.waitForRequests(1)
    await sleeper.settle()
    offline.clock.sleepMachine(seconds: 8 * 3_600)
    offline.lifecycle.announce(.awake)
    await offline.script.waitForRequests(2)
    let (before, after) = (try offline.requests[0], try offline.requests[1])
    #expect(before == after && after.count == 7)
    #expect(Set(after.map { $0.ts.prefix(19) }) == ["2025-12-01T09:30:00"])
  }
}

@Suite(.timeLimit(.minutes(5))) struct `SimpleDataLogs: a disk that fails` {
  let world = LogsWorld()

  @Test func `SDL-18: seven events survive a kill as soon as they are written`() async throws {
    let offline = LogsWorld(ScriptedTransport(otherwise: .fail(.offline(""))))
    let client = offline.client()
    for number in 0..<7 { client.track("e\(number)") }
    await client.settle()
    let killed = offline.files.copy()
    await client.flush()
    let next = LogsWorld(files: killed)
    let relaunched = next.client()
    await relaunched.flush()
    #expect(try next.events == offline.events && next.events.count == 7)
  }

  @Test func `SDL-19: a record that was cut off costs itself alone`() async throws {
    let offline = LogsWorld(ScriptedTransport(otherwise: .fail(.offline(""))))
    let client = offline.client()
    for number in 0..<7 {
      client.track("e\(number)")
      await client.settle()
    }
    let files = offline.files.copy()
    let journal = try #require(
      files.paths.filter { $0.contains("/journal/") }
        .first {
          files.bytes($0).map { String(decoding: $0, as: UTF8.self).contains("e6") } == true
        }
    )
    // The last record's last three bytes; room that is reserved behind it does not count.
    var bytes = try #require(files.bytes(journal))
    let end = try #require(bytes.lastIndex { $0 != 0 })
    bytes = Array(bytes[...(end - 3)])
    files.setBytes(journal, bytes)
    let next = LogsWorld(files: files)
    let relaunched = next.client()
    await relaunched.flush()
    #expect(try next.names == [(0..<6).map { "e\($0)" }])
  }

  @Test func `SDL-22: a kill between the file of a batch and the journal loses nothing`()
    async throws
  {
    let offline = LogsWorld(ScriptedTransport(otherwise: .fail(.offline(""))))
    let client = offline.client()
    for number in 0..<12 { client.track("e\(number)") }
    await client.settle()
    let files = offline.files
    let left = Lock<MemoryFiles?>(nil)
    files.intercept { operation, path in
      // The batch has its name; what follows is the journal's.
      if files.paths.contains(where: { $0.hasSuffix(".batch") }) {
        left.withLock { $0 = $0 ?? files.copy() }
      }
      return nil
    }
    await client.flush()
    let next = LogsWorld(files: try #require(left.withLock { $0 }))
    let relaunched = next.client()
    await relaunched.untilDelivered(12)
    await relaunched.flush()
    #expect(try next.names.flatMap(\.self) == (0..<12).map { "e\($0)" })
  }

  @Test func `SDL-23: sealed files go oldest first`() async throws {
    world.script.then(.status(500))
    let client = world.client()
    for number in 0..<150 { client.track("e\(number)") }
    await world.script.waitForRequests(1)
    await client.settle()
    await client.flush()
    #expect(try world.events.dropFirst(50).map(\.name) == (0..<150).map { "e\($0)" })
  }

  @Test func `SDL-24: on a read-only disk track returns, and the loss is counted`() async throws {
    world.files.setReadOnly(true)
    let client = world.client()
    client.track("lost")
    await client.flush()
    #expect(client.diagnostics.dropped.byReason == [.storageFailed: 1])
  }

  @Test func `SDL-26: once 12 events are delivered no event is left on the disk`() async throws {
    let client = world.client()
    for _ in 0..<12 { client.track("marker") }
    await client.settle()
    #expect(world.files.holds("marker"))
    await client.flush()
    #expect(!world.files.holds("marker"))
    #expect(!world.files.paths.contains { $0.hasSuffix(".batch") })
  }

  @Test func `SDL-43: of 6,000 events 1,000 are skipped, with one line; new ones are kept after`()
    async throws
  {
    let client = world.client()
    await client.settle()
    let disk = StuckDisk(world.files)
    client.track("first")
    disk.waitUntilStuck()
    for number in 0..<6_000 { client.track("e\(number)") }
    disk.release()
    await client.settle()
    #expect(client.diagnostics.dropped.byReason == [.inboxFull: 1_000])
    #expect(world.lines(.warning) == ["1000 events were dropped: inbox_full."])
    client.track("later")
    await client.flush()
    await client.untilDelivered(5_002)
    let kept = ["first"] + (0..<5_000).map { "e\($0)" } + ["later"]
    #expect(try world.names.flatMap(\.self) == kept)
  }
}
