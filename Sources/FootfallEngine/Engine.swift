package import FootfallCore
package import FootfallPlatform
import FootfallSystem
import Foundation

/// Takes events from any thread, keeps them, and delivers them.
///
/// Made without anything to write to; `start` gives it that, once. Events tracked before wait in
/// memory. Everything but `setEnabled(false)` and `shutdown` returns at once.
package final class Engine: Sendable {
  let inbox: Inbox
  let board = Board()
  let waits: Waits
  let listeners = Listeners()
  let remote = RemoteConfigurationBoard()
  let clocks: Clocks
  private let limits: EventLimits
  let started = Lock<Started?>(nil)
  let endRegistration = Lock<ProcessEndRegistration?>(nil)
  private let forks = Lock<ForkWatch.Registration?>(nil)

  /// What a started engine has.
  struct Started {
    let thread: SystemThread?
    let setup: @Sendable () -> Setup
    let end: ProcessEndWatch?
  }

  /// What an engine is started with.
  ///
  /// A class, since both are large and nobody needs a copy.
  package final class Setup: Sendable {
    /// The values it runs by.
    package let settings: EngineSettings
    /// The world it runs in.
    package let environment: Environment

    /// A setup of both.
    package init(settings: EngineSettings, environment: Environment) {
      self.settings = settings
      self.environment = environment
    }
  }

  /// The longest `setEnabled(false)` waits for the disk and the socket, in seconds.
  private static let disableSeconds = 1.0

  /// An engine that is not started.
  ///
  /// The clocks and `random` are all an event needs to be stamped.
  package init(
    clocks: Clocks,
    random: RandomSource,
    limits: EventLimits = EventLimits()
  ) {
    self.clocks = clocks
    self.limits = limits
    waits = Waits(clocks)
    inbox = Inbox(random: random, waits: waits)
    let watch = watchForks()
    forks.withLock { $0 = watch }
    inbox.signal.reviveOrphan { [weak self] in self?.restart() }
  }

  deinit {
    forks.withLock { $0 }?.cancel()
    inbox.shutDown(limitSeconds: 0)
  }

  /// Starts storing and sending; false if it was started before.
  ///
  /// Only makes a thread: the setup is made and the folder opened there, since asking the system
  /// about device, app and folders takes longer than an app's start should be held up.
  ///
  /// `consent` says what becomes of what waits when collection is switched off. `end` says who tells
  /// when the process ends, and what is done then; nil for nobody and nothing.
  package func start(
    isEnabled: Bool,
    consent: ConsentCore.Rule = .deletesStored,
    end: ProcessEndWatch? = nil,
    _ setup: @escaping @Sendable () -> Setup
  ) -> Bool {
    let (isFirst, isWithoutThread) = started.withLock { started in
      guard started == nil else { return (false, false) }
      inbox.follow(consent)
      if !isEnabled { inbox.disable(at: clocks.moment) {} }
      let thread = startThread(setup)
      started = Started(thread: thread, setup: setup, end: end)
      return (true, thread == nil)
    }
    // Outside the lock: callers' code is called, which may call back.
    if isWithoutThread { finishWithoutThread() }
    if isFirst { watchEnd(end) }
    return isFirst
  }

  func startThread(_ setup: @escaping @Sendable () -> Setup) -> SystemThread? {
    let (inbox, board, listeners, remote, waits) = (inbox, board, listeners, remote, waits)
    let endRegistration = endRegistration
    do throws(SystemError) {
      return try SystemThread(atWork: "footfall") { [weak self] in
        waits.begin(on: .current)
        let setup = setup()
        board.show(setup)
        self?.observe(setup)
        self?.watchCrashes(setup)
        let loop = EngineLoop(
          setup,
          inbox: inbox,
          board: board,
          listeners: listeners,
          remote: remote
        )
        // Its destinations know it only weakly.
        withExtendedLifetime(loop) { loop.run() }
        listeners.finish()
        remote.finish()
        endRegistration.withLock { $0 }?.cancel()
        waits.finish()
      }
    } catch {
      setup().environment.log.critical("Footfall cannot work: \(error)")
      return nil
    }
  }

  /// Tells everyone who waits that nothing will happen; without a lock of ours held.
  func finishWithoutThread() {
    finish()
    remote.finish()
    waits.finish()
  }

  /// Takes an event.
  ///
  /// Any thread; takes a stamp, a lock and an append.
  package func track(
    _ name: EventName,
    _ properties: Properties,
    _ options: EventOptions?,
    _ operations: IdentifyOperations? = nil,
    onResult: (@Sendable (EventResult) -> Void)? = nil
  ) {
    let now = clocks.moment
    guard options != nil || operations != nil || onResult != nil else {
      inbox.add(name, properties, at: now.wallMilliseconds, now: now, details: nil)
      return
    }
    let details = EventDetails(
      options: options ?? EventOptions(),
      operations: operations,
      onResult: onResult
    )
    track(name, properties, details, at: now)
  }

  /// Takes an event that says more than its name and properties.
  package func track(_ name: EventName, _ properties: Properties, _ details: EventDetails) {
    track(name, properties, details, at: clocks.moment)
  }

  /// Takes an event whose properties are read on the engine's thread; those given as well go over them.
  package func track(
    _ name: EventName,
    unread: any UnreadProperties,
    _ properties: Properties = [:],
    _ details: EventDetails? = nil
  ) {
    let now = clocks.moment
    if let details { return track(name, properties, unread: unread, details, at: now) }
    let time = now.wallMilliseconds
    inbox.add(name, properties, unread: unread, at: time, now: now, details: nil)
  }

  private func track(
    _ name: EventName,
    _ properties: Properties,
    unread: (any UnreadProperties)? = nil,
    _ details: EventDetails,
    at now: Moment
  ) {
    let requested = details.options.time.map { Timestamp.milliseconds(of: $0) }
    track(name, properties, unread: unread, details, requested: requested, at: now)
  }

  /// As `track(_:unread:_:_:)`, of an event that says a time of its own and nothing else differently.
  package func track(
    _ name: EventName,
    unread: any UnreadProperties,
    at milliseconds: Int64
  ) {
    track(name, [:], unread: unread, nil, requested: milliseconds, at: clocks.moment)
  }

  private func track(
    _ name: EventName,
    _ properties: Properties,
    unread: (any UnreadProperties)?,
    _ details: EventDetails?,
    requested: Int64?,
    at now: Moment
  ) {
    let wall = now.wallMilliseconds
    switch EventTime(requested: requested ?? wall, now: wall, limits: limits) {
    case .at(let time):
      inbox.add(name, properties, unread: unread, at: time, now: now, details: details)
    case .tooOld: inbox.refuse(.tooOld, name, now: now, details: details)
    }
  }

  /// Whether events are taken.
  package var isEnabled: Bool { inbox.mode == .collecting }

  /// What became of the events so far.
  package var diagnostics: Diagnostics {
    var counts = board.counts
    inbox.addCounts(to: &counts)
    return counts
  }

  /// Stores and sends everything tracked before this call, as far as one pass gets.
  ///
  /// Of a client that was not started nothing is sent, and that is said at once.
  package func flush(_ done: @escaping @Sendable (DeliveryReport) -> Void) {
    guard isStarted else {
      let text = "The client was not started: what was tracked waits in memory until it is."
      return done(DeliveryReport(problem: DeliveryProblem(.shutDown, text)))
    }
    inbox.post(.flush(done))
  }

  /// Switches collection on or off.
  ///
  /// Off waits up to 1 s for the thread; should the disk hold that up, the socket is shut here.
  package func setEnabled(_ isEnabled: Bool) {
    guard !isEnabled else { return inbox.enable(at: clocks.moment) }
    let (waits, isDone) = (waits, waits.begin())
    let deadline = waits.now + Self.disableSeconds
    inbox.disable(at: clocks.moment) { waits.end(isDone) }
    guard started.withLock({ $0 != nil }) else { return }
    if !waits.wait(for: isDone, until: deadline) { board.environment?.transport.cancelAll() }
  }

  /// Stores what waits, tries to send it, and ends; waits up to `limitSeconds` for that.
  ///
  /// What is not delivered by then stays on disk for the next start.
  package func shutdown(limitSeconds: Double) {
    let limit = limitSeconds.isFinite ? max(0, limitSeconds) : 0
    board.environment?.lifecycle.stop()
    inbox.shutDown(limitSeconds: limit)
    guard started.withLock({ $0?.thread != nil }) else { return finish() }
    // A little longer than the thread has itself, so that it is usually really over.
    waits.wait(for: waits.begin(), until: waits.now + limit + 1)
  }

  /// Says whether the network is there; nil when nobody knows.
  package func setConnectivity(isOnline: Bool?) {
    inbox.post(.connectivity(isOnline: isOnline))
  }

  private func finish() {
    for refusal in inbox.finish() { refusal.onResult?(refusal.result) }
    listeners.finish()
  }

  /// Whether it was started.
  var isStarted: Bool { started.withLock { $0 != nil } }

  /// Tells what finally becomes of every event at the client's own server, on the engine's thread.
  ///
  /// Of events that were stored when collection was switched off the oldest 10,000 are told of.
  /// `onEnd` is called once when the engine ends.
  package func observeResults(
    _ onResult: @escaping @Sendable (EventResult) -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) -> Subscription {
    observeResults(withStored: { result, _ in onResult(result) }, onEnd: onEnd)
  }

  /// As `observeResults(_:onEnd:)`, with each event as its codec stored it; nil of one that was not
  /// stored, or cannot be read any more.
  package func observeResults(
    withStored onResult: @escaping @Sendable (EventResult, ArraySlice<UInt8>?) -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) -> Subscription {
    let subscription = listeners.add(onResult, onEnd)
    inbox.listen(true)
    return subscription
  }

  /// Tells every step of every event, on the engine's thread: for debug screens and tests.
  ///
  /// `onEnd` is called once when the engine ends.
  package func observeSteps(
    _ onStep: @escaping @Sendable (DeliveryStep) -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) -> Subscription {
    let subscription = listeners.add(steps: onStep, onEnd)
    inbox.listen(true)
    return subscription
  }

  /// Tells when everything tracked before this call is written, and what is due is done.
  package func settle(_ done: @escaping @Sendable () -> Void) {
    inbox.post(.settle(done))
  }

  /// As `flush(_:)`, and waits for what came of it.
  package func flush() async -> DeliveryReport {
    await withCheckedContinuation { continuation in flush { continuation.resume(returning: $0) } }
  }

  /// As `settle(_:)`, and waits for that and for the answers that came; for tests.
  package func settle() async {
    // Behind those that are between the transport and the engine's thread.
    await beginUpload {}.value
    await withCheckedContinuation { continuation in settle { continuation.resume() } }
  }

  /// Makes the thread look at its clock, for clocks that tests move.
  package func poke() {
    inbox.poke()
    waits.look()
  }
}
