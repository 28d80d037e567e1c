import FootfallJournal
import FootfallSystem

extension Outbox {
  /// How much of the journal behind the cursor is tried when opening.
  private static let triedBytes = 1 << 20

  /// Finds out what the last process left: batches, and records that are in none.
  func recover() throws(OutboxError) {
    try findBatches()
    let scan = try newestScan()
    note = scan.note
    writtenEnd = journal.end
    journaledContent = journal.segments.isEmpty ? [] : nil
    if let mark = scan.mark {
      try goOn(from: mark, scan)
    } else {
      try goOnWithoutMark(scan)
    }
    try learnGaps(scan)
    if let tail = journal.recovery.tornTail {
      findings.append("The last write of an earlier run was cut off: \(tail).")
    }
  }

  private func findBatches() throws(OutboxError) {
    let names = try onDisk { () throws(SystemError) in
      try files.makeFolder(batchFolder)
      return try files.list(batchFolder)
    }
    var foreign = 0
    for name in names {
      if let batch = BatchName(fileName: name) {
        batches.append(batch)
      } else if BatchName.isDraft(name) {
        try onDisk { () throws(SystemError) in try files.remove(path(of: name)) }
      } else {
        foreign += 1
      }
    }
    batches.sort { $0.number < $1.number }
    nextNumber = (batches.last?.number ?? 0) + 1
    if foreign > 0 { findings.append("\(foreign) files in the outbox are not ours; left alone.") }
  }

  /// What the journal says from the newest segment with a mark on.
  private func newestScan() throws(OutboxError) -> RecoveryScan {
    let numbers = journal.segments.map(\.number)
    // Each segment starts with a mark unless the process ended right there, or version 1 wrote it.
    for number in numbers.suffix(2).reversed() {
      let scan = try scan(from: JournalPosition(segment: number, offset: 0))
      if scan.mark != nil { return scan }
    }
    return try scan(from: .start)
  }

  private func scan(from start: JournalPosition) throws(OutboxError) -> RecoveryScan {
    var scan = RecoveryScan()
    let read = try onJournal { () throws(JournalError) in
      try journal.read(from: start, upTo: journal.end) { frame, end in scan.take(frame, end) }
    }
    scan.gaps = read.gaps
    return scan
  }

  private func goOn(from mark: SealingMark, _ scan: RecoveryScan) throws(OutboxError) {
    nextNumber = max(nextNumber, mark.newest + 1)
    cursor = mark.cursor
    unsealedEvents = mark.unsealedEvents + scan.events
    unsealedBytes = mark.unsealedBytes + scan.bytes
    unsettled = mark.unsettled.filter { !scan.removed.contains($0.number) }
    let uncommitted = batches.filter { $0.number > mark.newest }
    if scan.gaps.isEmpty {
      try drop(uncommitted)
    } else {
      // The mark that commits them may be what is damaged, and the events gone from the journal.
      takeOver(uncommitted)
    }
    try sealAgain(notIn: scan.removed)
  }

  /// Removes files that were never sent; the journal has their events.
  private func drop(_ uncommitted: [BatchName]) throws(OutboxError) {
    for batch in uncommitted {
      try onDisk { () throws(SystemError) in try files.remove(path(of: batch.fileName)) }
    }
    batches.removeAll { uncommitted.contains($0) }
  }

  /// Takes files for what they say.
  private func takeOver(_ uncommitted: [BatchName]) {
    for batch in uncommitted {
      guard let file = file(of: batch), file.journal == journal.id, file.through > cursor.place
      else {
        continue
      }
      cursor = SealingCursor(place: file.through, content: file.batch.commonContent)
      let joins = SealedBatch.separator.count * (batch.events - 1)
      unsealedEvents -= min(unsealedEvents, batch.events)
      unsealedBytes -= min(unsealedBytes, batch.bytes - joins)
    }
    guard !uncommitted.isEmpty else { return }
    do throws(OutboxError) { try writeMark() } catch {
      findings.append("The outbox could not note what it found: \(error)")
    }
  }

  /// Goes back to the first batch whose file did not survive a power cut, and seals from there again.
  private func sealAgain(notIn removed: Set<UInt64>) throws(OutboxError) {
    let bad = unsettled.firstIndex { batch in
      guard let name = batches.first(where: { $0.number == batch.number }) else { return true }
      return file(of: name) == nil
    }
    guard let bad else { return }
    let again = unsettled[bad...]
    cursor = again[bad].from
    unsealedEvents += again.reduce(0) { $0 + $1.events }
    unsealedBytes += again.reduce(0) { $0 + $1.bytes }
    let numbers = Set(again.map(\.number))
    unsettled.removeSubrange(bad...)
    try drop(batches.filter { numbers.contains($0.number) })
  }

  private func file(of batch: BatchName) -> BatchFile? {
    do throws(SystemError) {
      let file = BatchFile(try files.readAll(path(of: batch.fileName)))
      return file?.batch.count == batch.events ? file : nil
    } catch {
      findings.append("A batch could not be opened: \(error)")
      return nil
    }
  }

  /// A new journal, an emptied one, or one of version 1: all files are whole, and the newest one's
  /// head or the last mark says up to where events are in them.
  private func goOnWithoutMark(_ scan: RecoveryScan) throws(OutboxError) {
    cursor = SealingCursor(through: scan.legacyThrough)
    if let last = batches.last, let file = file(of: last), file.journal == journal.id,
      file.through > cursor.place
    {
      cursor = SealingCursor(place: file.through, content: file.batch.commonContent)
    }
    let before = cursor
    var reader = cursor
    var found = (events: 0, bytes: 0)
    var frameStart = cursor.readFrom
    try onJournal { () throws(JournalError) in
      _ = try journal.read(from: cursor.readFrom, upTo: journal.end) { frame, end in
        reader.pass(frame, from: frameStart, to: end) { event, _ in
          found.events += 1
          found.bytes += event.count
        }
        frameStart = end
      }
    }
    (unsealedEvents, unsealedBytes) = found
    // While the batch is still there whose head says it.
    if before.place.end > scan.legacyThrough, !journal.segments.isEmpty { try writeMark() }
  }

  /// Tells of damage, and remembers what cannot be read now as well as before.
  private func learnGaps(_ scan: RecoveryScan) throws(OutboxError) {
    let read = try onJournal { () throws(JournalError) in
      try journal.read(
        from: cursor.readFrom,
        upTo: journal.end,
        maxBytes: Self.triedBytes
      ) { _, _ in }
    }
    knownGaps = Set(read.gaps).union(scan.gaps)
    for gap in knownGaps.sorted(by: { $0.position < $1.position }) {
      findings.append("The journal is damaged: \(gap).")
    }
  }
}

/// What an opening has read of the journal, from some segment on.
struct RecoveryScan {
  /// The newest mark.
  private(set) var mark: SealingMark?
  /// Batches removed since the mark.
  private(set) var removed: Set<UInt64> = []
  /// Events behind the mark.
  private(set) var events = 0
  /// The bytes of those.
  private(set) var bytes = 0
  /// The newest note.
  private(set) var note: [UInt8]?
  /// What version 1 said last.
  private(set) var legacyThrough = JournalPosition.start
  /// Damage on the way.
  var gaps: [JournalGap] = []

  mutating func take(_ frame: UnsafeRawBufferPointer, _ end: JournalPosition) {
    switch JournalEntry(frame) {
    case .event: count(frame)
    case .record(let record):
      record.events.forEach { count($0) }
      if let bytes = record.note { note = [UInt8](bytes) }
    case .mark(let newer):
      mark = newer
      removed = []
      (events, bytes) = (0, 0)
    case .removed(let number): removed.insert(number)
    case .legacyMark(let mark): legacyThrough = max(legacyThrough, mark.through)
    case .content, .unknown: break
    }
  }

  private mutating func count(_ event: UnsafeRawBufferPointer) {
    events += 1
    bytes += event.count
  }
}
