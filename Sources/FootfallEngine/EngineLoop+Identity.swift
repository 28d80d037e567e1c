import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension EngineLoop {
  /// Sequence numbers are reserved on disk in blocks of so many, to be used without writing.
  ///
  /// After a kill the rest of the block is skipped: numbers grow, they need not be without gaps.
  private static let sequenceBlock: Int64 = 10_000

  /// How long to wait before a folder that could not be used is tried again, in seconds.
  private static let openAgainSeconds = 5.0

  /// Opens the outbox if there is none and it is time to.
  func openIfDue() {
    guard outbox == nil, openDeadline.map({ $0 <= now }) ?? true else { return }
    let folder = OutboxFolder(
      path: settings.folder,
      limits: settings.outbox,
      files: environment.files,
      random: randomWords()
    )
    do throws(OutboxError) {
      let opened = try folder.open()
      outbox = opened
      openDeadline = nil
      counts.problem = nil
      for finding in opened.findings { environment.log.warning(finding) }
      try loadState(from: opened.folder)
      takeOver(opened)
      let adopted = try folder.adopt(into: opened)
      if adopted > 0 { environment.log.info("\(adopted) events of another process adopted.") }
      feedOldest()
    } catch {
      openDeadline = now + Self.openAgainSeconds
      openError = error
      counts.problem = DeliveryProblem(.storageFailed, error.description)
      environment.log.error("Events cannot be stored: \(error)")
      makeDeviceID()
    }
  }

  /// Opens the outbox anew after its folder failed, and counts what is not there any more.
  func reopen(_ broken: Outbox) -> Outbox? {
    let before = broken.keptEvents
    broken.close()
    outbox = nil
    openDeadline = nil
    openIfDue()
    count(.storageFailed, before - (outbox?.keptEvents ?? 0))
    return outbox
  }

  /// What an earlier run left is sealed at once; or deleted, if nothing may be kept.
  private func takeOver(_ opened: Outbox) {
    guard isCollecting else { return deleteAll() }
    guard opened.unsealedEvents > 0 else { return }
    _ = flushPolicy.receive(
      .stored(events: opened.unsealedEvents, bytes: opened.unsealedBytes),
      at: now
    )
    sealing = .sealAll
  }

  private func loadState(from folder: String) throws(OutboxError) {
    // Numbers are never taken back, not even by a state file that is older than this run.
    let used = nextSequence
    let files = environment.files
    let stored = try ClientState.load(from: folder, files: files)
    storedState = stored
    if var stored {
      unreported.add(stored.unreported)
      stored.unreported = DropCounts()
      state = stored
    } else if state.deviceID.isEmpty,
      let main = try ClientState.load(
        from: settings.folder,
        files: files
      )
    {
      // A second process of the app is the same device and user, with numbers of its own.
      state.deviceID = main.deviceID
      state.userID = main.userID
    }
    nextSequence = max(used, state.sequenceCeiling)
    identity.userID = identity.userID ?? state.userID
    makeDeviceID()
    // Written once it is said that events can be stored, and before any is.
    state.sequenceCeiling = nextSequence + Self.sequenceBlock
    isStateChanged = true
  }

  private func makeDeviceID() {
    if let configured = settings.deviceID, !configured.isEmpty { state.deviceID = configured }
    if state.deviceID.isEmpty { state.deviceID = DeviceID.make(using: &random) }
    identity.deviceID = state.deviceID
  }

  func setUser(_ userID: String?) {
    guard identity.userID != userID else { return }
    identity.userID = userID
    state.userID = userID
    isStateChanged = true
  }

  /// Makes sure that the next number will never be given again.
  func reserveSequence() {
    guard nextSequence >= state.sequenceCeiling else { return }
    state.sequenceCeiling = nextSequence + Self.sequenceBlock
    saveState()
  }

  /// Writes the state if it says something new; before any event that depends on it is sealed.
  func saveStateIfChanged() {
    if isStateChanged { saveState() }
  }

  func saveState() {
    guard isCollecting else { return forgetStoredUser() }
    isStateChanged = false
    var saved = state
    saved.unreported = unreported
    write(saved)
  }

  /// While collection is off nothing new is written, but a user who left is not kept either; what
  /// changed meanwhile is written once it is on again.
  private func forgetStoredUser() {
    guard var stored = storedState, let user = stored.userID, user != state.userID else { return }
    stored.userID = nil
    write(stored)
  }

  private func write(_ state: ClientState) {
    guard let outbox else { return }
    do throws(OutboxError) {
      try state.save(to: outbox.folder, files: environment.files)
      storedState = state
    } catch {
      environment.log.warning("The client's state could not be saved: \(error)")
    }
  }

  private func randomWords() -> @Sendable () -> UInt64 {
    let source = environment.random
    return {
      var word: UInt64 = 0
      withUnsafeMutableBytes(of: &word) { source.fill($0) }
      return word
    }
  }
}
