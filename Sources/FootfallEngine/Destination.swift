import FootfallCore
import FootfallJournal
import FootfallOutbox
import FootfallPlatform
import FootfallSystem

/// What a destination asks of the loop it belongs to; on the engine's thread.
protocol DestinationHost: AnyObject {
  /// It has opened its folder, and will seal and send what lies there.
  func opened(_ destination: Destination)
  /// It is about to seal: what the events depend on has to be on disk before them.
  func willSeal(_ destination: Destination)
  /// The server has taken events of it.
  func delivered(_ destination: Destination)
  /// The losses of the client's own destination are to be stored with the client's state.
  func saveLosses(of destination: Destination)
}

/// Brings events to one place: encodes, stores, seals and sends them, and judges the answers.
///
/// The shell around the pure cores of delivery: it performs their effects and feeds results back.
/// Has an outbox, rules and numbers of its own, so that a destination that is down holds up no
/// other. Belongs to the engine's thread, so nothing is locked.
final class Destination {
  private(set) var settings: DestinationSettings
  let environment: Environment
  /// How often the journal is synced at most, in seconds.
  let syncSeconds: Double
  /// Hands the answer to an attempt to the engine's thread; any thread.
  let post: @Sendable (_ attempt: Int, UploadResponse) -> Void
  /// Whether collection was switched off, even if this destination has not heard of it; any thread.
  let isCutOff: @Sendable () -> Bool
  /// Tells what becomes of events.
  let reporter: EventReporter
  /// Whether it is the client's own: results of events are its results.
  let isMain: Bool
  weak var host: (any DestinationHost)?

  var outbox: Outbox?
  var flushPolicy: FlushPolicy
  var upload: UploadCore
  var random: RandomBytes
  var counts = DestinationDiagnostics()
  /// Losses the server has not heard of, and those told with the request in flight.
  var unreported = DropCounts()
  var reported = DropCounts()

  /// What the disk says of those.
  var storedLosses = DropCounts()

  /// Events that were received and are not written yet, and what goes along with them.
  var group: [[UInt8]] = []
  var deferred = DeferredWrite()
  var buffer = JSONBuffer(capacity: 8_192)
  /// Identifies that wait for others like them.
  var held: HeldIdentifies
  /// What batches with those events say once.
  var groupContent: [UInt8]
  /// Events that newer ones of the same place replace; whether that differs from what is stored, and
  /// how much of it no flush counts yet.
  var newest = NewestEvents()
  var isNewestChanged = false
  var newlyHeld = (events: 0, bytes: 0)

  /// What is in the app's own place, where there is one.
  var blocks = KeptBlocks()

  var flushers: [Flusher] = []
  /// What is to be sealed, a few batches in each step.
  var sealing: FlushPolicy.Effect?
  /// Up to where flushes want everything sealed before they ask for the upload.
  var flushTarget: JournalPosition?
  /// The most pressing kind among those flushes.
  var flushKind = UploadCore.FlushKind.ordinary
  /// Inputs of the upload core that came up while it was being fed.
  var inputs: [UploadCore.Input] = []
  var isFeeding = false
  var attempt = 0
  var inFlight: Attempt?

  /// Which events are in which batch, for when that cannot be read any more; empty while nobody
  /// wants to know.
  var eventsOfBatch: [UInt64: [(id: String, name: EventName)]] = [:]
  /// Events that are being deleted, of which is told once that is done.
  var deleted: [(id: String, name: EventName)] = []
  /// Whether the last events could not be stored: told once, counted always.
  var isStoringFailing = false
  /// Whether the cap for what earlier launches left was looked at.
  var hasLaunched = false
  /// Folders that were readied for what is kept in them.
  var prepared: Set<String> = []
  /// Whether it is elsewhere: what is on this machine can be reached without a network.
  let needsNetwork: Bool

  var syncDeadline: Double?
  var tidyDeadline: Double?
  var openDeadline: Double?
  var openError: OutboxError?
  /// When what other processes left is looked for again, since that failed.
  var adoptDeadline: Double?
  /// How many events the folder held when it failed: which of them are gone shows once it is open.
  var doubtful = 0
  /// Files that could not be deleted when collection was switched off; tried again.
  var owesDeletion = false
  /// Whether anything may be stored or sent.
  var isCollecting: Bool
  var isClosed = false

  init(
    _ settings: DestinationSettings,
    environment: Environment,
    syncSeconds: Double,
    isCollecting: Bool,
    reporter: EventReporter,
    isCutOff: @escaping @Sendable () -> Bool,
    post: @escaping @Sendable (_ attempt: Int, UploadResponse) -> Void
  ) {
    self.settings = settings
    self.environment = environment
    self.syncSeconds = syncSeconds
    self.isCollecting = isCollecting
    self.reporter = reporter
    self.isCutOff = isCutOff
    self.post = post
    groupContent = settings.codec.commonContent
    needsNetwork = settings.codec.host.map { !ThisMachine.isHost($0) } ?? true
    isMain = settings.name == DestinationSettings.mainName
    var flush = settings.flush
    flush.maxEvents = settings.outbox.batchEvents
    flush.maxBytes = settings.outbox.batchBytes
    flushPolicy = FlushPolicy(rules: flush, startedAt: environment.monotonicSeconds)
    upload = UploadCore(rules: settings.delivery)
    random = RandomBytes(environment.random)
    held = HeldIdentifies(at: environment.monotonicSeconds)
  }

  /// What its folder lies in.
  var files: any FileSystem { settings.files ?? environment.files }
  /// What the folder of what is held lies in.
  var heldFiles: any FileSystem { settings.heldFiles ?? environment.files }

  /// Seconds on the clock that only goes forward.
  var now: Double { environment.monotonicSeconds }

  /// When something is due; nil while nothing waits for time.
  var deadline: Double? {
    // Without an array: this is asked after every step.
    var next = earlier(flushPolicy.deadline, upload.deadline)
    next = earlier(next, earlier(syncDeadline, tidyDeadline))
    next = earlier(next, earlier(deferred.deadline, adoptDeadline))
    if outbox != nil { next = earlier(next, held.deadline) }
    return owesDeletion ? earlier(next, openDeadline) : next
  }

  /// Whether there is more to do at once.
  var isBusy: Bool { sealing != nil }

  /// Does what is due, and some of what is to be sealed.
  func performWhatIsDue() {
    let now = now
    releaseDue()
    if let due = deferred.deadline, due <= now { writeDeferred() }
    if let due = syncDeadline, due <= now { sync() }
    for effect in flushPolicy.receive(.timePassed, at: now) { perform(effect) }
    if let due = upload.deadline, due <= now { feed(.timePassed) }
    continueSealing()
    if let due = tidyDeadline, due <= now { tidy() }
    if let due = adoptDeadline, due <= now { adopt() }
    if owesDeletion, let due = openDeadline, due <= now { deleteAll() }
  }

  /// Gives back memory that is only kept to be faster.
  func saveMemory() {
    buffer = JSONBuffer(capacity: 0)
    if group.isEmpty { group = [] }
    if inputs.isEmpty { inputs = [] }
  }

  /// What events say of app and device from here on unless they say it themselves; a batch goes
  /// with what was so when its events were queued.
  func share(_ context: EventContext) {
    settings.codec = settings.codec.sharing(context)
  }

  /// Makes requests by another codec from here on; batches that are sealed already are as they are.
  func adopt(_ codec: any WireCodec) {
    settings.codec = codec
  }

  // MARK: Numbers

  func count(_ reason: DropReason, _ number: Int = 1) {
    counts.dropped.count(reason, number)
    guard reason != .rejectedByServer else { return }
    unreported.count(reason, number)
    saveLossesSoon()
  }

  func count(_ losses: DropCounts) {
    for (reason, number) in losses.byReason { count(reason, number) }
  }

  /// Events that wait to be delivered.
  var keptEvents: Int {
    (outbox?.keptEvents ?? doubtful + blocks.events) + newest.entries.count + group.count
  }

  /// The numbers as they are now.
  var diagnostics: DestinationDiagnostics {
    var shown = counts
    shown.stored = keptEvents + held.count
    shown.storedBytes = outbox?.keptBytes ?? 0
    shown.isReady = outbox != nil || settings.keeper != nil
    return shown
  }
}

extension Environment {
  /// Seconds on the clock that only goes forward.
  var monotonicSeconds: Double { Double(monotonic().nanoseconds) / 1e9 }
}
