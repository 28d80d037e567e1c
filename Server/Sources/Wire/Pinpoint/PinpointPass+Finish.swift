import EventRecord

extension PinpointPass {
  /// Writes a complete event, or notes why it is refused; false also for a repeat.
  mutating func finish(id: Slice, properties: Slice) -> Bool {
    if draft.fault == nil { draft.fault = lastFault(id: id) }
    guard draft.fault == nil, let timestampMs = draft.timestampMs else {
      if let reason = draft.fault?.reason { rejections[reason, default: 0] += 1 }
      return false
    }
    appendContext()
    var view = EventView(
      key: keys.key(of: memory.bytes(id)),
      kind: .event,
      timestampMs: timestampMs,
      sequence: Int64(index)
    )
    guard memory.seen.insert(view.key) else {
      duplicates += 1
      return false
    }
    if isAhead(timestampMs) { view.flags.insert(.timeInFuture) }
    view.id = memory.bytes(id)
    view.name = memory.bytes(draft.type)
    view.sessionID = memory.bytes(draft.sessionID)
    view.properties = memory.bytes(properties)
    view.context = memory.closedContext()
    var (deviceID, userID) = (verdict.deviceID, verdict.userID)
    deviceID.withUTF8 { device in
      userID.withUTF8 { user in
        view.deviceID = UnsafeRawBufferPointer(device)
        view.userID = UnsafeRawBufferPointer(user)
        memory.writer.append(view)
      }
    }
    return true
  }

  private func lastFault(id: Slice) -> (text: String, reason: RejectionReason)? {
    if let violation = memory.json.violation {
      return ("The event is refused: \(violation.rawValue).", violation)
    }
    if id.count == 0 || id.count > PinpointLimits.idBytes {
      return ("An event's id must have 1 to \(PinpointLimits.idBytes) bytes.", .invalidID)
    }
    if draft.type.count == 0 { return ("EventType is missing.", .missingName) }
    if memory.bytes(draft.type).isLonger(than: PinpointLimits.typeCharacters) {
      return ("EventType has over \(PinpointLimits.typeCharacters) characters.", .nameTooLong)
    }
    guard let timestampMs = draft.timestampMs else {
      return ("Timestamp is missing.", .missingTimestamp)
    }
    guard Timestamp.range.contains(timestampMs) else {
      return ("Timestamp is before 1970.", .timestampOutOfRange)
    }
    return nil
  }

  /// Adds what the endpoint says of app and device, and the library's name.
  private mutating func appendContext() {
    memory.context.openObject()
    if draft.sdkName.count > 0 {
      memory.context.append("\"library\":\"")
      memory.context.append(escaping: memory.bytes(draft.sdkName))
      if draft.sdkVersion.count > 0 {
        memory.context.append(UInt8(ascii: "/"))
        memory.context.append(escaping: memory.bytes(draft.sdkVersion))
      }
      memory.context.append("\",")
    }
    if !draft.hasAppVersion, !verdict.appVersion.isEmpty {
      memory.context.append("\"app\":")
      var version = verdict.appVersion
      version.withUTF8 { memory.context.append(quoting: UnsafeRawBufferPointer($0)) }
      memory.context.append(UInt8(ascii: ","))
    }
    verdict.context.withUnsafeBytes { memory.context.append($0) }
  }
}
