import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// An app that was written for Amplitude's SDK: its client, and what the server was sent.
final class AmplitudeApp {
  let clock = ManualClock()
  let script: ScriptedTransport
  let files: MemoryFiles
  let lifecycle: ManualLifecycle
  let connectivity: ManualConnectivity
  let configuration: Configuration
  let amplitude: Amplitude
  /// What came to the console of the level asked for.
  let console: Lock<[LogLine]>
  /// What the configuration's callback was told.
  let told: Lock<[Told]>

  /// One call of a callback.
  struct Told: Sendable, Hashable {
    let name: String
    let id: String?
    /// The event's properties, and the user's of an identify, as JSON with sorted keys.
    let properties: String
    let userProperties: String
    let code: Int
    let message: String

    init(_ event: BaseEvent, _ code: Int, _ message: String) {
      name = event.eventType
      id = event.insertId
      properties = JSONFields.json(event.eventProperties ?? [:])
      userProperties = JSONFields.json(event.userProperties ?? [:])
      self.code = code
      self.message = message
    }
  }

  /// The engine's client behind the face.
  var client: FootfallClient { amplitude.client }

  /// A client that was just started.
  ///
  /// `log` is the app's own in the place of the console; `change` sets what else the app chose.
  init(
    _ script: ScriptedTransport = ScriptedTransport(otherwise: AmplitudeWorld.ok),
    files: MemoryFiles = MemoryFiles(),
    announcesSessions: Bool = false,
    appVersion: String? = "4.2.0",
    level: LogLevelEnum = .warn,
    log: (any FootfallAmplitude.Logger)? = nil,
    device: DeviceContext = .test,
    phase: AppPhase? = nil,
    key: String = "KEY",
    change: (Configuration) -> Void = { _ in },
    make: (String, any FootfallAmplitude.Logger, LogLevelEnum, AutocaptureOptions) ->
      Configuration = { key, log, level, autocapture in
        Configuration(
          apiKey: key,
          logLevel: level,
          loggerProvider: log,
          autocapture: autocapture,
          enableAutoCaptureRemoteConfig: false
        )
      }
  ) {
    self.script = script
    self.files = files
    lifecycle = phase.map { ManualLifecycle($0) } ?? ManualLifecycle()
    connectivity = ManualConnectivity()
    var environment = Environment.test(
      clock: clock,
      transport: script,
      files: files,
      random: .another(),
      lifecycle: lifecycle,
      connectivity: connectivity
    )
    environment.device = device
    environment.device.app = appVersion
    let (console, told) = (Lock<[LogLine]>([]), Lock<[Told]>([]))
    (self.console, self.told) = (console, told)
    let logger = log ?? ConsoleLogger(sink: { line in console.withLock { $0.append(line) } })
    configuration = make(key, logger, level, announcesSessions ? .sessions : [])
    configuration.callback = { event, code, message in
      let call = Told(event, code, message)
      told.withLock { $0.append(call) }
    }
    change(configuration)
    amplitude = Amplitude(configuration: configuration, environment: environment)
  }

  /// The next process on the same disk, after the first one was killed.
  func relaunch(
    announcesSessions: Bool = false,
    change: (Configuration) -> Void = { _ in }
  ) -> AmplitudeApp {
    files.endProcess()
    return AmplitudeApp(files: files, announcesSessions: announcesSessions, change: change)
  }

  /// Waits until what was called is done.
  func settle() async {
    await client.settle()
  }

  /// Lets time pass, in seconds, and waits until what became due is done.
  func pass(_ seconds: TimeInterval) async {
    clock.advance(bySeconds: seconds)
    client.poke()
    await client.settle()
  }

  /// The requests with events.
  var uploads: [UploadRequest] { script.requests.filter { $0.method == .post } }

  /// Tracks an event that was made by hand, by the engine's own names.
  func track(
    _ name: EventName,
    userProperties: Properties? = nil,
    _ options: FootfallCore.EventOptions = FootfallCore.EventOptions()
  ) {
    let operations = userProperties.map { IdentifyOperations(asWritten: $0) }
    client.track(name, [:], EventDetails(options: options, operations: operations))
  }

  /// Sends what was tracked, and gives all that was sent so far.
  func sent() async throws -> [JSONFields] {
    await client.flush()
    await client.settle()
    return try script.requests.filter { $0.method == .post }.flatMap {
      try JSONFields.list("events", in: $0.body)
    }
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
  func lines(_ level: FootfallPlatform.LogLevel) -> [String] {
    console.withLock { lines in lines.filter { $0.level == level }.map(\.message) }
  }

  /// Not exactly one event of a name was sent.
  struct NotOne: Error {
    let count: Int
  }
}
