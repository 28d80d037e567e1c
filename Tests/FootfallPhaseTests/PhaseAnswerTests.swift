import Footfall
import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: what answers mean` {
  let world = PhaseWorld()

  /// Lets a wait of the longest kind pass, and whatever is due be sent and answered.
  private func retry(_ client: PhaseClient) async {
    await world.pass(300, client)
    await client.flush()
  }

  @Test func `PHA-26, PHA-27: items are judged one by one; one that fails goes after six attempts`()
    async
  {
    let client = await world.identified()
    client.track(8)
    world.answer { items in
      let bad = items.first { $0.name == "e5" }?.order
      let errors = items.count > 1 ? [3: "VALIDATION_ERROR"] : [:]
      return PhaseWorld.took(
        items,
        errors: errors.merging(bad.map { [$0: "INTERNAL_SERVER_ERROR"] } ?? [:]) { $1 }
      )
    }
    await client.flush()
    #expect(client.numbers?.delivered == 8)
    #expect(client.numbers?.dropped.byReason == [.rejectedByServer: 1])
    client.sdk.track("later")
    for attempt in 2...6 {
      #expect(client.stored > 0)
      await retry(client)
      let next = world.batches.first { $0.count == 1 && $0[0].name == "e5" }
      #expect(next != nil)
      #expect(attempts(of: "e5") == attempt)
    }
    await client.delivered()
    #expect(client.numbers?.dropped.byReason == [.rejectedByServer: 1, .triedTooOften: 1])
    #expect(attempts(of: "later") == 1 && attempts(of: "e3") == 1)
    await retry(client)
    #expect(attempts(of: "e5") == 6)
  }

  private func attempts(of name: String) -> Int { world.items.count { $0.name == name } }

  @Test(arguments: [
    ("VALIDATION_ERROR", 1), ("BAD_REQUEST", 1), ("FORBIDDEN", 1), ("CONFLICT", 1),
    ("METHOD_NOT_ALLOWED", 1), ("INTERNAL_SERVER_ERROR", 6), ("TOO_MANY_REQUESTS", 6),
    ("NOT_FOUND", 6),
  ])
  func `PHA-82: an item is dropped after as many attempts as its error allows`(
    code: String,
    attempts: Int
  ) async {
    let client = await world.identified()
    client.sdk.track("bad")
    world.answer { PhaseWorld.took($0, errors: [0: code]) }
    await client.flush()
    for attempt in 1..<7 {
      #expect(client.stored == (attempt < attempts ? 1 : 0))
      await retry(client)
    }
    #expect(self.attempts(of: "bad") == attempts)
  }

  @Test(arguments: [
    ("120", 503, 120.0), ("Wed, 01 Jul 2026 10:01:30 GMT", 429, 90),
  ])
  func `PHA-28: a server's rest is kept, whatever the network does`(
    header: String,
    status: Int,
    seconds: Double
  ) async {
    let client = await world.identified()
    client.sdk.track("a")
    world.answer(status, headers: ["retry-after": header])
    await client.flush()
    #expect(client.requests == 2)
    await world.pass(30, client)
    client.footfall.setConnectivity(isOnline: false)
    client.footfall.setConnectivity(isOnline: true)
    await client.settle()
    await world.pass(seconds - 30.5, client)
    #expect(client.requests == 2)
    world.recover()
    await world.pass(1, client)
    #expect(client.requests == 3)
    await client.delivered()
  }

  @Test func `PHA-81: a flush during a rest returns without a request`() async {
    let client = await world.identified()
    client.track(12)
    world.answer(503, headers: ["retry-after": "60"])
    await client.flush()
    world.recover()
    await world.pass(5, client)
    let report = await client.flush()
    #expect(report.kept == 12 && client.requests == 2)
    await world.pass(54.9, client)
    #expect(client.requests == 2)
    await world.pass(0.2, client)
    await client.delivered()
    #expect(world.batches.map(\.count) == [2, 12, 12])
  }

  @Test func `PHA-29, PHA-83: waits double from 1 to 2 s up to 5 min, and are not all alike`() async
  {
    let client = await world.identified()
    client.sdk.track("a")
    world.answer(500)
    await client.flush()
    var waits: [Double] = []
    for failure in 1...18 {
      let longest = min(300, pow(2, Double(failure)))
      let requests = client.requests
      var wait = 0.0
      await world.pass(longest / 2 - 0.01, client)
      wait = longest / 2 - 0.01
      #expect(client.requests == requests)
      while client.requests == requests, wait < longest {
        await world.pass(longest / 40, client)
        wait += longest / 40
      }
      #expect(client.requests == requests + 1)
      #expect(wait <= longest + longest / 40)
      waits.append(wait)
      await client.flush()
    }
    #expect(Set(waits.suffix(10)).count > 1)
    #expect(client.stored == 1)
  }

  @Test func `PHA-39: a refused key keeps the queue and says so once`() async {
    let client = await world.identified()
    client.track(3)
    world.answer(401)
    await client.flush()
    for _ in 0..<3 { await retry(client) }
    #expect(client.stored == 3)
    #expect(world.lines.withLock { $0 }.count { $0.contains("401") } == 1)
    #expect(client.requests == 5)
    world.recover()
    await retry(client)
    #expect(client.stored == 0)
  }

  @Test func `a batch that is refused as a whole is dropped`() async {
    let client = await world.identified()
    client.track(3)
    let error = #"{"clientOrder":-1,"code":"FORBIDDEN","detail":"two devices"}"#
    world.answer(403, #"{"processed":0,"failed":3,"results":[],"errors":[\#(error)]}"#)
    await client.flush()
    #expect(client.stored == 0)
    #expect(client.numbers?.dropped.byReason == [.batchRefused: 3])
  }

  @Test func `a batch that cannot be read is halved until the bad item is alone`() async {
    let client = await world.identified()
    client.track(8)
    world.answer { items in
      guard items.contains(where: { $0.name == "e5" }) else { return nil }
      return .answered(status: 422, headers: [:], body: Array(#"{"type":"validation"}"#.utf8))
    }
    await client.flush()
    #expect(client.stored == 0)
    #expect(client.numbers?.dropped.byReason == [.malformed: 1])
    #expect(client.numbers?.delivered == 9)
  }

  @Test func `PHA-84: items leave the queue at the answer, not before`() async {
    let client = await world.identified()
    client.track(3)
    await client.settle()
    let answer = PhaseWorld.took([0, 1, 2].map { Item(["clientOrder": $0, "type": "event"]) })
    world.transport.then(.hold(answer))
    Task { await client.footfall.flush() }
    await world.transport.waitForRequests(2)
    await world.pass(14.9, client)
    #expect(client.stored == 3)
    world.transport.release()
    await client.delivered()
    #expect(client.stored == 0 && client.requests == 2)
    #expect(world.transport.requests[1].timeoutSeconds == 15)
  }

  @Test func `PHA-30: a request has 15 s, and without an answer keeps the items`() async {
    let client = await world.identified()
    client.track(3)
    world.answer { _ in .failed(.timedOut) }
    let report = await client.flush()
    #expect(world.transport.requests.map(\.timeoutSeconds) == [15, 15])
    #expect(report.kept == 3 && report.problem?.kind == .timedOut)
  }

  @Test func `PHA 36: an answer that is lost is followed by the same ids`() async {
    let client = await world.identified()
    client.track(3)
    world.answer { _ in .failed(.other("connection lost")) }
    await client.flush()
    world.recover()
    await retry(client)
    #expect(world.batches.count == 3)
    #expect(world.batches[1].map(\.id) == world.batches[2].map(\.id))
  }
}
