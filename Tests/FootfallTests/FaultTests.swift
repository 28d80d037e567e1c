import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// What disks and other programs do to a client's files.
@Suite(.timeLimit(.minutes(5))) struct `Faults of the disk` {
  let world = World()

  /// A world whose server is down.
  private func offline(_ files: MemoryFiles = MemoryFiles()) -> World {
    World(transport: ScriptedTransport(otherwise: .fail(.offline(""))), files: files)
  }

  /// Leaves no room beside what is there.
  private func fill(_ files: MemoryFiles) {
    files.setCapacity(files.paths.reduce(0) { $0 + (files.bytes($1)?.count ?? 0) })
  }

  private func folder(_ files: MemoryFiles) throws -> String {
    let state = try #require(files.paths.first { $0.hasSuffix("/client.state") })
    return String(state.dropLast("/client.state".count))
  }

  private func batches(_ files: MemoryFiles) -> [String] {
    files.paths.filter { $0.hasSuffix(".batch") }
  }

  /// The disk that a launch without a network leaves: events in batches of two.
  private func left(events: Int) async throws -> MemoryFiles {
    let world = offline()
    let client = try world.client { $0.delivery.maxBatchEvents = 2 }
    for number in 0..<events { client.track(EventName("e\(number)")) }
    await client.flush()
    client.shutdown()
    return world.files
  }

  // MARK: Full

  @Test func `what waits is delivered from a full disk, and new events are stored again after`()
    async throws
  {
    world.transport.then(.hold(.answered(status: 202, headers: [:], body: [])))
    let client = try world.client()
    for number in 0..<30 { client.track(EventName("e\(number)")) }
    await client.settle()
    fill(world.files)
    client.track("while it is full")
    await client.settle()
    #expect(client.diagnostics.dropped.byReason == [.diskFull: 1])
    async let report = client.flush()
    await world.transport.waitForRequests(1)
    client.track("while a batch has the reserve")
    await client.settle()
    #expect(client.diagnostics.dropped.byReason == [.diskFull: 2])
    world.transport.release()
    #expect(await report == DeliveryReport(delivered: 30))
    client.track("later")
    await client.flush()
    #expect(try world.events.map(\.name) == (0..<30).map { "e\($0)" } + ["later"])
    let counts = client.diagnostics
    #expect(counts.dropped.byReason == [.diskFull: 2] && counts.stored == 0)
  }

  @Test func `AMP-F12: a full disk costs 100 events and one line, and later ones are stored`()
    async throws
  {
    let client = try world.client()
    client.track("before")
    await client.flush()
    fill(world.files)
    for number in 0..<100 {
      client.track(EventName("e\(number)"))
      if number % 10 == 0 { await client.settle() }
    }
    await client.settle()
    #expect(client.diagnostics.dropped.byReason == [.diskFull: 100])
    #expect(world.lines(.error).count == 1)
    world.files.setCapacity(.max)
    client.track("after")
    await client.flush()
    #expect(try world.events.map(\.name) == ["before", "after"])
  }

  // MARK: Gone

  @Test func `a folder deleted underneath costs what was in it, counted, and nothing later`()
    async throws
  {
    let client = try world.client()
    for _ in 0..<3 { client.track("lost") }
    await client.settle()
    world.files.removeFolder(try folder(world.files))
    client.track("on its way")
    await client.flush()
    client.track("after")
    await client.flush()
    #expect(try world.events.map(\.name).last == "after")
    let counts = client.diagnostics
    #expect(counts.tracked == counts.delivered + counts.dropped.events && counts.stored == 0)
    #expect(counts.dropped[.storageFailed] >= 3)
    client.shutdown()
    let again = World(files: world.files)
    let relaunched = try again.client()
    #expect(await relaunched.flush() == DeliveryReport())
    #expect(relaunched.deviceID == client.deviceID)
  }

  @Test func `batch files deleted underneath are counted, and the journal's events go on`()
    async throws
  {
    let world = offline()
    let client = try world.client { $0.delivery.maxBatchEvents = 2 }
    for number in 0..<4 { client.track(EventName("e\(number)")) }
    await client.flush()
    for path in batches(world.files) { world.files.setBytes(path, nil) }
    client.track("after")
    await client.flush()
    let counts = client.diagnostics
    #expect(counts.dropped.byReason == [.damaged: 4] && counts.stored == 1)
  }

  // MARK: Damaged

  enum Damage: CaseIterable {
    case truncated, emptied, flipped

    func applied(to bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .truncated: return Array(bytes.dropLast(7))
      case .emptied: return []
      case .flipped:
        var flipped = bytes
        flipped[flipped.count / 2] ^= 0x10
        return flipped
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func `a batch damaged while the client runs is counted and the others go`(
    damage: Damage
  )
    async throws
  {
    world.transport.then(.status(500))
    let client = try world.client { $0.delivery.maxBatchEvents = 2 }
    for number in 0..<6 { client.track(EventName("e\(number)")) }
    await world.transport.waitForRequests(1)
    await client.settle()
    let second = batches(world.files)[1]
    world.files.setBytes(second, damage.applied(to: try #require(world.files.bytes(second))))
    let report = await client.flush()
    #expect(report.delivered == 4 && report.kept == 0)
    #expect(try world.events.map(\.name) == ["e0", "e1", "e0", "e1", "e4", "e5"])
    #expect(client.diagnostics.dropped.byReason == [.damaged: 2])
  }

  @Test(arguments: Damage.allCases)
  func `a batch damaged between two launches is made anew from the journal`(
    damage: Damage
  )
    async throws
  {
    let files = try await left(events: 6)
    let second = batches(files)[1]
    files.setBytes(second, damage.applied(to: try #require(files.bytes(second))))
    let again = World(files: files)
    let client = try again.client { $0.delivery.maxBatchEvents = 2 }
    await client.flush()
    #expect(try again.events.map(\.name) == (0..<6).map { "e\($0)" })
    #expect(client.diagnostics.dropped.isEmpty)
  }

  /// Ours for AMP F3: bad files are counted and removed instead of moved aside.
  @Test func `of files that are bad, good, bad and good the good ones are sent, each once`()
    async throws
  {
    let files = try await left(events: 8)
    let client = try world.client()
    client.shutdown()
    let target = try folder(world.files)
    // Only the files, without the journal that could make them anew.
    for (index, path) in batches(files).enumerated() {
      var bytes = try #require(files.bytes(path))
      if index % 2 == 0 { bytes[bytes.count - 1] ^= 1 }
      let name = String(try #require(path.split(separator: "/").last))
      world.files.setBytes(target + "/batches/" + name, bytes)
    }
    let again = World(files: world.files)
    let relaunched = try again.client()
    await relaunched.flush()
    #expect(again.transport.requests.count == 2)
    #expect(try again.events.map(\.name) == ["e2", "e3", "e6", "e7"])
    #expect(relaunched.diagnostics.dropped.byReason == [.damaged: 4])
    #expect(batches(world.files).isEmpty)
  }

  @Test func `files of others are left alone, and what only looks like a batch is counted`()
    async throws
  {
    let files = try await left(events: 2)
    let folder = try folder(files)
    files.setBytes(folder + "/batches/notes.txt", [1])
    files.setBytes(folder + "/notes.txt", [2])
    files.setBytes(folder + "/journal/notes.txt", [3])
    files.makeFolders(folder + "/batches/000000000000-3-10.batch")
    let again = World(files: files)
    let client = try again.client()
    client.track("new")
    let report = await client.flush()
    #expect(client.diagnostics.delivered == 3 && report.kept == 0)
    #expect(try again.events.map(\.name) == ["e0", "e1", "new"])
    #expect(client.diagnostics.dropped.byReason == [.damaged: 3])
    #expect(files.bytes(folder + "/batches/notes.txt") == [1])
    #expect(files.bytes(folder + "/notes.txt") == [2])
    #expect(files.bytes(folder + "/journal/notes.txt") == [3])
  }

  @Test func `AMP-F4: a folder where the journal's file should be does not keep events away`()
    async throws
  {
    let files = try await left(events: 2)
    let folder = try folder(files)
    files.makeFolders(folder + "/journal/000000000090-0123456789abcdef.journal")
    let again = World(files: files)
    let client = try again.client()
    client.track("new")
    await client.flush()
    #expect(try again.events.map(\.name) == ["e0", "e1", "new"])
    #expect(client.diagnostics.dropped.isEmpty)
  }

  // MARK: Whole

  @Test func `AMP-F1: names with a NUL come back from the disk as they were`() async throws {
    let first = offline()
    let client = try first.client()
    client.track("a\u{0}b")
    client.track("\u{0}")
    await client.settle()
    let again = World(files: first.files.copy())
    let relaunched = try again.client()
    await relaunched.flush()
    #expect(try again.events.map(\.name) == ["a\u{0}b", "\u{0}"])
  }

  @Test func `AMP-F6: what a run left that crashed is sent after one event and a flush`()
    async throws
  {
    let first = offline()
    let client = try first.client()
    for name in ["a", "b"] as [EventName] { client.track(name) }
    await client.settle()
    let again = World(files: first.files.copy())
    let relaunched = try again.client()
    relaunched.track("c")
    await relaunched.flush()
    #expect(try again.events.map(\.name) == ["a", "b", "c"])
  }

  @Test func `AMP-F9: two instances with one key keep their own events`() async throws {
    let world = offline()
    let clients = try ["one", "two"].map { name in
      try world.client { $0.storage.instance = name }
    }
    for (client, name) in zip(clients, ["a", "b"] as [EventName]) { client.track(name) }
    for client in clients {
      await client.settle()
      #expect(client.diagnostics.stored == 1)
    }
    for (index, name) in ["one", "two"].enumerated() {
      clients[index].shutdown()
      let again = World(files: world.files)
      let relaunched = try again.client { $0.storage.instance = name }
      await relaunched.flush()
      #expect(try again.events.map(\.name) == [["a"], ["b"]][index])
    }
  }
}

extension MemoryFiles {
  /// Makes a folder, on a disk that refuses nothing.
  fileprivate func makeFolders(_ path: String) {
    do throws(SystemError) { try makeFolder(path) } catch {
      Issue.record("No folder: \(error)")
    }
  }
}
