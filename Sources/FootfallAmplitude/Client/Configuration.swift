import FootfallSystem

/// How a client is set up.
///
/// An object, as the vendor's document has it. A client reads it once, when it is made. Of what is set
/// later these take effect: at once `optOut`, `offline`, `callback` and `loggerProvider`; for events
/// tracked from then on `plan`, `partnerId` and `ingestionMetadata`; for requests made from then on
/// `serverZone`, `serverUrl`, `useBatch`, `minIdLength` and `enableRequestBodyCompression`. Everything else
/// counts for the next client. Any thread.
public final class Configuration: @unchecked Sendable {
  // Sendable: its values are behind a lock; those of the app's own types are only handed on.
  private let state: Lock<Held>

  private struct Held: @unchecked Sendable {
    var values: Values
    var listeners: [Listener] = []
  }

  /// Everything a configuration says.
  struct Values {
    var apiKey: String
    var flushQueueSize: Int
    var flushIntervalMillis: Int
    var instanceName: String
    var optOut: Bool
    var storageProvider: (any Storage)?
    var identifyStorageProvider: (any Storage)?
    var logLevel: LogLevelEnum
    var loggerProvider: any Logger
    var minIdLength: Int?
    var partnerId: String?
    var callback: EventCallback?
    var flushMaxRetries: Int
    var useBatch: Bool
    var serverZone: ServerZone
    var serverUrl: String?
    var plan: Plan?
    var ingestionMetadata: IngestionMetadata?
    var trackingOptions: TrackingOptions
    var enableCoppaControl: Bool
    var flushEventsOnClose: Bool
    var minTimeBetweenSessionsMillis: Int
    var autocapture: AutocaptureOptions
    var identifyBatchIntervalMillis: Int
    var maxQueuedEventCount: Int
    var migrateLegacyData: Bool
    var offline: Bool?
    var networkTrackingOptions: NetworkTrackingOptions
    var enableAutoCaptureRemoteConfig: Bool
    var interactionsOptions: InteractionsOptions
    var enableDiagnostics: Bool
    var enableRequestBodyCompression: Bool
    var userId: String?
    var deviceId: String?
    var baseUrl: String?
  }

  /// Hears what is set once there is a client.
  struct Listener: Sendable {
    /// Something was set that takes effect at once.
    let change: @Sendable (Change) -> Void
    /// Whether the client holds back; nil when it is gone.
    let isOffline: @Sendable () -> Bool?
  }

  /// What takes effect when it is set.
  enum Change {
    case optOut(Bool)
    case offline(Bool)
    case callback
    case logger
    /// Where events go and how they are wrapped.
    case wire
    /// What every event says of plan, partner and where it was taken in.
    case context
  }

  /// A configuration for a project's key, with everything else as usual unless given.
  public init(
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
    autocapture: AutocaptureOptions = .sessions,
    identifyBatchIntervalMillis: Int = Constants.Configuration.IDENTIFY_BATCH_INTERVAL_MILLIS,
    maxQueuedEventCount: Int = -1,
    migrateLegacyData: Bool = true,
    offline: Bool? = false,
    networkTrackingOptions: NetworkTrackingOptions = .default,
    enableAutoCaptureRemoteConfig: Bool = true,
    interactionsOptions: InteractionsOptions = InteractionsOptions(),
    enableDiagnostics: Bool = true,
    enableRequestBodyCompression: Bool = false,
    userId: String? = nil,
    deviceId: String? = nil,
    baseUrl: String? = nil
  ) {
    state = Lock(
      Held(
        values: Values(
          apiKey: apiKey,
          flushQueueSize: flushQueueSize,
          flushIntervalMillis: flushIntervalMillis,
          instanceName: instanceName.isEmpty
            ? Constants.Configuration.DEFAULT_INSTANCE : instanceName,
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
          autocapture: autocapture,
          identifyBatchIntervalMillis: identifyBatchIntervalMillis,
          maxQueuedEventCount: maxQueuedEventCount,
          migrateLegacyData: migrateLegacyData,
          offline: offline,
          networkTrackingOptions: networkTrackingOptions,
          enableAutoCaptureRemoteConfig: enableAutoCaptureRemoteConfig,
          interactionsOptions: interactionsOptions,
          enableDiagnostics: enableDiagnostics,
          enableRequestBodyCompression: enableRequestBodyCompression,
          userId: userId,
          deviceId: deviceId,
          baseUrl: baseUrl
        )
      )
    )
  }

  // MARK: Reading and setting

  /// Everything it says now.
  var values: Values { state.withLock { $0 }.values }

  private func write<Value>(
    _ path: WritableKeyPath<Values, Value>,
    _ value: Value,
    telling change: Change? = nil
  ) {
    let write = Write(path: path, value: value)
    state.withLock { $0.values[keyPath: write.path] = write.value }
    if let change { tell(change) }
  }

  /// A value of the app's on its way under the lock.
  private struct Write<Value>: @unchecked Sendable {
    let path: WritableKeyPath<Values, Value>
    let value: Value
  }

  /// Tells a client of what is set from here on.
  func attach(_ listener: Listener) {
    state.withLock { $0.listeners.append(listener) }
  }

  private func tell(_ change: Change) {
    for listener in state.withLock({ $0.listeners }) { listener.change(change) }
  }

  /// Remembers whether events are taken, which the client was told itself.
  func remember(optOut: Bool) { write(\.optOut, optOut) }

  /// Takes over a logger that the client was given itself.
  func remember(logger: any Logger) { write(\.loggerProvider, logger) }

  /// The project's key.
  public var apiKey: String { values.apiKey }
  /// So many waiting events are sent at once; 30 unless given, 0 counts as 1.
  public var flushQueueSize: Int {
    get { values.flushQueueSize }
    set { write(\.flushQueueSize, newValue) }
  }
  /// What waits is sent at every tick of so many milliseconds; 30,000 unless given.
  public var flushIntervalMillis: Int {
    get { values.flushIntervalMillis }
    set { write(\.flushIntervalMillis, newValue) }
  }
  /// Tells clients of one key apart: each has its own ids, session and events.
  public var instanceName: String { values.instanceName }
  /// Whether no event is taken; false unless given, and not kept over starts.
  ///
  /// Setting it takes effect at once; what was stored before is still sent.
  public var optOut: Bool {
    get { values.optOut }
    set { write(\.optOut, newValue, telling: .optOut(newValue)) }
  }
  /// Where events and ids are kept in the place of files; nil for files.
  public var storageProvider: (any Storage)? { values.storageProvider }
  /// Where identifies are held back in the place of files; nil for files.
  ///
  /// Of no effect beside a `storageProvider`, with which none is held back.
  public var identifyStorageProvider: (any Storage)? { values.identifyStorageProvider }
  /// How much the log says, which is fixed when a client is made; `warn` unless given.
  public var logLevel: LogLevelEnum {
    get { values.logLevel }
    set { write(\.logLevel, newValue) }
  }
  /// Takes what the client says of its own work; the system's log unless given.
  public var loggerProvider: any Logger {
    get { values.loggerProvider }
    set { write(\.loggerProvider, newValue, telling: .logger) }
  }
  /// The shortest id that the server shall take, in characters; nil for its own.
  public var minIdLength: Int? {
    get { values.minIdLength }
    set { write(\.minIdLength, newValue, telling: .wire) }
  }
  /// A partner's mark on every event; nil for none.
  public var partnerId: String? {
    get { values.partnerId }
    set { write(\.partnerId, newValue, telling: .context) }
  }
  /// Hears what the server said of each event; nobody unless given, and can be set at any time.
  public var callback: EventCallback? {
    get { values.callback }
    set { write(\.callback, newValue, telling: .callback) }
  }
  /// The client goes offline at the failure after so many in a row; 6 unless given.
  public var flushMaxRetries: Int {
    get { values.flushMaxRetries }
    set { write(\.flushMaxRetries, newValue) }
  }
  /// Whether events go to the path with the higher limits; false unless given.
  public var useBatch: Bool {
    get { values.useBatch }
    set { write(\.useBatch, newValue, telling: .wire) }
  }
  /// The region; the United States unless given.
  public var serverZone: ServerZone {
    get { values.serverZone }
    set { write(\.serverZone, newValue, telling: .wire) }
  }
  /// A complete address for events, which wins over region and path; nil or empty for those.
  public var serverUrl: String? {
    get { values.serverUrl }
    set { write(\.serverUrl, newValue, telling: .wire) }
  }
  /// The tracking plan on every event; nil for none.
  public var plan: Plan? {
    get { values.plan }
    set { write(\.plan, newValue, telling: .context) }
  }
  /// Where events were taken in, on every event; nil for none.
  public var ingestionMetadata: IngestionMetadata? {
    get { values.ingestionMetadata }
    set { write(\.ingestionMetadata, newValue, telling: .context) }
  }
  /// Which fields about app and device are sent; all of them unless given.
  public var trackingOptions: TrackingOptions {
    get { values.trackingOptions }
    set { write(\.trackingOptions, newValue) }
  }
  /// Whether what is not to be known of children is left out; false unless given.
  ///
  /// The client then switches off vendor's id, address, city and advertisers' id in `trackingOptions`.
  public var enableCoppaControl: Bool {
    get { values.enableCoppaControl }
    set { write(\.enableCoppaControl, newValue) }
  }
  /// Whether all that is stored is sent when the app leaves the screen; true unless given.
  public var flushEventsOnClose: Bool {
    get { values.flushEventsOnClose }
    set { write(\.flushEventsOnClose, newValue) }
  }
  /// How long the app may be away before its session is over, in milliseconds; 300,000 unless given.
  public var minTimeBetweenSessionsMillis: Int {
    get { values.minTimeBetweenSessionsMillis }
    set { write(\.minTimeBetweenSessionsMillis, newValue) }
  }
  /// What is captured without a call; sessions unless given.
  public internal(set) var autocapture: AutocaptureOptions {
    get { values.autocapture }
    set { write(\.autocapture, newValue) }
  }
  /// Changes nothing: identifies that only set properties wait for 30 s, always.
  public var identifyBatchIntervalMillis: Int {
    get { values.identifyBatchIntervalMillis }
    set { write(\.identifyBatchIntervalMillis, newValue) }
  }
  /// Of earlier launches only so many events are kept, in whole files; -1 for all, unless given.
  public var maxQueuedEventCount: Int {
    get { values.maxQueuedEventCount }
    set { write(\.maxQueuedEventCount, newValue) }
  }
  /// Whether what the vendor's clients left on the device is taken over; true unless given.
  public var migrateLegacyData: Bool { values.migrateLegacyData }
  /// Whether nothing is sent until it is set to false; false unless given.
  ///
  /// Nil when the configuration is made lets nobody watch the network. Reads true as well while the
  /// client itself holds back, after failures or without a network.
  public var offline: Bool? {
    get {
      let held = state.withLock { $0 }
      let now = held.listeners.lazy.compactMap { $0.isOffline() }.first
      guard held.values.offline != nil else { return now == true ? true : nil }
      return now ?? held.values.offline
    }
    set { write(\.offline, newValue, telling: .offline(newValue ?? false)) }
  }
  /// Which network requests are captured; kept, but nothing is captured yet.
  public internal(set) var networkTrackingOptions: NetworkTrackingOptions {
    get { values.networkTrackingOptions }
    set { write(\.networkTrackingOptions, newValue) }
  }
  /// Whether the server may change what is captured; true unless given.
  public var enableAutoCaptureRemoteConfig: Bool { values.enableAutoCaptureRemoteConfig }
  /// Which kinds of frustration are looked for; kept, but not looked for yet.
  public var interactionsOptions: InteractionsOptions {
    get { values.interactionsOptions }
    set { write(\.interactionsOptions, newValue) }
  }
  /// Whether the library may tell of its own work, of events sent and lost and nothing of users; true
  /// unless given.
  ///
  /// It does so only where the remote configuration asks for it, by a rate above 0.
  public var enableDiagnostics: Bool {
    get { values.enableDiagnostics }
    set { write(\.enableDiagnostics, newValue) }
  }
  /// Whether requests to a `serverUrl` or `baseUrl` are compressed; false unless given.
  public var enableRequestBodyCompression: Bool {
    get { values.enableRequestBodyCompression }
    set { write(\.enableRequestBodyCompression, newValue, telling: .wire) }
  }
  /// The user from the start; nil for the one of the last run.
  public var userId: String? {
    get { values.userId }
    set { write(\.userId, newValue) }
  }
  /// The device's id; nil for the one of the last run, or a new one.
  public var deviceId: String? {
    get { values.deviceId }
    set { write(\.deviceId, newValue) }
  }
  /// The address of one's own server, such as `https://events.example.com`, which takes events, the
  /// question for the configuration and diagnostics in the place of the vendor's hosts; nil for those.
  ///
  /// Beyond the vendor's document. A `serverUrl` wins for events.
  public var baseUrl: String? {
    get { values.baseUrl }
    set { write(\.baseUrl, newValue) }
  }
}
