import FootfallApple
package import FootfallCore
package import FootfallEngine
package import FootfallPlatform
import FootfallSystem
public import Foundation

/// Product analytics for one app: events go in from any thread and arrive exactly once.
///
/// ```swift
/// let footfall = FootfallClient(key: "ff_pub_…", endpoint: URL(string: "http://127.0.0.1:4001")!)
/// footfall.track("Song Played", ["title": "Here Comes the Sun", "duration_s": 185])
/// let report = await footfall.flush()
/// ```
///
/// Nothing here throws, and only `flush()`, `deliver`, `setEnabled(false)`, `flushAndDisable` and
/// `shutdown(limitSeconds:)` wait. An event is on disk within 10 ms of `track`, so it survives the
/// end of the process, and is sent until the server has it. Every loss is counted under a reason in
/// `diagnostics`.
///
/// Keep the client for as long as the app runs; when it goes, what waits is stored, and sent at the
/// next start.
public final class FootfallClient: Sendable {
  package let engine: Engine
  let roster: PluginRoster
  /// What this client calls the events that it makes of calls.
  let vocabulary: EventVocabulary
  /// Keeps a face's wish to hear of every event.
  private let observing: Subscription?
  /// Whom a face wants to be told when the client stops.
  let stopped = Lock<(@Sendable (Stop) -> Void)?>(nil)

  /// A client for a project's key and a server's address, with everything else as usual.
  public convenience init(key: String, endpoint: URL) {
    self.init(Configuration(key: key, endpoint: endpoint))
  }

  /// A client with a configuration.
  ///
  /// Takes well under a millisecond: the folder is opened on the client's own thread, and events
  /// tracked meanwhile wait for it.
  public init(_ configuration: Configuration) {
    engine = Engine(clocks: .system, random: .system)
    roster = PluginRoster()
    vocabulary = configuration.vocabulary
    observing = nil
    start(configuration) { Self.liveEnvironment(configuration) }
  }

  /// A client in a given world, for tests.
  package init(_ configuration: Configuration, environment: Environment) {
    engine = Engine(clocks: environment.clocks, random: environment.random)
    roster = PluginRoster()
    vocabulary = configuration.vocabulary
    observing = nil
    start(configuration, end: environment.processEnd) { environment }
  }

  /// A client that works by the values of another document, in a given world.
  ///
  /// `onResult` hears what becomes of every event, those of earlier runs included, on the client's own
  /// thread: with each event as the codec stored it, where that is at hand.
  package init(
    settings: EngineSettings,
    environment: Environment,
    onResult: OnResult? = nil
  ) {
    engine = Engine(clocks: environment.clocks, random: environment.random)
    roster = PluginRoster()
    vocabulary = settings.rules.vocabulary
    observing = onResult.map { [engine] in engine.observeResults(withStored: $0) }
    if settings.isOffline { engine.setOffline(true) }
    let watch = ProcessEndWatch(environment.processEnd)
    _ = engine.start(isEnabled: settings.isEnabled, consent: settings.consent, end: watch) {
      Engine.Setup(settings: settings, environment: environment)
    }
  }

  /// A client that is not started: it collects in memory until `start`.
  ///
  /// - Parameters:
  ///   - clocks: Stamp what is tracked.
  ///   - random: Makes ids.
  ///   - limits: How far back events may be dated.
  ///   - vocabulary: What the client calls the events that it makes of calls.
  ///   - waitingEvents: How many events wait for the start at most; nil for the native client's number.
  ///   - onResult: Hears of every event, those of earlier runs included; nobody unless given.
  package init(
    clocks: Clocks = .system,
    random: RandomSource = .system,
    limits: EventLimits = EventLimits(),
    vocabulary: EventVocabulary = .footfall,
    waitingEvents: Int? = nil,
    onResult: OnResult? = nil
  ) {
    engine = Engine(clocks: clocks, random: random, limits: limits)
    if let waitingEvents { engine.limitWaiting(to: waitingEvents) }
    roster = PluginRoster()
    self.vocabulary = vocabulary
    observing = onResult.map { [engine] in engine.observeResults(withStored: $0) }
  }

  /// Starts a client that is not, by the values of another document; false if it was started before.
  ///
  /// `setup` makes them on the client's own thread. Whether events are collected, and what becomes of
  /// stored ones when that ends, is as the native client has it unless said before.
  package func start(
    end: any ProcessEnd,
    _ setup: @escaping @Sendable () -> Engine.Setup
  ) -> Bool {
    engine.start(isEnabled: true, end: ProcessEndWatch(end), setup)
  }

  /// Starts a client that is not; false if it was started before.
  @discardableResult
  func start(
    _ configuration: Configuration,
    end: (any ProcessEnd)? = nil,
    in world: @escaping @Sendable () -> Environment
  ) -> Bool {
    if configuration.delivery.isOffline { engine.setOffline(true) }
    let consent: ConsentCore.Rule =
      configuration.consent.unsentEvents.areSent ? .sendsStored : .deletesStored
    let log = Self.log(configuration)
    let exit = configuration.exit.checked(ConfigurationCheck(log: log))
    let watch = ProcessEndWatch(end ?? Environment.liveProcessEnd(log: log), exit.rules)
    return engine.start(isEnabled: configuration.isEnabled, consent: consent, end: watch) {
      let environment = world()
      let checked = configuration.checked(environment.log)
      return Engine.Setup(settings: checked.settings(in: environment), environment: environment)
    }
  }

  static func liveEnvironment(_ configuration: Configuration) -> Environment {
    .system(log: log(configuration))
  }

  static func log(_ configuration: Configuration) -> Logger {
    guard let sink = configuration.log.sink else { return .system(level: configuration.log.level) }
    return Logger(level: configuration.log.level, sink: sink)
  }
}

extension FootfallClient {
  /// The real world, for faces that speak to a log of their own.
  package static func liveEnvironment(log: Logger) -> Environment { .system(log: log) }

  /// Takes a change for everything tracked after this call; for the faces.
  package func change(_ change: PipelineInput.Change) {
    engine.change(change)
  }

  /// Tracks an event with all that it says; for the faces.
  package func track(_ name: EventName, _ properties: Properties, _ details: EventDetails) {
    engine.track(name, properties, details)
  }

  /// Tracks an event whose properties are read on the client's own thread; for the faces.
  ///
  /// Those given as well go over them.
  package func track(
    _ name: EventName,
    unread: any UnreadProperties,
    _ properties: Properties = [:],
    _ details: EventDetails? = nil
  ) {
    engine.track(name, unread: unread, properties, details)
  }

  /// Tracks an event of a time of its own, in milliseconds since 1970, that says nothing else differently;
  /// for the faces.
  package func track(
    _ name: EventName,
    unread: any UnreadProperties,
    at milliseconds: Int64
  ) {
    engine.track(name, unread: unread, at: milliseconds)
  }

  /// Counts a call that would have tracked an event, had it said anything, and logs why it does not;
  /// for the faces.
  package func refuse(_ name: EventName, _ message: String) {
    engine.refuse(name, message)
  }

  /// Logs what is wrong with a call, and counts a loss of less than an event if a reason is given; for
  /// the faces.
  package func note(_ message: String, counting reason: DropReason? = nil) {
    engine.note(message, counting: reason)
  }

  /// Goes on as a new device once what was tracked before was sent, or so long was tried; for the
  /// faces.
  package func resetDevice(limitSeconds: Double) async {
    await withCheckedContinuation { continuation in
      engine.reset(limitSeconds: limitSeconds) { continuation.resume() }
    }
  }

  /// Says whether the network is there; for tests.
  package func setConnectivity(isOnline: Bool?) {
    engine.setConnectivity(isOnline: isOnline)
  }

  /// Waits until everything tracked before is written, and what is due is done.
  package func settle() async {
    await engine.settle()
  }

  /// Makes the client look at its clock, for clocks that tests move.
  package func poke() {
    engine.poke()
  }
}
