@testable import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// The invariants of ARCHITECTURE.md, each attacked as far as a client without a server allows.
@Suite(.timeLimit(.minutes(5))) struct `Invariants of the client` {
  let world = World()

  // 1. Nothing is lost silently.

  @Test func `whatever happens to an event is counted`() async throws {
    let rejection =
      #"{"accepted":1,"duplicates":0,"rejected":[{"index":1,"id":"x","reason":"name"}]}"#
    world.transport.then(.status(202, rejection))
    let client = try world.client()
    client.track("a", ["nan": .double(.nan)])
    client.track("refused by the server")
    client.track("")
    client.track("old", [:], EventOptions(at: Date(timeIntervalSince1970: 0)))
    client.track("large", Properties(pairs: (0..<9).map { ("\($0)", Self.text(8_000)) }))
    let report = await client.flush()
    #expect(report.delivered == 1)
    #expect(report.rejected == ["name": 1])
    var counts = client.diagnostics
    #expect(
      counts.dropped.byReason == [
        .rejectedByServer: 1, .invalid: 1, .tooOld: 1, .tooLarge: 1, .propertyNotFinite: 1,
      ]
    )
    #expect(counts.tracked == counts.delivered + counts.stored + counts.dropped.events)
    client.setEnabled(false)
    client.track("off")
    client.shutdown()
    client.track("closed")
    counts = client.diagnostics
    #expect(counts.dropped[.optedOut] == 1)
    #expect(counts.dropped[.shutDown] == 1)
    #expect(counts.tracked == counts.delivered + counts.stored + counts.dropped.events)
  }

  @Test func `losses are told with each batch until the server has taken one`() async throws {
    world.transport.then(.status(500))
    let client = try world.client()
    client.track("")
    client.track("a", ["x": .double(.infinity)])
    await client.flush()
    await client.flush()
    client.track("b")
    await client.flush()
    let told = try world.bodies.map(\.client.dropped)
    #expect(told[0] == ["invalid": 1, "property_not_finite": 1])
    #expect(told[1] == told[0])
    #expect(told[2] == nil)
  }

  @Test func `losses nobody was told of survive a relaunch`() async throws {
    let client = try world.client()
    client.track("")
    await client.settle()
    client.shutdown()
    let again = World(files: world.files)
    let relaunched = try again.client()
    relaunched.track("a")
    await relaunched.flush()
    #expect(try again.bodies.map(\.client.dropped) == [["invalid": 1]])
  }

  @Test func `SDL-40: over the cap the oldest go, with a count and one line`() async throws {
    let world = World(transport: ScriptedTransport(otherwise: .fail(.offline(""))))
    let client = try world.client { $0.storage.maxEvents = 10_000 }
    for number in 0..<10_050 {
      client.track(EventName("e\(number)"))
      if number % 1_000 == 999 { await client.settle() }
    }
    await client.flush()
    #expect(client.diagnostics.stored == 10_000)
    #expect(client.diagnostics.dropped.byReason == [.backlogFull: 50])
    #expect(world.lines(.warning).filter { $0.contains("oldest") }.count == 1)
    client.shutdown()
    let again = World(files: world.files)
    let relaunched = try again.client()
    await relaunched.flush()
    #expect(try again.events.first?.name == "e50")
    #expect(try again.events.count == 10_000)
  }

  @Test func `SDL-42: no more bytes are kept than the cap says`() async throws {
    let world = World(transport: ScriptedTransport(otherwise: .fail(.offline(""))))
    let client = try world.client { $0.storage.maxBytes = 10_000_000 }
    for number in 0..<1_020 {
      client.track("e", ["n": .integer(number), "a": Self.text(5_000), "b": Self.text(5_000)])
      if number % 100 == 0 { await client.settle() }
    }
    await client.flush()
    let counts = client.diagnostics
    // The texts alone are 10,000 bytes of each event.
    #expect(counts.stored * 10_000 <= 10_000_000 && counts.stored > 950)
    // Batches about to be sent are in the journal as well, and that is cut by whole segments.
    let bytes = world.files.paths.reduce(0) { $0 + (world.files.bytes($1)?.count ?? 0) }
    #expect(bytes <= 14_500_000)
    #expect(counts.dropped[.backlogFull] > 0)
    #expect(counts.tracked == counts.stored + counts.dropped.events)
  }

  @Test func `SDL-18: seven events survive a kill as soon as they are written`() async throws {
    let world = World(transport: ScriptedTransport(otherwise: .fail(.offline(""))))
    let client = try world.client()
    for number in 0..<7 { client.track(EventName("e\(number)"), [:], EventOptions()) }
    await client.settle()
    let killed = world.files.copy()
    await client.flush()
    let before = try world.events
    let again = World(files: killed)
    let relaunched = try again.client()
    await relaunched.flush()
    #expect(try again.events.map(\.id) == before.map(\.id))
    #expect(try again.events.map(\.ts) == before.map(\.ts))
    #expect(try again.events.map(\.seq) == before.map(\.seq))
  }

  @Test func `a full disk is counted, and storing goes on when there is room again`() async throws {
    let client = try world.client()
    client.track("before")
    await client.flush()
    world.files.setCapacity(0)
    client.track("lost")
    await client.settle()
    #expect(client.diagnostics.dropped.byReason == [.diskFull: 1])
    world.files.setCapacity(.max)
    client.track("after")
    await client.flush()
    #expect(try world.events.map(\.name) == ["before", "after"])
  }

  @Test func `SDL-24: on a read-only disk track returns and the loss is counted`() async throws {
    world.files.setReadOnly(true)
    let client = try world.client()
    client.track("lost")
    let report = await client.flush()
    #expect(report.problem?.kind == .storageFailed)
    #expect(client.diagnostics.dropped.byReason == [.storageFailed: 1])
    #expect(client.deviceID != nil)
    world.files.setReadOnly(false)
    await world.pass(5, for: client)
    client.track("kept")
    await client.flush()
    #expect(try world.events.map(\.name) == ["kept"])
  }

  // 2. Nothing counts twice.

  @Test func `an id stays what it was over retries, splits, kills and relaunches`() async throws {
    world.transport.then(.status(500), .status(413), .status(202), .fail(.timedOut))
    let client = try world.client()
    for number in 0..<20 { client.track(EventName("e\(number)")) }
    await client.flush()
    await client.flush()
    world.files.endProcess()
    let again = World(files: world.files)
    let relaunched = try again.client()
    await relaunched.flush()
    var ids: [String: Set<String>] = [:]
    for event in try world.events + again.events { ids[event.name, default: []].insert(event.id) }
    #expect(ids.count == 20)
    #expect(ids.values.allSatisfy { $0.count == 1 })
  }

  // 4. The caller never waits.

  @Test func `calls return while the disk is stuck, and nothing traps`() async throws {
    let client = try world.client()
    await client.settle()
    let (isStuck, gate) = (Monitor(false), Monitor(false))
    world.files.intercept { operation, _ in
      guard operation == .write else { return nil }
      isStuck.change { $0 = true }
      _ = gate.wait { $0 ? true : nil }
      return nil
    }
    client.track("first")
    // From here on the engine takes nothing more.
    _ = isStuck.wait { $0 ? true : nil }
    for number in 0..<60_000 { client.track("e", ["n": .integer(number)]) }
    client.identify(.set("plan", "pro"))
    client.setUserID("u")
    #expect(client.diagnostics.tracked == 60_002)
    world.files.intercept(nil)
    gate.change { $0 = true }
    await client.flush()
    let counts = client.diagnostics
    #expect(counts.dropped.byReason == [.inboxFull: 10_001])
    #expect(counts.tracked == counts.delivered + counts.stored + counts.dropped.events)
  }

  // 5. Order.

  @Test func `sequence numbers grow over kills, whatever was delivered`() async throws {
    var last = 0
    var files = world.files
    for round in 0..<5 {
      let next = World(files: files)
      let client = try next.client()
      for _ in 0..<3 { client.track("e") }
      if round % 2 == 0 { await client.flush() } else { await client.settle() }
      for event in try next.events {
        if event.seq <= last { #expect(event.seq > 0, "a batch of an earlier round") }
        last = max(last, event.seq)
      }
      files = files.copy()
    }
    let end = World(files: files)
    let client = try end.client()
    client.track("last")
    await client.flush()
    let final = try #require(try end.events.last)
    #expect(final.name == "last" && final.seq > last)
  }

  // 6. Off means off.

  @Test func `SDL-77: what was unsent when collection ended never leaves`() async throws {
    world.transport.then(.fail(.offline("")))
    let client = try world.client()
    for _ in 0..<30 { client.track("secret") }
    await client.flush()
    client.setEnabled(false)
    #expect(!client.isEnabled)
    #expect(!world.isOnDisk("secret"))
    let sent = world.transport.requests.count
    client.track("secret")
    let report = await client.flush()
    #expect(report.problem?.kind == .disabled)
    await world.pass(3_600, for: client)
    #expect(world.transport.requests.count == sent)
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 31])
    client.setEnabled(true)
    client.track("new")
    await client.flush()
    #expect(try world.events.dropFirst(30).map(\.name) == ["new"])
  }

  @Test func `a request on its way is cut off, and its answer changes nothing`() async throws {
    world.transport.then(.hold(.answered(status: 202, headers: [:], body: [])))
    let client = try world.client()
    client.track("a")
    async let report = client.flush()
    await world.transport.waitForRequests(1)
    client.setEnabled(false)
    let over = await report
    #expect(over.delivered == 0 && over.problem?.kind == .disabled)
    #expect(client.diagnostics.delivered == 0)
    #expect(client.diagnostics.dropped.byReason == [.optedOut: 1])
  }

  @Test func `a user set while it is off is not stored, and one who left is not kept`() async throws
  {
    let client = try world.client()
    client.setUserID("secret-one")
    await client.settle()
    #expect(world.isOnDisk("secret-one"))
    client.setEnabled(false)
    client.setUserID("secret-two")
    await client.settle()
    #expect(!world.isOnDisk("secret-one") && !world.isOnDisk("secret-two"))
    client.setEnabled(true)
    await client.settle()
    #expect(world.isOnDisk("secret-two"))
    client.setEnabled(false)
    client.setUserID(nil)
    client.shutdown()
    #expect(!world.isOnDisk("secret-two"))
  }

  @Test func `a first start that is off leaves no trace of the device`() async throws {
    let client = try world.client { $0.isEnabled = false }
    client.setUserID("secret")
    client.track("secret")
    await client.settle()
    let device = try #require(client.deviceID)
    client.shutdown()
    #expect(!world.isOnDisk("secret") && !world.isOnDisk(device))
  }

  @Test func `what races with the switch is either deleted or ignored, never kept`() async throws {
    let world = World(transport: ScriptedTransport(otherwise: .fail(.offline(""))))
    let client = try world.client { $0.delivery.maxBatchEvents = 10 }
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<250 { client.track("secret") } }
      }
      group.addTask { client.setEnabled(false) }
    }
    client.setEnabled(false)
    await client.settle()
    let sent = world.transport.requests.count
    #expect(!world.isOnDisk("secret"))
    await world.pass(3_600, for: client)
    #expect(world.transport.requests.count == sent)
    let counts = client.diagnostics
    #expect(counts.stored == 0 && counts.dropped.events == 1_000)
  }

  @Test func `a start that is off deletes what was left and sends nothing; the next is on`()
    async throws
  {
    let offline = World(
      transport: ScriptedTransport(otherwise: .fail(.offline(""))),
      files: world.files
    )
    let first = try offline.client()
    for _ in 0..<30 { first.track("secret") }
    await first.flush()
    first.shutdown()
    let client = try world.client { $0.isEnabled = false }
    client.track("secret")
    await client.settle()
    #expect(world.transport.requests.isEmpty)
    #expect(!world.isOnDisk("secret"))
    client.shutdown()
    let next = World(files: world.files)
    let again = try next.client()
    again.track("on")
    await again.flush()
    #expect(try next.events.map(\.name) == ["on"])
  }

  private static func text(_ length: Int) -> PropertyValue {
    .string(String(repeating: "x", count: length))
  }
}
