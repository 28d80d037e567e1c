import FootfallCore
package import FootfallEngine
package import FootfallPlatform

extension AmplitudeOptions {
  /// What an app chose.
  init(_ configuration: Configuration.Values) {
    self.init(key: configuration.apiKey)
    flushQueueSize = configuration.flushQueueSize
    flushIntervalMilliseconds = configuration.flushIntervalMillis
    isOptedOut = configuration.optOut
    minIDLength = configuration.minIdLength
    flushMaxRetries = configuration.flushMaxRetries
    usesBatch = configuration.useBatch
    zone = AmplitudeEndpoint.Zone(configuration.serverZone)
    serverURL = configuration.serverUrl
    base = configuration.baseUrl
    compressesForServerURL = configuration.enableRequestBodyCompression
    withheld = configuration.trackingOptions.withheld
    protectsChildren = configuration.enableCoppaControl
    flushesOnClose = configuration.flushEventsOnClose
    sessionMilliseconds = Int64(configuration.minTimeBetweenSessionsMillis)
    autocapture = AmplitudeAutocapture(
      configuration.autocapture,
      network: configuration.networkTrackingOptions,
      interactions: configuration.interactionsOptions,
      diagnostics: configuration.enableDiagnostics
    )
    instance = configuration.instanceName
    isMigrating = configuration.migrateLegacyData
    asksForConfiguration = configuration.enableAutoCaptureRemoteConfig
    maxQueuedEvents = configuration.maxQueuedEventCount
    isOffline = configuration.offline
    userID = configuration.userId
    deviceID = configuration.deviceId
    context[.partnerID] = configuration.partnerId.map { .string($0) }
    context[.plan] = configuration.plan?.property
    context[.ingestionMetadata] = configuration.ingestionMetadata?.property
  }
}

extension Configuration {
  /// What it comes to in a world.
  package func settings(in environment: Environment) -> EngineSettings {
    AmplitudeOptions(values).settings(in: environment)
  }
}
