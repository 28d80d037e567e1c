import FootfallSystem

/// One sync to be made, outside of the journal's lock.
struct SyncPlan {
  let store: SegmentStore
  let name: SegmentName
  let file: any OpenFile
  /// What of the file will be durable.
  let bytes: UInt64
  let includesFolder: Bool
  let notesNumber: Bool

  /// Makes it durable.
  func run() -> SystemError? {
    do throws(SystemError) {
      // An open file outlives its name: syncing one that was deleted would promise nothing.
      guard store.files.exists(store.path(name)) else {
        throw SystemError(code: SystemError.missing, operation: .sync, path: store.path(name))
      }
      try file.sync()
      if includesFolder { try store.files.syncFolder(store.folder) }
      if notesNumber { store.note(lastNumber: name.number) }
      return nil
    } catch {
      return error
    }
  }
}

extension JournalState {
  /// What has to be synced for everything appended so far to be durable; nil if nothing.
  mutating func beginSync() throws(JournalError) -> SyncPlan? {
    guard !isClosed else { throw .closed }
    if !homeless.isEmpty { try openActive() }
    if let written = active, written.bytes > written.durableBytes, !isInPlace(written) {
      abandonActive()
      try openActive()
    }
    guard let active, active.bytes > active.durableBytes else { return nil }
    swap(&syncing, &unsynced)
    return SyncPlan(
      store: store,
      name: active.name,
      file: active.file,
      bytes: active.bytes,
      includesFolder: !active.isEntryDurable,
      notesNumber: !active.isEntryDurable && notesLastNumber
    )
  }

  /// Whether the file is as long as what was written to it.
  ///
  /// If not, someone else has changed it, and what was appended since then lies where nobody will
  /// look for it.
  private func isInPlace(_ segment: Active) -> Bool {
    do throws(SystemError) { return try segment.file.size() == segment.bytes } catch {
      // The sync itself fails as well, or finds nothing wrong.
      return true
    }
  }

  /// Takes in what came of a sync; false if the frames now wait for a new segment.
  @discardableResult
  mutating func endSync(_ plan: SyncPlan, _ failure: SystemError?) -> Bool {
    // Given up meanwhile, by a failed write: its frames wait for a new segment already.
    guard active?.name == plan.name else { return false }
    guard failure == nil else {
      abandonActive()
      return false
    }
    syncing.removeAll()
    active?.durableBytes = plan.bytes
    active?.isEntryDurable = true
    durableEnd = JournalPosition(segment: plan.name.number, offset: plan.bytes)
    if plan.includesFolder {
      // A higher number is durable now, so those that kept the old one can go.
      for name in retired where name.number < plan.name.number { store.discard(name, .retired) }
      retired.removeAll { $0.number < plan.name.number }
    }
    return true
  }

  /// Gives up everything that is not durable.
  mutating func discardUnsynced() {
    if let active, active.bytes > active.durableBytes { abandonActive() }
    homeless.removeAll()
  }
}
