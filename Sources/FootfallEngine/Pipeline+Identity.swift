import FootfallCore
import FootfallPlatform

/// Whose the events are, and events that wait until that is known.
extension Pipeline {
  /// Tells the identity core something and does what it says.
  mutating func identify(
    _ input: IdentityCore.Input,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    let effects = identity.receive(input, at: now.wallMilliseconds, using: &random)
    updateOwner()
    for effect in effects { perform(effect, at: now, &output) }
    if case .reset = input, rules.waitsForIdentify != nil, unidentified == nil { unidentified = [] }
  }

  /// Takes an identify's changes into what is known here of the user.
  ///
  /// Those of a group, and of an event that was made by hand, leave the client's identity alone,
  /// whatever its options say. Source: `amplitude.md` sections 2.1 and 2.7.
  mutating func identify(
    by details: EventDetails,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    guard let operations = details.operations else { return }
    let options = details.options
    let stays =
      rules.identifyOptionsStay && options.groups.isEmpty && operations.written == nil
    let isOthers =
      options.userID.map { $0 != owner.userID } ?? false
      || options.deviceID.map { $0 != owner.deviceID } ?? false
    guard rules.identifyOptionsStay || !isOthers else { return }
    let input = IdentityCore.Input.identify(
      userID: stays ? options.userID : nil,
      deviceID: stays ? options.deviceID : nil,
      operations
    )
    identify(input, at: now, &output)
  }

  /// Ends what there is of the device, and goes on as a new one.
  mutating func reset(at now: Moment, _ output: inout PipelineOutput) {
    dropWaiting(.deviceReset, &output)
    feed(.end, at: now, &output)
    if let device = owner.deviceID { output.leftDevices.append(device) }
    identify(.reset, at: now, &output)
  }

  private mutating func perform(
    _ effect: IdentityCore.Effect,
    at now: Moment,
    _ output: inout PipelineOutput
  ) {
    switch effect {
    case .discardQueue: output.discardsQueue = true
    case .warnShared:
      output.log(.warning, "The configured device id is one that many devices share.")
    case .persist: output.isStateChanged = true
    case .sendIdentify(let properties):
      let details = EventDetails(operations: IdentifyOperations(setting: properties))
      let event = stamp(EventContent(.identify), details: details, at: now)
      // The identity has it already; the rest of the way is that of any event.
      guard isCollecting else { return drop(event, .optedOut, &output) }
      guard hasLaunched else { return early.append(.event(event)) }
      guard unidentified == nil else { return keepBack(event, &output) }
      pass(event, &output)
    case .userChanged(let id): plugins.forEach { $0.userChanged(id) }
    case .deviceChanged(let id): plugins.forEach { $0.deviceChanged(id) }
    case .identityChanged:
      let (user, device, properties) = (owner.userID, owner.deviceID, identity.mirror.properties)
      plugins.forEach { $0.identityChanged(user, device, properties) }
    case .reset: plugins.forEach { $0.reset() }
    }
  }
}

// MARK: - Waiting for the first identify

extension Pipeline {
  /// Keeps an event until the first identify, which lets all go, in a session that is as old as the
  /// oldest of them.
  ///
  /// Source: `phase.md` section 5.2.
  mutating func keepBack(_ stamped: StampedEvent, _ output: inout PipelineOutput) {
    guard let wait = rules.waitsForIdentify, let kept = unidentified else {
      return pass(stamped, &output)
    }
    guard stamped.details?.operations == nil else {
      unidentified = nil
      return release(kept, by: stamped, wait, &output)
    }
    guard kept.count < wait.events else {
      if saysThatWaitIsFull {
        output.log(.warning, "More than \(wait.events) events before the first identify: refused.")
      }
      saysThatWaitIsFull = false
      return drop(stamped, .inboxFull, &output)
    }
    unidentified?.append(stamped)
  }

  private mutating func release(
    _ kept: [StampedEvent],
    by identify: StampedEvent,
    _ wait: PipelineRules.IdentifyWait,
    _ output: inout PipelineOutput
  ) {
    saysThatWaitIsFull = true
    let oldest = identify.moment.steadyMilliseconds - wait.milliseconds
    let old = kept.count { $0.moment.steadyMilliseconds < oldest }
    if old > 0 {
      output.log(.warning, "\(old) events waited too long for the first identify: dropped.")
    }
    for event in kept.prefix(old) { drop(event, .tooOld, &output) }
    pass(identify, &output)
    let fresh = kept.dropFirst(old)
    let start = fresh.map(\.milliseconds).min()
    feed(.start(atMilliseconds: start), at: identify.moment, &output)
    for event in fresh { pass(event, &output) }
  }

  /// Drops every event that waits for the launch or the first identify.
  mutating func dropWaiting(_ reason: DropReason, _ output: inout PipelineOutput) {
    var left: [PipelineInput] = []
    for input in early {
      if case .event(let event) = input { drop(event, reason, &output) } else { left.append(input) }
    }
    early = left
    guard let kept = unidentified else { return }
    for event in kept { drop(event, reason, &output) }
    unidentified = []
  }
}
