import FootfallCore
import FootfallPlatform
import FootfallSystem

/// Where callers leave what they tracked, and the engine's thread picks it up.
///
/// One lock, held for a stamp and an append. The thread is woken once, by whoever finds the inbox
/// empty; until it has come, others only append.
final class Inbox: Sendable {
  /// What the engine is asked to do once it has stored what was tracked before.
  enum Command: Sendable {
    case flush(@Sendable (DeliveryReport) -> Void)
    /// A destination, by its place among all of them, was answered.
    case answered(by: Int, attempt: Int, UploadResponse)
    case configured(question: Int, UploadResponse)
    case refreshConfiguration
    case selfReported(Int, UploadResponse)
    /// Requests of the client's own destination are made by this from here on.
    case adopt(@Sendable (Environment) -> any WireCodec)
    case disable(@Sendable () -> Void)
    /// One last send, at most so long, and then off.
    case flushAndDisable(limitSeconds: Double, @Sendable () -> Void)
    case enable
    /// What is left of devices that were left is sent once more, at most so long, and then dropped.
    case reset(limitSeconds: Double, @Sendable () -> Void)
    case settle(@Sendable () -> Void)
    /// The app left the screen: called when the end of its session is sent, if it ends.
    case left(@Sendable () -> Void)
    /// The app came back before that.
    case returned
    /// The network is there or away; nil when nobody knows.
    case connectivity(isOnline: Bool?)
    /// The app's own switch for sending.
    case offline(Bool)
    case shutDown(limitSeconds: Double)
    /// A warning for the log.
    case warn(String)
    /// Tells when what was tracked before is in the journal, or counted.
    case write(@Sendable () -> Void)
    /// Hands out the oldest events that the client's own destination keeps, at most so many.
    case kept(atMost: Int, @Sendable ([[UInt8]]) -> Void)
    /// Drops everything that the client's own destination keeps.
    case dropKept(@Sendable () -> Void)
    /// The process is about to end.
    case end(Ending.Request)
    /// The machine has little memory left.
    case saveMemory
  }

  /// Whether events are taken.
  enum Mode: Sendable {
    case collecting
    case off
    case shutDown
  }

  /// Everything the thread takes at once.
  struct Work {
    var entries: [PipelineInput] = []
    var commands: [Command] = []
    var losses = DropCounts()
    /// Events behind those losses that someone wants to hear of.
    var refusals: [Refusal] = []
  }

  fileprivate struct State {
    var entries: [PipelineInput]
    var commands: [Command] = []
    var losses = DropCounts()
    var refusals: [Refusal] = []
    /// Whether someone wants to hear of every event.
    var isListenedTo = false
    var mode: Mode
    /// Whether it is off with one last send to come.
    var sendsLast = false
    var rule = ConsentCore.Rule.deletesStored
    var waitingLimit = Inbox.waitingLimit
    var tracked = 0
    /// The thread has ended; nobody picks anything up any more.
    var isFinished = false
    var ids: EventIDSequence
    var random: RandomBytes
    /// When the end of the process began, in seconds; nil before.
    var endBegan: Double?
  }

  /// Events over this number are not taken until the thread has caught up, unless told otherwise.
  ///
  /// About 300 bytes each, so at most some 15 MB for a moment. Source: our own measurements.
  static let waitingLimit = 50_000
  /// So many waiting events are worth being written before the gathering time is over.
  private static let urgentCount = 1_024

  /// So many refused events are told of at once to those who listen to all, and no more.
  static let refusalLimit = 10_000

  /// Memory for this many events is kept for the next ones.
  static let keptCapacity = 2_048

  fileprivate let state: Lock<State>
  let signal = Signal()
  private let source: RandomSource
  /// Where callers wait once the process is ending; nil for not at all.
  private let waits: Waits?

  init(random source: RandomSource, mode: Mode = .collecting, waits: Waits? = nil) {
    self.source = source
    self.waits = waits
    var random = RandomBytes(source)
    let ids = EventIDSequence(random: random.next())
    var entries: [PipelineInput] = []
    entries.reserveCapacity(Self.keptCapacity)
    state = Lock(State(entries: entries, mode: mode, ids: ids, random: random))
    Inherited.prepare(([PipelineInput](), [Command](), [Refusal]()))
  }

  /// Takes an event.
  ///
  /// Any thread; never waits for disk or network.
  func add(
    _ name: EventName,
    _ properties: Properties,
    unread: (any UnreadProperties)? = nil,
    at milliseconds: Int64,
    now: Moment,
    details: EventDetails?
  ) {
    let (count, endBegan) = state.withLock { state in
      state.tracked &+= 1
      guard state.mode == .collecting, state.entries.count < state.waitingLimit else {
        return (state.refuse(.inboxFull, name, at: now, details), nil as Double?)
      }
      let id = state.ids.next(at: now.wallMilliseconds) { state.random.next() }
      state.entries.append(
        .event(
          StampedEvent(
            name: name,
            properties: properties,
            unread: unread,
            id: id,
            milliseconds: milliseconds,
            moment: now,
            details: details
          )
        )
      )
      return (state.entries.count, state.endBegan)
    }
    if count == 1 { signal.raise() } else if count == Self.urgentCount { signal.raise(.now) }
    if count < 0 { tellFinished() }
    if let endBegan { waitUntilWritten(until: endBegan + Ending.writeSeconds) }
  }

  /// The process is ending and may be gone when this call returns, so the event is written first.
  private func waitUntilWritten(until deadline: Double) {
    guard let waits, !waits.isOnThread, waits.now < deadline else { return }
    let written = waits.begin()
    post(.write { waits.end(written) })
    waits.wait(for: written, until: deadline)
  }

  /// The process is about to end; says when that began, in seconds, at the first such call.
  func beginEnd(at moment: Moment) -> Double {
    state.withLock { state in
      if let began = state.endBegan { return began }
      let began = waits?.now ?? Double(moment.steadyMilliseconds) / 1_000
      state.endBegan = began
      if state.mode != .shutDown { state.entries.append(.change(.terminate, at: moment)) }
      return began
    }
  }

  /// Counts an event that is not taken.
  func refuse(_ reason: DropReason, _ name: EventName, now: Moment, details: EventDetails?) {
    let count = state.withLock { state in
      state.tracked &+= 1
      return state.refuse(reason, name, at: now, details)
    }
    if count == 1 { signal.raise() }
    if count < 0 { tellFinished() }
  }

  /// Events over this number are not taken until the thread has caught up; 1 at least.
  func limitWaiting(to events: Int) {
    state.withLock { $0.waitingLimit = max(1, events) }
  }

  /// Whether someone wants to hear of every event, those that are not taken included.
  func listen(_ isListenedTo: Bool) {
    state.withLock { $0.isListenedTo = isListenedTo }
  }

  /// The thread has ended, so what became of late events is told on the caller's.
  private func tellFinished() {
    let refusals = state.withLock { state in
      defer { state.refusals = [] }
      return state.refusals
    }
    for refusal in refusals { refusal.onResult?(refusal.result) }
  }

  /// Takes a change for everything tracked after this call; false if the client was shut down.
  @discardableResult
  func add(_ change: PipelineInput.Change, at moment: Moment) -> Bool {
    let isTaken = state.withLock { state in
      guard state.mode != .shutDown else { return false }
      state.entries.append(.change(change, at: moment))
      return true
    }
    if isTaken { signal.raise() }
    return isTaken
  }

  /// So many sentences about calls may wait to be logged; more would only repeat them.
  private static let noteLimit = 1_000

  /// Leaves a sentence for the log, and counts a loss of less than an event if a reason is given.
  func note(_ message: String, counting reason: DropReason? = nil) {
    state.withLock { state in
      if let reason { state.losses.count(reason) }
      guard !state.isFinished, state.commands.count < Self.noteLimit else { return }
      state.commands.append(.warn(message))
    }
    signal.raise()
  }

  /// What becomes of waiting events when collection is switched off.
  func follow(_ rule: ConsentCore.Rule) {
    state.withLock { $0.rule = rule }
  }

  /// Asks the engine for something.
  ///
  /// Once its thread has ended, the command is answered at once, on the caller's thread.
  func post(_ command: Command) {
    let isTaken = state.withLock { state in
      guard !state.isFinished else { return false }
      state.commands.append(command)
      return true
    }
    if isTaken { signal.raise(.now) } else { command.abandon() }
  }

  /// Stops taking events, drops the waiting ones and asks the engine to delete the stored ones.
  func disable(at moment: Moment, _ done: @escaping @Sendable () -> Void) {
    state.withLock { state in
      if state.mode == .collecting { state.mode = .off }
      state.sendsLast = false
      if state.rule == .deletesStored { state.dropWaiting(.optedOut) }
      state.entries.append(.change(.collecting(false), at: moment))
    }
    post(.disable(done))
  }

  /// Stops taking events; those that wait are still stored, and sent once more.
  func flushAndDisable(
    limitSeconds: Double,
    at moment: Moment,
    _ done: @escaping @Sendable () -> Void
  ) {
    state.withLock { state in
      guard state.mode == .collecting else { return }
      state.mode = .off
      state.sendsLast = true
      state.entries.append(.change(.collecting(false), at: moment))
    }
    post(.flushAndDisable(limitSeconds: limitSeconds, done))
  }

  /// Takes events again, unless the client was shut down.
  func enable(at moment: Moment) {
    let wasOff = state.withLock { state in
      guard state.mode == .off else { return false }
      state.mode = .collecting
      state.entries.append(.change(.collecting(true), at: moment))
      return true
    }
    if wasOff { post(.enable) }
  }

  /// Takes no more events; what waits is still stored.
  func shutDown(limitSeconds: Double) {
    state.withLock { $0.mode = .shutDown }
    post(.shutDown(limitSeconds: limitSeconds))
  }

  /// The thread ends: what still waits is counted and given back, and whoever waits for an answer
  /// gets one.
  @discardableResult
  func finish() -> [Refusal] {
    let (commands, refusals) = state.withLock { state in
      state.isFinished = true
      state.mode = .shutDown
      state.dropWaiting(.shutDown)
      defer {
        state.commands = []
        state.refusals = []
      }
      return (state.commands, state.refusals)
    }
    for command in commands { command.abandon() }
    return refusals
  }

  /// Whether events are taken.
  var mode: Mode { state.withLock { $0.mode } }

  /// Whether it was off before anything that waits came, so that a client that starts now starts off.
  ///
  /// What was tracked before the switch was turned is still to be taken in, in its order.
  var isOffFromStart: Bool {
    state.withLock { $0.mode == .off && !$0.sendsLast && $0.waitingEvents == 0 }
  }

  /// Whether nothing may leave any more, although the thread may not have heard of it yet.
  var isCutOff: Bool {
    state.withLock { $0.mode == .off && !$0.sendsLast && $0.rule == .deletesStored }
  }

  /// Makes the thread look at its clock.
  func poke() {
    signal.raise(.now)
  }

  /// Takes everything that waits.
  ///
  /// For the engine's thread.
  ///
  /// `recycling` is an empty array whose memory is used for what comes next.
  func take(recycling: consuming [PipelineInput]) -> Work {
    let spare = recycling
    return state.withLock { state in
      let work = Work(
        entries: state.entries,
        commands: state.commands,
        losses: state.losses,
        refusals: state.refusals
      )
      state.entries = spare
      state.refusals = []
      state.commands = []
      state.losses = DropCounts()
      return work
    }
  }

  /// The numbers that are still in the inbox.
  func addCounts(to diagnostics: inout Diagnostics) {
    let (tracked, waiting, losses) = state.withLock {
      ($0.tracked, $0.waitingEvents, $0.losses)
    }
    diagnostics.tracked = tracked
    diagnostics.waiting += waiting
    diagnostics.dropped.add(losses)
  }

  /// Blocks the engine's thread until there is something to do, or for `seconds`.
  ///
  /// `isStreaming` says that there was something the last time, so there is likely more soon. Something was
  /// last taken `takenSecondsAgo`.
  func waitForWork(
    seconds: Double?,
    gathering: Gathering,
    takenSecondsAgo: Double = 0,
    isStreaming: Bool = false
  ) {
    ForkGate.rest {
      signal.wait(
        seconds: seconds,
        gathering: gathering,
        takenSecondsAgo: takenSecondsAgo,
        isStreaming: isStreaming
      )
    }
  }
}

extension Inbox {
  /// Gives back memory that is only kept to be faster.
  func saveMemory() {
    state.withLock { if $0.entries.isEmpty { $0.entries = [] } }
  }
}

// MARK: - Forks

extension Inbox {
  func holdForFork() {
    state.holdForFork()
    signal.holdForFork()
  }

  func releaseInParent() {
    signal.releaseInParent()
    state.releaseInParent()
  }

  /// What waits is the parent's, and so are the numbers; ids must not be made twice.
  func renewInChild() {
    state.renewInChild()
    let hasThread = state.withLock { state in
      // Whoever waits for an answer waits in the parent: nothing is called here, nor given back.
      Inherited.keep((state.entries, state.commands, state.refusals))
      state.entries = []
      state.commands = []
      state.refusals = []
      state.losses = DropCounts()
      state.tracked = 0
      state.endBegan = nil
      state.random = RandomBytes(source)
      state.ids = EventIDSequence(random: state.random.next())
      return !state.isFinished
    }
    signal.renewInChild(isOrphaned: hasThread)
  }

  /// In a child, before its thread is there: puts changes before everything that waits.
  func begin(with changes: [PipelineInput.Change], at moment: Moment) {
    state.withLock { state in
      state.entries.insert(contentsOf: changes.map { .change($0, at: moment) }, at: 0)
    }
  }
}

/// Keeps a parent's values in a child for good: giving them back could run what is the parent's.
///
/// A program's own threads are not held over a fork. What Swift makes once for a type could be half made
/// by one of them, and a child would wait for it for good, so `prepare` has it made before any fork.
final class Inherited<Value> {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }

  static func prepare(_ value: Value) { _ = Inherited(value) }

  static func keep(_ value: Value) { _ = Unmanaged.passRetained(Inherited(value)) }
}

extension Inbox.Command {
  /// Answers whoever waits, since nobody will do what they asked for.
  func abandon() {
    switch self {
    case .flush(let done):
      done(DeliveryReport(problem: DeliveryProblem(.shutDown, "The client was shut down.")))
    case .kept(_, let tell): tell([])
    case .disable(let done), .flushAndDisable(_, let done), .reset(_, let done),
      .settle(let done), .write(let done), .left(let done), .dropKept(let done):
      done()
    case .end(let request):
      request.isWritten()
      request.isOver()
    case .warn, .answered, .configured, .refreshConfiguration, .selfReported, .adopt, .returned,
      .enable, .connectivity, .offline, .shutDown, .saveMemory:
      break
    }
  }
}

extension Inbox.Mode {
  /// Why an event is not taken; nil while events are taken.
  fileprivate var reason: DropReason? {
    switch self {
    case .collecting: nil
    case .off: .optedOut
    case .shutDown: .shutDown
    }
  }
}

extension Inbox.State {
  fileprivate var waitingEvents: Int {
    entries.reduce(0) { count, entry in
      if case .event = entry { count + 1 } else { count }
    }
  }

  fileprivate mutating func dropWaiting(_ reason: DropReason) {
    losses.count(reason, waitingEvents)
    let waiting = entries
    entries = []
    for entry in waiting {
      if case .event(let event) = entry {
        guard event.details?.onResult != nil || isListenedTo else { continue }
        refusals.append(Refusal(event, reason))
      } else {
        entries.append(entry)
      }
    }
  }

  /// Counts an event that is not taken; says how many the thread has to tell of, as a negative
  /// number if there is no thread any more.
  fileprivate mutating func refuse(
    _ reason: DropReason,
    _ name: EventName,
    at now: Moment,
    _ details: EventDetails?
  ) -> Int {
    let reason = mode.reason ?? reason
    losses.count(reason)
    let isAsked = details?.onResult != nil
    guard isAsked || (isListenedTo && refusals.count < Inbox.refusalLimit) else { return 0 }
    let event = StampedEvent(
      name: name,
      properties: [:],
      id: ids.next(at: now.wallMilliseconds) { random.next() },
      milliseconds: now.wallMilliseconds,
      moment: now,
      details: details
    )
    refusals.append(Refusal(event, reason))
    return isFinished ? -1 : refusals.count
  }
}
