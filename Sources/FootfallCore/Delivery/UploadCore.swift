/// Decides what is sent when: oldest batch first, one request at a time, and what each answer
/// means for the next step.
///
/// Times are seconds on a clock that only goes forward; while the process lives, changes of the
/// wall clock do not matter. Source of the numbers: `simpledatalogs.md` sections 3.4 and 3.7.
package struct UploadCore: Sendable {
  /// A sealed batch that waits.
  package struct Batch: Sendable, Hashable {
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

  /// What happened.
  package enum Input: Sendable, Hashable {
    /// The oldest sealed batch is now this one. Sent after every seal, removal and drop.
    case oldest(Batch?)
    /// Someone wants everything up to this batch sent now.
    case flush(through: UInt64)
    /// The request in flight was answered, or failed.
    case answered(UploadVerdict)
    /// Time went by.
    case timePassed
    /// Collection was switched off, or the client is being shut down: send nothing more.
    case stop(DeliveryProblem)
    /// Collection was switched on.
    case resume
  }

  /// What is to be done.
  package enum Effect: Sendable, Hashable {
    /// Send these events of this batch.
    case send(UInt64, events: Range<Int>)
    /// Everything of this batch is settled: remove it.
    case remove(UInt64)
    /// The server refuses this one event for its size: count it as dropped.
    case dropEvent(UInt64, index: Int)
    /// The server will never read this batch: put it aside.
    case setAside(UInt64)
    /// All flushes so far are over, with the reason if batches were left.
    case finishFlush(DeliveryProblem?)
    /// Say this in the log; once per episode.
    case report(DeliveryProblem)
  }

  private enum Phase: Hashable {
    case ready
    case sending
    /// The shell is removing a batch or putting it aside; `oldest` comes next.
    case settling
    /// Waits for an ordinary retry; a flush ends it early.
    case backingOff(until: Double)
    /// The server asked for time, or refused the key; a flush does not end it.
    case holding(until: Double)
    case stopped
  }

  /// How long sending pauses after a refused key, in seconds: first, then each time.
  package var keyPauseSeconds = (first: 60.0, later: 600.0)

  private var phase = Phase.ready
  private var retry: RetryCore
  private var oldest: Batch?
  private var plan: (number: UInt64, split: SplitPlan)?
  private var flushThrough: UInt64?
  private var keyRefusals = 0
  private var problem: DeliveryProblem?

  /// A core with nothing to send.
  package init(retry: RetryCore = RetryCore()) {
    self.retry = retry
  }

  /// When `timePassed` is due; nil while nothing waits for time.
  package var deadline: Double? {
    switch phase {
    case .backingOff(let until), .holding(let until): oldest == nil ? nil : until
    case .ready, .sending, .settling, .stopped: nil
    }
  }

  /// Whether a request is in flight.
  package var isSending: Bool { phase == .sending }

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
      if phase == .settling { phase = .ready }
      return proceed()
    case .flush(let through): return flush(through: through)
    case .answered(let verdict): return answered(verdict, at: now, using: &random)
    case .timePassed:
      guard let due = deadline, due <= now else { return [] }
      phase = .ready
      return proceed()
    case .stop(let reason):
      phase = .stopped
      plan = nil
      problem = reason
      return finishFlush(reason)
    case .resume:
      guard phase == .stopped else { return [] }
      phase = .ready
      problem = nil
      retry.succeeded()
      keyRefusals = 0
      return proceed()
    }
  }

  private mutating func proceed() -> [Effect] {
    guard phase == .ready else { return oldest == nil ? finishFlush(nil) : [] }
    guard let oldest else { return finishFlush(nil) }
    var effects: [Effect] = []
    if let through = flushThrough, oldest.number > through { effects += finishFlush(nil) }
    if plan?.number != oldest.number {
      plan = (oldest.number, SplitPlan(events: oldest.events))
    }
    guard let part = plan?.split.current else {
      phase = .settling
      return effects + [.remove(oldest.number)]
    }
    phase = .sending
    return effects + [.send(oldest.number, events: part)]
  }

  private mutating func flush(through: UInt64) -> [Effect] {
    flushThrough = max(through, flushThrough ?? 0)
    switch phase {
    case .ready: return proceed()
    case .sending, .settling: return []
    case .backingOff:
      phase = .ready
      return proceed()
    case .holding, .stopped: return finishFlush(oldest == nil ? nil : problem)
    }
  }

  private mutating func finishFlush(_ problem: DeliveryProblem?) -> [Effect] {
    guard flushThrough != nil else { return [] }
    flushThrough = nil
    return [.finishFlush(problem)]
  }

  private mutating func answered(
    _ verdict: UploadVerdict,
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard phase == .sending, let number = plan?.number, let part = plan?.split.current else {
      return []
    }
    phase = .ready
    switch verdict {
    case .delivered:
      succeeded()
      plan?.split.settle()
      return continuePlan(number)
    case .tooLarge:
      if plan?.split.split() == true { return proceed() }
      plan?.split.settle()
      return [.dropEvent(number, index: part.lowerBound)] + continuePlan(number)
    case .unreadable:
      plan = nil
      phase = .settling
      return [.setAside(number)]
    case .keyRefused:
      let pause = keyRefusals == 0 ? keyPauseSeconds.first : keyPauseSeconds.later
      keyRefusals += 1
      let refusal = DeliveryProblem(
        .keyRefused,
        "The server does not know the key (401); next attempt in \(Int(pause)) s."
      )
      problem = refusal
      phase = .holding(until: now + pause)
      return (keyRefusals == 1 ? [.report(refusal)] : []) + finishFlush(refusal)
    case .failed(let failure, let retryAfterSeconds):
      let isFirst = retry.failures == 0
      let delay = retry.failed(retryAfterSeconds: retryAfterSeconds, using: &random)
      problem = failure
      phase =
        retryAfterSeconds == nil ? .backingOff(until: now + delay) : .holding(until: now + delay)
      return (isFirst ? [.report(failure)] : []) + finishFlush(failure)
    }
  }

  private mutating func succeeded() {
    retry.succeeded()
    keyRefusals = 0
    problem = nil
  }

  /// The next part of the batch, or its removal; `oldest` then brings the next batch.
  private mutating func continuePlan(_ number: UInt64) -> [Effect] {
    if plan?.split.current != nil { return proceed() }
    plan = nil
    phase = .settling
    return [.remove(number)]
  }
}
