import EventRecord

/// What has been read of one Pinpoint event.
struct PinpointDraft {
  var type = Slice.empty
  var timestampMs: Int64?
  var sessionID = Slice.empty
  /// Where the attributes and metrics begin.
  var attributes: Int?
  var metrics: Int?
  var hasAppVersion = false
  var sdkName = Slice.empty
  var sdkVersion = Slice.empty
  /// The first thing that is wrong, for the client and for counts.
  var fault: (text: String, reason: RejectionReason)?
}

extension PinpointPass {
  /// Takes one event and writes it, counts it as a repeat, or says what is wrong with it.
  mutating func event(_ key: JSONString) throws(BodyProblem) {
    memory.beginEvent()
    draft = PinpointDraft()
    let id = memory.text(of: key)
    _ = memory.json.scanner.next()
    let start = memory.json.scanner.offset
    if memory.json.scanner.next() == UInt8(ascii: "{") {
      try members { (pass, key) throws(BodyProblem) in try pass.field(key) }
    } else {
      try memory.json.scanner.skipValue()
      fault("The event is not an object.", .notAnObject)
    }
    let end = memory.json.scanner.offset
    if end - start > PinpointLimits.eventBytes {
      fault("The event is larger than \(PinpointLimits.eventBytes) bytes.", .eventTooLarge)
    }
    let properties = try properties()
    memory.json.scanner.move(to: end)
    if finish(id: id, properties: properties) {
      appendCopy(of: memory.bytes(Slice(start: start, count: end - start)))
    }
    append(quoted: key)
    memory.rejected.append(UInt8(ascii: ":"))
    appendStatus(draft.fault?.text)
    memory.rejected.append(UInt8(ascii: ","))
    index += 1
  }

  private mutating func fault(_ text: String, _ reason: RejectionReason) {
    draft.fault = draft.fault ?? (text, reason)
  }

  private mutating func field(_ key: JSONString) throws(BodyProblem) {
    _ = memory.json.scanner.next()
    if key.isRaw("EventType") {
      draft.type = try text(key)
    } else if key.isRaw("Timestamp") {
      let text = try text(key)
      draft.timestampMs = Timestamp.read(memory.bytes(text))
      if draft.timestampMs == nil {
        fault(
          "Timestamp must be a time written 2026-11-02T09:30:00.000Z.",
          text.count == 0 ? .missingTimestamp : .invalidTimestamp
        )
      }
    } else if key.isRaw("Attributes") {
      draft.attributes = try takeChecked().start
    } else if key.isRaw("Metrics") {
      draft.metrics = try takeChecked().start
    } else if key.isRaw("Session") {
      try session(key)
    } else if key.isRaw("AppVersionCode") {
      try appVersion(key)
    } else {
      if key.isRaw("SdkName") {
        draft.sdkName = try keptText(key)
      } else if key.isRaw("ClientSdkVersion") {
        draft.sdkVersion = try keptText(key)
      } else {
        try contextMember(key)
      }
    }
  }

  private mutating func contextMember(_ key: JSONString) throws(BodyProblem) {
    memory.context.openObject()
    try memory.json.appendMember(key, frame: 0, to: &memory.context)
  }

  /// Takes a text; `null` is an empty one.
  private mutating func text(_ key: JSONString) throws(BodyProblem) -> Slice {
    if case .text(let slice) = try memory.idValue() { return slice }
    return .empty
  }

  /// Takes a text that is kept under its own name too; what is none is kept there alone.
  private mutating func keptText(_ key: JSONString) throws(BodyProblem) -> Slice {
    let start = memory.json.scanner.offset
    let value = try text(key)
    memory.json.scanner.move(to: start)
    try contextMember(key)
    return value
  }

  /// Takes the app's version under the name that charts know.
  private mutating func appVersion(_ key: JSONString) throws(BodyProblem) {
    let value = try text(key)
    guard value.count > 0 else { return }
    draft.hasAppVersion = true
    memory.context.openObject()
    memory.context.append("\"app\":")
    memory.context.append(quoting: memory.bytes(value))
    memory.context.append(UInt8(ascii: ","))
  }

  /// Takes the session's id, and keeps the session as it came.
  private mutating func session(_ key: JSONString) throws(BodyProblem) {
    let start = memory.json.scanner.offset
    let value = try takeChecked()
    if let session, memory.bytes(value).hasBytes(of: memory.bytes(session.json)) {
      draft.sessionID = session.id
      memory.context.openObject()
      return memory.json.appendMember(
        key,
        asWritten: memory.bytes(value),
        frame: 0,
        to: &memory.context
      )
    }
    memory.json.scanner.move(to: start)
    if memory.json.scanner.next() == UInt8(ascii: "{") {
      try members { (pass, key) throws(BodyProblem) in
        guard key.isRaw("Id") else { return try pass.memory.json.scanner.skipValue() }
        pass.draft.sessionID = try pass.text(key)
      }
      if draft.sessionID.count > PinpointLimits.idBytes {
        draft.sessionID = .empty
        fault("Session.Id has over \(PinpointLimits.idBytes) bytes.", .invalidIdentity)
      }
      memory.json.scanner.move(to: start)
    }
    try contextMember(key)
    note(session: value)
  }

  /// Remembers a session that says whose it is, and is whole and kept as it was written.
  private mutating func note(session value: Slice) {
    let json = memory.bytes(value)
    let isWhole = memory.json.violation == nil && draft.fault == nil
    guard isWhole, draft.sessionID.area == .body, draft.sessionID.count > 0,
      // The id is this session's, not that of another one which the event had before.
      draft.sessionID.start > value.start,
      UnsafeRawBufferPointer(rebasing: memory.context.bytes.dropLast().suffix(json.count))
        .hasBytes(of: json)
    else { return }
    session = (value, draft.sessionID)
  }

  // MARK: Attributes and metrics

  /// Brings attributes and metrics into one object, and checks them.
  ///
  /// A metric with the name of an attribute goes by `$metrics.` and that name, so that charts find both.
  private mutating func properties() throws(BodyProblem) -> Slice {
    let start = memory.operations.count
    let frame = memory.json.keys.count
    memory.operations.append(UInt8(ascii: "{"))
    attributeNames.removeAll(keepingCapacity: true)
    var doubled: [(key: JSONString, value: Slice)] = []
    var count = 0
    try eachProperty(at: draft.attributes, of: "Attributes", &count) {
      (pass, key) throws(BodyProblem) in
      try pass.attribute(key, frame)
    }
    try eachProperty(at: draft.metrics, of: "Metrics", &count) { (pass, key) throws(BodyProblem) in
      guard try pass.checkMetric(key) else { return }
      if pass.attributeNames.contains(where: { $0.raw.hasBytes(of: key.raw) }) {
        doubled.append((key, try pass.memory.value()))
      } else {
        try pass.memory.json.appendMember(key, frame: frame, to: &pass.memory.operations)
      }
    }
    for (key, value) in doubled {
      memory.json.appendMember(
        key,
        after: "$metrics.",
        asWritten: memory.bytes(value),
        frame: frame,
        to: &memory.operations
      )
    }
    memory.json.keys.close(frame)
    if count > PinpointLimits.eventKeys {
      fault(
        "The event has \(count) attributes and metrics; the most is \(PinpointLimits.eventKeys).",
        .tooManyProperties
      )
    }
    return closedProperties(from: start)
  }

  private mutating func closedProperties(from start: Int) -> Slice {
    guard memory.operations.count > start + 1 else {
      memory.operations.truncate(to: start)
      return .empty
    }
    memory.operations.truncate(to: memory.operations.count - 1)
    memory.operations.append(UInt8(ascii: "}"))
    return Slice(area: .operations, start: start, count: memory.operations.count - start)
  }

  private mutating func eachProperty(
    at start: Int?,
    of field: StaticString,
    _ count: inout Int,
    _ take: (inout PinpointPass, JSONString) throws(BodyProblem) -> Void
  ) throws(BodyProblem) {
    guard let start else { return }
    memory.json.scanner.move(to: start)
    let first = memory.json.scanner.next()
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "n") else {
      return fault("\(field) is not an object.", .invalidField)
    }
    try members { (pass, key) throws(BodyProblem) in
      guard try !pass.memory.json.scanner.null() else { return }
      count += 1
      // Over the limit the rest need not be kept: the event is refused.
      guard count <= PinpointLimits.eventKeys else {
        return try pass.memory.json.scanner.skipValue()
      }
      try take(&pass, key)
    }
  }

  /// False for a name that is too long; then the value has been passed.
  private mutating func checkName(_ key: JSONString) throws(BodyProblem) -> Bool {
    let name = memory.plain(key)
    guard name.count == 0 || name.raw.isLonger(than: PinpointLimits.keyCharacters) else {
      return true
    }
    let text = String(decoding: name.raw, as: UTF8.self)
    fault(
      "The name “\(text)” must have 1 to \(PinpointLimits.keyCharacters) characters.",
      .invalidField
    )
    try memory.json.scanner.skipValue()
    return false
  }

  /// Takes a text.
  private mutating func attribute(_ key: JSONString, _ frame: Int) throws(BodyProblem) {
    guard try checkName(key) else { return }
    guard memory.json.scanner.next() == UInt8(ascii: "\"") else {
      try memory.json.scanner.skipValue()
      return fault("The attribute “\(text(of: key))” is not a text.", .invalidField)
    }
    let start = memory.json.scanner.offset
    let value = try memory.json.scanner.string()
    let isLong =
      value.count > PinpointLimits.valueCharacters
      && memory.bytes(memory.text(of: value)).isLonger(than: PinpointLimits.valueCharacters)
    if isLong {
      fault(
        "The attribute “\(text(of: key))” has over \(PinpointLimits.valueCharacters) characters.",
        .stringTooLong
      )
    }
    attributeNames.append(key)
    guard value.escapes == .replaced || isLong else {
      return memory.json.appendMember(
        key,
        asWritten: value.quoted,
        frame: frame,
        to: &memory.operations
      )
    }
    memory.json.scanner.move(to: start)
    try memory.json.appendMember(key, frame: frame, to: &memory.operations)
  }

  private mutating func checkMetric(_ key: JSONString) throws(BodyProblem) -> Bool {
    guard try checkName(key) else { return false }
    switch memory.json.scanner.next() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return true
    default:
      try memory.json.scanner.skipValue()
      fault("The metric “\(text(of: key))” is not a number.", .invalidField)
      return false
    }
  }

  private mutating func text(of key: JSONString) -> String {
    String(decoding: memory.plain(key).raw, as: UTF8.self)
  }
}
