package import Footfall
import FootfallCore
package import FootfallEngine
package import FootfallPlatform
import FootfallSystem

/// The calls of Phase Analytics' Swift SDK, on Footfall's engine.
///
/// An app that was written for it changes `import PhaseAnalytics` to `import FootfallPhase`. Items go
/// to Phase's service, or by `baseURL` to a Footfall server. Every call may come from any thread or actor.
///
/// ```swift
/// import FootfallPhase
///
/// try await PhaseSDK.shared.initialize(apiKey: "phase_…")
/// await PhaseSDK.shared.identify(["plan": "premium"])
/// PhaseSDK.shared.track("song_played", params: ["seconds": 185])
/// ```
public final class PhaseSDK: Sendable {
  /// The SDK of this process.
  public static let shared = PhaseSDK()

  private struct State {
    var client: FootfallClient
    /// What it was initialised with; nil before.
    var config: PhaseConfig?
    /// Where values lie that Phase's own SDK would look for; nil before there is a world.
    var store: PhaseStore?
    /// Servers that get everything too.
    var mirrors: [(baseURL: String, key: String)] = []
    /// Whether a view began it.
    var hasBegun = false
  }

  /// Where the SDK runs: the real world, unless a test has another.
  package struct Surroundings: Sendable {
    /// Stamps what is tracked before there is a world.
    package var clocks = Clocks.system
    /// Makes ids of that.
    package var random = RandomSource.system
    /// What takes lines of a level and above.
    package var log: @Sendable (FootfallPlatform.LogLevel?) -> Logger = { .phase($0) }
    /// The world, whose log is that one.
    package var world: @Sendable (Logger) -> Environment = { log in
      var environment = FootfallClient.liveEnvironment(log: log)
      environment.storage = .phase
      return environment
    }
    /// Who tells when the process ends.
    package var end: @Sendable (Logger) -> any ProcessEnd = { Environment.liveProcessEnd(log: $0) }
    /// Where values lie that Phase's own SDK would look for.
    package var store: @Sendable (Environment) -> PhaseStore = { .system($0) }

    /// The real world.
    package init() {}
  }

  private let surroundings: Surroundings
  private let state: Lock<State>
  private let vocabulary = EventVocabulary.phase

  /// An SDK that collects in memory until it is initialised.
  package init(_ surroundings: Surroundings = Surroundings()) {
    self.surroundings = surroundings
    state = Lock(State(client: Self.makeClient(surroundings)))
  }

  private static func makeClient(_ surroundings: Surroundings) -> FootfallClient {
    FootfallClient(
      clocks: surroundings.clocks,
      random: surroundings.random,
      vocabulary: .phase
    )
  }

  /// The client of this library that does the work.
  package var footfall: FootfallClient { state.withLock { $0.client } }

  /// What it was initialised with; nil before.
  package var config: PhaseConfig? { state.withLock { $0.config } }
}

// MARK: - The start

extension PhaseSDK {
  /// Starts the SDK; nothing is sent until `identify`.
  ///
  /// Returns when it is started. A second call does nothing but a warning, and returns when the first
  /// is through. Should it fail, what was called before is discarded.
  ///
  /// - Parameters:
  ///   - apiKey: The app's key, `phase_…`.
  ///   - baseURL: The server's address, to which `/sdk/batch` is added; Phase's own unless given. A
  ///     Footfall server that knows the key takes the same requests.
  ///   - logLevel: What is printed, each line beginning with `[Phase]`; nothing unless given.
  ///   - debugData: Whether what is sent is marked as a developer's; it is not unless given.
  ///   - deviceInfo: Whether model, system and the app's version are sent; they are unless given.
  ///   - userLocale: Whether the locale is sent and the country looked up; they are unless given.
  /// - Throws: `PhaseError.invalidAPIKey` for a key that does not begin with `phase_`; nothing is
  ///   stored or sent then.
  public func initialize(
    apiKey: String,
    baseURL: String = "https://api.phase.sh",
    logLevel: LogLevel = .none,
    debugData: Bool = false,
    deviceInfo: Bool = true,
    userLocale: Bool = true
  ) async throws {
    try await initialize(
      PhaseConfig(
        apiKey: apiKey,
        baseURL: baseURL,
        logLevel: logLevel,
        debugData: debugData,
        deviceInfo: deviceInfo,
        userLocale: userLocale
      )
    )
  }

  /// Starts the SDK; see `initialize(apiKey:baseURL:logLevel:debugData:deviceInfo:userLocale:)`.
  package func initialize(
    _ config: PhaseConfig,
    change: @escaping @Sendable (inout EngineSettings) -> Void = { _ in }
  ) async throws(PhaseError) {
    guard config.apiKey.hasPrefix(PhaseConfig.keyPrefix) else {
      discardWaiting()
      throw .invalidAPIKey
    }
    let log = surroundings.log(config.logLevel.threshold)
    let (client, isFirst, mirrors) = state.withLock { state in
      defer { state.config = state.config ?? config }
      return (state.client, state.config == nil, state.mirrors)
    }
    guard isFirst else {
      client.note("Phase is initialised already; this call does nothing.")
      return await client.settle()
    }
    _ = client.start(end: surroundings.end(log)) { [surroundings, state] in
      let environment = surroundings.world(log)
      let store = surroundings.store(environment)
      state.withLock { $0.store = store }
      var settings = EngineSettings.phase(
        folder: environment.storage.path,
        codec: config.codec
      )
      settings.others = mirrors.enumerated().map { number, mirror in
        var codec = PhaseCodec(baseURL: mirror.baseURL, key: mirror.key)
        codec.sendsDeviceInfo = config.deviceInfo
        codec.sendsLocale = config.userLocale
        codec.isDebug = config.debugData
        return .phase(
          name: "mirror-\(number + 1)",
          folder: "\(environment.storage.path)/to-mirror-\(number + 1)",
          codec: codec
        )
      }
      settings.earlier = [PhaseEarlierState(store: store)]
      change(&settings)
      return Engine.Setup(settings: settings, environment: environment)
    }
    await client.settle()
    keepDevice(of: client)
  }

  /// Sends everything to another server too, with a queue of its own; to be called before `initialize`.
  ///
  /// Not a call of Phase's own SDK: for an app that moves, and compares both for a while. What one
  /// server refuses or delays, the other gets all the same.
  ///
  /// - Parameters:
  ///   - baseURL: The other server's address, to which `/sdk/batch` is added.
  ///   - apiKey: The key that it knows the project by.
  public func mirror(to baseURL: String, apiKey: String) {
    state.withLock { $0.mirrors.append((baseURL, apiKey)) }
  }

  /// Starts the SDK for a view, once, however often that appears; a failure is only said.
  package func begin(_ config: PhaseConfig) {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    Task {
      do throws(PhaseError) { try await initialize(config) } catch {
        surroundings.log(config.logLevel.threshold)
          .error("Phase is not initialised: \(error.localizedDescription)")
      }
    }
  }

  /// Lets go of what was called before an initialisation that failed, and of those who wait for it.
  private func discardWaiting() {
    let old = state.withLock { state -> FootfallClient? in
      guard state.config == nil else { return nil }
      defer { state.client = Self.makeClient(surroundings) }
      return state.client
    }
    old?.shutdown(limitSeconds: 0)
  }

  /// Leaves the device's id where Phase's own SDK would look for it, should the app go back to that.
  private func keepDevice(of client: FootfallClient) {
    let (store, config) = state.withLock { ($0.store, $0.config) }
    guard let store, let config, let device = client.deviceID else { return }
    store.set(PhaseStore.deviceID, device)
    store.set(PhaseStore.apiKey, config.apiKey)
  }
}

// MARK: - Calls

extension PhaseSDK {
  /// Registers the device and, the first time, begins a session; to be called once at the start.
  ///
  /// Before the initialisation it waits for that, and returns if it fails. Each call registers the
  /// device anew with its properties.
  ///
  /// - Parameter properties: What is known of the user, with the user's consent if it is personal;
  ///   nothing unless given. One that cannot be sent is left out, with a line in the log.
  public func identify(_ properties: DeviceProperties? = nil) async {
    let (client, values) = (footfall, (properties?.values ?? PhaseValues()).checked())
    for problem in values.problems {
      client.note(
        "A property of the device is left out: \(problem).",
        counting: .propertyNotSupported
      )
    }
    let operations = IdentifyOperations(setting: values.properties)
    client.track(.identify, [:], EventDetails(operations: operations))
    await client.settle()
  }

  /// Tracks an event; returns at once.
  ///
  /// Until `identify` up to 200 events wait for an hour at most, with the times of their calls.
  ///
  /// - Parameters:
  ///   - name: 1 to 256 letters, digits, spaces and `_ - . /`; another one is dropped, with a line in
  ///     the log.
  ///   - params: Up to 32 texts, numbers, truth values and nils; an event with others is dropped.
  public func track(_ name: String, params: EventParams? = nil) {
    track(EventContent(EventName(name)), params?.values)
  }

  /// Tracks that a screen was shown; returns at once.
  ///
  /// - Parameters:
  ///   - name: The screen's name, brought into the form of a path: `ProfileView` is `/profile-view`.
  ///   - params: As those of `track`.
  public func trackScreen(_ name: String, params: EventParams? = nil) {
    track(vocabulary.screenView(name), params?.values)
  }

  /// Tracks an event by the shared SDK, as `track(_:params:)`.
  public static func track(_ name: String, _ params: [String: Any]? = nil) {
    shared.track(EventContent(EventName(name)), params.map { PhaseValues($0) })
  }

  /// Tracks a screen by the shared SDK, as `trackScreen(_:params:)`.
  public static func trackScreen(_ name: String, _ params: [String: Any]? = nil) {
    shared.track(shared.vocabulary.screenView(name), params.map { PhaseValues($0) })
  }

  /// Of a key in both, the value of the content counts.
  private func track(_ content: EventContent, _ values: PhaseValues?) {
    guard let values else { return footfall.track(content.name, content.properties) }
    footfall.track(content.name, unread: values, content.properties)
  }

  /// Sends what waits, and returns when the attempt is over, whatever came of it.
  ///
  /// While offline, or while the server asked for a rest, nothing is sent and everything stays.
  public func flush() async {
    await footfall.flush()
  }

  /// How long what is left may take to be sent when a device is left, in seconds.
  ///
  /// Source: `phase.md` section 5.8.
  private static let resetSeconds = 15.0

  /// Forgets the device, as after signing out: ends the session, tries to send what waits, drops the
  /// rest, and makes a new device id.
  ///
  /// What is tracked from here on waits for the next `identify`, and is of the new device.
  public func reset() async {
    let client = footfall
    await client.resetDevice(limitSeconds: Self.resetSeconds)
    keepDevice(of: client)
  }
}

/// Tracks an event by the shared SDK, as `PhaseSDK.track(_:params:)`.
public func track(_ name: String, _ params: [String: Any]? = nil) {
  PhaseSDK.track(name, params)
}

/// Tracks a screen by the shared SDK, as `PhaseSDK.trackScreen(_:params:)`.
public func trackScreen(_ name: String, _ params: [String: Any]? = nil) {
  PhaseSDK.trackScreen(name, params)
}
