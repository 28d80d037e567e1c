import FootfallJournal
import FootfallSystem

extension Outbox {
  /// How much of the journal is read at a time while sealing.
  private static let windowBytes = 64 << 10

  /// Whether there are events to seal and room for batches of them.
  package var wantsSealing: Bool {
    guard unsealedEvents > 0, room >= leastRoom else { return false }
    return unsealedEvents >= limits.batchEvents || unsealedBytes >= limits.batchBytes
      || cursor.place < SealingPlace(end: dueEnd)
  }

  /// Whether all that is in no batch yet only waits for room.
  package var isAllDue: Bool { unsealedEvents > 0 && dueEnd >= writtenEnd }

  /// How many batches may be sealed before one is removed.
  private var room: Int {
    limits.batchesAhead - batches.reduce(0) { $0 + ($1.isSetAside ? 0 : 1) }
  }

  /// Room for so many is waited for, so that a long backlog is read and marked in portions.
  private var leastRoom: Int { max(1, min(limits.batchesAhead, 8) / 2) }

  /// Moves events from the journal into batch files, oldest first.
  ///
  /// Full batches only, or with `includingRest` everything written up to now, and of that no more
  /// than may wait to be sent (`OutboxLimits.batchesAhead`): call it again, with `false`, whenever
  /// a batch is removed. At most `limit` batches at a time. Returns whether nothing of that is left
  /// to do for now. On an error the events stay in the journal, where they are safe and sealed later.
  @discardableResult
  package func seal(includingRest: Bool, atMost limit: Int = .max) throws(OutboxError) -> Bool {
    if includingRest, unsealedEvents > 0 { dueEnd = max(dueEnd, writtenEnd) }
    guard wantsSealing else { return true }
    try withReserve { () throws(OutboxError) in try sealSome(atMost: limit) }
    return !wantsSealing
  }

  private func sealSome(atMost limit: Int) throws(OutboxError) {
    // Only what is durable has a place that stays; the marks behind the last event need none.
    if journal.durableEnd < writtenEnd {
      let isAllDue = dueEnd == writtenEnd
      try sync()
      writtenEnd = max(writtenEnd, min(journal.durableEnd, journal.end))
      if isAllDue { dueEnd = writtenEnd }
    }
    guard wantsSealing else { return }
    let packed = try pack(atMost: min(limit, room))
    do throws(OutboxError) { try write(packed) } catch {
      guard case .diskFull = error, packed.count > 1 else { throw error }
      try write(Array(packed.prefix(1)))
    }
    try tidy()
  }

  private func pack(atMost most: Int) throws(OutboxError) -> [PackedBatch] {
    var packer = BatchPacker(from: cursor, limits: limits, most: max(1, most))
    var reader = cursor
    var position = cursor.readFrom
    var reachedEnd = false
    while !packer.isFull && !reachedEnd {
      var frameStart = position
      let read = try onJournal { () throws(JournalError) in
        try journal.read(from: position, maxBytes: Self.windowBytes) { frame, end in
          reader.pass(frame, from: frameStart, to: end) { packer.receive($0, $1) }
          frameStart = end
        }
      }
      try checkGaps(read.gaps)
      position = read.next
      reachedEnd = read.reachedEnd
    }
    if !packer.isFull {
      // All of it was read, so it can be counted anew: damage may have taken records.
      let events = packer.full.reduce(packer.rest.batch.count) { $0 + $1.batch.count }
      let bytes = packer.full.reduce(packer.rest.eventBytes) { $0 + $1.eventBytes }
      lostEvents += max(0, unsealedEvents - events)
      (unsealedEvents, unsealedBytes) = (events, bytes)
    }
    if cursor.place < SealingPlace(end: dueEnd) { packer.finishRest() }
    return packer.full
  }

  /// What a disk cannot show right now may be whole: nothing behind it is sealed, so that it is not
  /// cleared away, until a new opening finds it unreadable as well.
  func checkGaps(_ gaps: [JournalGap]) throws(OutboxError) {
    for gap in gaps where gap.reason == .unreadable && !knownGaps.contains(gap) {
      throw .failed("The journal cannot be read: \(gap).")
    }
  }

  /// Writes the files, then commits them; if that fails none of them has been there.
  private func write(_ packed: [PackedBatch]) throws(OutboxError) {
    guard let last = packed.last else { return }
    // Without any mark an opening would take all files for committed.
    if markedSegment == nil { try writeMark() }
    var names: [BatchName] = []
    let before = (cursor, unsealedEvents, unsealedBytes, unsettled, nextNumber)
    do throws(OutboxError) {
      for batch in packed {
        let number = nextNumber + UInt64(names.count)
        names.append(try write(batch, number: number))
        unsettled.append(
          UnsettledBatch(
            number: number,
            from: batch.from,
            events: batch.batch.count,
            bytes: batch.eventBytes
          )
        )
        unsealedEvents -= min(unsealedEvents, batch.batch.count)
        unsealedBytes -= min(unsealedBytes, batch.eventBytes)
      }
      nextNumber += UInt64(packed.count)
      cursor = last.through
      try writeMark()
    } catch {
      for name in names { discard(name) }
      (cursor, unsealedEvents, unsealedBytes, unsettled, nextNumber) = before
      throw error
    }
    batches += names
    if unsealedEvents == 0 { dueEnd = .start }
  }

  private func write(_ packed: PackedBatch, number: UInt64) throws(OutboxError) -> BatchName {
    let name = BatchName(
      number: number,
      events: packed.batch.count,
      bytes: packed.batch.events.count
    )
    let file = BatchFile(packed.batch, journal: journal.id, through: packed.through.place)
    do throws(SystemError) {
      try create(path(of: name.fileName)).writeAll(file.bytes)
    } catch {
      discard(name)
      throw OutboxError(error)
    }
    return name
  }

  /// A new file, in place of one that a stop between a file and its mark left.
  ///
  /// Cutting that one to nothing would do as well, but then some file systems write the new content to
  /// disk as soon as it is closed.
  private func create(_ path: String) throws(SystemError) -> any OpenFile {
    do throws(SystemError) { return try files.open(path, .create) } catch {
      guard error.isInTheWay else { throw error }
      try files.remove(path)
      return try files.open(path, .create)
    }
  }

  func discard(_ name: BatchName) {
    do throws(SystemError) { try files.remove(path(of: name.fileName)) } catch {
      // No mark knows it: the next opening removes it.
    }
  }
}
