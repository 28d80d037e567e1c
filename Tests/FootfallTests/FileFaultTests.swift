import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Testing

/// Files that somebody changes under a running client.
@Suite(.timeLimit(.minutes(5))) struct `Files changed while the client runs` {
  enum Target: String, CaseIterable, Sendable {
    case journal = "/journal/"
    case batches = "/batches/"
    case held = "/held/"
    case state = "/client.state"
    case reserve = "/reserve"
  }

  enum Change: String, CaseIterable, Sendable {
    case cut, emptied, flipped, grown, removed, replaced

    func applied(to bytes: [UInt8]) -> [UInt8] {
      switch self {
      case .cut: return Array(bytes.prefix(bytes.count / 2))
      case .emptied, .removed: return []
      case .flipped:
        var flipped = bytes
        for place in stride(from: 40, to: flipped.count, by: 97) { flipped[place] ^= 0x40 }
        return flipped
      case .grown: return bytes + [UInt8](repeating: 0xA5, count: 100)
      case .replaced: return [UInt8](repeating: 7, count: bytes.count)
      }
    }
  }

  private func change(_ files: MemoryFiles, _ target: Target, _ change: Change) -> Int {
    let paths = files.paths.filter { $0.contains(target.rawValue) && !$0.hasSuffix(".lock") }
    for path in paths {
      if change == .removed {
        files.setBytes(path, nil)
      } else {
        files.changeBytes(path) { change.applied(to: $0) }
      }
    }
    return paths.count
  }

  @Test(arguments: Target.allCases, Change.allCases)
  func `cost at most what was in them, counted, and nothing that comes later`(
    target: Target,
    change kind: Change
  ) async throws {
    let isDown = Lock(true)
    let transport = ScriptedTransport(
      otherwise: .make { _ in
        .answered(status: isDown.withLock { $0 } ? 500 : 202, headers: [:], body: [])
      }
    )
    let world = World(transport: transport)
    let client = try world.client { $0.delivery.maxBatchEvents = 4 }
    client.setUserID("user-1")
    for number in 0..<10 { client.track(EventName("before \(number)")) }
    await client.flush()
    for number in 10..<16 { client.track(EventName("before \(number)")) }
    client.identify(.set("plan", 1))
    await client.settle()
    await world.pass(2, for: client)
    #expect(change(world.files, target, kind) > 0)
    let failed = transport.requests.count
    isDown.withLock { $0 = false }
    for number in 0..<10 { client.track(EventName("after \(number)")) }
    await client.settle()
    await world.pass(400, for: client)
    await client.flush()
    client.track("last")
    await client.flush()
    await client.settle()
    let counts = client.diagnostics
    client.shutdown(limitSeconds: 5)
    let next = World(files: world.files)
    let relaunched = try next.client()
    await relaunched.flush()
    await relaunched.settle()
    #expect(relaunched.deviceID == client.deviceID && relaunched.userID == "user-1")

    let sent = try Array(world.events.dropFirst(try eventCount(world, in: failed))) + next.events
    let names = sent.map(\.name)
    #expect(Set(sent.map(\.id)).count == sent.count, "sent twice")
    for number in 0..<10 { #expect(names.contains("after \(number)"), "after \(number)") }
    #expect(names.contains("last"))
    let all = (0..<16).map { "before \($0)" } + ["$identify"]
    let missing = Set(all).subtracting(names).count
    let later = relaunched.diagnostics
    #expect(missing <= counts.dropped.events + later.dropped.events, "lost silently")
    #expect(counts.dropped.events + later.dropped.events <= 17)
  }

  /// How many events the first requests held.
  private func eventCount(_ world: World, in requests: Int) throws -> Int {
    try world.bodies.prefix(requests).reduce(0) { $0 + $1.events.count }
  }
}
