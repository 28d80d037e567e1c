import FootfallJournal
import FootfallSystem

extension Outbox {
  /// How much of the journal is read at a time while sealing.
  private static let windowBytes = 256 << 10

  /// Moves events from the journal into batch files, oldest first.
  ///
  /// Full batches only, or with `includingRest` what is left over as well; about `batches` of them
  /// at a time, since each is synced. Returns whether nothing of that is left to do. On an error the
  /// events stay in the journal, where they are safe and sealed later.
  @discardableResult
  package func seal(includingRest: Bool, atMost limit: Int = .max) throws(OutboxError) -> Bool {
    guard unsealedEvents > 0 else { return true }
    var packer = BatchPacker(limits: limits)
    var position = cursor
    var failure: OutboxError?
    let before = batches.count
    var isDone = true
    do throws(OutboxError) {
      while true {
        let read = try onJournal { () throws(JournalError) in
          try journal.read(from: position, upTo: journal.end, maxBytes: Self.windowBytes) {
            packer.receive($0, endingAt: $1)
          }
        }
        try checkGaps(read.gaps)
        for full in packer.takeFull() { try write(full) }
        position = read.next
        if read.reachedEnd { break }
        isDone = batches.count - before < limit
        if !isDone { break }
      }
      if isDone, includingRest, let rest = packer.takeRest() { try write(rest) }
    } catch {
      failure = error
    }
    if batches.count > before { try finishSealing() }
    if let failure { throw failure }
    if isDone {
      // Counted anew, since damage may have taken records.
      lostEvents += max(0, unsealedEvents - packer.restEvents)
      unsealedEvents = packer.restEvents
      unsealedBytes = packer.restBytes
    }
    try tidy()
    return isDone
  }

  /// What a disk cannot show right now may be whole: nothing behind it is sealed, so that it is not
  /// cleared away, until a new opening finds it unreadable as well.
  private func checkGaps(_ gaps: [JournalGap]) throws(OutboxError) {
    for gap in gaps where gap.reason == .unreadable && !knownGaps.contains(gap) {
      throw .failed("The journal cannot be read: \(gap).")
    }
  }

  /// One batch file: complete and synced before it has its name.
  private func write(_ packed: PackedBatch) throws(OutboxError) {
    let name = BatchName(
      number: nextNumber,
      events: packed.batch.count,
      bytes: packed.batch.events.count
    )
    let file = BatchFile(packed.batch, journal: journal.id, through: packed.through)
    try onDisk { () throws(SystemError) in
      let draft = path(of: name.draftName)
      do throws(SystemError) {
        let target = try files.open(draft, .append)
        try target.truncate(to: 0)
        try target.writeAll(file.bytes)
        try target.sync()
        try files.rename(draft, to: path(of: name.fileName))
      } catch {
        discard(draft)
        throw error
      }
    }
    batches.append(name)
    nextNumber += 1
    cursor = packed.through
    unsealedEvents -= min(unsealedEvents, packed.batch.count)
    unsealedBytes -= min(unsealedBytes, packed.eventBytes)
  }

  /// Makes the names durable, then tells the journal; afterwards the batches may be sent.
  private func finishSealing() throws(OutboxError) {
    try onDisk { () throws(SystemError) in try files.syncFolder(batchFolder) }
    try onJournal { () throws(JournalError) in
      _ = try journal.append([SealedMark(through: cursor).bytes])
    }
  }

  private func discard(_ draft: String) {
    do throws(SystemError) { try files.remove(draft) } catch {
      // The next opening removes it.
    }
  }
}

/// A batch on its way to a file.
struct PackedBatch {
  var batch = SealedBatch()
  var through = JournalPosition.start
  /// The bytes of the events without what joins them.
  var eventBytes = 0
}

/// Packs records into batches, in order, as full as the limits allow.
struct BatchPacker {
  let limits: OutboxLimits
  private var full: [PackedBatch] = []
  private var rest = PackedBatch()

  init(limits: OutboxLimits) {
    self.limits = limits
  }

  var restEvents: Int { rest.batch.count }
  var restBytes: Int { rest.eventBytes }

  mutating func receive(_ record: UnsafeRawBufferPointer, endingAt end: JournalPosition) {
    guard SealedMark(record) == nil else { return }
    if rest.batch.count > 0, rest.batch.bytes(with: record.count) > limits.batchBytes { finish() }
    rest.batch.append(record)
    rest.through = end
    rest.eventBytes += record.count
    if rest.batch.count >= limits.batchEvents { finish() }
  }

  mutating func takeFull() -> [PackedBatch] {
    defer { full = [] }
    return full
  }

  mutating func takeRest() -> PackedBatch? {
    guard rest.batch.count > 0 else { return nil }
    defer { rest = PackedBatch() }
    return rest
  }

  private mutating func finish() {
    full.append(rest)
    rest = PackedBatch()
  }
}
