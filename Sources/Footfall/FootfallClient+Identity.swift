public import FootfallCore
import FootfallEngine

// Who the events belong to, and what is known of them.
extension FootfallClient {
  /// Changes properties of the person: the user if one is set, or else the device.
  ///
  /// Any thread; returns at once, and takes its place among the tracked events. Nothing happens
  /// for an empty list of operations. One that does not take part gets a line in the log and a count,
  /// as `DropReason.operationIgnored`.
  ///
  /// - Parameters:
  ///   - operations: The changes, such as `.set("plan", "pro").add("logins", 1)`.
  ///   - options: What applies to this call only, such as another user; nothing unless given.
  public func identify(_ operations: IdentifyOperations, _ options: EventOptions? = nil) {
    warn(about: operations)
    guard !operations.isEmpty else { return }
    engine.track(.identify, [:], options, operations)
  }

  /// The user every event tracked after a `setUserID` belongs to; nil for a signed-out device.
  ///
  /// Any thread. What this thread set before shows at once; what an earlier run kept, a few
  /// milliseconds after the start.
  public var userID: String? { engine.userID }

  /// Sets the user of every event tracked after this call; nil for a signed-out device.
  ///
  /// Any thread; returns at once. Kept until it is set again, also over starts. An empty text or
  /// one over 128 bytes counts as nil, as `DropReason.idNotUsed`, with a line in the log.
  public func setUserID(_ userID: String?) {
    engine.setIdentity(.setUser(checked(userID, "user")))
  }

  /// The id of this device, as its events carry it.
  ///
  /// Any thread. Nil until the client has read it from disk, a few milliseconds after the start;
  /// what this thread set before shows at once.
  public var deviceID: String? { engine.deviceID }

  /// Sets the device of every event tracked after this call; nil for events without one.
  ///
  /// Any thread; returns at once. Kept over starts, unless the configuration names a device. An
  /// empty text or one over 128 bytes counts as nil, as `DropReason.idNotUsed`, with a line in the
  /// log. The server needs a user or a device: an event with neither is dropped.
  public func setDeviceID(_ deviceID: String?) {
    engine.setIdentity(.setDevice(checked(deviceID, "device")))
  }

  /// Sets user, device and the person's properties at once.
  ///
  /// Any thread; returns at once. Properties, unless there are none, are sent as an `$identify` that
  /// sets them. Plugins hear of a change once.
  ///
  /// - Parameters:
  ///   - userID: The user, as for `setUserID`.
  ///   - deviceID: The device, as for `setDeviceID`.
  ///   - userProperties: What is known of the person from here on; nothing unless given.
  public func setIdentity(
    userID: String?,
    deviceID: String?,
    userProperties: Properties = [:]
  ) {
    engine.setIdentity(
      .assign(
        userID: checked(userID, "user"),
        deviceID: checked(deviceID, "device"),
        userProperties
      )
    )
  }

  /// Begins anew, as after signing out on a shared device: no user, and a new device id.
  ///
  /// Any thread; returns at once. Events tracked before keep what they had and are still sent; the
  /// session goes on. A device id of the configuration is kept.
  public func reset() {
    engine.setIdentity(.reset)
  }

  /// Puts the person into groups of a type, instead of those it was in before.
  ///
  /// Any thread; returns at once. Sent as an `$identify`; other types stay as they are. To tag one
  /// event only, use `EventOptions.groups`. Without a type or a name nothing happens but a count, as
  /// `DropReason.invalid`, and a line in the log.
  ///
  /// - Parameters:
  ///   - type: The type of group, such as `company`.
  ///   - names: The names of the groups.
  ///   - options: What applies to this call only; nothing unless given.
  public func setGroup(_ type: String, _ names: [String], _ options: EventOptions? = nil) {
    let names = names.filter { !$0.isEmpty }
    guard let change = GroupChange.assigning(names, ofType: type) else {
      return engine.refuse(.identify, "A group has an empty type or no name; it is not set.")
    }
    engine.track(change, options)
  }

  /// Puts the person into the one group of a type, instead of those it was in before.
  public func setGroup(_ type: String, _ name: String, _ options: EventOptions? = nil) {
    setGroup(type, [name], options)
  }

  /// Changes properties of a group.
  ///
  /// Any thread; returns at once. Sent as a `$groupidentify`. Nothing happens for an empty list of
  /// operations; without a type or a name there is a count, as `DropReason.invalid`, and a line in
  /// the log. Operations that do not take part are treated as by `identify`.
  ///
  /// - Parameters:
  ///   - type: The type of group, such as `company`.
  ///   - name: The group's name.
  ///   - operations: The changes, such as `.set("plan", "enterprise").add("seats", 5)`.
  ///   - options: What applies to this call only; nothing unless given.
  public func identifyGroup(
    _ type: String,
    _ name: String,
    _ operations: IdentifyOperations,
    _ options: EventOptions? = nil
  ) {
    warn(about: operations)
    guard !operations.isEmpty else { return }
    guard let change = GroupChange.changing(name, ofType: type, operations) else {
      return engine.refuse(
        .groupIdentify,
        "A group has an empty type or name; its properties are not changed."
      )
    }
    engine.track(change, options)
  }

  /// Says which operations do not take part.
  package func warn(about operations: IdentifyOperations) {
    for warning in operations.warnings { engine.note(warning, counting: .operationIgnored) }
  }

  /// An id that can be sent: nil for one that cannot, which is counted and logged.
  private func checked(_ id: String?, _ what: String) -> String? {
    guard let id else { return nil }
    guard let problem = IdentifierProblem(id) else { return id }
    engine.note("The \(what) id \(problem); it is not used.", counting: .idNotUsed)
    return nil
  }
}

/// Why a text is no id.
enum IdentifierProblem: CustomStringConvertible {
  case empty
  case long(bytes: Int)

  /// The longest id, in bytes.
  static let limit = EventLimits().identifierBytes

  /// What is wrong with a text as an id; nil for nothing.
  init?(_ id: String) {
    let bytes = id.utf8.count
    guard bytes == 0 || bytes > Self.limit else { return nil }
    self = bytes == 0 ? .empty : .long(bytes: bytes)
  }

  var description: String {
    switch self {
    case .empty: "is empty"
    case .long(let bytes): "has \(bytes) bytes and may have \(Self.limit)"
    }
  }
}
