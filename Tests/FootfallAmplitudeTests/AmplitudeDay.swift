import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// A day of an engine that works as Amplitude's client does: moments in milliseconds, and what the
/// server was sent.
final class AmplitudeDay {
  let clock = ManualClock()
  let files: MemoryFiles
  let lines = Lock<[LogLine]>([])
  /// What the machine tells of itself from the next look on.
  let device = Lock(AmplitudeDay.phone)
  /// The folders that were kept out of backups.
  let prepared = Lock<[String]>([])
  /// How requests end.
  var answer = AmplitudeWorld.ok
  private(set) var script = ScriptedTransport()
  private(set) var lifecycle = ManualLifecycle()
  private var running: Engine?
  private var time: Int64 = 0
  private var read = 0

  init(files: MemoryFiles = MemoryFiles()) {
    self.files = files
    setClock(to: 0)
  }

  /// A phone with a SIM, of which everything is known.
  static let phone: DeviceContext = {
    var phone = DeviceContext.test
    (phone.osName, phone.osVersion, phone.manufacturer) = ("iOS", "19.1", "Apple")
    (phone.carrier, phone.language, phone.country) = ("C", "en", "GB")
    (phone.timeZone, phone.vendorID) = ("Europe/London", "VENDOR-1")
    return phone
  }()

  /// The engine of the last start.
  var engine: Engine {
    guard let running else { preconditionFailure("The day has not started.") }
    return running
  }

  /// A process begins; `change` adjusts what it is set up with.
  func start(
    _ rules: PipelineRules = .amplitude(announcesSessions: false),
    _ phase: AppPhase = .background,
    minIDLength: Int? = nil,
    _ change: (inout EngineSettings) -> Void = { _ in }
  ) async {
    (script, read) = (ScriptedTransport(otherwise: answer), 0)
    lifecycle = ManualLifecycle(phase)
    var codec = AmplitudeCodec(key: "KEY", gzip: .none)
    codec.minIDLength = minIDLength
    var settings = EngineSettings(folder: "/client", codec: codec)
    settings.main = .amplitude(
      folder: "/client",
      codec: codec,
      queueSize: 1_000,
      intervalSeconds: 1e6
    )
    settings.rules = rules
    settings.consent = .amplitude
    change(&settings)
    let setup = Engine.Setup(settings: settings, environment: environment())
    let engine = Engine(clocks: setup.environment.clocks, random: setup.environment.random)
    let isEnabled = settings.isEnabled
    _ = engine.start(isEnabled: isEnabled, consent: settings.consent) { setup }
    running = engine
    await engine.settle()
  }

  /// The process ends; it is killed, or has time to write.
  func end(isKilled: Bool = false) {
    if isKilled { files.endProcess() } else { engine.shutdown(limitSeconds: 0) }
    running = nil
  }

  private func environment() -> Environment {
    let (lines, device, prepared) = (lines, device, prepared)
    var environment = Environment.test(
      clock: clock,
      transport: script,
      files: files,
      random: .another(),
      lifecycle: lifecycle
    )
    environment.device = device.withLock { $0 }
    environment.device.vendorID = nil
    environment.refreshDevice = { _ in device.withLock { $0 } }
    environment.prepareFolder = { folder in prepared.withLock { $0.append(folder) } }
    environment.log = FootfallPlatform.Logger(
      level: .debug,
      sink: { line in lines.withLock { $0.append(line) } }
    )
    return environment
  }

  // MARK: What happens

  private func move(to new: Int64) {
    clock.advance(bySeconds: Double(new - time) / 1_000)
    setClock(to: new)
  }

  /// In the middle of the millisecond, which a fraction of a second need not name exactly.
  func setClock(to new: Int64) {
    clock.setWallClock(to: Date(timeIntervalSince1970: (Double(new) + 0.5) / 1_000))
    time = new
  }

  /// Tracks an event, at a time or now.
  func track(
    _ name: EventName = "e",
    _ properties: Properties = [:],
    at time: Int64? = nil,
    _ options: FootfallCore.EventOptions? = nil
  ) async {
    move(to: time ?? self.time)
    engine.track(name, properties, options)
    await engine.settle()
  }

  /// The app says something, at a time or now.
  func change(_ change: PipelineInput.Change, at time: Int64? = nil) async {
    move(to: time ?? self.time)
    engine.change(change)
    await engine.settle()
  }

  /// Calls the engine at a time.
  func call(at time: Int64, _ body: (Engine) -> Void) async {
    move(to: time)
    body(engine)
    await engine.settle()
  }

  /// The app comes or goes, at a time.
  func announce(_ phase: AppPhase, at time: Int64) async {
    move(to: time)
    lifecycle.announce(phase)
    await engine.settle()
  }

  // MARK: What came of it

  /// The events sent since the last call, after all that is stored was sent.
  func events() async throws -> [AmplitudeSent] {
    _ = await engine.flush()
    let all = try script.requests.flatMap { try AmplitudeSent.events(of: $0.body) }
    defer { read = all.count }
    return Array(all[read...])
  }

  /// The same, as `name session@time`.
  func told() async throws -> [String] {
    try await events().map { "\($0.name) \($0["session_id"] ?? "-")@\($0["time"] ?? "-")" }
  }

  /// The event that is sent for one that says nothing itself.
  func plain() async throws -> AmplitudeSent {
    await track("plain")
    return try await last()
  }

  /// The last event sent; one of no name if none was.
  func last() async throws -> AmplitudeSent {
    try await events().last ?? AmplitudeSent([:])
  }

  /// The lines of a level.
  func lines(_ level: LogLevel) -> [String] {
    lines.withLock { lines in lines.filter { $0.level == level }.map(\.message) }
  }

  /// The files that hold a text.
  func files(with text: String) -> [String] {
    files.paths.filter { Data(files.bytes($0) ?? []).range(of: Data(text.utf8)) != nil }
  }
}

/// An event as it was sent to Amplitude, field by field.
struct AmplitudeSent {
  private let fields: [String: Any]

  init(_ fields: [String: Any]) {
    self.fields = fields
  }

  /// The events of a request's body.
  static func events(of body: [UInt8]) throws -> [AmplitudeSent] {
    let body = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    return (body?["events"] as? [[String: Any]] ?? []).map(AmplitudeSent.init)
  }

  var name: String { self["event_type"] ?? "" }

  /// Every field that is there, sorted.
  var keys: [String] { fields.keys.sorted() }

  /// A field, objects and lists as JSON with sorted keys; nil if it is missing.
  subscript(key: String) -> String? {
    guard let value = fields[key] else { return nil }
    return value as? String ?? JSONFields.json(value)
  }
}
