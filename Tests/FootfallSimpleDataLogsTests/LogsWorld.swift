import Footfall
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation

/// A property as an app says it.
typealias AppValue = FootfallSimpleDataLogs.PropertyValue
/// A property as the server sees it.
typealias WireValue = FootfallCore.PropertyValue

/// The surroundings of an app with SimpleDataLogs' calls, and what it sent into them.
struct LogsWorld {
  let clock: ManualClock
  let transport: any Transport
  let script: ScriptedTransport
  let files: MemoryFiles
  let lifecycle: ManualLifecycle
  let touches: ManualUserActivity
  let processEnd = ManualProcessEnd()
  let exceptions: ManualExceptions
  let lines = Lock<[LogLine]>([])
  /// Folders that were readied, with the files that lay in them before.
  let prepared = Lock<[(folder: String, files: [String])]>([])
  /// The platform that the device is of.
  var platform = "iOS"
  /// Kept, since a client nobody refers to any more ends.
  private let clients = Lock<[SimpleDataLogsClient]>([])

  init(
    _ script: ScriptedTransport = ScriptedTransport(),
    transport: (any Transport)? = nil,
    files: MemoryFiles = MemoryFiles(),
    clock: ManualClock = ManualClock(),
    phase: AppPhase = .foreground,
    exceptions: ManualExceptions = ManualExceptions()
  ) {
    self.exceptions = exceptions
    self.script = script
    self.transport = transport ?? script
    self.files = files
    self.clock = clock
    lifecycle = ManualLifecycle(phase)
    touches = ManualUserActivity(clock)
  }

  /// An app's client that is configured, without autocapture and activity unless told otherwise.
  ///
  /// What is said in `before` is said before `configure`.
  func client(
    _ autocapture: Autocapture = [],
    endpoint: String = SimpleDataLogsCodec.defaultEndpoint,
    key: String = "sdl_pub_x",
    folder: String = "/client",
    isDebug: Bool = false,
    mode: SessionMode = .activation,
    redaction: CrashReasonRedaction? = nil,
    activity: Activity = .off,
    log: Logger? = nil,
    before: (SimpleDataLogsClient) -> Void = { _ in },
    settings change: @escaping @Sendable (inout EngineSettings) -> Void = { _ in }
  ) -> SimpleDataLogsClient {
    let client = unconfigured(log: log)
    before(client)
    configure(
      client,
      autocapture,
      endpoint: endpoint,
      key: key,
      folder: folder,
      isDebug: isDebug,
      mode: mode,
      redaction: redaction,
      activity: activity,
      log: log,
      settings: change
    )
    return client
  }

  /// An app's client before `configure`.
  func unconfigured(log: Logger? = nil) -> SimpleDataLogsClient {
    let environment = environment()
    let client = SimpleDataLogsClient(
      clocks: environment.clocks,
      random: environment.random,
      log: log ?? environment.log
    )
    clients.withLock { $0.append(client) }
    return client
  }

  /// Calls `configure` in this world.
  func configure(
    _ client: SimpleDataLogsClient,
    _ autocapture: Autocapture = [],
    endpoint: String = SimpleDataLogsCodec.defaultEndpoint,
    key: String = "sdl_pub_x",
    folder: String = "/client",
    isDebug: Bool = false,
    mode: SessionMode = .activation,
    redaction: CrashReasonRedaction? = nil,
    activity: Activity = .off,
    log: Logger? = nil,
    settings change: @escaping @Sendable (inout EngineSettings) -> Void = { _ in }
  ) {
    var world = environment(folder: folder)
    if let log { world.log = log }
    client.configure(
      ingestKey: key,
      endpoint: URL(string: endpoint) ?? SimpleDataLogs.defaultEndpoint,
      autocapture: autocapture,
      sessionMode: mode,
      crashReasonRedaction: redaction,
      activity: activity,
      isDebug: isDebug,
      in: { [world] in world },
      end: world.processEnd,
      change: change
    )
  }

  private func environment(folder: String = "/client") -> Environment {
    let (lines, prepared, files) = (lines, prepared, files)
    var environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      lifecycle: lifecycle,
      userActivity: touches,
      processEnd: processEnd,
      storage: StorageLocation(path: folder),
      log: Logger(
        level: .trace,
        holdsRepeats: false,
        sink: { line in lines.withLock { $0.append(line) } }
      )
    )
    environment.device.platform = platform
    environment.exceptions = exceptions
    environment.prepareFolder = { folder in
      let inside = files.paths.filter { $0.hasPrefix(folder + "/") }
      prepared.withLock { $0.append((folder, inside)) }
    }
    return environment
  }

  /// Lets time pass and waits until what became due is done.
  func pass(_ seconds: TimeInterval, for client: SimpleDataLogsClient) async {
    await client.settle()
    clock.advance(bySeconds: seconds)
    client.footfall.poke()
    await client.settle()
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
  subscript(_ key: String) -> WireValue? { props?[key]?.value }
}

/// A property as the server would see it: a text, number or truth value.
struct SentValue: Decodable, Hashable {
  let value: WireValue

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

/// What a test wants to know of a client, and an app cannot say.
extension SimpleDataLogsClient {
  var diagnostics: Diagnostics { footfall.diagnostics }

  func settle() async { await footfall.settle() }

  func shutdown(limitSeconds: Double) { footfall.shutdown(limitSeconds: limitSeconds) }

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
func text(_ length: Int) -> AppValue {
  .string(String(repeating: "x", count: length))
}
