import FootfallCore
import FootfallJournal
import FootfallOutbox
import FootfallPlatform
import FootfallSystem

/// What the engine's thread does: takes what callers left, stores it, sends it.
///
/// The shell around the pure cores: it reads the clock, performs their effects and feeds results
/// back. Everything here belongs to that one thread, so nothing is locked.
final class EngineLoop {
  let settings: EngineSettings
  let environment: Environment
  let inbox: Inbox
  let board: Board

  var outbox: Outbox?
  var state = ClientState()
  /// What the state's file says; nil where there is none.
  var storedState: ClientState?
  var identity: EventIdentity
  var nextSequence: Int64 = 1
  var flushPolicy: FlushPolicy
  var upload = UploadCore()
  var random: RandomBytes
  var counts = Diagnostics()
  /// Losses the server has not heard of, and those told with the request in flight.
  var unreported = DropCounts()
  var reported = DropCounts()

  var flushers: [Flusher] = []
  /// Whoever waits for everything before to be written and sealed as far as it is due.
  var settling: [@Sendable () -> Void] = []
  /// What is to be sealed, a few batches in each step.
  var sealing: FlushPolicy.Effect?
  /// Up to where flushes want everything sealed before they ask for the upload.
  var flushTarget: JournalPosition?
  /// Inputs of the upload core that came up while it was being fed.
  var inputs: [UploadCore.Input] = []
  var isFeeding = false
  var attempt = 0
  var inFlight: Attempt?

  var syncDeadline: Double?
  var tidyDeadline: Double?
  var openDeadline: Double?
  var openError: OutboxError?
  var shutdownDeadline: Double?
  /// Files that could not be deleted when collection was switched off; tried again.
  var owesDeletion = false
  var isCollecting: Bool
  var isStateChanged = false
  var isFinished = false

  private let encoder: EventEncoder
  private var buffer = JSONBuffer(capacity: 8_192)
  private var spare: [Inbox.Entry] = []

  /// Events are encoded and written in groups of at most so many.
  private static let groupEvents = 1_000

  init(_ setup: Engine.Setup, inbox: Inbox, board: Board) {
    settings = setup.settings
    environment = setup.environment
    self.inbox = inbox
    self.board = board
    identity = EventIdentity(deviceID: settings.deviceID ?? "", isTest: settings.isTest)
    flushPolicy = FlushPolicy(
      maxEvents: settings.outbox.batchEvents,
      maxBytes: settings.outbox.batchBytes,
      intervalSeconds: settings.intervalSeconds
    )
    random = RandomBytes(environment.random)
    encoder = EventEncoder(limits: settings.events)
    isCollecting = settings.isEnabled && inbox.mode != .off
  }

  /// Seconds on the clock that only goes forward.
  var now: Double { Double(environment.monotonic().nanoseconds) / 1e9 }

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
      count(reason, number)
      environment.log.warning("\(number) events were dropped: \(reason).")
    }
    openIfDue()
    store(work.entries)
    recycle(work.entries)
    for command in work.commands { perform(command) }
    performWhatIsDue()
    saveStateIfChanged()
    publish()
    tellSettled()
  }

  private func tellSettled() {
    guard sealing == nil else { return }
    let settled = settling
    settling = []
    for tell in settled { tell() }
  }

  private var secondsToWait: Double? {
    guard sealing == nil else { return 0 }
    let deadlines = [
      flushPolicy.deadline, upload.deadline, syncDeadline, tidyDeadline, shutdownDeadline,
      owesDeletion ? openDeadline : nil,
    ]
    guard let next = deadlines.compactMap({ $0 }).min() else { return nil }
    return max(0, next - now)
  }

  private func performWhatIsDue() {
    let now = now
    if let due = syncDeadline, due <= now { sync() }
    for effect in flushPolicy.receive(.timePassed, at: now) { perform(effect) }
    feed(.timePassed)
    continueSealing()
    if let due = tidyDeadline, due <= now { tidy() }
    if owesDeletion, let due = openDeadline, due <= now { deleteAll() }
    if let due = shutdownDeadline, due <= now { finish() }
  }

  private func recycle(_ entries: consuming [Inbox.Entry]) {
    guard entries.capacity <= Inbox.keptCapacity * 2 else { return }
    spare = entries
    spare.removeAll(keepingCapacity: true)
  }

  // MARK: Storing

  private func store(_ entries: [Inbox.Entry]) {
    var group: [[UInt8]] = []
    for entry in entries {
      switch entry {
      case .user(let userID): setUser(userID)
      case .event(let event):
        if let bytes = encode(event) { group.append(bytes) }
        if group.count >= Self.groupEvents {
          write(group)
          group.removeAll(keepingCapacity: true)
        }
      }
    }
    write(group)
  }

  private func encode(_ event: StampedEvent) -> [UInt8]? {
    reserveSequence()
    var losses = DropCounts()
    buffer.truncate()
    let reason = encoder.encode(
      Event(event, sequence: nextSequence, identity: identity),
      into: &buffer,
      losses: &losses
    )
    if !losses.isEmpty { count(losses) }
    if let reason {
      count(reason)
      environment.log.warning("An event was dropped: \(reason).")
      return nil
    }
    nextSequence += 1
    return buffer.bytes
  }

  private func write(_ group: [[UInt8]]) {
    guard !group.isEmpty else { return }
    do throws(OutboxError) {
      try append(group)
      syncDeadline = syncDeadline ?? now + settings.syncSeconds
      let bytes = group.reduce(0) { $0 + $1.count }
      let effects = flushPolicy.receive(.stored(events: group.count, bytes: bytes), at: now)
      for effect in effects { perform(effect) }
    } catch {
      count(error.dropReason, group.count)
      environment.log.error("Events could not be stored and were dropped: \(error)")
    }
  }

  /// Writes a group; if the folder itself is the trouble, opens it anew and tries once more.
  private func append(_ group: [[UInt8]]) throws(OutboxError) {
    guard let outbox else { throw openError ?? .failed("The outbox is not open.") }
    do throws(OutboxError) { try outbox.append(group) } catch {
      guard case .failed = error, let reopened = reopen(outbox) else { throw error }
      try reopened.append(group)
    }
  }

  // MARK: Numbers

  func count(_ reason: DropReason, _ number: Int = 1) {
    counts.dropped.count(reason, number)
    if reason != .rejectedByServer { unreported.count(reason, number) }
  }

  private func count(_ losses: DropCounts) {
    for (reason, number) in losses.byReason { count(reason, number) }
  }

  /// Shows the numbers to whoever asks for diagnostics.
  private func publish() {
    counts.stored = outbox?.keptEvents ?? 0
    counts.isReady = outbox != nil
    board.show(counts, deviceID: identity.deviceID ?? "", userID: identity.userID)
  }
}
