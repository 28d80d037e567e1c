package import Footfall
import FootfallCore
package import FootfallEngine
package import FootfallPlatform
import FootfallSystem
import Foundation

/// A client by the names of Amplitude's iOS Swift SDK, on Footfall's engine.
///
/// ```swift
/// import FootfallAmplitude
///
/// let amplitude = Amplitude(configuration: Configuration(apiKey: "YOUR_API_KEY"))
/// amplitude.track(eventType: "Song Played", eventProperties: ["title": "Here Comes the Sun"])
/// ```
/// Every call returns at once, any thread. An event is stamped during the call, on disk within 10 ms of it,
/// and sent in a batch. Keep the client for as long as the app runs; one that nobody refers to any more
/// stops, and what it had stored is sent at the next start.
public final class Amplitude: @unchecked Sendable {
  // Sendable: what changes is behind locks; plugins are the pipeline's to call.
  /// How it was set up; see there what takes effect when it is set later.
  public let configuration: Configuration
  /// What its plugins are told of it.
  public let amplitudeContext: AmplitudeContext
  /// The engine's client, which does the work.
  package let client: FootfallClient
  let relay: LogRelay
  let roster = PluginRoster()
  /// What was set of the user's properties on this device since the start.
  let mirror = Lock(PropertyMirror())
  private let follower: ConfigurationFollower

  /// A client; never fails, and takes well under a millisecond.
  public convenience init(configuration: Configuration) {
    self.init(configuration: configuration, environment: nil)
  }

  /// A client in a given world, for tests; nil for the real one.
  ///
  /// The world's log is not used: what a client says goes to the configuration's. `settings` takes the
  /// place of what the configuration comes to there.
  package init(
    configuration: Configuration,
    environment: Environment?,
    settings own: EngineSettings? = nil
  ) {
    let values = configuration.values
    self.configuration = configuration
    amplitudeContext = AmplitudeContext(
      apiKey: values.apiKey,
      instanceName: values.instanceName,
      serverZone: values.serverZone
    )
    let relay = LogRelay(values.loggerProvider)
    relay.log.logLevel = values.logLevel.rawValue
    let log = relay.logger(values.logLevel)
    self.relay = relay
    let options = AmplitudeOptions(values)
    // After the choice of the device's id: `amplitude.md`, P33 and P34.
    if values.enableCoppaControl { values.trackingOptions.protectChildren() }
    let listener = CallbackListener(configuration)
    let world: FootfallClient.World
    if var given = environment {
      given.log = log
      world = .given(given)
    } else {
      world = .system(log)
    }
    var onResult: FootfallClient.OnResult?
    if values.callback != nil { onResult = { result, stored in listener.tell(result, stored) } }
    let keeper = values.storageProvider.map { StorageKeeper($0, configuration) }
    let identifyKeeper = values.identifyStorageProvider.map { IdentifyStorageKeeper($0) }
    client = FootfallClient(
      options.start,
      in: world,
      settings: { world in
        var settings = own ?? options.settings(in: world)
        settings.main.keeper = keeper
        settings.main.identifyKeeper = identifyKeeper
        return settings
      },
      onResult: onResult
    )
    follower = ConfigurationFollower(configuration, client, relay, listener)
    if values.callback != nil { listener.isListening() }
    sayWhatIsKeptOnly(values)
    follower.begin()
  }

  /// Whether no event is taken.
  ///
  /// Not kept over starts. What was stored before is still sent. Setting it to true waits for the
  /// client's thread, a few milliseconds as a rule and 1 s at most.
  public var optOut: Bool {
    get { !client.isEnabled }
    set { configuration.optOut = newValue }
  }

  /// Takes what the client says of its own work; another one may be set at any time.
  public var logger: any Logger {
    get { relay.log }
    set { configuration.loggerProvider = newValue }
  }

  /// Says once what was asked for and does nothing yet.
  private func sayWhatIsKeptOnly(_ values: Configuration.Values) {
    let later = values.autocapture.notCapturedYet
    if !later.isEmpty {
      client.note(
        "\(later.joined(separator: ", ")) of autocapture: kept, but not captured by this version yet."
      )
    }
    if values.identifyStorageProvider != nil, values.storageProvider != nil {
      client.note(
        "With a storage of the app's own no identify is held back, so none is needed for those."
      )
    }
  }
}
