import FootfallApple
public import FootfallCore
package import FootfallEngine
package import FootfallPlatform
public import Foundation

/// Product analytics for one app: events go in from any thread and arrive exactly once.
///
/// ```swift
/// let footfall = FootfallClient(key: "ff_pub_…", endpoint: URL(string: "http://127.0.0.1:4001")!)
/// footfall.track("Song Played", ["title": "Here Comes the Sun", "duration_s": 185])
/// let report = await footfall.flush()
/// ```
///
/// Nothing here throws, and only `flush()`, `setEnabled(false)` and `shutdown(limitSeconds:)` wait.
/// An event is on disk within 10 ms of `track`, so it survives the end of the process, and is sent
/// until the server has it. Every loss is counted under a reason in `diagnostics`.
///
/// Keep the client for as long as the app runs; when it goes, what waits is stored, and sent at the
/// next start.
public final class FootfallClient: Sendable {
  private let engine: Engine

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
    start(configuration) { Self.liveEnvironment(configuration) }
  }

  /// A client in a given world, for tests.
  package init(_ configuration: Configuration, environment: Environment) {
    engine = Engine(clocks: environment.clocks, random: environment.random)
    start(configuration) { environment }
  }

  /// A client that is not started: it collects in memory until `start`.
  init() {
    engine = Engine(clocks: .system, random: .system)
  }

  /// Starts a client that is not; false if it was started before.
  @discardableResult
  func start(
    _ configuration: Configuration,
    in world: @escaping @Sendable () -> Environment
  ) -> Bool {
    engine.start(isEnabled: configuration.isEnabled) {
      let environment = world()
      configuration.check(environment.log)
      return Engine.Setup(
        settings: configuration.settings(in: environment),
        environment: environment
      )
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
  /// Says that something happened.
  ///
  /// Any thread; returns after a stamp, a lock and an append. The id, the time and the order are
  /// fixed here. Limits: a name of 256 characters, 256 properties, 8 levels, 8 KiB per text,
  /// 64 KiB in all; what is over is cut, left out or dropped, and counted.
  ///
  /// - Parameters:
  ///   - name: What happened; not empty.
  ///   - properties: What else there is to say; none unless given.
  ///   - options: What this event says differently, such as its id or time; nothing unless given.
  public func track(
    _ name: EventName,
    _ properties: Properties = [:],
    _ options: EventOptions? = nil
  ) {
    engine.track(name, properties, options)
  }

  /// Changes properties of the person: the user if one is set, or else the device.
  ///
  /// Any thread; returns at once, and takes its place among the tracked events. Nothing happens
  /// for an empty list of operations.
  ///
  /// - Parameters:
  ///   - operations: The changes, such as `.set("plan", "pro").add("logins", 1)`.
  ///   - options: What applies to this call only, such as another user; nothing unless given.
  public func identify(_ operations: IdentifyOperations, _ options: EventOptions? = nil) {
    guard !operations.isEmpty else { return }
    engine.track(.identify, [:], options, operations)
  }

  /// Sets the user of every event tracked after this call; nil for a signed-out device.
  ///
  /// Any thread; returns at once. Kept until it is set again, also over starts. An empty text
  /// counts as nil; one over 128 bytes as well, with a line in the log.
  public func setUserID(_ userID: String?) {
    let isUsable = userID.map { !$0.isEmpty && $0.utf8.count <= 128 } ?? false
    engine.setUserID(isUsable ? userID : nil)
  }

  /// The id of this device, as its events carry it.
  ///
  /// Nil until the client has read it from disk, a few milliseconds after the start.
  public var deviceID: String? { engine.deviceID }

  /// The session that is open now; nil without one.
  ///
  /// Any thread; what was tracked a few milliseconds ago may not show yet.
  public var sessionID: SessionID? { engine.sessionID }

  /// Takes a change for everything tracked after this call; for the faces.
  package func change(_ change: PipelineInput.Change) {
    engine.change(change)
  }

  /// Stores and sends everything tracked before the call, and says what came of it.
  ///
  /// Ends an ordinary wait after a failure, but not one the server asked for. Makes one pass over
  /// what is stored, oldest first, and stops at the first failure; the rest is sent later.
  @discardableResult
  public func flush() async -> DeliveryReport {
    await withCheckedContinuation { continuation in
      engine.flush { continuation.resume(returning: $0) }
    }
  }

  /// Switches collection on or off; on unless configured otherwise.
  ///
  /// Off means off: when the call returns nothing more is stored, and what was unsent is deleted
  /// and counted as `DropReason.optedOut`. It waits for that, a few milliseconds as a rule and 1 s
  /// at most. A batch on its way is cut off; the server may have it.
  public func setEnabled(_ isEnabled: Bool) {
    engine.setEnabled(isEnabled)
  }

  /// Whether events are collected.
  public var isEnabled: Bool { engine.isEnabled }

  /// What became of the events so far; every loss under its reason.
  ///
  /// Any thread.
  public var diagnostics: Diagnostics { engine.diagnostics }

  /// Stores what waits, tries to send it, and ends the client.
  ///
  /// For the end of a command-line tool or server: blocks until everything is sent, a failure, or
  /// `limitSeconds`, whichever is first. The rest stays on disk for the next start; events tracked
  /// later are counted as `DropReason.shutDown`.
  ///
  /// - Parameter limitSeconds: The longest to try to send, in seconds; 2 unless given.
  public func shutdown(limitSeconds: TimeInterval = 2) {
    engine.shutdown(limitSeconds: limitSeconds)
  }

  /// Waits until everything tracked before is written, and what is due is done; for tests.
  package func settle() async {
    await withCheckedContinuation { continuation in engine.settle { continuation.resume() } }
  }

  /// Makes the client look at its clock, for clocks that tests move.
  package func poke() {
    engine.poke()
  }
}
