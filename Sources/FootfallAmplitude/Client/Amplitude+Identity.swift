import Footfall
import FootfallCore
import FootfallSystem

// Who the events belong to, and what is known of them.
extension Amplitude {
  /// How long a getter waits while the client reads what the last run kept, in seconds.
  ///
  /// Only right after the start, and a few milliseconds as a rule.
  private static let readingSeconds = 1.0

  /// Who the events belong to, and what was set of the user here since the start.
  ///
  /// Setting it keeps ids that changed over starts; when the properties differ, an `$identify` sets all of
  /// them.
  public var identity: Identity {
    get {
      Identity(
        userId: getUserId(),
        deviceId: getDeviceId(),
        userProperties: mirror.withLock { $0 }.properties.untyped
      )
    }
    set {
      let properties = Properties(untyped: newValue.userProperties)
      mirror.withLock { $0.properties = properties }
      client.setIdentity(
        userID: newValue.userId,
        deviceID: newValue.deviceId,
        userProperties: properties
      )
    }
  }

  /// Sets the user of every event after this call, also over starts; nil for nobody.
  @discardableResult public func setUserId(userId: String?) -> Amplitude {
    client.setUserID(userId)
    return self
  }

  /// Sets the device of every event after this call, also over starts.
  @discardableResult public func setDeviceId(deviceId: String?) -> Amplitude {
    client.setDeviceID(deviceId)
    return self
  }

  /// The signed-in user; nil for nobody.
  public func getUserId() -> String? {
    // Read from disk together with the device, which is always known in the end.
    _ = client.deviceID(limitSeconds: Self.readingSeconds)
    return client.userID
  }

  /// The device's id.
  public func getDeviceId() -> String? {
    client.deviceID(limitSeconds: Self.readingSeconds)
  }

  /// Begins anew, as after signing out: no user, and the device's id is chosen again.
  ///
  /// The session goes on, and what was tracked before keeps what it had.
  @discardableResult public func reset() -> Amplitude {
    mirror.withLock { $0 = PropertyMirror() }
    client.reset()
    return self
  }

  // MARK: What is known of them

  /// Sets properties of the user: each key is a `$set`.
  ///
  /// A user or device in the options becomes that of the client.
  @discardableResult public func identify(
    userProperties: [String: Any]?,
    options: EventOptions? = nil
  ) -> Amplitude {
    change(IdentifyOperations(setting: Properties(untyped: userProperties ?? [:])), options)
    return self
  }

  /// Changes properties of the user.
  ///
  /// A user or device in the options becomes that of the client. An object without any operation says
  /// nothing.
  @discardableResult public func identify(
    identify: Identify,
    options: EventOptions? = nil
  ) -> Amplitude {
    change(identify.operations, options)
    return self
  }

  private func change(_ operations: IdentifyOperations, _ options: EventOptions?) {
    if let userID = options?.userId { client.setUserID(userID) }
    if let deviceID = options?.deviceId { client.setDeviceID(deviceID) }
    client.warn(about: operations)
    guard !operations.isEmpty else { return }
    mirror.withLock { $0.apply(operations) }
    send(Call(name: .identify, operations: operations), options)
  }

  // MARK: Groups

  /// Puts the user into the one group of a type, instead of those before; other types stay.
  @discardableResult public func setGroup(
    groupType: String,
    groupName: String,
    options: EventOptions? = nil
  ) -> Amplitude {
    setGroup(groupType: groupType, groupName: [groupName], options: options)
  }

  /// Puts the user into groups of a type, instead of those before; other types stay.
  @discardableResult public func setGroup(
    groupType: String,
    groupName: [String],
    options: EventOptions? = nil
  ) -> Amplitude {
    let names = groupName.filter { !$0.isEmpty }
    guard let change = GroupChange.assigning(names, ofType: groupType) else {
      client.refuse(.identify, "A group has an empty type or no name; it is not set.")
      return self
    }
    mirror.withLock { $0.apply(change.operations) }
    send(Call(name: change.name, groups: change.groups, operations: change.operations), options)
    return self
  }

  /// Sets properties of a group: each key is a `$set`.
  @discardableResult public func groupIdentify(
    groupType: String,
    groupName: String,
    groupProperties: [String: Any]?,
    options: EventOptions? = nil
  ) -> Amplitude {
    let operations = IdentifyOperations(setting: Properties(untyped: groupProperties ?? [:]))
    return changeGroup(groupType, groupName, operations, options)
  }

  /// Changes properties of a group.
  @discardableResult public func groupIdentify(
    groupType: String,
    groupName: String,
    identify: Identify,
    options: EventOptions? = nil
  ) -> Amplitude {
    changeGroup(groupType, groupName, identify.operations, options)
  }

  private func changeGroup(
    _ type: String,
    _ name: String,
    _ operations: IdentifyOperations,
    _ options: EventOptions?
  ) -> Amplitude {
    client.warn(about: operations)
    guard !operations.isEmpty else { return self }
    guard let change = GroupChange.changing(name, ofType: type, operations) else {
      client.refuse(
        .groupIdentify,
        "A group has an empty type or name; its properties are not changed."
      )
      return self
    }
    send(Call(name: change.name, groups: change.groups, groupOperations: operations), options)
    return self
  }
}
