extension Configuration {
  /// What is captured without a call, in the words of earlier versions.
  ///
  /// Setting it, or a member of it, overwrites `autocapture` with its three kinds and switches off every
  /// other one.
  @available(*, deprecated, renamed: "autocapture")
  public var defaultTracking: DefaultTrackingOptions {
    get {
      let options = DefaultTrackingOptions(autocapture)
      options.follow { [weak self] in self?.autocapture = $0 }
      return options
    }
    set { autocapture = newValue.autocapture }
  }

  /// A configuration that says what is captured in the words of earlier versions.
  @available(*, deprecated, message: "Use the autocapture parameter.")
  public convenience init(
    apiKey: String,
    flushQueueSize: Int = Constants.Configuration.FLUSH_QUEUE_SIZE,
    flushIntervalMillis: Int = Constants.Configuration.FLUSH_INTERVAL_MILLIS,
    instanceName: String = Constants.Configuration.DEFAULT_INSTANCE,
    optOut: Bool = false,
    storageProvider: (any Storage)? = nil,
    identifyStorageProvider: (any Storage)? = nil,
    logLevel: LogLevelEnum = .warn,
    loggerProvider: any Logger = ConsoleLogger(),
    minIdLength: Int? = nil,
    partnerId: String? = nil,
    callback: EventCallback? = nil,
    flushMaxRetries: Int = Constants.Configuration.FLUSH_MAX_RETRIES,
    useBatch: Bool = false,
    serverZone: ServerZone = .US,
    serverUrl: String? = nil,
    plan: Plan? = nil,
    ingestionMetadata: IngestionMetadata? = nil,
    trackingOptions: TrackingOptions = TrackingOptions(),
    enableCoppaControl: Bool = false,
    flushEventsOnClose: Bool = true,
    minTimeBetweenSessionsMillis: Int = Constants.Configuration.MIN_TIME_BETWEEN_SESSIONS_MILLIS,
    defaultTracking: DefaultTrackingOptions,
    identifyBatchIntervalMillis: Int = Constants.Configuration.IDENTIFY_BATCH_INTERVAL_MILLIS,
    migrateLegacyData: Bool = true,
    offline: Bool? = false,
    networkTrackingOptions: NetworkTrackingOptions = .default
  ) {
    self.init(
      apiKey: apiKey,
      flushQueueSize: flushQueueSize,
      flushIntervalMillis: flushIntervalMillis,
      instanceName: instanceName,
      optOut: optOut,
      storageProvider: storageProvider,
      identifyStorageProvider: identifyStorageProvider,
      logLevel: logLevel,
      loggerProvider: loggerProvider,
      minIdLength: minIdLength,
      partnerId: partnerId,
      callback: callback,
      flushMaxRetries: flushMaxRetries,
      useBatch: useBatch,
      serverZone: serverZone,
      serverUrl: serverUrl,
      plan: plan,
      ingestionMetadata: ingestionMetadata,
      trackingOptions: trackingOptions,
      enableCoppaControl: enableCoppaControl,
      flushEventsOnClose: flushEventsOnClose,
      minTimeBetweenSessionsMillis: minTimeBetweenSessionsMillis,
      autocapture: defaultTracking.autocapture,
      identifyBatchIntervalMillis: identifyBatchIntervalMillis,
      migrateLegacyData: migrateLegacyData,
      offline: offline,
      networkTrackingOptions: networkTrackingOptions
    )
  }
}
