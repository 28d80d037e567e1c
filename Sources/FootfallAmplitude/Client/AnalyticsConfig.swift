/// What the Unified client is told about analytics; the same as in `Configuration`, by its own names.
public struct AnalyticsConfig {
  /// As `Configuration.flushQueueSize`.
  public let flushQueueSize: Int
  /// As `Configuration.flushIntervalMillis`.
  public let flushIntervalMillis: Int
  /// As `Configuration.storageProvider`.
  public let storageProvider: (any Storage)?
  /// As `Configuration.identifyStorageProvider`.
  public let identifyStorageProvider: (any Storage)?
  /// As `Configuration.minIdLength`.
  public let minIDLength: Int?
  /// As `Configuration.partnerId`.
  public let partnerID: String?
  /// As `Configuration.callback`.
  public let callback: EventCallback?
  /// As `Configuration.flushMaxRetries`.
  public let flushMaxRetries: Int
  /// As `Configuration.useBatch`.
  public let useBatch: Bool
  /// As `Configuration.serverUrl`.
  public let serverURL: String?
  /// As `Configuration.plan`.
  public let plan: Plan?
  /// As `Configuration.ingestionMetadata`.
  public let ingestionMetadata: IngestionMetadata?
  /// As `Configuration.trackingOptions`.
  public let trackingOptions: TrackingOptions
  /// As `Configuration.enableCoppaControl`.
  public let enableCoppaControl: Bool
  /// As `Configuration.flushEventsOnClose`.
  public let flushEventsOnClose: Bool
  /// As `Configuration.minTimeBetweenSessionsMillis`.
  public let minTimeBetweenSessionsMillis: Int
  /// As `Configuration.autocapture`.
  public let autocapture: AutocaptureOptions
  /// As `Configuration.identifyBatchIntervalMillis`.
  public let identifyBatchIntervalMillis: Int
  /// As `Configuration.maxQueuedEventCount`.
  public let maxQueuedEventCount: Int
  /// As `Configuration.migrateLegacyData`.
  public let migrateLegacyData: Bool
  /// As `Configuration.enableAutoCaptureRemoteConfig`.
  public let enableAutoCaptureRemoteConfig: Bool

  /// A configuration with everything as usual unless given.
  public init(
    flushQueueSize: Int = Constants.Configuration.FLUSH_QUEUE_SIZE,
    flushIntervalMillis: Int = Constants.Configuration.FLUSH_INTERVAL_MILLIS,
    storageProvider: (any Storage)? = nil,
    identifyStorageProvider: (any Storage)? = nil,
    minIDLength: Int? = nil,
    partnerID: String? = nil,
    callback: EventCallback? = nil,
    flushMaxRetries: Int = Constants.Configuration.FLUSH_MAX_RETRIES,
    useBatch: Bool = false,
    serverURL: String? = nil,
    plan: Plan? = nil,
    ingestionMetadata: IngestionMetadata? = nil,
    trackingOptions: TrackingOptions = TrackingOptions(),
    enableCoppaControl: Bool = false,
    flushEventsOnClose: Bool = true,
    minTimeBetweenSessionsMillis: Int = Constants.Configuration.MIN_TIME_BETWEEN_SESSIONS_MILLIS,
    autocapture: AutocaptureOptions = .sessions,
    identifyBatchIntervalMillis: Int = Constants.Configuration.IDENTIFY_BATCH_INTERVAL_MILLIS,
    maxQueuedEventCount: Int = -1,
    migrateLegacyData: Bool = true,
    enableAutoCaptureRemoteConfig: Bool = true
  ) {
    self.flushQueueSize = flushQueueSize
    self.flushIntervalMillis = flushIntervalMillis
    self.storageProvider = storageProvider
    self.identifyStorageProvider = identifyStorageProvider
    self.minIDLength = minIDLength
    self.partnerID = partnerID
    self.callback = callback
    self.flushMaxRetries = flushMaxRetries
    self.useBatch = useBatch
    self.serverURL = serverURL
    self.plan = plan
    self.ingestionMetadata = ingestionMetadata
    self.trackingOptions = trackingOptions
    self.enableCoppaControl = enableCoppaControl
    self.flushEventsOnClose = flushEventsOnClose
    self.minTimeBetweenSessionsMillis = minTimeBetweenSessionsMillis
    self.autocapture = autocapture
    self.identifyBatchIntervalMillis = identifyBatchIntervalMillis
    self.maxQueuedEventCount = maxQueuedEventCount
    self.migrateLegacyData = migrateLegacyData
    self.enableAutoCaptureRemoteConfig = enableAutoCaptureRemoteConfig
  }
}

extension Configuration {
  /// What the Unified client says.
  convenience init(
    apiKey: String,
    serverZone: ServerZone,
    instanceName: String,
    analyticsConfig config: AnalyticsConfig,
    logger: any Logger
  ) {
    self.init(
      apiKey: apiKey,
      flushQueueSize: config.flushQueueSize,
      flushIntervalMillis: config.flushIntervalMillis,
      instanceName: instanceName,
      storageProvider: config.storageProvider,
      identifyStorageProvider: config.identifyStorageProvider,
      loggerProvider: logger,
      minIdLength: config.minIDLength,
      partnerId: config.partnerID,
      callback: config.callback,
      flushMaxRetries: config.flushMaxRetries,
      useBatch: config.useBatch,
      serverZone: serverZone,
      serverUrl: config.serverURL,
      plan: config.plan,
      ingestionMetadata: config.ingestionMetadata,
      trackingOptions: config.trackingOptions,
      enableCoppaControl: config.enableCoppaControl,
      flushEventsOnClose: config.flushEventsOnClose,
      minTimeBetweenSessionsMillis: config.minTimeBetweenSessionsMillis,
      autocapture: config.autocapture,
      identifyBatchIntervalMillis: config.identifyBatchIntervalMillis,
      maxQueuedEventCount: config.maxQueuedEventCount,
      migrateLegacyData: config.migrateLegacyData,
      enableAutoCaptureRemoteConfig: config.enableAutoCaptureRemoteConfig
    )
  }
}

extension Amplitude {
  /// The Unified client's way to begin; its analytics part.
  ///
  /// - Parameters:
  ///   - apiKey: The project's key.
  ///   - serverZone: The region; the United States unless given.
  ///   - instanceName: Tells clients of one key apart; the usual one unless given.
  ///   - analyticsConfig: Everything else; as usual unless given.
  ///   - logger: Takes what the client says of its own work; the system's log unless given.
  public convenience init(
    apiKey: String,
    serverZone: ServerZone = .US,
    instanceName: String = Constants.Configuration.DEFAULT_INSTANCE,
    analyticsConfig: AnalyticsConfig = AnalyticsConfig(),
    logger: any Logger = ConsoleLogger()
  ) {
    self.init(
      configuration: Configuration(
        apiKey: apiKey,
        serverZone: serverZone,
        instanceName: instanceName,
        analyticsConfig: analyticsConfig,
        logger: logger
      )
    )
  }
}
