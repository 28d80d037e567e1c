import Footfall
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// A client's surroundings, and what it sent into them.
struct World {
  let clock = ManualClock()
  var transport = ScriptedTransport()
  var files = MemoryFiles()
  var lifecycle = ManualLifecycle()
  let lines = Lock<[LogLine]>([])
  /// What the machine tells of itself from the next look on.
  let device = Lock(Environment.test().device)
  /// Kept, since a client nobody refers to any more ends, and its last use may come early in a test.
  private let clients = Lock<[FootfallClient]>([])

  /// A client in this world; `change` adjusts its configuration.
  func client(
    isKept: Bool = true,
    _ change: (inout FootfallClient.Configuration) -> Void = { _ in }
  ) throws
    -> FootfallClient
  {
    let client = FootfallClient(configuration(change), environment: environment())
    if isKept { clients.withLock { $0.append(client) } }
    return client
  }

  /// The configuration of a client in this world.
  func configuration(
    _ change: (inout FootfallClient.Configuration) -> Void = { _ in }
  ) -> FootfallClient.Configuration {
    var configuration = FootfallClient.Configuration(key: "ff_pub_test", endpoint: Self.endpoint())
    configuration.delivery.intervalSeconds = 10
    configuration.sessions.isEnabled = false
    change(&configuration)
    return configuration
  }

  /// This world as a client sees it.
  func environment() -> Environment {
    let (lines, device) = (lines, device)
    var environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      lifecycle: lifecycle
    )
    environment.device = device.withLock { $0 }
    environment.refreshDevice = { _ in device.withLock { $0 } }
    environment.log = Logger(level: .debug, sink: { line in lines.withLock { $0.append(line) } })
    return environment
  }

  /// Lets time pass for a client and waits until it has done what became due.
  func pass(_ seconds: TimeInterval, for client: FootfallClient) async {
    await client.settle()
    clock.advance(bySeconds: seconds)
    client.poke()
    await client.settle()
  }

  /// The lines of a level, without those for the developer.
  func lines(_ level: LogLevel) -> [String] {
    lines.withLock { lines in lines.filter { $0.level == level }.map(\.message) }
  }

  /// Whether any file holds this text.
  func isOnDisk(_ text: String) -> Bool {
    files.holds(text)
  }

  /// The bodies sent, read as JSON by someone else's reader.
  var bodies: [SentBody] {
    get throws {
      try transport.requests.map {
        try JSONDecoder().decode(SentBody.self, from: Data($0.body))
      }
    }
  }

  /// All events sent, in the order they were sent.
  var events: [SentEvent] {
    get throws { try bodies.flatMap(\.events) }
  }
}

/// A request's body as the server would see it.
struct SentBody: Decodable {
  struct Client: Decodable {
    let library: String
    let platform: String
    let dropped: [String: Int]?
  }
  let client: Client
  let events: [SentEvent]
}

/// An event as the server would see it.
struct SentEvent: Decodable, Hashable {
  let id: String
  let seq: Int
  let name: String
  let ts: Int64
  let device_id: String
  let user_id: String?
  let test: Bool?
  let ops: [String: [String: Int]]?
}
