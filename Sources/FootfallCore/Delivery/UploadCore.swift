/// Decides what is sent when: oldest batch first, one request at a time, and what each answer
/// means for the next step.
///
/// Times are seconds on a clock that only goes forward; while the process lives, changes of the
/// wall clock do not matter. The numbers are the rules'.
package struct UploadCore: Sendable {
  /// A sealed batch that waits.
  package struct Batch: Sendable, Equatable {
    /// Its number; older batches have smaller ones.
    package let number: UInt64
    /// The number of its events.
    package let events: Int

    /// A batch from its parts.
    package init(number: UInt64, events: Int) {
      self.number = number
      self.events = events
    }
  }

  /// What a flush does about a wait.
  package enum FlushKind: Sendable, Equatable {
    /// Ends an ordinary wait if the rules say so.
    case ordinary
    /// Ends an ordinary wait, but no `Retry-After` and no key pause: the app is about to end.
    case urgent
    /// One last pass: ends every wait and pause, and goes out whatever the network is said to be.
    ///
    /// Only the app's own switch holds it back.
    case last
  }

  /// What happened.
  package enum Input: Sendable, Equatable {
    /// The oldest sealed batch is now this one. Sent after every seal, removal and drop.
    case oldest(Batch?)
    /// Someone wants everything up to this batch sent now; joins a flush that runs.
    case flush(through: UInt64, kind: FlushKind = .ordinary)
    /// The request in flight was answered, or failed.
    case answered(UploadVerdict)
    /// The batch to be sent is not there or cannot be read, and its loss is counted.
    case gone
    /// The network is there or away; nil when nobody knows.
    case connectivity(isOnline: Bool?)
    /// The app's own switch.
    case offline(Bool)
    /// Time went by.
    case timePassed
    /// Collection was switched off, or the client is being shut down: send nothing more.
    case stop(DeliveryProblem)
    /// Collection was switched on.
    case resume
  }

  /// What is to be done.
  package enum Effect: Sendable, Equatable {
    /// Send these events of this batch: their places in it, ascending.
    case send(UInt64, events: [Int])
    /// This is what finally became of these events of this batch; each is told once.
    case settled(UInt64, [EventSettlement])
    /// Everything of this batch is settled: remove it.
    case remove(UInt64)
    /// The server will never read this batch: put it aside.
    case setAside(UInt64)
    /// All flushes so far are over, with the reason if batches were left.
    case finishFlush(DeliveryProblem?)
    /// The client went offline, or online again.
    case offlineChanged(Bool)
    /// Say this in the log; once per episode.
    case report(DeliveryProblem)
  }

  enum Phase: Equatable {
    case ready
    case sending
    /// The shell is removing a batch or putting it aside; `oldest` comes next.
    case settling
    /// Waits for an ordinary retry.
    case backingOff(until: Double)
    /// The server asked for time, or refused the key; only a last flush ends it.
    case holding(until: Double)
    case stopped
  }

  enum OfflineCause: Equatable {
    case app, failures, network
  }

  let rules: DeliveryRules
  var phase = Phase.ready
  var retry: RetryCore
  var oldest: Batch?
  var plan: (number: UInt64, split: SplitPlan)?
  var keyRefusals = 0
  var problem: DeliveryProblem?
  var offlineCause: OfflineCause?
  var isOnline: Bool?
  var flushThrough: UInt64?
  var isLastPass = false
  var resends = 0

  /// A core with nothing to send.
  package init(rules: DeliveryRules = .native) {
    self.rules = rules
    retry = RetryCore(
      shape: rules.backoff,
      retryAfterCapSeconds: rules.retryAfterCapSeconds
    )
  }

  /// When `timePassed` is due; nil while nothing waits for time.
  package var deadline: Double? {
    switch phase {
    case .backingOff(let until), .holding(let until):
      oldest == nil || offlineCause != nil ? nil : until
    case .ready, .sending, .settling, .stopped: nil
    }
  }

  /// Whether a request is in flight.
  package var isSending: Bool { phase == .sending }

  /// Whether nothing is sent until the client is online again.
  package var isOffline: Bool { offlineCause != nil }

  /// Whether a batch sealed now would be sent now: nothing is before it and nothing in the way.
  package var isFree: Bool { phase == .ready && oldest == nil && !isOffline }

  /// The batch being sent, which the caps must not drop.
  package var batchInFlight: UInt64? { phase == .sending ? plan?.number : nil }

  /// Takes in what happened at `now` and says what to do, in order.
  package mutating func receive(
    _ input: Input,
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    switch input {
    case .oldest(let batch):
      oldest = batch
      if phase != .sending, plan?.number != batch?.number { plan = nil }
      if phase == .settling { phase = .ready }
      return proceed()
    case .flush(let through, let kind): return flush(through: through, kind)
    case .answered(let verdict): return answered(verdict, at: now, using: &random)
    case .gone:
      guard phase == .sending, let number = plan?.number else { return [] }
      return leave(number, .remove(number))
    case .connectivity(let isOnline): return connectivityChanged(isOnline)
    case .offline(let isOffline): return isOffline ? goOffline(.app) : comeOnline()
    case .timePassed:
      guard let due = deadline, due <= now else { return [] }
      phase = .ready
      return proceed()
    case .stop(let reason):
      phase = .stopped
      problem = reason
      return finishFlush(reason)
    case .resume:
      guard phase == .stopped else { return [] }
      phase = .ready
      succeeded()
      return proceed()
    }
  }

  /// Sends what is to be sent now, if anything and if nothing is in the way.
  mutating func proceed() -> [Effect] {
    guard let oldest else { return finishFlush(nil) }
    guard phase == .ready else { return [] }
    guard canGoOut else { return finishFlush(Self.offlineProblem) }
    var effects: [Effect] = []
    if let through = flushThrough, oldest.number > through { effects += finishFlush(nil) }
    if rules.sendsOnlyOnFlush, flushThrough == nil { return effects }
    if plan?.number != oldest.number {
      plan = (oldest.number, SplitPlan(events: oldest.events))
    }
    guard let part = plan?.split.current else {
      return effects + leave(oldest.number, .remove(oldest.number))
    }
    phase = .sending
    return effects + [.send(oldest.number, events: part)]
  }

  /// Nothing more of this batch is sent; `oldest` then brings the next one.
  mutating func leave(_ number: UInt64, _ effect: Effect) -> [Effect] {
    plan = nil
    phase = .settling
    return [effect]
  }

  mutating func succeeded() {
    retry.reset()
    keyRefusals = 0
    resends = 0
    problem = nil
  }
}
