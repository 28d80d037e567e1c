/// When stored events become a batch: at a number, at a size, or after some time.
///
/// Times are seconds on a clock that only goes forward.
package struct FlushPolicy: Sendable {
  /// What happened to the events waiting to become a batch.
  package enum Input: Sendable, Equatable {
    /// This many more events with this many bytes were stored.
    case stored(events: Int, bytes: Int)
    /// Batches were sealed and this much was left over.
    case sealed(eventsLeft: Int, bytesLeft: Int)
    /// An attempt to send began.
    case attempted
    /// Whether a batch sealed now would be sent now (`UploadCore.isFree`).
    case uploadFree(Bool)
    /// Time went by.
    case timePassed
  }

  /// What is to be done.
  package enum Effect: Sendable, Equatable {
    /// Seal the batches that are full.
    case sealFull
    /// Seal everything.
    case sealAll
  }

  /// The rules followed.
  package let rules: FlushRules
  /// When the partial batch is due; nil while nothing waits.
  package private(set) var deadline: Double?

  private let startedAt: Double
  private var events = 0
  private var bytes = 0
  private var attemptedAt: Double?
  private var isUploadFree = true
  /// A trigger that found the upload busy and is not forgotten.
  private var isDue = false

  /// A policy with nothing waiting; `now` is where the ticks of a periodic interval begin.
  package init(rules: FlushRules, startedAt now: Double = 0) {
    var rules = rules
    rules.triggerEvents = rules.triggerEvents.map { max(1, $0) }
    rules.maxEvents = max(1, rules.maxEvents)
    rules.maxBytes = max(1, rules.maxBytes)
    self.rules = rules
    startedAt = now
  }

  /// A policy whose time runs from the first event of a batch.
  package init(maxEvents: Int, maxBytes: Int, intervalSeconds: Double) {
    self.init(
      rules: FlushRules(
        maxEvents: maxEvents,
        maxBytes: maxBytes,
        interval: .afterFirstEvent(seconds: intervalSeconds)
      )
    )
  }

  /// Takes in what happened at `now` and says what to do.
  package mutating func receive(_ input: Input, at now: Double) -> [Effect] {
    switch input {
    case .stored(let moreEvents, let moreBytes):
      guard moreEvents > 0 else { return [] }
      events += moreEvents
      bytes += moreBytes
      deadline = deadline ?? due(from: now)
      if let trigger = rules.triggerEvents, events >= trigger, isTriggered() {
        return [.sealAll]
      }
      guard rules.sealsFull else { return [] }
      return events >= rules.maxEvents || bytes >= rules.maxBytes ? [.sealFull] : []
    case .sealed(let eventsLeft, let bytesLeft):
      events = eventsLeft
      bytes = bytesLeft
      deadline = eventsLeft > 0 ? due(from: now) : nil
      if eventsLeft == 0 { isDue = false }
      return []
    case .attempted:
      attemptedAt = now
      if case .afterAttempt = rules.interval, deadline != nil { deadline = due(from: now) }
      return []
    case .uploadFree(let isFree):
      isUploadFree = isFree
      guard isFree, isDue, events > 0 else { return [] }
      isDue = false
      return [.sealAll]
    case .timePassed:
      guard let due = deadline, due <= now else { return [] }
      // Moved on, so that a seal that fails is tried again later, not at once.
      deadline = now + max(rules.interval.seconds, 1)
      return isTriggered() ? [.sealAll] : []
    }
  }

  /// Whether a trigger seals now; one that has to wait is kept.
  private mutating func isTriggered() -> Bool {
    isDue = rules.waitsForUpload && !isUploadFree
    return !isDue
  }

  private func due(from now: Double) -> Double {
    let seconds = rules.interval.seconds
    switch rules.interval {
    case .afterFirstEvent: return now + seconds
    case .afterAttempt:
      let sinceAttempt = (attemptedAt ?? -.infinity) + seconds
      return sinceAttempt > now ? sinceAttempt : now + seconds
    case .periodic:
      let tick = max(seconds, Self.shortestTickSeconds)
      let next = startedAt + (((now - startedAt) / tick).rounded(.down) + 1) * tick
      return next > now ? next : now + tick
    }
  }

  private static let shortestTickSeconds = 0.001
}
