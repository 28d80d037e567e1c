import Footfall
import FootfallAWS
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform

/// The engine's values for a configuration, and what they refer to.
struct PinpointPlan {
  let configuration: AWSPinpointConfiguration
  let environment: Environment
  let store: PinpointEndpointStore
  let updates = EndpointUpdates()
  let place: AppPlace
  let settings: EngineSettings

  init(_ configuration: AWSPinpointConfiguration, in world: Environment) {
    self.configuration = configuration
    let (events, targeting) = Self.places(configuration)
    let codec = Self.codec(configuration, events, in: world)
    let targetingCodec = Self.codec(configuration, targeting, in: world)
    place = AppPlace(world.lifecycle)
    var environment = world
    environment.lifecycle = place
    environment.transport = SignedRoutes(
      world.transport,
      [
        (targetingCodec.appURL + "/endpoints", targeting.transport(world.transport, in: world)),
        (codec.url, events.transport(world.transport, in: world)),
      ]
    )
    self.environment = environment
    let folder = Self.folder(
      configuration.appId,
      in: events.storageFolder ?? world.storage.path
    )
    let store = PinpointEndpointStore(
      folder: folder,
      appID: configuration.appId,
      files: world.files,
      log: world.log
    )
    self.store = store
    if let isOptedOut = configuration.isApplicationLevelOptOut?(), store.endpoint.isOptedOut == nil
    {
      store.change { $0.isOptedOut = isOptedOut }
    }
    settings = Self.settings(
      configuration,
      folder: folder,
      codec.of { [isSent = configuration.enableTargeting] in
        isSent ? store.endpoint : PinpointEndpoint()
      },
      // On the engine's thread, which may wait for the disk.
      targetingCodec.of { store.storedEndpoint },
      updates,
      store,
      resends: events.resends,
      in: world
    )
  }

  func parts(_ client: FootfallClient) -> PinpointParts { PinpointParts(client, self) }

  private static func places(
    _ configuration: AWSPinpointConfiguration
  ) -> (events: ServicePlace, targeting: ServicePlace) {
    let info = configuration.info
    let events = ServicePlace(
      .Pinpoint,
      configuration.serviceConfiguration,
      info,
      section: AWSPinpointConfiguration.analyticsSection
    )
    let targeting = ServicePlace(
      .PinpointTargeting,
      configuration.targetingServiceConfiguration ?? configuration.serviceConfiguration,
      info,
      section: AWSPinpointConfiguration.targetingSection
    )
    return (events, targeting)
  }

  private static func codec(
    _ configuration: AWSPinpointConfiguration,
    _ place: ServicePlace,
    in world: Environment
  ) -> PinpointCodec {
    var codec = PinpointCodec(
      appID: configuration.appId,
      region: place.endpoint.regionName,
      baseURL: place.endpoint.address,
      device: world.device.eventContext
    )
    codec.packageName = configuration.environment.appPackageName
    codec.title = configuration.environment.appName
    codec.timeoutSeconds = place.timeoutSeconds
    return codec
  }

  /// One folder per application: events never go to another one.
  private static func folder(_ appID: String, in storage: String) -> String {
    let name = RequestSigner.encoded(appID, keepingSlashes: false)
    return "\(storage)/Pinpoint/\(name.isEmpty ? "none" : name)"
  }

  private static func settings(
    _ configuration: AWSPinpointConfiguration,
    folder: String,
    _ codec: PinpointCodec,
    _ targeting: PinpointCodec,
    _ updates: EndpointUpdates,
    _ store: PinpointEndpointStore,
    resends: Int,
    in world: Environment
  ) -> EngineSettings {
    var settings = EngineSettings.pinpoint(
      folder: folder,
      codec: codec,
      sessionMilliseconds: Int64(clamping: configuration.sessionTimeout),
      announcesSessions: configuration.enableAutoSessionRecording && configuration.enableEvents,
      targeting: targeting,
      onTaken: { revision in
        store.taken(revision)
        updates.taken(revision)
      },
      onFailed: { updates.failed($0, $1) },
      onCarried: { updates.carried($0, by: $1) }
    )
    settings.main.outbox.keptBytes = Int(clamping: configuration.maxStorageSize)
    settings.main.delivery.resendsPerFlush = resends
    if !configuration.enableTargeting {
      settings.rules.profile = nil
      settings.others = []
    }
    settings.others += configuration.destinations.map { $0.settings(folder: folder, in: world) }
    return settings
  }
}

extension PinpointCodec {
  /// The codec with what is known of the endpoint.
  fileprivate func of(
    _ endpoint: @escaping @Sendable () -> PinpointEndpoint
  ) -> PinpointCodec {
    var codec = self
    codec.endpoint = endpoint
    return codec
  }
}

/// Signs what goes to the service, and nothing else.
private struct SignedRoutes: Transport {
  private let base: any Transport
  private let signed: [(prefix: String, transport: SigningTransport)]

  init(_ base: any Transport, _ signed: [(String, SigningTransport)]) {
    self.base = base
    self.signed = signed.map { ($0.0, $0.1) }
  }

  func send(_ request: UploadRequest) async -> UploadResponse {
    let route = signed.first { request.url.hasPrefix($0.prefix) }
    guard let route else { return await base.send(request) }
    return await route.transport.send(request)
  }

  func cancelAll() { base.cancelAll() }

  func shutdown() { base.shutdown() }
}
