import EventRecord

extension NativePass {
  /// Writes a complete event, or refuses it.
  mutating func finish(isTooLarge: Bool) {
    if isTooLarge { return refuse(.eventTooLarge) }
    if let violation = memory.json.violation { return refuse(violation) }
    guard draft.id.count > 0 else { return refuse(.missingID) }
    nameFromOperations()
    guard draft.name.count > 0 else { return refuse(.missingName) }
    guard !Self.isTooLong(memory.bytes(draft.name)) else { return refuse(.nameTooLong) }
    if let isBlocked = context.isBlocked, Self.kind(memory.bytes(draft.name)) == .event,
      isBlocked(memory.bytes(draft.name))
    {
      return refuse(.blocked)
    }
    guard let timestampMs = draft.timestampMs else { return refuse(.missingTimestamp) }
    guard let timeFlags = flags(for: timestampMs) else {
      return refuse(.timestampOutOfRange)
    }
    let key = EventKey.native(project: project, id: memory.bytes(draft.id))
    guard memory.seen.insert(key) else {
      duplicates += 1
      return
    }
    let kind = Self.kind(memory.bytes(draft.name))
    let operations = operations(of: kind)
    let sessionID = draft.sessionID ?? sessionAmongProperties() ?? defaults.sessionID
    var view = EventView(
      key: key,
      kind: kind,
      flags: timeFlags,
      timestampMs: timestampMs,
      sequence: draft.sequence ?? Int64(index)
    )
    if draft.isTest ?? defaults.isTest { view.flags.insert(.test) }
    view.id = memory.bytes(draft.id)
    view.name = memory.bytes(draft.name)
    view.deviceID = memory.bytes(draft.deviceID ?? defaults.deviceID)
    view.userID = memory.bytes(draft.userID ?? defaults.userID)
    view.sessionID = memory.bytes(sessionID)
    view.properties = memory.bytes(draft.properties)
    view.groups = memory.bytes(draft.groups)
    view.operations = memory.bytes(operations)
    view.context = memory.closedContext()
    memory.writer.append(view)
  }

  /// Counts a refused event and adds its entry to the answer.
  mutating func refuse(_ reason: RejectionReason) {
    rejections[reason, default: 0] += 1
    if memory.rejected.count > 0 { memory.rejected.append(UInt8(ascii: ",")) }
    memory.rejected.append("{\"index\":")
    memory.rejected.append(decimal: Int64(index))
    if draft.id.count > 0 {
      memory.rejected.append(draft.hasEventIDSpelling ? ",\"event_id\":" : ",\"id\":")
      let id = memory.bytes(draft.id)
      if draft.isIDNumber {
        memory.rejected.append(id)
      } else {
        memory.rejected.append(quoting: id)
      }
    }
    memory.rejected.append(",\"reason\":\"")
    for byte in reason.rawValue.utf8 { memory.rejected.append(byte) }
    memory.rejected.append("\"}")
  }

  /// An event without a name is named after its operations.
  private mutating func nameFromOperations() {
    guard draft.name.count == 0 else { return }
    if draft.operations.count > 0 {
      draft.name = memory.text("$identify")
    } else if draft.groupOperations.count > 0 {
      draft.name = memory.text("$groupidentify")
    }
  }

  /// The operations of the event's kind; others, which have no meaning for it, go to its context.
  ///
  /// A group's are under `group_ops`, or under `ops` if only that is there.
  private mutating func operations(of kind: EventRecord.Kind) -> Slice {
    guard draft.groupOperations.count > 0 else { return draft.operations }
    guard kind == .groupIdentify else {
      keep(draft.groupOperationsPlace)
      return draft.operations
    }
    if draft.operations.count > 0 { keep(draft.operationsPlace) }
    return draft.groupOperations
  }

  private mutating func keep(_ place: (key: JSONString, offset: Int)?) {
    guard let place else { return }
    let end = memory.json.scanner.offset
    memory.json.scanner.move(to: place.offset)
    defer { memory.json.scanner.move(to: end) }
    memory.context.openObject()
    do {
      try memory.json.appendMember(place.key, frame: 0, to: &memory.context)
    } catch {
      // The value has been checked and copied once already: it does not fail now.
    }
  }

  private static func isTooLong(_ name: UnsafeRawBufferPointer) -> Bool {
    guard name.count > NativeLimits.nameCharacters else { return false }
    let scalars = name.count { $0 & 0xc0 != 0x80 }
    return scalars > NativeLimits.nameCharacters
  }

  private static func kind(_ name: UnsafeRawBufferPointer) -> EventRecord.Kind {
    guard name.first == UInt8(ascii: "$") else { return .event }
    if name.elementsEqual("$identify".utf8) { return .identify }
    return name.elementsEqual("$groupidentify".utf8) ? .groupIdentify : .event
  }

  /// What the event's own time asks for; nil when the event is too old or its time cannot be kept.
  private func flags(for timestampMs: Int64) -> EventRecord.Flags? {
    guard Timestamp.range.contains(timestampMs) else { return nil }
    let age = context.receivedAtMs - (timestampMs + clock.correctionMs)
    guard age <= NativeLimits.backDatingMs else { return nil }
    return age < -NativeLimits.futureMs ? .timeInFuture : []
  }

  /// The session that SimpleDataLogs' clients send among the properties, when it is one.
  private mutating func sessionAmongProperties() -> Slice? {
    guard let range = draft.sessionValue else { return nil }
    let end = memory.json.scanner.offset
    memory.json.scanner.move(to: range.lowerBound)
    defer { memory.json.scanner.move(to: end) }
    do {
      switch try memory.idValue() {
      case .text(let slice), .integer(let slice):
        return slice.count <= NativeLimits.idBytes ? slice : nil
      case .null, .invalid: return nil
      }
    } catch {
      return nil
    }
  }
}
