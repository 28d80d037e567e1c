package import Footfall
import FootfallCore
package import FootfallEngine
package import FootfallPlatform
import FootfallSystem
package import Foundation

/// One client behind the calls of `SimpleDataLogs`, which has one for the process.
///
/// Not more than the document's names on `FootfallClient`: what they do is in the settings. Any thread.
package final class SimpleDataLogsClient: Sendable {
  /// The client of this library that does the work.
  package let footfall: FootfallClient
  private let log: Logger
  /// Servers that get every event too.
  private let mirrors = Lock<[Mirror]>([])

  private struct Mirror {
    let endpoint: URL
    let key: String
  }

  /// Where events go unless the app says otherwise.
  package static let defaultEndpoint: URL = {
    guard let url = URL(string: SimpleDataLogsCodec.defaultEndpoint) else {
      preconditionFailure("\(SimpleDataLogsCodec.defaultEndpoint) is no address.")
    }
    return url
  }()

  /// A client that collects in memory until it is configured.
  package init(clocks: Clocks = .system, random: RandomSource = .system, log: Logger? = nil) {
    footfall = FootfallClient(
      clocks: clocks,
      random: random,
      waitingEvents: EngineSettings.simpleDataLogsWaitingEvents
    )
    self.log = log ?? .simpleDataLogs
  }

  /// Starts it, in the real world unless another one is given; see `SimpleDataLogs.configure`.
  ///
  /// `change` has the last word about the settings.
  package func configure(
    ingestKey: String,
    endpoint: URL = SimpleDataLogsClient.defaultEndpoint,
    autocapture: Autocapture = [],
    sessionMode: SessionMode = .activation,
    crashReasonRedaction: CrashReasonRedaction? = nil,
    activity: Activity = .automatic,
    isDebug: Bool = SimpleDataLogsClient.isDebugBuild,
    in world: (@Sendable () -> Environment)? = nil,
    end: (any ProcessEnd)? = nil,
    change: @escaping @Sendable (inout EngineSettings) -> Void = { _ in }
  ) {
    guard !ingestKey.isEmpty else {
      log.error("The ingest key is empty, so nothing is started. Pass the project's public key.")
      return
    }
    var capture = SimpleDataLogsCapture(autocapture)
    capture.sessionMode = sessionMode
    capture.redaction = crashReasonRedaction
    capture.tellsActivity = activity == .automatic
    let (log, mirrors) = (log, mirrors.withLock { $0 })
    let isStarted = footfall.start(end: end ?? Environment.liveProcessEnd(log: log)) { [capture] in
      let environment = world?() ?? FootfallClient.liveEnvironment(log: log)
      var settings = EngineSettings.simpleDataLogs(
        folder: world == nil ? StorageLocation.simpleDataLogs.path : environment.storage.path,
        codec: SimpleDataLogsCodec(
          endpoint: endpoint.absoluteString,
          key: ingestKey,
          device: environment.device
        ),
        capture: capture,
        isDebug: isDebug,
        in: environment
      )
      let folder = settings.main.folder
      settings.others = mirrors.enumerated().map { number, mirror in
        .simpleDataLogs(
          name: "mirror-\(number + 1)",
          folder: "\(folder)/to-mirror-\(number + 1)",
          codec: SimpleDataLogsCodec(
            endpoint: mirror.endpoint.absoluteString,
            key: mirror.key,
            device: environment.device
          ),
          isDebug: isDebug
        )
      }
      change(&settings)
      return Engine.Setup(settings: settings, environment: environment)
    }
    if !isStarted { log.warning("The SDK was configured before; this call is ignored.") }
  }

  /// Adds a server that gets every event too; before `configure`.
  package func mirror(to endpoint: URL, ingestKey: String) {
    mirrors.withLock { $0.append(Mirror(endpoint: endpoint, key: ingestKey)) }
  }

  #if DEBUG
  package static let isDebugBuild = true
  #else
  package static let isDebugBuild = false
  #endif
}

// MARK: - Events

extension SimpleDataLogsClient {
  package func track(_ name: String, properties: [String: PropertyValue] = [:]) {
    guard !properties.isEmpty else { return footfall.track(EventName(name)) }
    footfall.track(EventName(name), unread: GivenProperties(values: properties))
  }

  package func track(
    _ name: String,
    properties: [String: PropertyValue] = [:],
    at time: Date,
    eventID: UUID? = nil
  ) {
    let options = EventOptions(id: eventID?.uuidString.lowercased(), at: time)
    footfall.track(EventName(name), Properties(properties), options)
  }

  package func track(_ name: String, properties: [String: PropertyValue] = [:], eventID: UUID) {
    let options = EventOptions(id: eventID.uuidString.lowercased())
    footfall.track(EventName(name), Properties(properties), options)
  }

  package func trackScreen(_ name: String, properties: [String: PropertyValue] = [:]) {
    footfall.screen(name, Properties(properties))
  }

  package func setDeviceID(_ id: String?) {
    footfall.setDeviceID(id.flatMap { $0.isEmpty ? nil : $0 })
  }

  package func setDefaultProperties(_ properties: [String: PropertyValue]) {
    footfall.setDefaultProperties(Properties(properties))
  }
}

// MARK: - The opt-out, and sending

extension SimpleDataLogsClient {
  package func setEnabled(_ isEnabled: Bool) {
    footfall.setEnabled(isEnabled)
  }

  package func disable() {
    footfall.disable()
  }

  package func flushAndDisable(timeLimit: TimeInterval = 10) async {
    await footfall.flushAndDisable(limitSeconds: timeLimit)
  }

  package func flushAndDisable(
    timeLimit: TimeInterval = 10,
    completion: @escaping @Sendable () -> Void
  ) {
    footfall.flushAndDisable(limitSeconds: timeLimit, completion: completion)
  }

  package func flush() async {
    await footfall.flush()
  }
}
