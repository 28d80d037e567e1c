import FootfallJournal
import FootfallSystem

extension Outbox {
  /// Finds out what the last process left: batches, and records that are in none.
  func recover() throws(OutboxError) {
    try findBatches()
    if let last = batches.last, let through = position(sealedBy: last) { cursor = through }
    try findUnsealed()
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

  /// Up to where a batch's head says the journal was sealed; nil if it came from another journal.
  private func position(sealedBy batch: BatchName) -> JournalPosition? {
    do throws(SystemError) {
      // All of it is checked: a damaged position would pass over events that no batch holds.
      let bytes = try files.readAll(path(of: batch.fileName))
      guard let file = BatchFile(bytes), file.journal == journal.id else { return nil }
      return file.through
    } catch {
      findings.append("A batch could not be opened: \(error)")
      return nil
    }
  }

  private func findUnsealed() throws(OutboxError) {
    var found: [(end: JournalPosition, bytes: Int)] = []
    var sealed = cursor
    var marked = JournalPosition.start
    // From the start: the mark of the last seal may be missing, and then has to be written now,
    // while the batch whose head says the same is still there.
    let read = try onJournal { () throws(JournalError) in
      try journal.read(from: .start, upTo: journal.end) { record, end in
        if let mark = SealedMark(record) {
          marked = max(marked, mark.through)
          sealed = max(sealed, marked)
          found.removeAll { $0.end <= sealed }
        } else if end > sealed {
          found.append((end, record.count))
        }
      }
    }
    cursor = sealed
    if marked < cursor, read.frames > 0 {
      try onJournal { () throws(JournalError) in
        _ = try journal.append([SealedMark(through: cursor).bytes])
      }
    }
    unsealedEvents = found.count
    unsealedBytes = found.reduce(0) { $0 + $1.bytes }
    if let tail = journal.recovery.tornTail {
      findings.append("The last write of an earlier run was cut off: \(tail).")
    }
    knownGaps = Set(read.gaps)
    for gap in read.gaps { findings.append("The journal is damaged: \(gap).") }
  }
}
