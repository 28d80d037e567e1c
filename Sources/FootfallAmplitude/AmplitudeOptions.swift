package import Footfall
package import FootfallCore
package import FootfallEngine
import FootfallOutbox
package import FootfallPlatform
import Foundation

/// What an app can choose of Amplitude's client, with the usual choices.
///
/// Source: `amplitude.md` section 2.2.
package struct AmplitudeOptions: Sendable {
  /// The project's key.
  package var key: String
  /// So many waiting events are sent at once; 0 counts as 1.
  package var flushQueueSize = 30
  /// What waits is sent at every tick of so many milliseconds.
  package var flushIntervalMilliseconds = 30_000
  /// Whether no event is taken from the start.
  package var isOptedOut = false
  /// The shortest id that the server shall take; nil for its own.
  package var minIDLength: Int?
  /// The client goes offline at the failure after so many in a row.
  package var flushMaxRetries = 6
  /// Whether the path with the higher limits is used.
  package var usesBatch = false
  /// The region.
  package var zone = AmplitudeEndpoint.Zone.us
  /// A complete address that wins over both, for events.
  package var serverURL: String?
  /// Whether bodies for that address are compressed.
  package var compressesForServerURL = false
  /// The base address of one's own server for all there is; nil for the zone's hosts.
  package var base: String?
  /// Fields that the tracking options switch off.
  package var withheld: Set<ContextField> = []
  /// Whether what is not to be known of children is left out.
  package var protectsChildren = false
  /// Whether all that is stored is sent when the app leaves the screen.
  package var flushesOnClose = true
  /// How long the app may be away before its session is over, in milliseconds.
  package var sessionMilliseconds: Int64 = 300_000
  /// What is captured without a call.
  package var autocapture = AmplitudeAutocapture()
  /// Whether the server may change that.
  package var asksForConfiguration = true
  /// Of earlier launches only so many events are kept, in whole files; below 0 for all.
  package var maxQueuedEvents = -1
  /// Whether nothing is sent until the app says otherwise; nil if, besides, nobody watches the
  /// network.
  package var isOffline: Bool? = false
  /// The user from the start.
  package var userID: String?
  /// The device's id.
  package var deviceID: String?

  /// What every event says of the plan, the partner and where it was taken in.
  package var context = EventContext()

  /// Tells clients of one key apart.
  package var instance = "$default_instance"
  /// Whether what the vendor's clients left is taken over.
  package var isMigrating = true

  /// The usual choices, for a key.
  package init(key: String) {
    self.key = key
  }

  /// Where events go.
  package var endpoint: AmplitudeEndpoint {
    AmplitudeEndpoint(
      zone: zone,
      usesBatch: usesBatch,
      serverURL: serverURL,
      compressesForServerURL: compressesForServerURL,
      base: base
    )
  }

  /// What has to be known of a client at once.
  package var start: FootfallClient.FaceStart {
    var start = FootfallClient.FaceStart()
    start.isEnabled = !isOptedOut
    start.isOffline = isOffline ?? false
    start.consent = .amplitude
    start.vocabulary = .amplitude
    start.limits = .amplitude
    return start
  }

  /// The settings of an instance's client in a world.
  package func settings(in environment: Environment) -> EngineSettings {
    let folder = environment.storage.folder(ofInstance: "amplitude-" + instance, key: key)
    var settings = settings(folder: folder, bundleID: AppBundle.identifier, in: environment)
    if isMigrating { settings.earlier = AmplitudeEarlier.formats(key: key, instance: instance) }
    return settings
  }

  /// What makes requests of events in a world.
  package func codec(in environment: Environment) -> AmplitudeCodec {
    var codec = AmplitudeCodec(endpoint: endpoint, key: key, gzip: environment.gzip)
    codec.minIDLength = minIDLength
    return codec
  }

  /// The settings of a client whose files are in a folder of its own.
  package func settings(
    folder: String,
    bundleID: String? = nil,
    in environment: Environment
  ) -> EngineSettings {
    let codec = self.codec(in: environment)
    var settings = EngineSettings(folder: folder, codec: codec)
    settings.main = .amplitude(
      folder: folder,
      codec: codec,
      queueSize: flushQueueSize,
      intervalSeconds: Double(flushIntervalMilliseconds) / 1_000,
      maxRetries: flushMaxRetries
    )
    if maxQueuedEvents >= 0 { settings.main.outbox.launchEvents = max(1, maxQueuedEvents) }
    settings.rules = .amplitude(
      sessionMilliseconds: sessionMilliseconds,
      announcesSessions: autocapture.sessions,
      tellsAppLifecycle: autocapture.appLifecycles,
      protectsChildren: protectsChildren,
      withheld: withheld,
      platform: environment.device.platform
    )
    settings.appContext = context
    settings.leaving = flushesOnClose ? .flushes : .stores
    settings.consent = .amplitude
    settings.isEnabled = !isOptedOut
    settings.isOffline = isOffline ?? false
    settings.watchesNetwork = isOffline != nil
    settings.key = key
    (settings.userID, settings.deviceID) = (userID, deviceID)
    settings.remoteConfiguration = .amplitude(
      isEnabled: asksForConfiguration,
      endpoint: endpoint,
      key: key,
      bundleID: bundleID,
      autocapture: autocapture,
      device: environment.device
    )
    settings.selfReport = .amplitude(
      endpoint: endpoint,
      key: key,
      autocapture: autocapture,
      device: environment.device
    )
    return settings
  }
}
