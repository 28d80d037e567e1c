package import FootfallEngine
public import FootfallPlatform
public import Foundation

extension FootfallClient {
  /// How a client is set up; small values by concern, fixed once it is started.
  ///
  /// A number that cannot be used is replaced by the nearest one that can, with a line in the log.
  ///
  /// ```swift
  /// var configuration = FootfallClient.Configuration(key: "ff_pub_…", endpoint: server)
  /// configuration.delivery.intervalSeconds = 30
  /// let footfall = FootfallClient(configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The project's ingest key, `ff_pub_…`.
    public var key: String
    /// The server's address, such as `https://events.example.com`; the path is added.
    public var endpoint: URL
    /// Where unsent events are kept.
    public var storage = Storage()
    /// How events are gathered and sent.
    public var delivery = Delivery()
    /// Whether the server may tell the app how to behave.
    public var remote = Remote()
    /// Who the device and the user are.
    public var identity = Identity()
    /// When sessions begin and end.
    public var sessions = Sessions()
    /// What events say about app, device and place without being told.
    public var context = Context()
    /// Whether events say that the user was active; `off` unless changed.
    public var activity = Activity.off
    /// Whether every start is told as the event `app_launched`; false unless changed.
    ///
    /// Its property `is_first_launch` is true once per device and instance.
    public var tracksLaunches = false
    /// Whether installs, updates, openings of the app and leaving it are told, as `app_installed`,
    /// `app_updated`, `app_opened` and `app_backgrounded`; false unless changed.
    ///
    /// They carry the app's `version` and `build`, an update also `previous_version` and
    /// `previous_build`, an opening `from_background`; leaving carries nothing. An app that is
    /// started out of sight is told of once it comes to the front.
    public var tracksAppLifecycle = false
    /// Further servers that get every event too; none unless changed.
    public var destinations: [Destination] = []
    /// How large an event may be.
    public var limits = Limits()
    /// What becomes of stored events when collection is switched off.
    public var consent = Consent()
    /// What a program without an interface does for its events when it ends.
    public var exit = Exit()
    /// What the library says about its own work.
    public var log = Log()
    /// How events are completed, where that is not what the values here say.
    package var rules: PipelineRules?
    /// Whether events are collected from the start; true unless changed.
    ///
    /// When false, what an earlier run left is deleted and nothing is stored or sent until
    /// `setEnabled(true)`. The choice is not stored: pass it at every start.
    public var isEnabled = true
    /// Whether events are marked as tests: shown live, hidden from charts; false unless changed.
    public var isTest = false

    /// A configuration for a project's key and a server's address.
    public init(key: String, endpoint: URL) {
      self.key = key
      self.endpoint = endpoint
    }
  }

  /// Where unsent events are kept.
  public struct Storage: Sendable, Hashable {
    /// The folder for all clients of the app; nil for the usual one.
    ///
    /// On Linux that is `$XDG_STATE_HOME/<app>/Footfall` or `~/.local/state/<app>/Footfall`, on
    /// Apple platforms `Footfall/<app>` in Application Support, or in Caches on tvOS.
    public var folder: String?
    /// Tells clients of one app apart; `default` unless changed.
    ///
    /// Each instance has its own device id, user and unsent events, and so has each key.
    public var instance = "default"
    /// The most events kept unsent; 200,000 unless changed, at most 100,000,000; the oldest go first.
    public var maxEvents = 200_000
    /// The most bytes kept unsent; 100,000,000 unless changed, at most 2,000,000,000; the oldest go
    /// first.
    public var maxBytes = 100_000_000
    /// The most files with a batch kept; 4,000 unless changed, at most 100,000; the oldest go first.
    public var maxBatches = 4_000

    /// The usual storage.
    public init() {}
  }

  /// How events are gathered and sent.
  public struct Delivery: Sendable, Hashable {
    /// The most events in a request; 50 unless changed, from 1 to 1,000.
    public var maxBatchEvents = 50
    /// The most bytes of events in a request before compression; 250,000 unless changed, at most
    /// 900,000.
    ///
    /// The server takes 1 MiB.
    public var maxBatchBytes = 250_000
    /// How long the first event of a request waits for others, in seconds, at most 30 days; 10 unless
    /// changed, and 2 when the library was built for debugging.
    public var intervalSeconds: TimeInterval = Delivery.defaultIntervalSeconds
    /// How long a request may take in all, in seconds, from 1 to 3,600; 30 unless changed.
    public var timeoutSeconds: TimeInterval = 30
    /// Whether nothing is sent until `FootfallClient.isOffline` is set to false; false unless changed.
    public var isOffline = false

    /// The usual delivery.
    public init() {}

    #if DEBUG
    private static let defaultIntervalSeconds: TimeInterval = 2
    #else
    private static let defaultIntervalSeconds: TimeInterval = 10
    #endif
  }

  /// Whether the server may tell the app how to behave; see `remoteConfiguration`.
  public struct Remote: Sendable, Hashable {
    /// Whether the client asks for its configuration; false unless changed.
    ///
    /// Off, because a request that sends no events is one that nobody expects of an app that did
    /// not ask for it. When off nothing is asked, and what an earlier run was told does not count.
    ///
    /// When on, the client itself does what the settings say under `footfall`, in either direction
    /// and while the app runs: `sessions` for `Sessions.tracksStartAndEnd`, `launches` for
    /// `tracksLaunches`, `app_lifecycle` for `tracksAppLifecycle`. What they do not name stays as the
    /// app chose it.
    public var isEnabled = false
    /// How long the first answer of a run is waited for before what an earlier run was told counts,
    /// in seconds; 0 unless changed, so that it counts at once.
    public var waitSeconds: TimeInterval = 0

    /// Nothing is asked.
    public init() {}
  }

  /// Who the device and the user are.
  public struct Identity: Sendable, Hashable {
    /// The device's id, 1 to 128 bytes; nil to use the stored one, or a new one at first start.
    public var deviceID: String?
    /// The user from the start, 1 to 128 bytes; nil to use the stored one.
    public var userID: String?

    /// A device id that is made and kept by the library, and the user of the last run.
    public init() {}
  }

  /// What a command-line program or a service does for its events when it ends; on Linux and macOS.
  ///
  /// For programs that end without `shutdown()`. An app's end is noticed by its lifecycle.
  public struct Exit: Sendable, Hashable {
    /// Whether what waits in memory is stored when `exit` is called or `main` returns; true unless
    /// changed.
    ///
    /// Holds the end up by a few milliseconds as a rule, and by 5 s at most.
    public var storesEvents = true
    /// How long the end may be held up in all to send what is stored, in seconds, from 0 to 60; 0
    /// unless changed, so that the next start sends it.
    public var sendsForSeconds: TimeInterval = 0
    /// Whether SIGTERM and SIGINT count as the end too; false unless changed.
    ///
    /// The process ends by the signal afterwards, as it would have, and a second one ends it at once. A
    /// signal that the process ignores stays ignored, and a handler that the program sets before
    /// gets it afterwards.
    public var catchesSignals = false

    /// What waits is stored, nothing is sent, and signals are the program's.
    public init() {}

    var rules: ProcessEndRules {
      var rules = ProcessEndRules()
      rules.storesAtExit = storesEvents
      rules.sendsAtExitSeconds = sendsForSeconds
      rules.catchesSignals = catchesSignals
      return rules
    }

    func checked(_ check: ConfigurationCheck) -> Self {
      var checked = self
      checked.sendsForSeconds = check.seconds(
        "exit.sendsForSeconds",
        sendsForSeconds,
        in: 0...60,
        usual: Self().sendsForSeconds
      )
      return checked
    }
  }

  /// What the library says about its own work.
  public struct Log: Sendable {
    /// Lines that matter less are not made; `warning` unless changed.
    public var level = LogLevel.warning
    /// Takes the lines, on any thread; nil for the system's log, or standard error on Linux.
    ///
    /// No line holds a property's value or a key.
    public var sink: (@Sendable (LogLine) -> Void)?

    /// The usual log.
    public init() {}
  }
}
