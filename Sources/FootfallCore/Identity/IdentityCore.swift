/// Decides who the events belong to: the device, the user, and what is known of the user here.
package struct IdentityCore: Sendable {
  /// What is kept from run to run.
  package struct State: Sendable, Equatable {
    /// The device; nil before one is known, or if the app says so.
    package var deviceID: String?
    /// The signed-in user, if there is one.
    package var userID: String?
    /// The key under which these were stored; nil if that is unknown.
    package var key: String?

    /// A state from its parts; without any, that of a fresh install.
    package init(deviceID: String? = nil, userID: String? = nil, key: String? = nil) {
      self.deviceID = deviceID
      self.userID = userID
      self.key = key
    }
  }

  /// What the world offers at the start.
  package struct Launch: Sendable, Equatable {
    /// The device id in the configuration.
    package var deviceID: String?
    /// The user id in the configuration.
    package var userID: String?
    /// The system's id for the vendor of the app.
    package var vendorID: String?
    /// The key of the project.
    package var key: String

    /// A launch from its parts.
    package init(
      deviceID: String? = nil,
      userID: String? = nil,
      vendorID: String? = nil,
      key: String = ""
    ) {
      self.deviceID = deviceID
      self.userID = userID
      self.vendorID = vendorID
      self.key = key
    }
  }

  /// What happened.
  package enum Input: Sendable, Equatable {
    /// The client starts. The first input.
    case launch(Launch)
    /// The app names the user, or says that nobody is signed in.
    case setUser(String?)
    /// The app names the device.
    case setDevice(String?)
    /// An identify names a user or device besides changing properties; those become the client's.
    case identify(userID: String?, deviceID: String?, IdentifyOperations)
    /// The app sets all at once.
    case assign(userID: String?, deviceID: String?, Properties)
    /// The app wants to begin anew.
    case reset
  }

  /// What is to be done, in the order given.
  package enum Effect: Sendable, Equatable {
    /// Delete what is queued under another key.
    case discardQueue
    /// Log that the configured device id is one that many devices share.
    case warnShared(String)
    /// Keep `state`.
    case persist
    /// Send an identify that sets these properties.
    case sendIdentify(Properties)
    /// Tell plugins about another user.
    case userChanged(String?)
    /// Tell plugins about another device.
    case deviceChanged(String?)
    /// Tell plugins that something about the user changed.
    case identityChanged
    /// Tell plugins about a reset.
    case reset
  }

  /// What is kept for the next run.
  package private(set) var state: State
  /// The user's properties as far as they are known here.
  package private(set) var mirror = PropertyMirror()

  private let rules: IdentityRules
  private var launch = Launch()

  /// A core with its rules and what the last run kept.
  package init(rules: IdentityRules = .native, state: State = State()) {
    self.rules = rules
    self.state = state
  }

  /// Takes over what an earlier run kept, found only after the launch; what was said since counts.
  package mutating func restore(_ stored: State) {
    if launch.deviceID == nil, rules.sources.contains(.stored), let id = stored.deviceID, isKept(id)
    {
      state.deviceID = id
    }
    state.userID = state.userID ?? stored.userID
  }

  /// Takes in what happened at `now`, in milliseconds since 1970, and says what to do, in order.
  package mutating func receive(
    _ input: Input,
    at now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    let before = (state, mirror)
    var last: [Effect] = []
    switch input {
    case .launch(let launch): return begin(launch, at: now, using: &random)
    case .setUser(let id): state.userID = id
    case .setDevice(let id): state.deviceID = id
    case .identify(let user, let device, let operations):
      state.userID = user ?? state.userID
      state.deviceID = device ?? state.deviceID
      mirror.apply(operations)
    case .assign(let user, let device, let properties):
      state.userID = user
      state.deviceID = device
      mirror.properties = properties
      if before.1 != mirror, !properties.isEmpty { last.append(.sendIdentify(properties)) }
    case .reset:
      state.userID = nil
      mirror = PropertyMirror()
      let sources = rules.sources.filter { $0 != .stored }
      state.deviceID = chooseDevice(from: sources, at: now, using: &random)
      last.append(.reset)
    }
    return changes(since: before) + last
  }

  private func changes(since before: (state: State, mirror: PropertyMirror)) -> [Effect] {
    var effects: [Effect] = []
    if before.state != state { effects.append(.persist) }
    if before.state.userID != state.userID { effects.append(.userChanged(state.userID)) }
    if before.state.deviceID != state.deviceID { effects.append(.deviceChanged(state.deviceID)) }
    if before.state != state || before.mirror != mirror { effects.append(.identityChanged) }
    return effects
  }
}

// MARK: - The device's id

extension IdentityCore {
  private mutating func begin(
    _ launch: Launch,
    at now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    let stored = state
    var effects: [Effect] = []
    self.launch = launch
    if rules.bindsToKey, let key = state.key, key != launch.key {
      state = State()
      effects.append(.discardQueue)
    }
    state.key = rules.bindsToKey ? launch.key : nil
    state.userID = usable(launch.userID) ?? state.userID
    if let configured = launch.deviceID, IdentityRules.isShared(configured),
      rules.sources.contains(.configured)
    {
      effects.append(.warnShared(configured))
    }
    state.deviceID = chooseDevice(from: rules.sources, at: now, using: &random)
    if state != stored { effects.append(.persist) }
    return effects
  }

  private func chooseDevice(
    from sources: [IdentityRules.Source],
    at now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> String? {
    for source in sources {
      switch source {
      case .configured:
        if let id = usable(launch.deviceID) { return id }
      case .stored:
        if let id = usable(state.deviceID), isKept(id) { return id }
      case .vendor:
        if let id = usable(launch.vendorID), !IdentityRules.isShared(id) { return id }
      case .random: return makeDevice(at: now, using: &random)
      }
    }
    return nil
  }

  private func usable(_ id: String?) -> String? { id.flatMap { $0.isEmpty ? nil : $0 } }

  private func isKept(_ id: String) -> Bool {
    if rules.format == .ulid, !ULID.isValid(id) { return false }
    return !(rules.replacesShared && IdentityRules.isShared(id))
  }

  private func makeDevice(
    at now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> String {
    switch rules.format {
    case .uuid: DeviceID.make(using: &random)
    case .upperCaseUUID: DeviceID.make(using: &random).uppercased()
    case .ulid: ULID.make(milliseconds: now, using: &random)
    }
  }
}
