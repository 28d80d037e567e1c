extension Configuration {
  /// What a configuration says unless told otherwise.
  public enum Defaults {
    /// That of `instanceName`.
    public static let instanceName: String = Constants.Configuration.DEFAULT_INSTANCE
    /// That of `flushQueueSize`.
    public static let flushQueueSize: Int = Constants.Configuration.FLUSH_QUEUE_SIZE
    /// That of `flushIntervalMillis`.
    public static let flushIntervalMillis: Int = Constants.Configuration.FLUSH_INTERVAL_MILLIS
    /// That of `flushMaxRetries`.
    public static let flushMaxRetries: Int = Constants.Configuration.FLUSH_MAX_RETRIES
    /// That of `logLevel`.
    public static let logLevel: LogLevelEnum = .warn
    /// That of `minTimeBetweenSessionsMillis`.
    public static let minTimeBetweenSessionsMillis = Constants.Configuration
      .MIN_TIME_BETWEEN_SESSIONS_MILLIS
    /// That of `identifyBatchIntervalMillis`.
    public static let identifyBatchIntervalMillis = Constants.Configuration
      .IDENTIFY_BATCH_INTERVAL_MILLIS
    /// That of `serverZone`.
    public static let serverZone: ServerZone = .US
    /// That of `optOut`.
    public static let optOut: Bool = false
    /// That of `useBatch`.
    public static let useBatch: Bool = false
    /// That of `enableCoppaControl`.
    public static let enableCoppaControl: Bool = false
    /// That of `flushEventsOnClose`.
    public static let flushEventsOnClose: Bool = true
    /// That of `maxQueuedEventCount`.
    public static let maxQueuedEventCount: Int = -1
    /// That of `autocapture`.
    public static let autocaptureOptions: AutocaptureOptions = .sessions
    /// That of `migrateLegacyData`.
    public static let migrateLegacyData: Bool = true
    /// That of `networkTrackingOptions`.
    public static let networkTrackingOptions: NetworkTrackingOptions = .default
    /// That of `enableAutoCaptureRemoteConfig`.
    public static let enableAutoCaptureRemoteConfig: Bool = true
    /// That of `interactionsOptions`.
    public static let interactionsOptions: InteractionsOptions = InteractionsOptions()
    /// That of `enableDiagnostics`.
    public static let enableDiagnostics: Bool = true
    /// That of `enableRequestBodyCompression`.
    public static let enableRequestBodyCompression: Bool = false
    /// That of `trackingOptions`: a new object each time, so that no two clients share one.
    public static var trackingOptions: TrackingOptions { TrackingOptions() }
  }
}
