import FootfallCore
package import FootfallEngine
import FootfallOutbox
package import FootfallPlatform
import Foundation

extension FootfallClient.Configuration {
  /// The native client's settings in a world; the values can be used, see `checked`.
  func settings(in environment: Environment) -> EngineSettings {
    let folder = folder(in: environment.storage)
    var settings = EngineSettings(folder: folder, codec: codec(endpoint, key, in: environment))
    complete(&settings.main)
    settings.others = destinations.map { self.settings(of: $0, folder: folder, in: environment) }
    settings.rules = rules ?? nativeRules(on: environment.device.platform)
    settings.rules.isTest = isTest
    settings.appContext = appContext
    settings.key = key
    settings.isEnabled = isEnabled
    settings.consent = consent.unsentEvents.areSent ? .sendsStored : .deletesStored
    settings.deviceID = identity.deviceID
    settings.userID = identity.userID
    settings.remoteConfiguration = remoteSettings(in: environment)
    return settings
  }

  /// The settings of another destination, whose folder lies in this client's.
  fileprivate func settings(
    of destination: FootfallClient.Destination,
    folder: String,
    in environment: Environment
  ) -> DestinationSettings {
    var other = DestinationSettings(
      name: destination.folderName,
      folder: "\(folder)/to-\(destination.folderName)",
      codec: codec(destination.endpoint, destination.key, in: environment)
    )
    complete(&other)
    return other
  }

  /// What a client of this configuration calls the events that it makes of calls.
  var vocabulary: EventVocabulary { rules?.vocabulary ?? .footfall }

  private func complete(_ destination: inout DestinationSettings) {
    destination.outbox = OutboxLimits(
      batchEvents: delivery.maxBatchEvents,
      batchBytes: delivery.maxBatchBytes,
      keptEvents: storage.maxEvents,
      keptBytes: storage.maxBytes,
      keptBatches: storage.maxBatches
    )
    destination.flush.interval = .afterFirstEvent(seconds: delivery.intervalSeconds)
  }
}

// MARK: - On the wire

extension FootfallClient.Configuration {
  private func codec(_ endpoint: URL, _ key: String, in environment: Environment) -> NativeCodec {
    var codec = NativeCodec(url: Self.events(at: endpoint), key: key, gzip: environment.gzip)
    codec.timeoutSeconds = delivery.timeoutSeconds
    codec.limits = eventLimits
    return codec
  }

  /// What the app says of itself.
  private var appContext: EventContext {
    var own = EventContext()
    own[.appVersion] = context.appVersion.map { .string($0) }
    own[.build] = context.build.map { .string($0) }
    return own
  }

  private var withheld: Set<ContextField> {
    let all =
      context.isForChildren
      ? context.withheld.union(PipelineRules.childrensContext) : context.withheld
    return all.subtracting([.library, .platform])
  }

  private var eventLimits: EventLimits {
    var limits = EventLimits()
    limits.name.most = self.limits.nameCharacters
    limits.properties = self.limits.properties
    limits.text.most = self.limits.textBytes
    limits.eventBytes = self.limits.eventBytes
    return limits
  }

  private static func events(at endpoint: URL) -> String { address(of: "/v1/events", at: endpoint) }

  /// The address of a route; the endpoint may be the events' own address.
  private static func address(of route: String, at endpoint: URL) -> String {
    var base = endpoint.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    let events = "/v1/events"
    if base.hasSuffix(events) { base.removeLast(events.count) }
    return base + route
  }

  private func remoteSettings(in environment: Environment) -> RemoteConfigurationSettings? {
    guard remote.isEnabled else { return nil }
    var rules = RemoteConfigurationRules(isEnabled: true)
    if remote.waitSeconds > 0 { rules.delivery = .waitForRemote(seconds: remote.waitSeconds) }
    var settings = RemoteConfigurationSettings(
      rules: rules,
      url: Self.address(of: "/v1/config", at: endpoint),
      headers: [("Authorization", "Bearer \(key)"), ("User-Agent", environment.device.library)]
    )
    settings.timeoutSeconds = max(1, delivery.timeoutSeconds)
    settings.features = features
    return settings
  }

  /// What the server may change of the client's own doing, under the member `footfall`.
  private var features: FeatureSet {
    let choices: [(AutomaticFeature, String, Bool)] = [
      (.sessions, "sessions", sessions.tracksStartAndEnd), (.launches, "launches", tracksLaunches),
      (.appLifecycle, "app_lifecycle", tracksAppLifecycle),
    ]
    return FeatureSet(
      choices.map { feature, name, choice in
        FeatureSet.Feature(feature, path: ["footfall", name], local: .boolean(choice))
      }
    )
  }
}

// MARK: - How events are completed

extension FootfallClient.Configuration {
  private func nativeRules(on platform: String) -> PipelineRules {
    var rules = PipelineRules.native
    rules.sessions = sessionRules(on: platform)
    rules.withheldContext = withheld
    rules.activity = activity == .automatic ? .usual(on: platform) : nil
    rules.appLaunched = tracksLaunches ? "app_launched" : nil
    rules.tellsAppLifecycle = tracksAppLifecycle
    return rules
  }

  private func sessionRules(on platform: String) -> SessionRules? {
    guard sessions.isEnabled else { return nil }
    var rules = SessionRules.native
    rules.awayFrom = .away(on: platform)
    rules.timeoutMilliseconds = Int64(sessions.timeoutSeconds * 1_000)
    rules.maximumMilliseconds = sessions.maximumSeconds.map { Int64($0 * 1_000) }
    rules.announces = sessions.tracksStartAndEnd
    return rules
  }
}

// MARK: - On disk

extension FootfallClient.Configuration {
  /// One folder per instance and key: unsent events never go to another project.
  private func folder(in location: StorageLocation) -> String {
    let root = storage.folder.map { StorageLocation(path: $0) } ?? location
    return root.folder(ofInstance: storage.instance, key: key)
  }
}

extension FootfallClient.Destination {
  /// The settings of this destination beside a face's own, with everything else as usual; its folder
  /// lies in the client's.
  package func settings(folder: String, in environment: Environment) -> DestinationSettings {
    FootfallClient.Configuration(key: key, endpoint: endpoint)
      .settings(of: self, folder: folder, in: environment)
  }

  /// The name of the client's own destination.
  static let mainName = DestinationSettings.mainName

  /// The name as a part of a path.
  var folderName: String { StorageLocation.partName(name) }
}
