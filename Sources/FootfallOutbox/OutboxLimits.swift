/// How much goes into a batch and how much is kept unsent.
///
/// A value, since each documented client has its own numbers.
package struct OutboxLimits: Sendable, Equatable {
  /// The most events in a batch.
  package var batchEvents: Int
  /// The most bytes of events in a batch, before compression.
  ///
  /// A single larger event still makes a batch of its own.
  package var batchBytes: Int
  /// The most events kept; beyond it the oldest go.
  package var keptEvents: Int
  /// The most bytes of events kept; beyond it the oldest go.
  package var keptBytes: Int
  /// The most batch files kept; beyond it the oldest go.
  package var keptBatches: Int
  /// The most batches that wait to be sent; other events stay in the journal until it is their turn.
  package var batchesAhead: Int
  /// The most events kept of earlier launches; beyond it the oldest batches go, whole.
  ///
  /// Counts only when an outbox is opened: the newest batches stay until they reach it. Source:
  /// `amplitude.md` section 2.11, `maxQueuedEventCount`.
  package var launchEvents: Int
  /// The bytes of the file that is given up when a full disk keeps events from being sealed.
  ///
  /// Enough for a batch and what the journal notes about it. 0 for none.
  package var reserveBytes: Int

  /// Limits; those of the native client unless told otherwise (`architecture.md`, section 5).
  package init(
    batchEvents: Int = 50,
    batchBytes: Int = 250_000,
    keptEvents: Int = 200_000,
    keptBytes: Int = 100_000_000,
    keptBatches: Int = 4_000,
    batchesAhead: Int = 8,
    launchEvents: Int = .max,
    reserveBytes: Int = 512 << 10
  ) {
    self.batchEvents = max(1, batchEvents)
    self.batchBytes = max(1, batchBytes)
    self.keptEvents = max(1, keptEvents)
    self.keptBytes = max(1, keptBytes)
    self.keptBatches = max(1, keptBatches)
    self.batchesAhead = max(1, batchesAhead)
    self.launchEvents = max(1, launchEvents)
    self.reserveBytes = max(0, reserveBytes)
  }
}
