import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// What the engine's thread does: takes what callers left, completes it, and gives it to every
/// destination.
///
/// Everything here belongs to that one thread, so nothing is locked.
final class EngineLoop: DestinationHost {
  let settings: EngineSettings
  let environment: Environment
  let inbox: Inbox
  let board: Board
  let reporter: EventReporter
  let remoteBoard: RemoteConfigurationBoard

  /// The client's own destination, whose folder holds the client's state.
  let main: Destination
  /// All of them, the client's own first.
  let destinations: [Destination]

  /// Asks for the configuration; nil where nothing is to be asked.
  let remote: RemoteConfigurationClient?
  /// Tells how the client's own work goes; nil where nobody wants to know.
  let selfReporter: SelfReporter?
  /// What the library does by itself, by the app's choice and the server's.
  var features: FeatureSet

  var pipeline: Pipeline
  private var output = PipelineOutput()
  /// What is remembered, as it was last read or written anywhere.
  var state = ClientState()
  /// What the state's file says; nil where there is none.
  var storedState: ClientState?
  /// Whether the state's file is behind; it is written before anything is sealed.
  var isStateChanged = false
  /// Whether it has to be written at the end of this step, since no event carries the change.
  var isStateDue = false
  /// Whether this client never ran here before.
  var isFirstLaunch = true

  /// Whoever waits for everything before to be written and sealed as far as it is due.
  var settling: [@Sendable () -> Void] = []
  /// Whoever waited for something that is over, and is told once the numbers say so too.
  private var answered: [() -> Void] = []
  /// Whoever waits for the last send before collection goes off.
  var disabling: [@Sendable () -> Void] = []
  var consent: ConsentCore
  /// How much of what callers said was taken in.
  var heard = Board.Heard()
  /// Devices that were left by resets that go on, or that are to begin.
  var resets: [DeviceReset] = []
  var leftDevices: [String] = []
  /// Time granted for leaving the screen, kept until the session's end is sent.
  var waitingForEnd: [@Sendable () -> Void] = []
  var shutdownDeadline: Double?
  /// Whether anything may be stored and sent; see `consent`.
  var isCollecting: Bool
  var isFinished = false

  /// Callers that are held at the end of the process, and until when they are at most.
  var endings: [@Sendable () -> Void] = []
  var endDeadline: Double?
  /// Whether the process is about to be gone: nothing more is sent.
  var isEnded = false
  /// Whether the network is being watched.
  var isWatching = false

  /// What was last read about app and device.
  var device: DeviceContext
  /// The session that was open at the end of the last step.
  private var knownSession: SessionID?

  /// Memory for the next inputs.
  var spare: [PipelineInput] = []
  /// Whether events were refused since the thread last kept up: told once, counted always.
  private var isInboxFull = false
  /// Whether callers left something the last time, so that more is likely to come soon.
  private var isStreaming = false
  /// When what callers left was last taken, in seconds; long ago at the start, where it has waited enough.
  private var takenAt = -Double.infinity

  /// Events are written in groups of at most so many.
  private static let groupEvents = 1_000

  init(
    _ setup: Engine.Setup,
    inbox: Inbox,
    board: Board,
    listeners: Listeners,
    remote shown: RemoteConfigurationBoard
  ) {
    settings = setup.settings
    environment = setup.environment
    self.inbox = inbox
    self.board = board
    let reporter = EventReporter(listeners)
    self.reporter = reporter
    remoteBoard = shown
    consent = ConsentCore(rule: settings.consent)
    let takesEvents = settings.isEnabled && !inbox.isOffFromStart
    let isCollecting = takesEvents || settings.consent == .sendsStored
    self.isCollecting = isCollecting
    device = environment.device
    var pipeline = Pipeline(
      rules: settings.rules,
      context: settings.appContext,
      isCollecting: takesEvents,
      random: RandomBytes(environment.random)
    )
    pipeline.learn(device.eventContext)
    self.pipeline = pipeline
    destinations = ([settings.main] + settings.others).enumerated().map { number, destination in
      Destination(
        destination,
        environment: setup.environment,
        syncSeconds: setup.settings.syncSeconds,
        isCollecting: isCollecting,
        reporter: reporter,
        isCutOff: { inbox.isCutOff },
        post: { inbox.post(.answered(by: number, attempt: $0, $1)) }
      )
    }
    main = destinations[0]
    remote = settings.remoteConfiguration.map { remote in
      RemoteConfigurationClient(
        remote,
        environment: setup.environment,
        post: { inbox.post(.configured(question: $0, $1)) }
      )
    }
    selfReporter = settings.selfReport.map { report in
      SelfReporter(
        report,
        environment: setup.environment,
        post: { inbox.post(.selfReported($0, $1)) }
      )
    }
    features = settings.remoteConfiguration?.features ?? FeatureSet()
    shown.show(features)
    selfReporter?.follow(features)
    remote?.host = self
    for destination in destinations {
      destination.host = self
      if board.isOffline { destination.feed(.offline(true)) }
    }
    shareContext()
    if !takesEvents { feed(.setEnabled(false)) }
    feed(.start)
    inbox.limitWaiting(to: settings.waitingEvents)
  }

  /// Seconds on the clock that only goes forward.
  var now: Double { environment.monotonicSeconds }

  /// Runs until the client is shut down.
  func run() {
    openIfDue()
    remote?.start(folder: main.outbox?.folder, isCollecting: consent.isCollecting)
    // Only where the device is named after the vendor's id is that waited for.
    if settings.rules.identity.sources.contains(.vendor) { environment.awaitDevice() }
    refreshContext()
    launch()
    while !isFinished {
      inbox.waitForWork(
        seconds: secondsToWait,
        gathering: Gathering(seconds: settings.gatherSeconds),
        takenSecondsAgo: now - takenAt,
        isStreaming: isStreaming
      )
      step()
    }
    for refusal in inbox.finish() { end(refusal) }
    publish()
    reporter.tell()
    tellAnswered()
    tellSettled()
    board.keep([])
  }

  /// Does everything there is to do now.
  func step() {
    takenAt = now
    let work = inbox.take(recycling: spare)
    spare = []
    isStreaming = !work.entries.isEmpty
    // After the taking: whoever listened before an event was tracked hears of it.
    reporter.refresh()
    let commands = Self.split(work.commands)
    for command in commands.beforeEvents { perform(command) }
    openIfDue()
    refreshContext(before: work.entries)
    hearActivity(before: work.entries)
    receive(work.entries)
    recycle(work.entries)
    finishStep(work, commands.afterEvents)
  }

  private func finishStep(_ work: Inbox.Work, _ commands: ArraySlice<Inbox.Command>) {
    for refusal in work.refusals { end(refusal) }
    for (reason, number) in work.losses.byReason {
      main.count(reason, number)
      guard reason != .optedOut else {
        let line = settings.rules.optedOutLine
        environment.log.log(line.level, line.message)
        continue
      }
      guard reason.isWholeEvent, reason != .inboxFull || !isInboxFull else { continue }
      environment.log.warning("\(number) events were dropped: \(reason).")
    }
    isInboxFull = work.losses[.inboxFull] > 0
    for command in commands { perform(command) }
    performWhatIsDue()
    refreshInNewSession()
    watchConnectivity()
    if isStateDue { saveState() }
    publish()
    reporter.tell()
    tellAnswered()
    tellSettled()
  }

  private func end(_ refusal: Refusal) {
    reporter.end(refusal.result, refusal.onResult)
    guard reporter.wantsSteps, case .dropped(let reason, _, _) = refusal.result.outcome else {
      return
    }
    let (id, name) = (refusal.result.id, refusal.result.name)
    reporter.tell(DeliveryStep(.dropped, id: id, name: name, reason: reason))
  }

  /// What is known of the configuration, the app and the device may be old when a session begins.
  private func refreshInNewSession() {
    guard pipeline.sessionID != knownSession else { return }
    knownSession = pipeline.sessionID
    guard knownSession != nil else { return }
    remote?.receive(.refresh)
    refreshContext()
  }

  private func openIfDue() {
    for destination in destinations { destination.openIfDue() }
  }

  /// Lets whoever waits go on at the end of this step, when `diagnostics` shows what was done.
  func answer(_ tell: @escaping () -> Void) { answered.append(tell) }

  private func tellAnswered() {
    let told = answered
    answered = []
    for tell in told { tell() }
  }

  private func tellSettled() {
    guard isFinished || !isBusy else { return }
    let settled = settling
    settling = []
    for tell in settled { tell() }
  }

  /// Whether there is more to do at once.
  private var isBusy: Bool { destinations.contains { $0.isBusy } }

  private var secondsToWait: Double? {
    guard !isBusy else { return 0 }
    var next = earlier(remote?.deadline, shutdownDeadline)
    next = earlier(next, earlier(endDeadline, consent.deadline))
    next = earlier(next, selfReporter?.deadline)
    next = earlier(next, resets.lazy.map(\.deadline).min())
    next = earlier(next, pipeline.deadlineMilliseconds.map { Double($0) / 1_000 })
    for destination in destinations { next = earlier(next, destination.deadline) }
    return next.map { max(0, $0 - now) }
  }

  private func performWhatIsDue() {
    if let due = pipeline.deadlineMilliseconds, due <= environment.clocks.moment.steadyMilliseconds
    {
      receive(.timePassed)
    }
    for destination in destinations where !isFinished { destination.performWhatIsDue() }
    if let due = consent.deadline, due <= now { feed(.timePassed) }
    finishResets(dueBy: now)
    if !isFinished { remote?.performWhatIsDue() }
    if !isFinished { selfReporter?.receive(.timePassed) }
    if let due = endDeadline, due <= now { finishEnding() }
    if let due = shutdownDeadline, due <= now { finish() }
  }

  private func recycle(_ entries: consuming [PipelineInput]) {
    guard entries.capacity <= Inbox.keptCapacity * 2 else { return }
    spare = entries
    spare.removeAll(keepingCapacity: true)
  }

  // MARK: Events

  /// The first inputs of all: who the events belong to, and the launch behind what was said before.
  private func launch() {
    let moment = environment.clocks.moment
    let identity = IdentityCore.Launch(
      deviceID: settings.deviceID,
      userID: settings.userID,
      vendorID: device.vendorID,
      key: settings.key
    )
    pipeline.receive(.change(.identity(.launch(identity)), at: moment), into: &output)
    let work = inbox.take(recycling: [])
    reporter.refresh()
    let commands = Self.split(work.commands)
    for command in commands.beforeEvents { perform(command) }
    var presence = Presence.background
    for case .change(.presence(let first), at: _) in work.entries {
      presence = first
      break
    }
    hearActivity(before: work.entries)
    for input in work.entries { hear(input) }
    let crash = takeCrash()
    let launch = PipelineInput.Launch(
      session: .init(presence: presence, crashedAtMilliseconds: crash?.milliseconds),
      isFirst: isFirstLaunch,
      app: appVersion,
      crash: crash
    )
    receive(.launch(launch))
    // Whoever is told that this step is over may ask for the device.
    publish()
    finishStep(work, commands.afterEvents)
    if crash != nil { forgetToldCrash() }
  }

  private func hear(_ input: PipelineInput) {
    if case .change(.identity, at: _) = input { heard.identities += 1 }
    pipeline.receive(input, into: &output)
    if case .change(.appContext, at: _) = input { shareContext() }
  }

  private func receive(_ inputs: [PipelineInput]) {
    for input in inputs {
      hear(input)
      if output.events.count >= Self.groupEvents { deliver() }
    }
    deliver()
  }

  /// Tells the pipeline of something that happens now.
  func receive(_ change: PipelineInput.Change) {
    pipeline.receive(.change(change, at: environment.clocks.moment), into: &output)
    // Before the launch it is not known yet whose the events are; then it goes on with that.
    if pipeline.isLaunched { deliver() }
  }

  func delivered(_ destination: Destination) {
    guard settings.rules.heartbeat != nil, destination === main, !isFinished else { return }
    receive(.delivered)
  }

  /// Does what the pipeline says.
  private func deliver() {
    if output.discardsQueue {
      for destination in destinations { destination.deleteAll(.keyChanged) }
    }
    leftDevices += output.leftDevices
    for line in output.lines { environment.log.log(line.level, line.message) }
    main.count(output.losses)
    for dropped in output.dropped {
      end(Refusal(result: dropped.result, onResult: dropped.onResult))
    }
    for event in output.events {
      if reporter.wantsSteps {
        reporter.tell(DeliveryStep(.tracked, id: event.id, name: event.name))
      }
      for destination in destinations { destination.receive(event) }
    }
    commit()
    let wantsFlush = output.wantsFlush
    output.removeAll()
    guard wantsFlush else { return }
    let left = waitingForEnd
    waitingForEnd = []
    flush(.ordinary) { _ in for done in left { done() } }
  }

  /// Writes the events, and with the client's own what has to be remembered.
  private func commit() {
    let isChanged = output.isStateChanged || output.isActivityMoved
    if isChanged { updateState() }
    for destination in destinations where destination !== main { destination.commit() }
    let note = isChanged ? state.encoded : nil
    if !main.commit(note: note, isOneStep: output.isStateChanged) { isStateDue = true }
  }

  // MARK: Numbers

  /// Shows the numbers to whoever asks for diagnostics.
  private func publish() {
    selfReporter?.count(main.diagnostics)
    board.show(pipeline, isOffline: main.upload.isOffline, heard: heard) { counts in
      for (number, destination) in destinations.enumerated() {
        if counts.indices.contains(number) {
          counts[number].numbers = destination.diagnostics
        } else {
          counts.append(.init(name: destination.settings.name, numbers: destination.diagnostics))
        }
      }
    }
  }
}
