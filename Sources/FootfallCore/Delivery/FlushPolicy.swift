/// When stored events become a batch: at a number, at a size, or some time after the first.
///
/// Times are seconds on a clock that only goes forward.
package struct FlushPolicy: Sendable {
  /// What happened to the events waiting to become a batch.
  package enum Input: Sendable, Hashable {
    /// This many more events with this many bytes were stored.
    case stored(events: Int, bytes: Int)
    /// Batches were sealed and this much was left over.
    case sealed(eventsLeft: Int, bytesLeft: Int)
    /// Time went by.
    case timePassed
  }

  /// What is to be done.
  package enum Effect: Sendable, Hashable {
    /// Seal the batches that are full.
    case sealFull
    /// Seal everything.
    case sealAll
  }

  /// The most events in a batch.
  package let maxEvents: Int
  /// The most bytes in a batch, before compression.
  package let maxBytes: Int
  /// How long the first event of a partial batch waits, in seconds.
  package let intervalSeconds: Double

  /// When the partial batch is due; nil while nothing waits.
  ///
  /// Later events do not move it.
  package private(set) var deadline: Double?
  private var events = 0
  private var bytes = 0

  /// A policy with nothing waiting.
  package init(maxEvents: Int, maxBytes: Int, intervalSeconds: Double) {
    self.maxEvents = max(1, maxEvents)
    self.maxBytes = max(1, maxBytes)
    self.intervalSeconds = max(0, intervalSeconds)
  }

  /// Takes in what happened at `now` and says what to do.
  package mutating func receive(_ input: Input, at now: Double) -> [Effect] {
    switch input {
    case .stored(let moreEvents, let moreBytes):
      guard moreEvents > 0 else { return [] }
      events += moreEvents
      bytes += moreBytes
      deadline = deadline ?? now + intervalSeconds
      return events >= maxEvents || bytes >= maxBytes ? [.sealFull] : []
    case .sealed(let eventsLeft, let bytesLeft):
      events = eventsLeft
      bytes = bytesLeft
      deadline = eventsLeft > 0 ? now + intervalSeconds : nil
      return []
    case .timePassed:
      guard let due = deadline, due <= now else { return [] }
      // Moved on, so that a seal that fails is tried again later, not at once.
      deadline = now + max(intervalSeconds, 1)
      return [.sealAll]
    }
  }
}
