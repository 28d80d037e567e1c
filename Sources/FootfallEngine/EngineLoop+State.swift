import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension EngineLoop {
  func opened(_ destination: Destination) {
    board.keep(destinations.compactMap(\.outbox).map { HeldOutbox(outbox: $0) })
    guard destination === main else { return }
    if let keeper = main.settings.keeper { return recall(from: keeper) }
    guard let outbox = main.outbox else { return }
    do throws(OutboxError) { try loadState(from: outbox) } catch {
      environment.log.error("The client's state cannot be read: \(error)")
    }
    main.takeOver(settings.earlier)
  }

  /// What the app's own place remembers of an earlier run.
  private func recall(from keeper: any EventKeeper) {
    if let known = keeper.recall() {
      restore(known)
      isFirstLaunch = false
    }
    isStateDue = true
  }

  func willSeal(_ destination: Destination) {
    saveStateIfChanged()
  }

  func saveLosses(of destination: Destination) {
    if destination === main, isCollecting { saveState() }
  }

  private func loadState(from outbox: Outbox) throws(OutboxError) {
    let files = main.files
    let isFirstTime = storedState == nil
    storedState = try ClientState.load(from: outbox.folder, files: files)
    if isFirstTime, let stored = storedState {
      // Only the file says them, however new a note is.
      main.unreported.add(stored.unreported)
      main.storedLosses = stored.unreported
    }
    let noted = outbox.note.flatMap { ClientState($0) }
    let newest = [storedState, noted].compactMap { $0 }.max { $0.revision < $1.revision }
    if let stored = newest {
      restore(stored)
    } else if let main = try ClientState.load(from: settings.main.folder, files: files) {
      // A second process of the app is the same device and user, with numbers of its own.
      var shared = ClientState()
      (shared.deviceID, shared.userID, shared.key) = (main.deviceID, main.userID, main.key)
      restore(shared)
    }
    let earlier = newest == nil ? earlierState : nil
    if let earlier { restore(earlier) }
    try markLaunch(in: outbox.folder, hasRun: newest != nil || earlier != nil)
    // Written once it is said that events can be stored, and before any is.
    isStateDue = true
  }

  /// What other clients remembered, whose place this one takes; the first that knows a thing counts.
  private var earlierState: ClientState? {
    let world = EarlierWorld(
      files: environment.files,
      log: environment.log,
      milliseconds: environment.clocks.moment.wallMilliseconds
    )
    let states = settings.earlier.compactMap { $0.state(in: world) }
    guard var known = states.first else { return nil }
    for other in states.dropFirst() {
      known.deviceID = known.deviceID ?? other.deviceID
      known.userID = known.userID ?? other.userID
      if known.session == SessionState() { known.session = other.session }
      known.sequenceCeiling = max(known.sequenceCeiling, other.sequenceCeiling)
    }
    return known
  }

  private func restore(_ stored: ClientState) {
    state.revision = max(state.revision, stored.revision)
    var restored = PipelineState(sequenceCeiling: stored.sequenceCeiling, app: stored.app)
    if settings.rules.identity.bindsToKey, let key = stored.key, key != settings.key {
      // Before any of it is sent: what was stored under another key is nothing of this one's.
      for destination in destinations { destination.deleteAll(.keyChanged) }
    } else {
      restored.identity = .init(deviceID: stored.deviceID, userID: stored.userID, key: stored.key)
      restored.session = stored.session
    }
    pipeline.restore(restored)
  }

  /// Clients that ran before there was a mark left a state.
  private func markLaunch(in folder: String, hasRun: Bool) throws(OutboxError) {
    guard !pipeline.isLaunched else { return }
    let mark = FirstLaunch(folder: folder, files: main.files)
    isFirstLaunch = !hasRun && !mark.hasLaunchedBefore
    guard isCollecting, !mark.hasLaunchedBefore else { return }
    try mark.mark()
  }

  /// Brings the state up to what the pipeline says.
  func updateState() {
    let current = pipeline.state
    state.deviceID = current.identity.deviceID
    state.isDeviceKnown = true
    state.userID = current.identity.userID
    state.key = current.identity.key
    state.session = current.session
    state.app = current.app
    state.sequenceCeiling = current.sequenceCeiling
    state.revision += 1
    isStateChanged = true
  }

  /// Writes the state if it says something new; before any event that depends on it is sealed.
  func saveStateIfChanged() {
    if isStateChanged { saveState() }
  }

  func saveState() {
    guard isCollecting else {
      isStateDue = false
      return forgetStoredUser()
    }
    updateState()
    isStateChanged = false
    isStateDue = false
    var saved = state
    saved.unreported = main.unreported
    // The journal need not carry on what the file says, which is newer than any note.
    if write(saved) { main.outbox?.forgetNote() }
  }

  /// While collection is off nothing new is written, but a user who left is not kept either; what
  /// changed meanwhile is written once it is on again.
  private func forgetStoredUser() {
    guard var stored = storedState, let user = stored.userID, user != pipeline.userID else {
      return
    }
    stored.userID = nil
    write(stored)
  }

  @discardableResult
  private func write(_ state: ClientState) -> Bool {
    if let keeper = main.settings.keeper { return remember(state, in: keeper) }
    guard let outbox = main.outbox else { return false }
    do throws(OutboxError) {
      try state.save(to: outbox.folder, files: main.files)
      storedState = state
      main.storedLosses = state.unreported
      return true
    } catch {
      environment.log.warning("The client's state could not be saved: \(error)")
      return false
    }
  }

  private func remember(_ state: ClientState, in keeper: any EventKeeper) -> Bool {
    do { try keeper.remember(state) } catch {
      environment.log.warning("The app's storage does not take the client's state: \(error)")
      return false
    }
    storedState = state
    main.storedLosses = state.unreported
    return true
  }
}
