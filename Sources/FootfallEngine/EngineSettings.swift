package import FootfallCore

/// The values an engine is started with; they do not change while it runs.
///
/// A face is a set of these values and a codec. Defaults are those of the native client
/// (`architecture.md`, section 5).
package struct EngineSettings: Sendable {
  /// Where events go in the first place; its folder is that of this client.
  package var main: DestinationSettings
  /// Where they go besides, each with a name and a folder of its own.
  package var others: [DestinationSettings] = []
  /// How long events gather in memory before they are written, in seconds; below 10 ms.
  package var gatherSeconds = 0.009
  /// How often the journal is synced at most, in seconds.
  package var syncSeconds = 1.0
  /// How many events wait in memory at most; further ones are counted as `inboxFull`.
  package var waitingEvents = Inbox.waitingLimit
  /// How events are completed.
  package var rules = PipelineRules.native
  /// What happens when the app leaves the screen.
  package var leaving = Leaving.flushes
  /// From which presence on it has left.
  package var leavesFrom = Presence.background
  /// What other clients may have left on this device, whose place this one takes.
  package var earlier: [any EarlierFormat] = []
  /// What the app says of itself; it comes before what the device tells.
  package var appContext = EventContext()
  /// The key that device and user belong to, for clients bound to one.
  package var key = ""
  /// Whether events are collected from the start.
  package var isEnabled = true
  /// What becomes of stored events when collection is switched off.
  package var consent = ConsentCore.Rule.deletesStored
  /// Whether nothing is sent until the app says otherwise.
  package var isOffline = false
  /// Whether the network is watched; if not, only failures and the app say how it is.
  package var watchesNetwork = true
  /// How the configuration is asked for; nil for not at all.
  package var remoteConfiguration: RemoteConfigurationSettings?
  /// Where the client tells how its own work goes; nil for nowhere.
  package var selfReport: SelfReportSettings?
  /// The device's id; nil to use the stored one, or else to make one.
  package var deviceID: String?
  /// The user from the start; nil to use the stored one.
  package var userID: String?
  /// What becomes of crashes; nil for a client that has nothing to do with them.
  package var crashes: CrashSettings?

  /// What happens when the app leaves the screen.
  package enum Leaving: Sendable, Equatable {
    /// All that is stored is sent, also when the machine falls asleep.
    case flushes
    /// What waits is stored, not sent; sleep sends it all the same.
    ///
    /// Source: `amplitude.md` section 2.8, `flushEventsOnClose`.
    case stores
    /// Granted time is kept until a session's end is sent, should it end by then.
    ///
    /// Source: `aws.md` section 3.3.
    case awaitsSessionEnd
  }

  /// Settings for a folder and a codec.
  package init(folder: String, codec: any WireCodec) {
    main = DestinationSettings(name: DestinationSettings.mainName, folder: folder, codec: codec)
  }
}
