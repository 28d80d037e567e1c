import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

@testable import FootfallEngine

/// An engine's whole surroundings: app, network, disk and clock, all in a test's hands.
struct ShellWorld {
  let clock = ManualClock()
  let files: MemoryFiles
  let transport: ScriptedTransport
  let lifecycle = ManualLifecycle()
  let connectivity: ManualConnectivity
  let processEnd = ManualProcessEnd()
  let prepared = Lock<[String]>([])
  let device = Lock<DeviceContext?>(nil)
  var activity: any UserActivitySource = UnknownActivity()
  /// Kept, since an engine nobody refers to any more ends.
  private let engines = Lock<[Engine]>([])

  init(
    files: MemoryFiles = MemoryFiles(),
    transport: ScriptedTransport = ScriptedTransport(),
    isOnline: Bool? = true
  ) {
    self.files = files
    self.transport = transport
    connectivity = ManualConnectivity(isOnline)
  }

  /// Seconds since the world began.
  var now: Double { Double(clock.monotonic.nanoseconds) / 1e9 }

  /// A started engine.
  func engine(
    url: String = "http://main.test/v1/events",
    isEnabled: Bool = true,
    end rules: ProcessEndRules = ProcessEndRules(),
    _ change: (inout EngineSettings) -> Void = { _ in }
  ) -> Engine {
    let setup = setup(url: url, change)
    let engine = idleEngine(in: setup)
    _ = engine.start(isEnabled: isEnabled, end: ProcessEndWatch(processEnd, rules)) { setup }
    return engine
  }

  /// An engine that nobody has started.
  func idleEngine(in setup: Engine.Setup) -> Engine {
    let environment = setup.environment
    let engine = Engine(clocks: environment.clocks, random: environment.random)
    engines.withLock { $0.append(engine) }
    return engine
  }

  /// What an engine is started with.
  func setup(
    url: String = "http://main.test/v1/events",
    _ change: (inout EngineSettings) -> Void = { _ in }
  ) -> Engine.Setup {
    let environment = environment()
    let codec = NativeCodec(
      url: url,
      key: "ff_pub_k",
      device: environment.device,
      gzip: .none
    )
    var settings = EngineSettings(folder: "/client", codec: codec)
    settings.rules.sessions = nil
    change(&settings)
    return Engine.Setup(settings: settings, environment: environment)
  }

  private func environment() -> Environment {
    let (prepared, device) = (prepared, device)
    var environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      lifecycle: lifecycle,
      connectivity: connectivity,
      userActivity: activity,
      processEnd: processEnd
    )
    environment.prepareFolder = { folder in prepared.withLock { $0.append(folder) } }
    environment.refreshDevice = { known in device.withLock { $0 } ?? known }
    return environment
  }

  /// Lets time pass and waits until the engine has done what became due.
  func pass(_ seconds: Double, for engine: Engine) async {
    await engine.settle()
    clock.advance(bySeconds: seconds)
    engine.poke()
    await engine.settle()
  }

  /// The names of the events sent, in order.
  var names: [String] {
    transport.requests.flatMap { request in
      let text = String(decoding: request.body, as: UTF8.self)
      return text.components(separatedBy: "\"name\":\"").dropFirst().map { rest in
        String(rest.prefix { $0 != "\"" })
      }
    }
  }

  /// How many events a next run finds on the disk.
  func left() async -> Int {
    let later = ShellWorld(
      files: files.copy(),
      transport: ScriptedTransport(otherwise: .fail(.offline("")))
    )
    let engine = later.engine()
    await engine.settle()
    return engine.diagnostics.stored
  }
}
