import FootfallAWS
import FootfallCore
import FootfallEngine
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// An event as a server reads it.
struct Recorded: Sendable {
  let id: String
  let type: String
  let time: String
  let keys: Set<String>
  let attributes: [String: String]
  let metrics: [String: Double]
  let session: [String: String]

  init(_ id: String, _ object: [String: Any]) {
    self.id = id
    type = object["EventType"] as? String ?? ""
    time = object["Timestamp"] as? String ?? ""
    keys = Set(object.keys)
    attributes = object["Attributes"] as? [String: String] ?? [:]
    metrics = (object["Metrics"] as? [String: NSNumber] ?? [:]).mapValues(\.doubleValue)
    session = (object["Session"] as? [String: Any] ?? [:]).mapValues { "\($0)" }
  }
}

/// A client of Pinpoint and its server, on a clock that a test moves.
struct PinpointWorld {
  /// The status that a server gives an event; nil for one it leaves out.
  typealias Judge = @Sendable (Recorded) -> Int?

  static let appID = "0123456789abcdef0123456789abcdef"

  let clock: ManualClock
  let lifecycle: ManualLifecycle
  let files: MemoryFiles
  /// Takes events.
  let transport: ScriptedTransport
  /// Takes endpoints; all of them unless told otherwise.
  let updates = ScriptedTransport()
  private let judge = Lock<Judge>({ _ in 202 })
  private let engines = Lock<[Engine]>([])

  init(
    files: MemoryFiles = MemoryFiles(),
    phase: AppPhase = .foreground,
    clock: ManualClock = ManualClock(Date(timeIntervalSince1970: 1_793_611_800))
  ) {
    self.files = files
    self.clock = clock
    lifecycle = ManualLifecycle(phase)
    let judge = judge
    transport = ScriptedTransport(
      otherwise: .make { PinpointWorld.answer($0, judge.withLock { $0 }) }
    )
  }

  /// From now on the server judges so.
  func judge(_ next: @escaping Judge) {
    judge.withLock { $0 = next }
  }

  private static func answer(_ request: UploadRequest, _ judge: Judge) -> UploadResponse {
    var answers: [String: Any] = [:]
    for event in events(of: request) {
      // A message of its own, which must not matter.
      if let status = judge(event) { answers[event.id] = ["StatusCode": status, "Message": "OK"] }
    }
    let item: [String: Any] = ["EventsItemResponse": answers]
    let body = try? JSONSerialization.data(
      withJSONObject: ["Results": [endpointID(of: request): item]]
    )
    return .answered(status: 202, headers: [:], body: Array(body ?? Data()))
  }

  private static func item(of request: UploadRequest) -> (id: String, batch: [String: Any])? {
    let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    let items = body?["BatchItem"] as? [String: [String: Any]]
    return items?.first.map { ($0.key, $0.value) }
  }

  static func endpointID(of request: UploadRequest) -> String { item(of: request)?.id ?? "" }

  static func endpoint(of request: UploadRequest) -> [String: Any] {
    item(of: request)?.batch["Endpoint"] as? [String: Any] ?? [:]
  }

  /// The events of a request, in the order in which they stand there.
  static func events(of request: UploadRequest) -> [Recorded] {
    let events = item(of: request)?.batch["Events"] as? [String: [String: Any]] ?? [:]
    let text = String(decoding: request.body, as: UTF8.self)
    let places = events.keys.map { id in
      (id: id, place: text.range(of: "\"\(id)\":")?.lowerBound ?? text.endIndex)
    }
    return places.sorted { $0.place < $1.place }.map { Recorded($0.id, events[$0.id] ?? [:]) }
  }

  var batches: [[Recorded]] { transport.requests.map(Self.events) }
  var events: [Recorded] { batches.flatMap(\.self) }
  var types: [String] { events.map(\.type) }

  /// The endpoint of each update, as it was sent.
  var updated: [[String: Any]] {
    updates.requests.map { request in
      let body = try? JSONSerialization.jsonObject(with: Data(request.body))
      return body as? [String: Any] ?? [:]
    }
  }

  /// What is known of the endpoint, from run to run.
  func store(appID: String = PinpointWorld.appID) -> PinpointEndpointStore {
    PinpointEndpointStore(folder: "/pinpoint", appID: appID, files: files)
  }

  /// A started client.
  func client(
    endpointID: String? = nil,
    store: PinpointEndpointStore? = nil,
    signedBy credentials: (@Sendable () async -> Credentials?)? = nil,
    codec change: (inout PinpointCodec) -> Void = { _ in },
    settings changeSettings: (inout EngineSettings) -> Void = { _ in }
  ) -> PinpointClient {
    let clock = clock
    let routes = RoutedTransport(events: transport, updates: updates)
    let signed = credentials.map { credentials in
      SigningTransport(
        routes,
        signer: RequestSigner(region: "us-east-1", service: "mobiletargeting"),
        now: { clock.now },
        credentials: { _ in await credentials() }
      )
    }
    let environment = Environment.test(
      clock: clock,
      transport: signed ?? routes,
      files: files,
      random: .another(),
      lifecycle: lifecycle
    )
    var codec = PinpointCodec(appID: Self.appID, device: environment.device.eventContext)
    codec.packageName = "com.example.demo"
    if let store { codec.endpoint = { store.endpoint } }
    change(&codec)
    var settings = EngineSettings.pinpoint(
      folder: "/pinpoint",
      codec: codec,
      onTaken: { store?.taken($0) }
    )
    settings.deviceID = endpointID
    changeSettings(&settings)
    let started = settings
    let engine = Engine(clocks: environment.clocks, random: environment.random)
    _ = engine.start(isEnabled: true) {
      Engine.Setup(settings: started, environment: environment)
    }
    engines.withLock { $0.append(engine) }
    return PinpointClient(engine: engine)
  }

  /// Lets milliseconds pass and the client do what is due.
  func pass(_ milliseconds: Double, _ client: PinpointClient) async {
    await client.settle()
    clock.advance(bySeconds: milliseconds / 1_000)
    await client.settle()
  }
}

/// Two servers told apart by what is asked of them.
struct RoutedTransport: Transport {
  let events: ScriptedTransport
  let updates: ScriptedTransport

  func send(_ request: UploadRequest) async -> UploadResponse {
    await (request.method == .put ? updates : events).send(request)
  }

  func cancelAll() {
    events.cancelAll()
    updates.cancelAll()
  }

  func shutdown() {
    events.shutdown()
    updates.shutdown()
  }
}

/// An engine that is used as Pinpoint's client uses it.
struct PinpointClient: Sendable {
  let engine: Engine

  func record(_ name: EventName, _ properties: Properties = [:]) {
    engine.track(name, properties, nil)
  }

  func record(_ number: Int) {
    for index in 0..<number { record(EventName("e\(index)")) }
  }

  func record(_ content: EventContent) {
    record(content.name, content.properties)
  }

  /// Asks for the endpoint to be sent.
  func updateEndpoint() {
    engine.change(.profile)
  }

  @discardableResult
  func submit() async -> DeliveryReport {
    let report = await engine.flush()
    // Only then the numbers are shown.
    await settle()
    return report
  }

  func settle() async {
    await engine.settle()
  }

  /// Waits until no update is left.
  func updated() async {
    while engine.diagnostics.destinations["endpoint"]?.stored != 0, !Task.isCancelled {
      await settle()
      await Task.yield()
    }
  }

  /// Waits until nothing is stored any more.
  func delivered() async {
    while stored > 0, !Task.isCancelled {
      await settle()
      await Task.yield()
    }
  }

  var numbers: DestinationDiagnostics? { engine.diagnostics.destinations["main"] }
  var requests: Int { numbers?.requests ?? 0 }
  var stored: Int { numbers?.stored ?? 0 }
}
