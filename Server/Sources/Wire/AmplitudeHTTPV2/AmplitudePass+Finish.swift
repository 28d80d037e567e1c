import EventRecord

extension AmplitudePass {
  /// Writes a complete event, or notes what it lacks.
  mutating func finish() {
    let kind = takeKind()
    let operations = operations(of: kind)
    if dialect == .attribution, draft.deviceID.count == 0, draft.userID.count == 0 {
      draft.deviceID = draft.foreignID?.id ?? .empty
    }
    if draft.name.count == 0, draft.isGood { missing("event_type") }
    if draft.deviceID.count == 0, draft.userID.count == 0, kind != .groupIdentify, draft.isGood {
      missing("device_id")
      missing("user_id")
    }
    // One bad event and nothing of the request is kept: the rest is only checked.
    guard draft.isGood, faults.isEmpty else { return }
    if !draft.hasPlace { appendPlace() }
    var view = EventView(
      key: EventKey(high: 0, low: 0),
      kind: kind,
      timestampMs: draft.timestampMs ?? context.receivedAtMs,
      sequence: draft.sequence ?? draft.localSequence ?? Int64(index)
    )
    view.deviceID = memory.bytes(draft.deviceID)
    view.id = memory.bytes(draft.insertID)
    if draft.timestampMs == nil {
      view.flags.insert(.timeMissing)
    } else if isAhead(view.timestampMs) {
      view.flags.insert(.timeInFuture)
    }
    view.name = memory.bytes(draft.name)
    view.userID = memory.bytes(draft.userID)
    view.sessionID = memory.bytes(draft.sessionID)
    view.properties = memory.bytes(draft.properties)
    view.groups = memory.bytes(draft.groups)
    view.operations = memory.bytes(operations)
    view.context = memory.closedContext()
    guard identify(&view) else {
      duplicates += 1
      return
    }
    memory.writer.append(view)
    senders.note(view, at: index)
  }

  /// Gives the event its key; false when it repeats another one of this request.
  private mutating func identify(_ view: inout EventView) -> Bool {
    if view.id.count == 0, dialect != .current, dialect != .legacy {
      // A script that sends the same again after a lost answer must not add twice.
      view.flags.insert(.keyIsContent)
      view.key = .content(project: project, of: view, place: index)
      return true
    }
    guard view.id.count > 0 else {
      view.flags.insert(.keyIsRandom)
      view.key = randomKey()
      return true
    }
    view.key = key(of: view)
    return memory.seen.insert(
      view.key,
      timeMs: view.timestampMs,
      windowMs: Self.repeatWindowMs
    )
  }

  /// The key of an event; nearly all of a request's are of one device.
  private mutating func key(of view: EventView) -> EventKey {
    // Text that is not in the body itself is gone with its event.
    guard draft.deviceID.area == .body else {
      return .amplitude(project: project, deviceID: view.deviceID, insertID: view.id)
    }
    if let sender, memory.bytes(sender.device).hasBytes(of: view.deviceID) {
      return sender.keys.key(of: view.id)
    }
    let keys = EventKey.OfSender(project: project, deviceID: view.deviceID)
    sender = (draft.deviceID, keys)
    return keys.key(of: view.id)
  }

  /// Adds where the event's address is; an event without one gets no place.
  private mutating func appendPlace() {
    guard let places = context.places else { return }
    switch draft.address {
    case .none: break
    case .ofRequest:
      // The same for all events of the request.
      let place = requestPlace ?? places.ofRequest
      requestPlace = .some(place)
      place?.append(to: &memory.context)
    case .text(let slice):
      let address = String(decoding: memory.bytes(slice), as: UTF8.self)
      places.place(of: address)?.append(to: &memory.context)
    }
  }

  private mutating func missing(_ field: String) {
    faults.missing(field, at: index)
    draft.isGood = false
  }

  /// What the event asks for; what is no event by its path gets the name that says so.
  private mutating func takeKind() -> EventRecord.Kind {
    switch dialect {
    case .current, .legacy, .attribution:
      if let name = Self.shownName(memory.bytes(draft.name)) { draft.name = memory.text(name) }
      return kind(draft.name)
    case .identify:
      draft.name = memory.text("$identify")
      return .identify
    case .groupIdentify:
      draft.name = memory.text("$groupidentify")
      takeGroup()
      return .groupIdentify
    }
  }

  /// Brings a group's type and name into the form that events have them in.
  private mutating func takeGroup() {
    if draft.groupType.count == 0, draft.isGood { missing("group_type") }
    if draft.groupValue.count == 0, draft.isGood { missing("group_value") }
    guard draft.isGood else { return }
    let start = memory.operations.count
    memory.operations.append(UInt8(ascii: "{"))
    memory.operations.append(quoting: memory.bytes(draft.groupType))
    memory.operations.append(UInt8(ascii: ":"))
    memory.operations.append(memory.bytes(draft.groupValue))
    memory.operations.append(UInt8(ascii: "}"))
    draft.groups = Slice(
      area: .operations,
      start: start,
      count: memory.operations.count - start
    )
  }

  private func kind(_ name: Slice) -> EventRecord.Kind {
    let name = memory.bytes(name)
    guard name.first == UInt8(ascii: "$") else { return .event }
    if name.elementsEqual("$identify".utf8) { return .identify }
    return name.elementsEqual("$groupidentify".utf8) ? .groupIdentify : .event
  }

  /// The name under which Amplitude's product shows its sessions' ends.
  private static func shownName(_ name: UnsafeRawBufferPointer) -> StaticString? {
    guard name.first == UInt8(ascii: "s") else { return nil }
    if name.elementsEqual("session_start".utf8) { return "[Amplitude] Start Session" }
    return name.elementsEqual("session_end".utf8) ? "[Amplitude] End Session" : nil
  }

  // MARK: Operations

  /// The operations of the event's kind; the other ones, which have no meaning for it, go to its
  /// context.
  private mutating func operations(
    of kind: EventRecord.Kind
  ) -> Slice {
    let isGroup = kind == .groupIdentify
    let own = isGroup ? draft.groupProperties : draft.userProperties
    let other = isGroup ? draft.userProperties : draft.groupProperties
    if other.count > 0 {
      memory.context.openObject()
      memory.context.append(isGroup ? "\"user_properties\":" : "\"group_properties\":")
      memory.context.append(memory.bytes(other))
      memory.context.append(UInt8(ascii: ","))
    }
    guard own.count > 0, draft.isGood else { return .empty }
    do {
      if let operations = try memory.operations(from: own) { return operations }
    } catch {
      // The text has been checked and copied once already: it does not fail now.
    }
    faults.invalid(isGroup ? "group_properties" : "user_properties", at: index)
    draft.isGood = false
    return .empty
  }
}
