import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

@testable import FootfallEngine

/// An engine's surroundings: servers that answer as a test says, told apart by their address.
struct EngineWorld {
  static let main = "http://main.test/v1/events"
  static let other = "http://other.test/v1/events"

  let clock = ManualClock()
  let files: MemoryFiles
  let statuses = Lock<[String: Int]>([:])
  let transport: ScriptedTransport
  private let logged = Lock<[LogLine]>([])
  /// Kept, since an engine nobody refers to any more ends.
  private let engines = Lock<[Engine]>([])

  init(files: MemoryFiles = MemoryFiles()) {
    self.files = files
    let statuses = statuses
    transport = ScriptedTransport(
      otherwise: .make { request in
        let status = statuses.withLock { $0[request.url] ?? 202 }
        return .answered(status: status, headers: [:], body: [])
      }
    )
  }

  /// A started engine with one destination, or two.
  func engine(
    others: Bool = false,
    limits: EventLimits = EventLimits(),
    library: String = "footfall-swift/0.0.0",
    _ change: (inout EngineSettings) -> Void = { _ in }
  ) -> Engine {
    let logged = logged
    var environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      log: Logger(level: .debug, sink: { line in logged.withLock { $0.append(line) } })
    )
    environment.device.library = library
    var settings = EngineSettings(folder: "/client", codec: codec(Self.main))
    if others {
      settings.others = [
        DestinationSettings(
          name: "other",
          folder: "/client/to-other",
          codec: codec(Self.other)
        )
      ]
    }
    settings.rules.sessions = nil
    change(&settings)
    let setup = Engine.Setup(settings: settings, environment: environment)
    let engine = Engine(
      clocks: environment.clocks,
      random: environment.random
    )
    _ = engine.start(isEnabled: true) { setup }
    engines.withLock { $0.append(engine) }
    return engine
  }

  func codec(_ url: String) -> NativeCodec {
    NativeCodec(
      url: url,
      key: "ff_pub_k",
      device: DeviceContext(library: "footfall-swift/0.0.0", platform: "iOS"),
      gzip: .none
    )
  }

  /// What a server answers from now on.
  func answer(_ url: String, _ status: Int) {
    statuses.withLock { $0[url] = status }
  }

  /// The lines of a level.
  func lines(_ level: LogLevel) -> [String] {
    logged.withLock { lines in lines.filter { $0.level == level }.map(\.message) }
  }

  /// The names of the events sent to an address, in order.
  func names(to url: String) -> [String] {
    transport.requests.filter { $0.url == url }.flatMap { request in
      let text = String(decoding: request.body, as: UTF8.self)
      return text.components(separatedBy: "\"name\":\"").dropFirst().map { rest in
        String(rest.prefix { $0 != "\"" })
      }
    }
  }
}

extension Engine {
  func track(
    _ name: EventName,
    onResult: (@Sendable (EventResult) -> Void)? = nil
  ) {
    track(name, [:], nil, onResult: onResult)
  }
}
