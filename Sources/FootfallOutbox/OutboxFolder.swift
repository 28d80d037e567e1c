package import FootfallSystem

/// Decides which folder a process works in when several share one.
///
/// The first process has the folder itself. A further one finds it locked and works in a
/// sub-folder of its own, `second-1` to `second-16`; what it leaves there is adopted later, by a
/// process that has the main folder, once nobody holds the sub-folder's lock. A child made by `fork`
/// is such a further process: it calls `leaveToParent` on the outbox it inherited and opens anew.
package struct OutboxFolder: Sendable {
  /// The main folder.
  package let path: String
  private let limits: OutboxLimits
  private let files: any FileSystem
  private let heldFiles: any FileSystem
  private let random: @Sendable () -> UInt64

  private static let subfolders = 16

  /// The folder of one client; what is held may lie in files of its own.
  package init(
    path: String,
    limits: OutboxLimits,
    files: any FileSystem,
    heldFiles: (any FileSystem)? = nil,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.path = path
    self.limits = limits
    self.files = files
    self.heldFiles = heldFiles ?? files
    self.random = random
  }

  /// Opens the main folder, or the first sub-folder that is free.
  package func open() throws(OutboxError) -> Outbox {
    do throws(OutboxError) { return try open(path) } catch {
      guard case .locked = error else { throw error }
      for number in 1...Self.subfolders {
        do throws(OutboxError) { return try open(subfolder(number)) } catch {
          guard case .locked = error else { throw error }
        }
      }
      throw error
    }
  }

  /// Moves what other processes left behind into the main folder's outbox.
  ///
  /// Sub-folders in use are left alone. Returns the number of events moved. A stop in between
  /// leaves each batch in exactly one of the two folders. What they held goes to the main folder's
  /// `HeldStore`, which nobody may have open meanwhile; a stop may leave it in both.
  package func adopt(into outbox: Outbox) throws(OutboxError) -> Int {
    guard outbox.folder == path else { return 0 }
    var adopted = 0
    for number in 1...Self.subfolders where files.exists(subfolder(number)) {
      let other: Outbox
      do throws(OutboxError) { other = try open(subfolder(number)) } catch {
        if case .locked = error { continue }
        throw error
      }
      defer { other.close() }
      while other.unsealedEvents > 0 {
        let before = other.unsealedEvents
        try other.seal(includingRest: true)
        adopted += try outbox.takeBatches(of: other)
        guard other.unsealedEvents < before else { break }
      }
      adopted += try outbox.takeBatches(of: other)
      try other.tidy(isThorough: true)
      try takeHeld(of: other.folder, to: outbox.folder)
      other.giveUpReserve()
    }
    return adopted
  }

  private func takeHeld(of folder: String, to own: String) throws(OutboxError) {
    guard HeldStore.exists(in: folder, files: heldFiles) else { return }
    let other = try HeldStore(clientFolder: folder, files: heldFiles, random: random)
    defer { other.close() }
    let sets = try other.sets()
    if !sets.isEmpty {
      let store = try HeldStore(clientFolder: own, files: heldFiles, random: random)
      defer { store.close() }
      for set in sets { try store.append(set, beginsSet: true) }
      try store.sync()
    }
    try other.removeAll()
  }

  private func subfolder(_ number: Int) -> String { "\(path)/second-\(number)" }

  private func open(_ folder: String) throws(OutboxError) -> Outbox {
    try Outbox(folder: folder, limits: limits, files: files, random: random)
  }
}

extension Outbox {
  /// Takes over all batches of another outbox under new numbers; their content stays.
  fileprivate func takeBatches(of other: Outbox) throws(OutboxError) -> Int {
    let taken = other.batches
    guard !taken.isEmpty else { return 0 }
    // From here on neither journal has anything to say about these files.
    try other.settle()
    try other.sync()
    let first = nextNumber
    nextNumber += UInt64(taken.count)
    try writeMark()
    // A mark that a power cut takes back would make these files look like ones of which the journal has
    // the events.
    try sync()
    var events = 0
    for (index, batch) in taken.enumerated() {
      var renamed = batch
      renamed.number = first + UInt64(index)
      // Which version put it aside is said in the other folder: it is tried once more.
      renamed.isSetAside = false
      try onDisk { () throws(SystemError) in
        try files.rename(other.path(of: batch.fileName), to: path(of: renamed.fileName))
      }
      other.batches.removeFirst()
      batches.append(renamed)
      events += batch.events
    }
    try onDisk { () throws(SystemError) in
      try files.syncFolder(batchFolder)
      try files.syncFolder(other.batchFolder)
    }
    return events
  }
}
