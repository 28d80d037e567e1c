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
  func setClock(to new: Int64) {
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
    isKilled: Bool = false,
    _ change: (inout FootfallClient.Configuration) -> Void = { _ in }
  ) async throws {
    if isKilled { world.files.endProcess() } else { client?.shutdown(limitSeconds: 0) }
    let next = World(files: world.files)
    world = next
    (read, time) = (0, 0)
    let now = start ?? 1_050
    setClock(to: now)
    try await self.start(rules, phase, at: now, change)
  }

  func track(
    _ name: EventName,
    _ properties: Properties = [:],
    at time: Int64,
    _ options: EventOptions? = nil
  ) async {
    move(to: time)
    client?.track(name, properties, options)
    await client?.settle()
  }

  func identify(
    _ operations: IdentifyOperations,
    at time: Int64,
    _ options: EventOptions? = nil
  ) async {
    move(to: time)
    client?.identify(operations, options)
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
    return new.map { event in
      let seconds = event.props?["duration_s"]?.text.map { " (\($0))" } ?? ""
      return "\(event.name) \(event.session_id?.text ?? "-")@\(event.ts)\(seconds)"
    }
  }

  private var last: [Body.Event] = []

  /// The names of what was sent since the last call.
  func names(flushes: Bool = true) async throws -> [String] {
    _ = try await sent(flushes: flushes)
    return last.map(\.name)
  }

  /// The machine sleeps until then.
  func sleep(until new: Int64) {
    world.clock.sleepMachine(seconds: Double(new - time) / 1_000)
    setClock(to: new)
  }

  /// A property of the events of the last `sent`, as text.
  func property(_ key: String) throws -> [String?] { last.map { $0.props?[key]?.text } }

  /// The users of the events of the last `sent`.
  func users() throws -> [String?] { last.map(\.user_id) }

  /// The devices of the events of the last `sent`.
  func devices() throws -> [String?] { last.map(\.device_id) }

  /// The numbers of the events of the last `sent`.
  func numbers() throws -> [Int64] { last.map(\.seq) }

  /// A field of the context of the events of the last `sent`.
  func context(_ key: String) throws -> [String?] { last.map { $0.context?[key]?.text } }

  /// The ids of the events of the last `sent`.
  func ids() throws -> [String] { last.map(\.id) }

  /// The sessions of the events of the last `sent`.
  func sessions() throws -> [String?] { last.map { $0.session_id?.text } }

  private struct Body: Decodable {
    struct Event: Decodable {
      let name: String
      let ts: Int64
      let id: String
      let seq: Int64
      let user_id: String?
      let device_id: String?
      let session_id: Loose?
      let context: [String: Loose]?
      let props: [String: Loose]?
    }
    let events: [Event]
  }

  /// A number, a text, a truth value or null.
  private struct Loose: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        text = nil
      } else if let value = try? container.decode(Bool.self) {
        text = "\(value)"
      } else if let value = try? container.decode(Int64.self) {
        text = "\(value)"
      } else {
        text = try container.decode(String.self)
      }
    }
  }
}
