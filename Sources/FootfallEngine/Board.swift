import FootfallCore
import FootfallPlatform
import FootfallSystem

/// What the engine's thread shows to callers.
final class Board: Sendable {
  private struct State {
    var counts: [Counts] = []
    var deviceID = SaidValue<String?>(nil)
    var userID = SaidValue<String?>(nil)
    var isOffline = SaidValue(false)
    var sessionID: SessionID?
    var isShown = false
    var setup: Engine.Setup?
    var outboxes: [HeldOutbox] = []
    var defaultProperties: Properties?
    var plugins: [any Plugin] = []
  }

  /// The numbers of one destination.
  struct Counts {
    let name: String
    var numbers: DestinationDiagnostics
  }

  private let state = Lock(State())

  /// How much of what callers said the thread has taken in.
  struct Heard {
    var identities = 0
    var offline = 0
  }

  /// Shows identity and numbers after a step; `update` brings the numbers up to date, of the client's
  /// own destination first.
  func show(
    _ pipeline: borrowing Pipeline,
    isOffline: Bool,
    heard: Heard,
    _ update: (inout [Counts]) -> Void
  ) {
    let (deviceID, userID) = (pipeline.deviceID, pipeline.userID)
    let sessionID = pipeline.sessionID
    state.withLock { state in
      state.isShown = true
      update(&state.counts)
      state.deviceID.show(deviceID, heard: heard.identities)
      state.userID.show(userID, heard: heard.identities)
      state.isOffline.show(isOffline, heard: heard.offline)
      state.sessionID = sessionID
    }
  }

  /// A caller says whose the events are from here on.
  func say(_ input: IdentityCore.Input) {
    state.withLock { state in
      switch input {
      case .setUser(let user):
        state.userID.say(user)
        state.deviceID.say(nil)
      case .setDevice(let device):
        state.userID.say(nil)
        state.deviceID.say(device)
      case .assign(let user, let device, _):
        state.userID.say(user)
        state.deviceID.say(device)
      case .reset:
        state.userID.say(.some(nil))
        state.deviceID.unsay()
      case .launch, .identify:
        state.userID.unsay()
        state.deviceID.unsay()
      }
    }
  }

  /// A caller changes what goes on events, which only the pipeline knows otherwise.
  func say(_ change: PipelineInput.Change) {
    switch change {
    case .defaultProperties(let properties): state.withLock { $0.defaultProperties = properties }
    case .addPlugin(let plugin): state.withLock { $0.plugins.append(plugin) }
    case .removePlugin(let plugin):
      state.withLock { state in state.plugins.removeAll { $0 === plugin } }
    case .launch, .identity, .reset, .session, .presence, .userInput, .profile, .collecting,
      .features, .appContext, .delivered, .terminate, .timePassed:
      break
    }
  }

  /// A caller holds back sending, or lets it go on.
  func say(isOffline: Bool) {
    state.withLock { $0.isOffline.say(isOffline) }
  }

  /// Shows the world the engine works in.
  func show(_ setup: Engine.Setup) {
    state.withLock { $0.setup = setup }
  }

  /// The world the engine works in; nil until its thread has begun.
  var environment: Environment? { state.withLock { $0.setup }?.environment }

  /// Keeps the open outboxes, for a fork.
  func keep(_ outboxes: [HeldOutbox]) {
    state.withLock { $0.outboxes = outboxes }
  }

  /// The outboxes that were open last, which are not kept any more.
  func takeOutboxes() -> [HeldOutbox] {
    state.withLock { state in
      defer { state.outboxes = [] }
      return state.outboxes
    }
  }

  /// The numbers as last shown.
  var counts: Diagnostics {
    let shown = state.withLock { $0.counts }
    return shown.reduce(into: Diagnostics()) { $0.add($1.name, $1.numbers) }
  }

  /// Whether the thread has shown anything yet.
  var isShown: Bool { state.withLock { $0.isShown } }

  /// The device's id; nil until the engine knows it or a caller said it.
  var deviceID: String? { state.withLock { $0.deviceID.current } }

  /// The signed-in user.
  var userID: String? { state.withLock { $0.userID.current } }

  /// Whether sending is held back.
  var isOffline: Bool { state.withLock { $0.isOffline.current } }

  /// The open session.
  var sessionID: SessionID? { state.withLock { $0.sessionID } }
}

// MARK: - Forks

extension Board {
  func holdForFork() { state.holdForFork() }

  func releaseInParent() { state.releaseInParent() }

  /// The numbers and the world are the parent's; whose the events are stays.
  func renewInChild() {
    state.renewInChild()
    state.withLock { state in
      state.counts = []
      state.sessionID = nil
      // Its locks may be held by threads that are not here.
      Inherited.keep(state.setup)
      state.setup = nil
      // What the parent's thread heard of, the child's did not.
      let (device, user) = (state.deviceID, state.userID)
      state.deviceID = SaidValue(device.current, isShown: device.known != nil)
      state.userID = SaidValue(user.current, isShown: user.known != nil)
      state.isOffline = SaidValue(state.isOffline.current)
    }
  }

  /// What a child's thread has to be told, which finds on disk only what the parent had written:
  /// whose the events are, as far as that is known, and what goes on them.
  var inheritance: [PipelineInput.Change] {
    state.withLock { state in
      var changes: [PipelineInput.Change] = state.plugins.map { .addPlugin($0) }
      if let properties = state.defaultProperties { changes.append(.defaultProperties(properties)) }
      if let user = state.userID.known { changes.append(.identity(.setUser(user))) }
      if let device = state.deviceID.known { changes.append(.identity(.setDevice(device))) }
      return changes
    }
  }
}
