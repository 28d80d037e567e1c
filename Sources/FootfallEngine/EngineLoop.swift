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
  /// What is known about app and device, for the events that say nothing themselves.
  let context: EventContext
  let inbox: Inbox
  let board: Board

  /// The client's own destination, whose folder holds the client's state.
  let main: Destination
  /// All of them, the client's own first.
  let destinations: [Destination]

  var state = ClientState()
  /// What the state's file says; nil where there is none.
  var storedState: ClientState?
  var identity: EventIdentity
  var nextSequence: Int64 = 1
  var random: RandomBytes
  var isStateChanged = false

  /// Whoever waits for everything before to be written and sealed as far as it is due.
  var settling: [@Sendable () -> Void] = []
  var shutdownDeadline: Double?
  var isCollecting: Bool
  var isFinished = false

  private var spare: [PipelineInput] = []

  /// Events are written in groups of at most so many.
  private static let groupEvents = 1_000

  init(_ setup: Engine.Setup, inbox: Inbox, board: Board) {
    settings = setup.settings
    environment = setup.environment
    // The codec's own value where it can be had: equal by identity, which costs nothing to find.
    context =
      (setup.settings.main.codec as? NativeCodec)?.common ?? EventContext(setup.environment.device)
    self.inbox = inbox
    self.board = board
    identity = EventIdentity(deviceID: settings.deviceID ?? "", isTest: settings.isTest)
    random = RandomBytes(environment.random)
    let isCollecting = settings.isEnabled && inbox.mode != .off
    self.isCollecting = isCollecting
    destinations = ([settings.main] + settings.others).enumerated().map { number, destination in
      Destination(
        destination,
        environment: setup.environment,
        syncSeconds: setup.settings.syncSeconds,
        isCollecting: isCollecting,
        post: { inbox.post(.answered(by: number, attempt: $0, $1)) }
      )
    }
    main = destinations[0]
    for destination in destinations { destination.host = self }
  }

  /// Seconds on the clock that only goes forward.
  var now: Double { environment.monotonicSeconds }

  /// Runs until the client is shut down.
  func run() {
    openIfDue()
    publish()
    saveStateIfChanged()
    while !isFinished {
      inbox.waitForWork(seconds: secondsToWait, gatherSeconds: settings.gatherSeconds)
      step()
    }
    inbox.finish()
    publish()
    tellSettled()
  }

  /// Does everything there is to do now.
  func step() {
    let work = inbox.take(recycling: spare)
    spare = []
    for (reason, number) in work.losses.byReason {
      main.count(reason, number)
      environment.log.warning("\(number) events were dropped: \(reason).")
    }
    openIfDue()
    receive(work.entries)
    recycle(work.entries)
    for command in work.commands { perform(command) }
    performWhatIsDue()
    saveStateIfChanged()
    publish()
    tellSettled()
  }

  private func openIfDue() {
    for destination in destinations { destination.openIfDue() }
    if !state.isDeviceKnown { makeDeviceID() }
  }

  private func tellSettled() {
    guard isFinished || !destinations.contains(where: \.isBusy) else { return }
    let settled = settling
    settling = []
    for tell in settled { tell() }
  }

  private var secondsToWait: Double? {
    guard !destinations.contains(where: \.isBusy) else { return 0 }
    let deadlines = destinations.map(\.deadline) + [shutdownDeadline]
    guard let next = deadlines.compactMap({ $0 }).min() else { return nil }
    return max(0, next - now)
  }

  private func performWhatIsDue() {
    for destination in destinations where !isFinished { destination.performWhatIsDue() }
    if let due = shutdownDeadline, due <= now { finish() }
  }

  private func recycle(_ entries: consuming [PipelineInput]) {
    guard entries.capacity <= Inbox.keptCapacity * 2 else { return }
    spare = entries
    spare.removeAll(keepingCapacity: true)
  }

  // MARK: Events

  private func receive(_ inputs: [PipelineInput]) {
    var events = 0
    for input in inputs {
      switch input {
      case .change(.identity(.setUser(let userID)), at: _): setUser(userID)
      case .change: break
      case .event(let event):
        receive(event)
        events += 1
        if events.isMultiple(of: Self.groupEvents) { commit() }
      }
    }
    commit()
  }

  private func receive(_ event: StampedEvent) {
    reserveSequence()
    var complete = Event(event, sequence: nextSequence, identity: identity)
    complete.context = complete.context.filled(from: context)
    nextSequence += 1
    for destination in destinations { destination.receive(complete) }
  }

  private func commit() {
    for destination in destinations { destination.commit() }
  }

  // MARK: Numbers

  /// Shows the numbers to whoever asks for diagnostics.
  private func publish() {
    var counts = Diagnostics()
    for destination in destinations {
      counts.add(destination.settings.name, destination.diagnostics)
    }
    board.show(counts, deviceID: identity.deviceID ?? "", userID: identity.userID)
  }
}
