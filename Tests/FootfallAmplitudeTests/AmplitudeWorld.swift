import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// Surroundings of a client that is made by Amplitude's names, and what it sent into them.
struct AmplitudeWorld {
  static let ok = ScriptedTransport.Step.status(200, #"{"code":200}"#)

  let clock = ManualClock()
  let transport: any Transport
  let script: ScriptedTransport
  let files: MemoryFiles
  let lifecycle: ManualLifecycle
  let connectivity = ManualConnectivity()
  /// What tells of the network in the place of that.
  private let network: (any Connectivity)?
  let results = Lock<[String: EventResult.Outcome]>([:])
  /// Kept, since a client nobody refers to any more ends.
  private let clients = Lock<[Amplitude]>([])

  init(
    _ script: ScriptedTransport = ScriptedTransport(otherwise: ok),
    transport: (any Transport)? = nil,
    files: MemoryFiles = MemoryFiles(),
    lifecycle: ManualLifecycle = ManualLifecycle(),
    network: (any Connectivity)? = nil
  ) {
    self.script = script
    self.transport = transport ?? script
    self.files = files
    self.lifecycle = lifecycle
    self.network = network
  }

  /// The engine of a client without announced sessions, set up by Amplitude's options.
  func engine(
    endpoint: AmplitudeEndpoint = AmplitudeEndpoint(),
    gzip: Gzip = .none,
    queueSize: Int = 30,
    intervalSeconds: Double = 30,
    maxRetries: Int = 6,
    _ change: (inout DestinationSettings) -> Void = { _ in },
    settings changeAll: (inout EngineSettings) -> Void = { _ in }
  ) -> Engine {
    let environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      lifecycle: lifecycle,
      connectivity: network ?? connectivity
    )
    let configuration = Configuration(
      apiKey: "KEY",
      flushQueueSize: queueSize,
      flushIntervalMillis: Int(intervalSeconds * 1_000),
      loggerProvider: ConsoleLogger(sink: { _ in }),
      flushMaxRetries: maxRetries,
      autocapture: [],
      enableAutoCaptureRemoteConfig: false
    )
    var settings = configuration.settings(in: environment)
    settings.main.folder = "/client"
    settings.main.codec = AmplitudeCodec(endpoint: endpoint, key: "KEY", gzip: gzip)
    change(&settings.main)
    changeAll(&settings)
    let amplitude = Amplitude(
      configuration: configuration,
      environment: environment,
      settings: settings
    )
    clients.withLock { $0.append(amplitude) }
    return amplitude.client.engine
  }

  /// Tracks an event and remembers what becomes of it.
  func track(_ name: EventName, _ options: FootfallCore.EventOptions? = nil, in engine: Engine) {
    let results = results
    engine.track(name, [:], options) { result in
      results.withLock { $0[result.name.text] = result.outcome }
    }
  }

  func outcome(_ name: String) -> EventResult.Outcome? { results.withLock { $0[name] } }

  /// Lets time pass and waits until what became due is done.
  func pass(_ seconds: TimeInterval, for engine: Engine) async {
    clock.advance(bySeconds: seconds)
    engine.poke()
    await engine.settle()
  }

  /// The events of each request, read by someone else's reader.
  var requests: [[SentEvent]] {
    get throws { try bodies.map(\.events) }
  }

  var bodies: [SentBody] {
    get throws {
      try script.requests.filter { $0.method == .post }.map {
        try JSONDecoder().decode(SentBody.self, from: Data($0.body))
      }
    }
  }

  /// The names of the events of each request.
  var names: [[String]] {
    get throws { try requests.map { $0.map(\.event_type) } }
  }
}

/// A request's body as the server would see it.
struct SentBody: Decodable {
  let api_key: String
  let client_upload_time: String
  let events: [SentEvent]
}

/// An event as the server would see it.
struct SentEvent: Decodable, Hashable {
  let event_type: String
  let insert_id: String
  let event_id: Int
  let time: Int64
  let session_id: Int64
  let device_id: String?
  let user_id: String?
}

extension Engine {
  func track(_ name: EventName) {
    track(name, [:], nil)
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
