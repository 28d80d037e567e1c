import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation

/// 1 July 2026 of an app, launched as often as a test wants, told by the clock on the wall.
///
/// Begins at 09:00:00 UTC.
final class LogsDay {
  private let clock = ManualClock(Date(timeIntervalSince1970: 1_782_896_400))
  private let files = MemoryFiles()
  private var launches: [LogsWorld] = []
  private var client: SimpleDataLogsClient?
  private var read = 0
  private var sessions: [String] = []

  /// The process that runs.
  var world: LogsWorld? { launches.last }

  /// A process begins, after the one before was killed, or else quit as it was.
  func launch(
    _ autocapture: Autocapture,
    mode: SessionMode = .activation,
    at time: String = "09:00:00",
    _ phase: AppPhase = .foreground,
    platform: String = "iOS",
    activity: Activity = .off,
    before: (SimpleDataLogsClient) -> Void = { _ in }
  ) async {
    move(to: time)
    files.endProcess()
    var world = LogsWorld(files: files, clock: clock, phase: phase)
    world.platform = platform
    launches.append(world)
    let client = world.client(autocapture, mode: mode, activity: activity, before: before)
    self.client = client
    await client.settle()
  }

  func track(
    _ name: String,
    _ properties: [String: AppValue] = [:],
    at time: String,
    dated: String? = nil
  ) async {
    move(to: time)
    if let dated {
      client?.track(name, properties: properties, at: date(dated))
    } else {
      client?.track(name, properties: properties)
    }
    await client?.settle()
  }

  /// The process dies of an exception that nobody catches.
  func crash(_ exception: RaisedException = RaisedException(name: "Boom"), at time: String) {
    move(to: time)
    world?.exceptions.raise(exception)
  }

  func announce(_ phase: AppPhase, at time: String) async {
    move(to: time)
    world?.lifecycle.announce(phase)
    await client?.settle()
  }

  /// Keyboard or mouse are used.
  func touch(at time: String) {
    move(to: time)
    world?.touches.touch()
  }

  /// The machine sleeps until then.
  func sleep(until time: String) {
    clock.sleepMachine(seconds: date(time).timeIntervalSince(clock.now))
    world?.lifecycle.announce(.awake)
  }

  /// Someone sets the clock on the wall.
  func setClock(to time: String) {
    clock.setWallClock(to: date(time))
  }

  /// All that was sent by all processes.
  ///
  /// A process that ends while it sends has a next one that sends the same again; the server keeps one.
  var events: [SentEvent] {
    get throws {
      var known: Set<String> = []
      return try launches.flatMap { try $0.events }.filter { known.insert($0.event_id).inserted }
    }
  }

  /// What all processes sent since the last call, such as `session_end S1@09:45:00 (2700)`.
  func told(flushes: Bool = true) async throws -> [String] {
    if flushes, let client { await client.flush() }
    let events = try events
    let new = events[read...]
    read = events.count
    return new.map { event in
      let seconds = event["duration_s"].map { " (\(text($0)))" } ?? ""
      return "\(event.name) \(session(of: event))@\(event.ts.dropFirst(11).prefix(8))\(seconds)"
    }
  }

  /// Sessions are numbered as they are seen.
  private func session(of event: SentEvent) -> String {
    guard case .string(let id)? = event["session_id"] else { return "-" }
    if !sessions.contains(id) { sessions.append(id) }
    return "S\((sessions.firstIndex(of: id) ?? 0) + 1)"
  }

  private func text(_ value: WireValue) -> String {
    if case .integer(let number) = value { "\(number)" } else { "?" }
  }

  private func move(to time: String) {
    clock.advance(bySeconds: max(0, date(time).timeIntervalSince(clock.now)))
    client?.footfall.poke()
  }

  private func date(_ time: String) -> Date {
    let parts = time.split(separator: ":").compactMap { Double($0) }
    let seconds = parts.reduce(0) { $0 * 60 + $1 }
    return Date(timeIntervalSince1970: 1_782_864_000 + seconds)
  }
}
