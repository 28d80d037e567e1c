import Footfall
import FootfallCore
import FootfallPhase
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

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
  private let clients = Lock<[PhaseSDK]>([])

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

  /// An app's SDK that is not initialised.
  func client(log: (@Sendable (FootfallPlatform.LogLevel?) -> Logger)? = nil) -> PhaseClient {
    let environment = environment
    var surroundings = PhaseSDK.Surroundings()
    surroundings.clocks = environment.clocks
    surroundings.random = environment.random
    surroundings.log = log ?? { _ in environment.log }
    surroundings.world = { log in
      var world = environment
      world.log = log
      return world
    }
    surroundings.end = { _ in environment.processEnd }
    surroundings.store = { .files(in: "/phase", of: $0) }
    let sdk = PhaseSDK(surroundings)
    clients.withLock { $0.append(sdk) }
    return PhaseClient(sdk: sdk)
  }

  /// An app's SDK that is initialised.
  func started(
    _ config: PhaseConfig = PhaseConfig(apiKey: "phase_test"),
    log: (@Sendable (FootfallPlatform.LogLevel?) -> Logger)? = nil
  ) async -> PhaseClient {
    let client = client(log: log)
    await client.start(config)
    return client
  }

  /// An SDK whose identify is delivered, with no request counted since.
  func identified() async -> PhaseClient {
    let client = await started()
    await client.sdk.identify()
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
      storage: StorageLocation(path: "/phase"),
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

/// An SDK, and what a test wants to know of it.
struct PhaseClient: Sendable {
  /// What an app calls.
  let sdk: PhaseSDK
  /// The client behind it.
  var footfall: FootfallClient { sdk.footfall }

  /// Initialises the SDK, which must not fail.
  func start(_ config: PhaseConfig = PhaseConfig(apiKey: "phase_test")) async {
    do throws(PhaseError) { try await sdk.initialize(config) } catch {
      Issue.record("The SDK was not initialised: \(error)")
    }
  }

  func track(_ number: Int) {
    for index in 0..<number { sdk.track("e\(index)") }
  }

  /// Sends what there is and waits for the end of what is on its way.
  @discardableResult
  func flush() async -> DeliveryReport {
    let report = await footfall.flush()
    // Only then the numbers are shown.
    await settle()
    return report
  }

  /// Waits until all that is due was done; an answer on its way is not waited for.
  func settle() async {
    await footfall.settle()
  }

  /// Waits until nothing is stored any more.
  func delivered() async {
    while stored > 0, !Task.isCancelled {
      await settle()
      await Task.yield()
    }
  }

  var numbers: DestinationDiagnostics? { footfall.diagnostics.destinations["main"] }
  /// Requests begun so far.
  var requests: Int { numbers?.requests ?? 0 }
  /// Items that wait.
  var stored: Int { numbers?.stored ?? 0 }
}
