import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

/// A day of a client that runs by given rules: moments in milliseconds, and what the server was sent.
final class PipelineDay {
  private(set) var world = World()
  private(set) var client: FootfallClient?
  private var time: Int64 = 0
  private var read = 0

  /// SimpleDataLogs' `activation` with sessions that are named after their start.
  static var activation: PipelineRules {
    var sessions = SessionRules.activation
    sessions.idFormat = .startMilliseconds
    return .simpleDataLogs(sessions: sessions)
  }

  static var pinpoint: PipelineRules { .pinpoint(appID: "0123456789abcdef") }

  private func move(to new: Int64) {
    let step = Double(new - time) / 1_000
    world.clock.advance(bySeconds: step)
    setClock(to: new)
  }

  /// In the middle of the millisecond, which a fraction of a second need not name exactly.
  private func setClock(to new: Int64) {
    world.clock.setWallClock(to: Date(timeIntervalSince1970: (Double(new) + 0.5) / 1_000))
    time = new
  }

  func start(
    _ rules: PipelineRules?,
    _ phase: AppPhase = .background,
    at start: Int64 = 0,
    _ change: (inout FootfallClient.Configuration) -> Void = { _ in }
  ) async throws {
    world.lifecycle = ManualLifecycle(phase)
    move(to: start)
    let client = try world.client { configuration in
      configuration.rules = rules
      configuration.delivery.intervalSeconds = 1e6
      configuration.identity.deviceID = "0000ABCDEF01"
      change(&configuration)
    }
    self.client = client
    await client.settle()
  }

  /// The next process on the same disk.
  func relaunch(
    _ rules: PipelineRules?,
    _ phase: AppPhase = .background,
    at start: Int64? = nil,
    isKilled: Bool = false
  ) async throws {
    if isKilled { world.files.endProcess() } else { client?.shutdown(limitSeconds: 0) }
    let next = World(files: world.files)
    world = next
    (read, time) = (0, 0)
    let now = start ?? 1_050
    setClock(to: now)
    try await self.start(rules, phase, at: now)
  }

  func track(_ name: EventName, at time: Int64, _ options: EventOptions? = nil) async {
    move(to: time)
    client?.track(name, [:], options)
    await client?.settle()
  }

  func change(_ change: PipelineInput.Change, at time: Int64) async {
    move(to: time)
    client?.change(change)
    await client?.settle()
  }

  func announce(_ phase: AppPhase, at time: Int64) async {
    move(to: time)
    world.lifecycle.announce(phase)
    await client?.settle()
  }

  func pass(to time: Int64) async {
    move(to: time)
    client?.poke()
    await client?.settle()
  }

  /// What was sent since the last call, as `name session@time`.
  func sent(flushes: Bool = true) async throws -> [String] {
    if flushes { await client?.flush() }
    let requests = world.transport.requests
    let bodies = try requests.map { try JSONDecoder().decode(Body.self, from: Data($0.body)) }
    let events = bodies.flatMap(\.events)
    let new = events[read...]
    read = events.count
    last = Array(new)
    return new.map { "\($0.name) \($0.session_id?.text ?? "-")@\($0.ts)" }
  }

  private var last: [Body.Event] = []

  /// A property of the events of the last `sent`.
  func property(_ key: String) throws -> [Bool?] { last.map { $0.props?[key]?.boolean } }

  /// The sessions of the events of the last `sent`.
  func sessions() throws -> [String?] { last.map { $0.session_id?.text } }

  private struct Body: Decodable {
    struct Event: Decodable {
      let name: String
      let ts: Int64
      let session_id: Loose?
      let props: [String: Loose]?
    }
    let events: [Event]
  }

  /// A number, a text or a truth value.
  private struct Loose: Decodable {
    let text: String?
    let boolean: Bool?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        (text, boolean) = ("\(value)", value)
      } else if let value = try? container.decode(Int64.self) {
        (text, boolean) = ("\(value)", nil)
      } else {
        (text, boolean) = (try container.decode(String.self), nil)
      }
    }
  }
}
