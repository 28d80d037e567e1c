import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// An item as a server reads it.
struct Item: Sendable {
  let order: Int
  let type: String
  let payload: [String: String]
  /// The keys of the payload and of an inner object.
  let keys: Set<String>
  let inner: [String: String]

  init(_ object: [String: Any]) {
    order = object["clientOrder"] as? Int ?? -1
    type = object["type"] as? String ?? ""
    let payload = object["payload"] as? [String: Any] ?? [:]
    keys = Set(payload.keys)
    self.payload = payload.mapValues { "\($0)" }
    let inner = (payload["params"] ?? payload["properties"]) as? [String: Any] ?? [:]
    self.inner = inner.mapValues { "\($0)" }
  }

  /// What tells this item from others of its type.
  var id: String {
    payload["eventId"] ?? (type == "device" ? payload["deviceId"] : payload["sessionId"]) ?? ""
  }
  var name: String { payload["name"] ?? type }
  var time: String { payload["timestamp"] ?? payload["startedAt"] ?? "" }
}

/// A client of Phase and its server, on a clock that a test moves.
struct PhaseWorld {
  /// What a server answers to a batch; nil for taking all of it.
  typealias Answer = @Sendable ([Item]) -> UploadResponse?

  let clock: ManualClock
  let lifecycle: ManualLifecycle
  let files: MemoryFiles
  let transport: ScriptedTransport
  /// What the log said that matters to an app.
  let lines = Lock<[String]>([])
  /// What the client finds out about app and device, unless that is said in a test.
  var device = Environment.test().device
  private let answer = Lock<Answer>({ _ in nil })
  private let engines = Lock<[Engine]>([])

  init(
    files: MemoryFiles = MemoryFiles(),
    phase: AppPhase = .background,
    clock: ManualClock = ManualClock(Date(timeIntervalSince1970: 1_782_900_000))
  ) {
    self.files = files
    self.clock = clock
    lifecycle = ManualLifecycle(phase)
    let answer = answer
    transport = ScriptedTransport(
      otherwise: .make { request in
        let items = PhaseWorld.items(of: request)
        return answer.withLock { $0 }(items) ?? PhaseWorld.took(items)
      }
    )
  }

  /// From now on the server answers so.
  func answer(_ next: @escaping Answer) {
    answer.withLock { $0 = next }
  }

  /// From now on the server answers with a status.
  func answer(_ status: Int, headers: [String: String] = [:], _ body: String = "") {
    answer { _ in .answered(status: status, headers: headers, body: Array(body.utf8)) }
  }

  func recover() { answer { _ in nil } }

  /// The answer of a server that takes all but the items with errors.
  static func took(_ items: [Item], errors: [Int: String] = [:]) -> UploadResponse {
    let results = items.filter { errors[$0.order] == nil }.map {
      "{\"clientOrder\":\($0.order),\"type\":\"\($0.type)\",\"id\":\"\($0.id)\"}"
    }
    let failed = errors.map {
      "{\"clientOrder\":\($0.key),\"code\":\"\($0.value)\",\"detail\":\"\"}"
    }
    let body =
      "{\"processed\":\(results.count),\"failed\":\(failed.count),"
      + "\"results\":[\(results.joined(separator: ","))],\"errors\":[\(failed.joined(separator: ","))]}"
    let status = failed.isEmpty ? 200 : results.isEmpty ? 400 : 207
    return .answered(status: status, headers: [:], body: Array(body.utf8))
  }

  static func items(of request: UploadRequest) -> [Item] {
    let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    return (body?["items"] as? [[String: Any]] ?? []).map(Item.init)
  }

  /// The items of every request so far.
  var batches: [[Item]] { transport.requests.map(Self.items) }
  /// The items of all requests.
  var items: [Item] { batches.flatMap(\.self) }

  /// A client that is not started.
  func client(
    _ codec: PhaseCodec = PhaseCodec(key: "phase_test"),
    log: Logger? = nil
  ) -> PhaseClient {
    var environment = environment
    if let log { environment.log = log }
    let engine = Engine(clocks: environment.clocks, random: environment.random)
    engines.withLock { $0.append(engine) }
    return PhaseClient(engine: engine, environment: environment, codec: codec)
  }

  /// A started client.
  func started(
    _ codec: PhaseCodec = PhaseCodec(key: "phase_test"),
    log: Logger? = nil
  ) -> PhaseClient {
    let client = client(codec, log: log)
    client.start()
    return client
  }

  /// A started client whose identify is delivered, with no request counted since.
  func identified() async -> PhaseClient {
    let client = started()
    client.identify()
    await client.flush()
    return client
  }

  private var environment: Environment {
    let lines = lines
    var environment = Environment.test(
      clock: clock,
      transport: transport,
      files: files,
      random: .another(),
      lifecycle: lifecycle,
      log: Logger(
        level: .info,
        holdsRepeats: false,
        sink: { line in
          lines.withLock { $0.append(line.message) }
        }
      )
    )
    environment.device = device
    return environment
  }

  /// How many lines of the log say this.
  func lines(with text: String) -> Int {
    lines.withLock { lines in lines.count { $0.contains(text) } }
  }

  /// Lets time pass and the client do what is due.
  func pass(_ seconds: Double, _ client: PhaseClient) async {
    await client.settle()
    clock.advance(bySeconds: seconds)
    await client.settle()
  }
}

/// An engine that is used as Phase's client uses it.
struct PhaseClient: Sendable {
  let engine: Engine
  let environment: Environment
  let codec: PhaseCodec
  /// What an app calls.
  var calls: PhaseCalls { PhaseCalls(engine) }

  func start() {
    let settings = EngineSettings.phase(folder: "/phase", codec: codec)
    _ = engine.start(isEnabled: true) { [environment] in
      Engine.Setup(settings: settings, environment: environment)
    }
  }

  func identify(_ operations: IdentifyOperations = IdentifyOperations()) {
    engine.track(.identify, [:], nil, operations)
  }

  func track(_ name: EventName, _ properties: Properties = [:]) {
    engine.track(name, properties, nil)
  }

  func track(_ number: Int) {
    for index in 0..<number { track(EventName("e\(index)")) }
  }

  func screen(_ name: String) {
    let content = EventVocabulary.phase.screenView(name)
    track(content.name, content.properties)
  }

  /// Sends what there is and waits for the end of what is on its way.
  @discardableResult
  func flush() async -> DeliveryReport {
    let report = await engine.flush()
    // Only then the numbers are shown.
    await settle()
    return report
  }

  /// Waits until all that is due was done; an answer on its way is not waited for.
  func settle() async {
    await engine.settle()
  }

  /// Waits until nothing is stored any more.
  func delivered() async {
    while stored > 0, !Task.isCancelled {
      await settle()
      await Task.yield()
    }
  }

  var numbers: DestinationDiagnostics? { engine.diagnostics.destinations["main"] }
  /// Requests begun so far.
  var requests: Int { numbers?.requests ?? 0 }
  /// Items that wait.
  var stored: Int { numbers?.stored ?? 0 }
}
