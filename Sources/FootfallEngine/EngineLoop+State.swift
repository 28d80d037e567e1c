import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension EngineLoop {
  /// Sequence numbers are reserved on disk in blocks of so many, to be used without writing.
  ///
  /// After a kill the rest of the block is skipped: numbers grow, they need not be without gaps.
  private static let sequenceBlock: Int64 = 10_000

  func opened(_ destination: Destination) {
    guard destination === main, let outbox = main.outbox else { return }
    do throws(OutboxError) { try loadState(from: outbox.folder) } catch {
      environment.log.error("The client's state cannot be read: \(error)")
    }
  }

  func willSeal(_ destination: Destination) {
    saveStateIfChanged()
  }

  private func loadState(from folder: String) throws(OutboxError) {
    // Numbers are never taken back, not even by a state file that is older than this run.
    let used = nextSequence
    let files = environment.files
    let stored = try ClientState.load(from: folder, files: files)
    storedState = stored
    if var stored {
      main.unreported.add(stored.unreported)
      stored.unreported = DropCounts()
      state = stored
    } else if !state.isDeviceKnown,
      let main = try ClientState.load(
        from: settings.main.folder,
        files: files
      )
    {
      // A second process of the app is the same device and user, with numbers of its own.
      state.deviceID = main.deviceID
      state.isDeviceKnown = main.isDeviceKnown
      state.userID = main.userID
    }
    nextSequence = max(used, state.sequenceCeiling)
    identity.userID = identity.userID ?? state.userID
    makeDeviceID()
    // Written once it is said that events can be stored, and before any is.
    state.sequenceCeiling = nextSequence + Self.sequenceBlock
    isStateChanged = true
  }

  func makeDeviceID() {
    if let configured = settings.deviceID, !configured.isEmpty { state.deviceID = configured }
    if state.deviceID == nil { state.deviceID = DeviceID.make(using: &random) }
    state.isDeviceKnown = true
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
    saved.unreported = main.unreported
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
    guard let outbox = main.outbox else { return }
    do throws(OutboxError) {
      try state.save(to: outbox.folder, files: environment.files)
      storedState = state
    } catch {
      environment.log.warning("The client's state could not be saved: \(error)")
    }
  }
}
