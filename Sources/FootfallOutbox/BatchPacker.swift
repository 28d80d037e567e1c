/// A batch on its way to a file.
struct PackedBatch {
  var batch: SealedBatch
  /// Where its events start.
  var from: SealingCursor
  /// Where they end.
  var through: SealingCursor
  /// The bytes of the events without what joins them.
  var eventBytes = 0

  init(from: SealingCursor) {
    batch = SealedBatch()
    self.from = from
    through = from
  }
}

/// Packs events into batches, in order, as full as the limits allow, at most so many.
struct BatchPacker {
  /// The full batches.
  private(set) var full: [PackedBatch] = []
  /// The batch that has room left.
  private(set) var rest: PackedBatch

  private let limits: OutboxLimits
  private let most: Int

  init(from cursor: SealingCursor, limits: OutboxLimits, most: Int) {
    rest = PackedBatch(from: cursor)
    self.limits = limits
    self.most = most
  }

  /// Whether nothing more is taken.
  var isFull: Bool { full.count >= most }

  mutating func receive(_ event: UnsafeRawBufferPointer, _ cursor: SealingCursor) {
    if rest.batch.count > 0,
      rest.batch.commonContent != cursor.content
        || rest.batch.bytes(with: event.count) > limits.batchBytes
    {
      finish()
    }
    guard !isFull else { return }
    if rest.batch.count == 0 { rest.batch = SealedBatch(commonContent: cursor.content) }
    rest.batch.append(event)
    rest.through = cursor
    rest.eventBytes += event.count
    if rest.batch.count >= limits.batchEvents { finish() }
  }

  /// Makes what is left over a batch as well.
  mutating func finishRest() {
    if rest.batch.count > 0, !isFull { finish() }
  }

  private mutating func finish() {
    full.append(rest)
    rest = PackedBatch(from: rest.through)
  }
}
