@testable import Footfall
import FootfallSystem
import FootfallTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Results of events` {
  let world = World()

  @Test func `AMP-T6: a result comes once, when the third attempt went through`() async throws {
    world.transport.then(.status(500), .status(500), .status(200))
    let client = try world.client()
    let results = Lock<[EventResult]>([])
    client.track("a") { result in results.withLock { $0.append(result) } }
    for attempt in 1...3 {
      #expect(results.withLock { $0 }.isEmpty)
      await client.flush()
      #expect(world.transport.requests.count == attempt)
    }
    await client.settle()
    #expect(results.withLock { $0 }.map(\.outcome) == [.delivered(status: 200)])
    #expect(results.withLock { $0 }.map(\.name) == ["a"])
    #expect(try world.events.map(\.id).last == results.withLock { $0.first?.id })
  }

  @Test func `a delivered event resumes whoever waits for it`() async throws {
    let client = try world.client()
    async let result = client.deliver("a", [:], EventOptions(id: "own"))
    while client.diagnostics.tracked == 0, !Task.isCancelled { await Task.yield() }
    await client.flush()
    #expect(await result?.outcome == .delivered(status: 202))
    #expect(await result?.id == "own")
  }

  @Test func `an event that goes nowhere resumes whoever waits for it`() async throws {
    let client = try world.client()
    #expect(await client.deliver("")?.outcome == .dropped(.invalid, status: nil, message: ""))
    client.setEnabled(false)
    #expect(await client.deliver("a")?.outcome == .dropped(.optedOut, status: nil, message: ""))
    client.shutdown()
    #expect(await client.deliver("a")?.outcome == .dropped(.shutDown, status: nil, message: ""))
  }

  @Test func `who waits when the client ends gets no result, and the event stays`() async throws {
    let client = try world.client()
    client.isOffline = true
    async let result = client.deliver("kept")
    while client.diagnostics.stored == 0 { await client.settle() }
    client.shutdown(limitSeconds: 0)
    #expect(await result == nil)
    let next = World(files: world.files)
    let again = try next.client()
    await again.flush()
    #expect(try next.sent.map(\.name) == ["kept"])
  }

  @Test func `who is cancelled waits no longer`() async throws {
    let client = try world.client()
    client.isOffline = true
    let waiting = Task { await client.deliver("a") }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @Test func `everyone who reads results hears of every event until the client ends`() async throws
  {
    let client = try world.client()
    let (first, second) = (client.results, client.results)
    client.track("a")
    client.track("")
    await client.flush()
    client.shutdown()
    var names: [[String]] = [[], []]
    for await result in first { names[0].append(result.name.text) }
    for await result in second { names[1].append(result.name.text) }
    #expect(names.map { $0.sorted() } == [["", "a"], ["", "a"]])
    for await _ in client.results { Issue.record("nothing comes after the end") }
  }

  @Test func `a slow reader keeps the newest thousand`() async throws {
    let client = try world.client()
    let results = client.results
    for number in 0..<1_200 { client.track(EventName("\(number)")) }
    await client.flush()
    await client.flush()
    client.shutdown()
    var names: [String] = []
    for await result in results { names.append(result.name.text) }
    #expect(names == (200..<1_200).map { "\($0)" })
  }

  @Test func `steps tell an event's way`() async throws {
    let client = try world.client()
    let steps = client.steps
    client.track("a")
    await client.flush()
    client.shutdown()
    var kinds: [DeliveryStep.Kind] = []
    for await step in steps { kinds.append(step.kind) }
    #expect(kinds == [.tracked, .stored, .sealed, .sent, .delivered])
  }

  @Test func `a reader who stops is forgotten`() async throws {
    let client = try world.client()
    let results = client.results
    client.track("a")
    client.track("b")
    await client.flush()
    for await result in results {
      #expect(result.name == "a")
      break
    }
    client.track("c")
    await client.flush()
    #expect(client.diagnostics.delivered == 3)
  }
}
