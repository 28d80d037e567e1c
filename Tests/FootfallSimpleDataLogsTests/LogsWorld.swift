import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import FootfallTesting
import Foundation

/// An engine's surroundings with SimpleDataLogs' rules, and what it sent into them.
struct LogsWorld {
  let clock = ManualClock()
  let transport: any Transport
  let script: ScriptedTransport
  let files: MemoryFiles
  let lines = Lock<[LogLine]>([])
  /// Kept, since an engine nobody refers to any more ends.
  private let engines = Lock<[Engine]>([])

  init(
    _ script: ScriptedTransport = ScriptedTransport(),
    transport: (any Transport)? = nil,
    files: MemoryFiles = MemoryFiles()
  ) {
    self.script = script
    self.transport = transport ?? script
    self.files = files
  }

  /// A started engine without sessions.
  func engine(
    endpoint: String = SimpleDataLogsCodec.defaultEndpoint,
    isDebug: Bool = false
  ) -> Engine {
    let lines = lines
    let environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      log: Logger(level: .debug, sink: { line in lines.withLock { $0.append(line) } })
    )
    let codec = SimpleDataLogsCodec(
      endpoint: endpoint,
      key: "sdl_pub_x",
      device: environment.device
    )
    var settings = EngineSettings(folder: "/client", codec: codec)
    settings.main = .simpleDataLogs(folder: "/client", codec: codec, isDebug: isDebug)
    settings.rules = .simpleDataLogs(activity: nil)
    let started = settings
    let engine = Engine(clocks: environment.clocks, random: environment.random)
    _ = engine.start(isEnabled: true) {
      Engine.Setup(settings: started, environment: environment)
    }
    engines.withLock { $0.append(engine) }
    return engine
  }

  /// Lets time pass and waits until what became due is done.
  func pass(_ seconds: TimeInterval, for engine: Engine) async {
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
