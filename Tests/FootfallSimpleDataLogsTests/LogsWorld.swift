import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation

/// An engine's surroundings with SimpleDataLogs' rules, and what it sent into them.
struct LogsWorld {
  let clock: ManualClock
  let transport: any Transport
  let script: ScriptedTransport
  let files: MemoryFiles
  let lifecycle: ManualLifecycle
  let touches: ManualUserActivity
  let lines = Lock<[LogLine]>([])
  /// Folders that were readied, with the files that lay in them before.
  let prepared = Lock<[(folder: String, files: [String])]>([])
  /// The platform that the device is of.
  var platform = "iOS"
  /// Kept, since an engine nobody refers to any more ends.
  private let engines = Lock<[Engine]>([])

  init(
    _ script: ScriptedTransport = ScriptedTransport(),
    transport: (any Transport)? = nil,
    files: MemoryFiles = MemoryFiles(),
    clock: ManualClock = ManualClock(),
    phase: AppPhase = .foreground
  ) {
    self.script = script
    self.transport = transport ?? script
    self.files = files
    self.clock = clock
    lifecycle = ManualLifecycle(phase)
    touches = ManualUserActivity(clock)
  }

  /// A started engine, without sessions and activity unless told otherwise.
  ///
  /// What is said in `before` is said before the start.
  func engine(
    endpoint: String = SimpleDataLogsCodec.defaultEndpoint,
    key: String = "sdl_pub_x",
    folder: String = "/client",
    isDebug: Bool = false,
    capture: SimpleDataLogsCapture = .nothing,
    log: Logger? = nil,
    before: (Engine) -> Void = { _ in },
    settings change: @escaping @Sendable (inout EngineSettings) -> Void = { _ in }
  ) -> Engine {
    var environment = environment
    if let log { environment.log = log }
    let world = environment
    let engine = Engine(clocks: world.clocks, random: world.random)
    before(engine)
    _ = engine.start(isEnabled: true) {
      let codec = SimpleDataLogsCodec(endpoint: endpoint, key: key, device: world.device)
      var settings = EngineSettings.simpleDataLogs(
        folder: folder,
        codec: codec,
        capture: capture,
        isDebug: isDebug,
        in: world
      )
      change(&settings)
      return Engine.Setup(settings: settings, environment: world)
    }
    engines.withLock { $0.append(engine) }
    return engine
  }

  private var environment: Environment {
    let (lines, prepared, files) = (lines, prepared, files)
    var environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      lifecycle: lifecycle,
      userActivity: touches,
      log: Logger(
        level: .trace,
        holdsRepeats: false,
        sink: { line in lines.withLock { $0.append(line) } }
      )
    )
    environment.device.platform = platform
    environment.prepareFolder = { folder in
      let inside = files.paths.filter { $0.hasPrefix(folder + "/") }
      prepared.withLock { $0.append((folder, inside)) }
    }
    return environment
  }

  /// Lets time pass and waits until what became due is done.
  func pass(_ seconds: TimeInterval, for engine: Engine) async {
    await engine.settle()
    clock.advance(bySeconds: seconds)
    engine.poke()
    await engine.settle()
  }

  /// The lines of a level.
  func lines(_ level: LogLevel) -> [String] {
    lines.withLock { lines in lines.filter { $0.level == level }.map(\.message) }
  }

  /// The events of each request, read by someone else's reader.
  var requests: [[SentEvent]] {
    get throws {
      try script.requests.map {
        try JSONDecoder().decode(SentBody.self, from: Data($0.body)).events
      }
    }
  }

  /// The events of all requests.
  var events: [SentEvent] {
    get throws { try requests.flatMap(\.self) }
  }

  /// The names of the events of each request.
  var names: [[String]] {
    get throws { try requests.map { $0.map(\.name) } }
  }
}

/// A request's body as the server would see it.
struct SentBody: Decodable {
  let events: [SentEvent]
}

/// An event as the server would see it.
struct SentEvent: Decodable, Hashable {
  let event_id: String
  let name: String
  let ts: String
  let device_id: String?
  let props: [String: SentValue]?

  /// A property; nil if it is missing.
  subscript(_ key: String) -> PropertyValue? { props?[key]?.value }
}

/// A property as the server would see it: a text, number or truth value.
struct SentValue: Decodable, Hashable {
  let value: PropertyValue

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value =
      if let isTrue = try? container.decode(Bool.self) {
        .boolean(isTrue)
      } else if let whole = try? container.decode(Int64.self) {
        .integer(whole)
      } else if let number = try? container.decode(Double.self) {
        .double(number)
      } else {
        .string(try container.decode(String.self))
      }
  }
}

extension SimpleDataLogsCapture {
  /// Not even activity.
  static let nothing: SimpleDataLogsCapture = {
    var capture = SimpleDataLogsCapture()
    capture.tellsActivity = false
    return capture
  }()

  /// Sessions, and nothing else.
  static func sessions(_ mode: SessionMode? = nil) -> SimpleDataLogsCapture {
    var capture = SimpleDataLogsCapture()
    capture.tellsSessions = true
    if let mode { capture.sessionMode = mode }
    return capture
  }
}

extension Engine {
  func track(_ name: EventName, _ properties: Properties = [:]) {
    track(name, properties, nil)
  }

  /// Waits until the numbers are as a test expects; the suite's time limit ends a wait in vain.
  func until(_ isReached: (Diagnostics) -> Bool) async {
    while !isReached(diagnostics), !Task.isCancelled {
      await settle()
      await Task.yield()
    }
  }

  /// Waits until an answer of this status is the last one that was looked at.
  func untilAnswered(_ status: Int) async {
    await until { $0.problem?.description.contains("\(status)") == true }
  }

  /// Waits until so many events are delivered.
  func untilDelivered(_ count: Int) async {
    await until { $0.delivered >= count }
  }
}

/// A text of so many bytes.
func text(_ length: Int) -> PropertyValue {
  .string(String(repeating: "x", count: length))
}
