import FootfallJournal
import FootfallSystem

extension Outbox {
  /// The content of a batch.
  ///
  /// Throws `damaged` if the file is not what was written, or is gone.
  package func read(_ batch: BatchName) throws(OutboxError) -> SealedBatch {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try files.readAll(path(of: batch.fileName)) } catch {
      // A folder of that name is no batch.
      guard error.isMissing || isFolder(path(of: batch.fileName)) else { throw OutboxError(error) }
      throw .damaged("Batch \(batch.fileName) is gone; its \(batch.events) events are lost.")
    }
    guard let file = BatchFile(bytes), file.batch.count == batch.events else {
      throw .damaged("Batch \(batch.fileName) is damaged; its \(batch.events) events are lost.")
    }
    return file.batch
  }

  private func isFolder(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try files.list(path)
      return true
    } catch {
      return false
    }
  }

  /// Removes a batch: the server has it, or it is given up.
  ///
  /// After an error the batch is gone all the same for this run; a later opening may then find its
  /// events again, under the ids they had.
  package func remove(_ batch: BatchName) throws(OutboxError) {
    retire(batch)
    try clearRetired()
  }

  /// Takes a batch out of those that are sent and counted, until `clearRetired` removes its file.
  ///
  /// Nothing may be written in between, where a stop is one before the removal.
  package func retire(_ batch: BatchName) {
    guard let index = batches.firstIndex(where: { $0.number == batch.number }) else { return }
    retired.append(batches.remove(at: index))
  }

  /// Removes what is left on disk of retired batches; see `remove` for what an error means.
  package func clearRetired() throws(OutboxError) {
    guard !retired.isEmpty else { return }
    let gone = retired
    retired = []
    do throws(OutboxError) { try remove(gone) } catch {
      undeletable += gone.filter { files.exists(path(of: $0.fileName)) }
      throw error
    }
  }

  /// Removes batches; goes on after a failure, keeps what it concerns, and throws the first one.
  func remove(_ gone: [BatchName]) throws(OutboxError) {
    var failure: SystemError?
    var removed: Set<UInt64> = []
    for batch in gone {
      do throws(SystemError) { try files.remove(path(of: batch.fileName)) } catch {
        guard error.isMissing else {
          failure = failure ?? error
          continue
        }
      }
      removed.insert(batch.number)
    }
    batches.removeAll { removed.contains($0.number) }
    try forgetUnsettled(removed)
    if let failure { throw OutboxError(failure) }
  }

  /// Tells the journal that nobody needs these batches' events any more.
  private func forgetUnsettled(_ numbers: Set<UInt64>) throws(OutboxError) {
    let frames = unsettled.filter { numbers.contains($0.number) }
      .map { JournalEntry.removed(frame: $0.number) }
    guard !frames.isEmpty else { return }
    unsettled.removeAll { numbers.contains($0.number) }
    try onJournal { () throws(JournalError) in _ = try journal.append(frames) }
    markNewSegment()
  }

  /// Makes the files of all batches survive a power cut, so that the journal need not keep theirs.
  func settle() throws(OutboxError) {
    guard !unsettled.isEmpty else { return }
    for batch in unsettled {
      guard let name = batches.first(where: { $0.number == batch.number }) else { continue }
      do throws(SystemError) { try files.open(path(of: name.fileName), .read).sync() } catch {
        // One that is gone is found out when it is read.
        guard error.isMissing else { throw OutboxError(error) }
      }
    }
    try onDisk { () throws(SystemError) in try files.syncFolder(batchFolder) }
    unsettled = []
    try writeMark()
  }
}
