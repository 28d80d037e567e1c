import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// An app whose client works by Amplitude's values: its calls, and what the server was sent.
final class AmplitudeApp {
  let clock = ManualClock()
  let script: ScriptedTransport
  let files: MemoryFiles
  let client: FootfallClient
  /// What came to the console of the level asked for.
  let console = Lock<[LogLine]>([])
  /// What the configuration's callback was told.
  let told = Lock<[Told]>([])

  /// One call of a callback: with the event that is to be had by then.
  struct Told: Sendable {
    let event: Event?
    let name: String
    let result: AmplitudeResult?
  }

  /// A client that was just started.
  ///
  /// `log` is the app's own in the place of the console.
  init(
    _ script: ScriptedTransport = ScriptedTransport(otherwise: AmplitudeWorld.ok),
    files: MemoryFiles = MemoryFiles(),
    announcesSessions: Bool = false,
    appVersion: String? = "4.2.0",
    level: AmplitudeLogLevel = .warn,
    log: Logger? = nil
  ) {
    self.script = script
    self.files = files
    var environment = Environment.test(
      clock: clock,
      transport: script,
      files: files,
      random: .another()
    )
    let (console, told) = (console, told)
    environment.log =
      log ?? .amplitude(level, sink: { line in console.withLock { $0.append(line) } })
    environment.device.app = appVersion
    let codec = AmplitudeCodec(key: "KEY", gzip: .none)
    var settings = EngineSettings(folder: "/client", codec: codec)
    settings.main = .amplitude(folder: "/client", codec: codec)
    settings.rules = .amplitude(announcesSessions: announcesSessions)
    settings.consent = .amplitude
    client = FootfallClient(settings: settings, environment: environment) { result, stored in
      let call = Told(
        event: stored.flatMap { AmplitudeEventReader.read($0) },
        name: result.name.text,
        result: AmplitudeResult(result.outcome)
      )
      told.withLock { $0.append(call) }
    }
  }

  /// The next process on the same disk, after the first one was killed.
  func relaunch(announcesSessions: Bool = false) -> AmplitudeApp {
    files.endProcess()
    return AmplitudeApp(files: files, announcesSessions: announcesSessions)
  }

  /// Tracks an event that was made by hand.
  func track(
    _ name: EventName,
    userProperties: Properties? = nil,
    _ options: EventOptions = EventOptions()
  ) {
    let operations = userProperties.map { IdentifyOperations(asWritten: $0) }
    client.track(name, [:], EventDetails(options: options, operations: operations))
  }

  /// Sends what was tracked, and gives all that was sent so far.
  func sent() async throws -> [JSONFields] {
    await client.flush()
    await client.settle()
    return try script.requests.flatMap { try JSONFields.list("events", in: $0.body) }
  }

  /// Sends what was tracked, and gives the names of all that was sent so far.
  func names() async throws -> [String] {
    try await sent().map { $0.text("event_type") }
  }

  /// The one event of a name that was sent so far; the rest of the test is moot without.
  func event(_ name: String) async throws -> JSONFields {
    let events = try await sent().filter { $0.text("event_type") == name }
    guard let event = events.first, events.count == 1 else { throw NotOne(count: events.count) }
    return event
  }

  /// The bodies of all requests, as text.
  var bodies: [String] { script.requests.map { String(decoding: $0.body, as: UTF8.self) } }

  /// The lines on the console.
  var lines: [String] { console.withLock { $0.map(\.message) } }

  /// The lines on the console that matter as much as this.
  func lines(_ level: LogLevel) -> [String] {
    console.withLock { lines in lines.filter { $0.level == level }.map(\.message) }
  }

  /// Not exactly one event of a name was sent.
  struct NotOne: Error {
    let count: Int
  }
}
