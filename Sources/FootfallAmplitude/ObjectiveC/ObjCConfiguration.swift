#if canImport(ObjectiveC)
public import Foundation

/// Takes what a client says: the level it was set to, and the line.
public typealias ObjCLoggerProvider = @Sendable (Int, String) -> Void

/// How a client is set up: `AMPConfiguration`.
@objc(AMPConfiguration)
public final class ObjCConfiguration: NSObject {
  let configuration: Configuration

  /// A configuration for a project's key.
  @objc(initWithApiKey:)
  public static func initWithApiKey(_ apiKey: String) -> ObjCConfiguration {
    ObjCConfiguration(apiKey: apiKey)
  }

  /// A configuration for a project's key and an instance.
  @objc(initWithApiKey:instanceName:)
  public static func initWithApiKey(_ apiKey: String, instanceName: String) -> ObjCConfiguration {
    ObjCConfiguration(apiKey: apiKey, instanceName: instanceName)
  }

  /// A configuration for a project's key.
  @objc(initWithApiKey:)
  public convenience init(apiKey: String) {
    self.init(Configuration(apiKey: apiKey))
  }

  /// A configuration for a project's key and an instance.
  @objc(initWithApiKey:instanceName:)
  public convenience init(apiKey: String, instanceName: String) {
    self.init(Configuration(apiKey: apiKey, instanceName: instanceName))
  }

  /// A configuration that says whether the server may change what is captured.
  @objc(initWithApiKey:instanceName:enableAutocaptureRemoteConfig:)
  public convenience init(
    apiKey: String,
    instanceName: String,
    enableAutoCaptureRemoteConfig: Bool
  ) {
    self.init(
      Configuration(
        apiKey: apiKey,
        instanceName: instanceName,
        enableAutoCaptureRemoteConfig: enableAutoCaptureRemoteConfig
      )
    )
  }

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// The project's key.
  @objc public var apiKey: String { configuration.apiKey }
  /// The instance's name.
  @objc public var instanceName: String { configuration.instanceName }
  /// Whether the server may change what is captured.
  @objc public var enableAutoCaptureRemoteConfig: Bool {
    configuration.enableAutoCaptureRemoteConfig
  }
  /// As `Configuration.flushQueueSize`.
  @objc public var flushQueueSize: Int {
    get { configuration.flushQueueSize }
    set { configuration.flushQueueSize = newValue }
  }
  /// As `Configuration.flushIntervalMillis`.
  @objc public var flushIntervalMillis: Int {
    get { configuration.flushIntervalMillis }
    set { configuration.flushIntervalMillis = newValue }
  }
  /// As `Configuration.optOut`.
  @objc public var optOut: Bool {
    get { configuration.optOut }
    set { configuration.optOut = newValue }
  }
  /// As `Configuration.partnerId`.
  @objc public var partnerId: String? {
    get { configuration.partnerId }
    set { configuration.partnerId = newValue }
  }
  /// As `Configuration.flushMaxRetries`.
  @objc public var flushMaxRetries: Int {
    get { configuration.flushMaxRetries }
    set { configuration.flushMaxRetries = newValue }
  }
  /// As `Configuration.useBatch`.
  @objc public var useBatch: Bool {
    get { configuration.useBatch }
    set { configuration.useBatch = newValue }
  }
  /// As `Configuration.serverZone`.
  @objc public var serverZone: ServerZone {
    get { configuration.serverZone }
    set { configuration.serverZone = newValue }
  }
  /// As `Configuration.serverUrl`.
  @objc public var serverUrl: String? {
    get { configuration.serverUrl }
    set { configuration.serverUrl = newValue }
  }
  /// As `Configuration.baseUrl`.
  @objc public var baseUrl: String? {
    get { configuration.baseUrl }
    set { configuration.baseUrl = newValue }
  }
  /// As `Configuration.enableCoppaControl`.
  @objc public var enableCoppaControl: Bool {
    get { configuration.enableCoppaControl }
    set { configuration.enableCoppaControl = newValue }
  }
  /// As `Configuration.flushEventsOnClose`.
  @objc public var flushEventsOnClose: Bool {
    get { configuration.flushEventsOnClose }
    set { configuration.flushEventsOnClose = newValue }
  }
  /// As `Configuration.minTimeBetweenSessionsMillis`.
  @objc public var minTimeBetweenSessionsMillis: Int {
    get { configuration.minTimeBetweenSessionsMillis }
    set { configuration.minTimeBetweenSessionsMillis = newValue }
  }
  /// As `Configuration.identifyBatchIntervalMillis`.
  @objc public var identifyBatchIntervalMillis: Int {
    get { configuration.identifyBatchIntervalMillis }
    set { configuration.identifyBatchIntervalMillis = newValue }
  }
  /// As `Configuration.enableRequestBodyCompression`.
  @objc public var enableRequestBodyCompression: Bool {
    get { configuration.enableRequestBodyCompression }
    set { configuration.enableRequestBodyCompression = newValue }
  }
  /// As `Configuration.userId`.
  @objc public var userId: String? {
    get { configuration.userId }
    set { configuration.userId = newValue }
  }
  /// As `Configuration.deviceId`.
  @objc public var deviceId: String? {
    get { configuration.deviceId }
    set { configuration.deviceId = newValue }
  }
  /// As `Configuration.minIdLength`; -1 for the server's own.
  @objc public var minIdLength: Int {
    get { configuration.minIdLength ?? -1 }
    set { configuration.minIdLength = newValue < 0 ? nil : newValue }
  }
  /// As `Configuration.offline`; nil lets nobody watch the network.
  @objc public var offline: NSNumber? {
    get { configuration.offline.map { NSNumber(value: $0) } }
    set { configuration.offline = newValue?.boolValue }
  }
  /// As `Configuration.logLevel`.
  @objc public var logLevel: LogLevelEnum {
    get { configuration.logLevel }
    set {
      configuration.logLevel = newValue
      var log = configuration.loggerProvider
      log.logLevel = newValue.rawValue
      configuration.loggerProvider = log
    }
  }
  /// Takes what the client says, with the level that was set.
  @objc public var loggerProvider: ObjCLoggerProvider? {
    get {
      (configuration.loggerProvider as? BlockLogger)?.block
    }
    set {
      guard let newValue else { return }
      configuration.loggerProvider = BlockLogger(newValue, level: configuration.logLevel)
    }
  }
  /// As `Configuration.callback`.
  @objc public var callback: ObjCEventCallback? {
    get { configuration.callback.forObjectiveC }
    set { configuration.callback = newValue.forSwift }
  }
  /// As `Configuration.plan`.
  @objc public var plan: ObjCPlan? {
    get { configuration.plan.map { ObjCPlan($0) } }
    set { configuration.plan = newValue?.plan }
  }
  /// As `Configuration.ingestionMetadata`.
  @objc public var ingestionMetadata: ObjCIngestionMetadata? {
    get { configuration.ingestionMetadata.map { ObjCIngestionMetadata($0) } }
    set { configuration.ingestionMetadata = newValue?.metadata }
  }
  /// As `Configuration.trackingOptions`.
  @objc public var trackingOptions: ObjCTrackingOptions {
    get { ObjCTrackingOptions(configuration.trackingOptions) }
    set { configuration.trackingOptions = newValue.options }
  }
  /// As `Configuration.autocapture`; to be set before the client is made.
  @objc public var autocapture: ObjCAutocaptureOptions {
    get { ObjCAutocaptureOptions(configuration.autocapture) }
    set { configuration.autocapture = newValue.options }
  }
  /// As `Configuration.networkTrackingOptions`; to be set before the client is made.
  @objc public var networkTrackingOptions: ObjCNetworkTrackingOptions {
    get { ObjCNetworkTrackingOptions(configuration.networkTrackingOptions) }
    set { configuration.networkTrackingOptions = newValue.options }
  }
  /// As `Configuration.interactionsOptions`.
  @objc public var interactionsOptions: ObjCInteractionsOptions {
    get { ObjCInteractionsOptions(configuration.interactionsOptions) }
    set { configuration.interactionsOptions = newValue.options }
  }
}

/// A log that hands every line to a block, with the level that was set.
private final class BlockLogger: Logger, @unchecked Sendable {
  // Sendable: the level is written once, when the client is made.
  typealias LogLevel = LogLevelEnum
  let block: ObjCLoggerProvider
  var logLevel: Int

  init(_ block: @escaping ObjCLoggerProvider, level: LogLevelEnum) {
    self.block = block
    logLevel = level.rawValue
  }

  func error(message: String) { say(.error, message) }
  func warn(message: String) { say(.warn, message) }
  func log(message: String) { say(.log, message) }
  func debug(message: String) { say(.debug, message) }

  private func say(_ least: LogLevelEnum, _ message: String) {
    if logLevel >= least.rawValue { block(logLevel, message) }
  }
}
#endif
