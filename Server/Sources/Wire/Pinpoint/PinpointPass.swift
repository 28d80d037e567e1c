import EventRecord

/// Walks a PutEvents body twice: once to see that it may be taken, once to write its record and answer.
struct PinpointPass: WirePass, ~Copyable {
  var memory: WireMemory
  let app: String
  let project: UInt32
  let context: WireContext
  let clock: ClockCorrection
  let scratch: WireScratch
  /// The stream into which events are copied; nil for none.
  var copies: StreamTarget?
  /// Entries of the record that are copies, not events.
  private var copied = 0
  /// The current event's place in the request.
  var index = 0
  var duplicates = 0
  var rejections: [RejectionReason: Int] = [:]
  /// What has been read of the current event.
  var draft = PinpointDraft()
  /// The names of its attributes.
  var attributeNames: [JSONString] = []
  /// The session of an event before that is kept as it was written; those of a request are mostly one.
  var session: (json: Slice, id: Slice)?
  /// Where the check found the values of events' `Attributes`, `Metrics` and `Session`, in order.
  private var checked: ArraySlice<Slice> = []
  /// The endpoints of the request in order, with what it says of them.
  private var embedded: [PinpointEvents.Embedded] = []
  /// What is known of those whose events were not read yet.
  private var verdicts: ArraySlice<PinpointEvents.Verdict> = []
  /// What is known of the current events' endpoint.
  var verdict = PinpointEvents.Verdict(deviceID: "")
  /// The keys of its events.
  var keys = Self.keys(project: 0, app: "", endpoint: "")

  init(
    _ body: UnsafeRawBufferPointer,
    app: String,
    project: UInt32,
    context: WireContext,
    scratch: WireScratch
  ) {
    memory = scratch.takeMemory()
    self.scratch = scratch
    self.app = app
    self.project = project
    self.context = context
    clock = ClockCorrection(
      receivedAtMs: context.receivedAtMs,
      sentAtMs: context.sentAtMs,
      toleranceMs: ClockCorrection.usualToleranceMs
    )
    memory.begin(
      body,
      limits: JSONLimits(maxDepth: 8, maxMembers: 256, longText: .refused(maxBytes: 8 << 10))
    )
  }

  /// Gives the memory back.
  consuming func end() {
    let scratch = scratch
    scratch.keep(memory)
  }

  /// Checks that the whole body is JSON of the right shape with few enough events.
  mutating func check() throws(BodyProblem) {
    memory.json.scanner.skipByteOrderMark()
    guard memory.json.scanner.next() == UInt8(ascii: "{") else {
      try memory.json.scanner.skipValue()
      throw .wrongShape
    }
    var (hasItems, events) = (false, 0)
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      if try memory.json.scanner.key().isRaw("BatchItem") {
        hasItems = true
        events += try countEvents()
      } else {
        try memory.json.scanner.skipValue()
      }
      isMore = try memory.json.scanner.nextMember()
    }
    guard memory.json.scanner.isAtEnd() else { throw .malformed }
    guard hasItems else { throw .wrongShape }
    guard events <= PinpointLimits.events else { throw .tooManyEvents }
    memory.json.scanner.move(to: 0)
  }

  /// Counts events and notes endpoints.
  private mutating func countEvents() throws(BodyProblem) -> Int {
    var count = 0
    try members { (pass, key) throws(BodyProblem) in
      guard pass.embedded.count < PinpointLimits.endpoints else { throw .tooManyEvents }
      let id = String(decoding: pass.memory.plain(key).raw, as: UTF8.self)
      var json = UnsafeRawBufferPointer(start: nil, count: 0)
      try pass.members { (pass, key) throws(BodyProblem) in
        if key.isRaw("Events") {
          try pass.members { (pass, _) throws(BodyProblem) in
            count += 1
            try pass.checkEvent()
          }
        } else if key.isRaw("Endpoint") {
          json = try pass.endpointJSON()
        } else {
          try pass.memory.json.scanner.skipValue()
        }
      }
      pass.embedded.append(PinpointEvents.Embedded(id: id, json: json))
    }
    return count
  }

  /// Passes an event, and notes where the values stand that are not read in order.
  private mutating func checkEvent() throws(BodyProblem) {
    guard memory.json.scanner.next() == UInt8(ascii: "{") else {
      return try memory.json.scanner.skipValue()
    }
    try members { (pass, key) throws(BodyProblem) in
      _ = pass.memory.json.scanner.next()
      let start = pass.memory.json.scanner.offset
      try pass.memory.json.scanner.skipValue(depth: 1)
      guard key.isRaw("Attributes") || key.isRaw("Metrics") || key.isRaw("Session") else { return }
      let count = pass.memory.json.scanner.offset - start
      pass.checked.append(Slice(start: start, count: count))
    }
  }

  /// Passes such a value once more: `Attributes`, `Metrics` or `Session` of an event that is an object.
  mutating func takeChecked() throws(BodyProblem) -> Slice {
    guard let value = checked.popFirst() else { throw .malformed }
    memory.json.scanner.move(to: value.start + value.count)
    return value
  }

  private mutating func endpointJSON() throws(BodyProblem) -> UnsafeRawBufferPointer {
    let first = memory.json.scanner.next()
    let start = memory.json.scanner.offset
    try memory.json.scanner.skipValue()
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "n") else { throw .wrongShape }
    return memory.bytes(Slice(start: start, count: memory.json.scanner.offset - start))
  }

  /// Walks the members of a value that must be an object; `null` has none.
  mutating func members(
    _ body: (inout PinpointPass, JSONString) throws(BodyProblem) -> Void
  ) throws(BodyProblem) {
    if try memory.json.scanner.null() { return }
    guard memory.json.scanner.next() == UInt8(ascii: "{") else {
      try memory.json.scanner.skipValue()
      throw .wrongShape
    }
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      let key = try memory.json.scanner.key()
      try body(&self, key)
      isMore = try memory.json.scanner.nextMember()
    }
  }

  /// Starts the record.
  mutating func begin(clientContext: String?) {
    memory.client.append("{\"ApplicationId\":\"")
    for byte in app.utf8 { memory.client.append(byte) }
    memory.client.append("\"")
    if let clientContext {
      memory.client.append(",\"ClientContext\":")
      for byte in clientContext.utf8 { memory.client.append(byte) }
    }
    memory.client.append("}")
    memory.writer.begin(header(.pinpoint), context: memory.client.bytes)
    memory.seen.removeAll()
    memory.rejected.removeAll()
  }

  /// Takes every endpoint and its events; the body has been checked.
  ///
  /// False, and nothing taken, where what is known of the endpoints is not told.
  mutating func run(
    _ endpoints: ([PinpointEvents.Embedded]) -> [PinpointEvents.Verdict]?
  ) throws(BodyProblem) -> Bool {
    guard let told = endpoints(embedded) else { return false }
    verdicts = told[...]
    memory.json.scanner.skipByteOrderMark()
    memory.rejected.append("{\"Results\":{")
    try members { (pass, key) throws(BodyProblem) in
      guard key.isRaw("BatchItem") else { return try pass.memory.json.scanner.skipValue() }
      try pass.members { (pass, key) throws(BodyProblem) in try pass.batch(key) }
    }
    closeAnswer("}}")
    return true
  }

  /// Takes one endpoint's part.
  private mutating func batch(_ key: JSONString) throws(BodyProblem) {
    memory.beginEvent()
    // The id in small letters is what counts.
    let endpoint = String(decoding: memory.plain(key).raw, as: UTF8.self).lowercased()
    keys = Self.keys(project: project, app: app, endpoint: endpoint)
    verdict = verdicts.popFirst() ?? PinpointEvents.Verdict(deviceID: endpoint)
    if let change = verdict.change { append(change) }
    append(quoted: key)
    memory.rejected.append(":{\"EndpointItemResponse\":")
    appendStatus(verdict.refusal)
    memory.rejected.append(",\"EventsItemResponse\":{")
    try members { (pass, key) throws(BodyProblem) in
      guard key.isRaw("Events") else { return try pass.memory.json.scanner.skipValue() }
      try pass.members { (pass, key) throws(BodyProblem) in try pass.event(key) }
    }
    closeAnswer("}},")
  }

  private static func keys(
    project: UInt32,
    app: String,
    endpoint: String
  ) -> EventKey.OfSender {
    var (app, endpoint) = (app, endpoint)
    return app.withUTF8 { app in
      endpoint.withUTF8 { endpoint in
        EventKey.OfSender(
          project: project,
          app: UnsafeRawBufferPointer(app),
          endpoint: UnsafeRawBufferPointer(endpoint)
        )
      }
    }
  }

  /// Adds what changed of an endpoint to the record.
  private mutating func append(_ change: PinpointEndpointUpdate) {
    memory.writer.append(
      change.event(
        key: randomKey(),
        deviceID: verdict.deviceID,
        userID: verdict.userID,
        timestampMs: clock.sentAtMs ?? context.receivedAtMs,
        sequence: Int64(index)
      )
    )
  }

  /// Copies an event that was taken into the stream, for its readers: in the same record, so that there is
  /// never one without the other.
  mutating func appendCopy(of event: UnsafeRawBufferPointer) {
    guard let copies else { return }
    let endpoint =
      verdict.endpoint
      ?? PinpointEndpoint(id: verdict.deviceID, app: app, createdAtMs: context.receivedAtMs)
    let data = PinpointEventCopy.json(
      of: event,
      endpoint: endpoint,
      app: app,
      arrivedAtMs: context.receivedAtMs
    )
    let (stream, key) = (Array(String(copies.id).utf8), Array(endpoint.id.utf8))
    key.withUnsafeBytes { key in
      stream.withUnsafeBytes { stream in
        data.withUnsafeBytes { data in
          var view = EventView(
            key: EventKey(high: 0, low: 0),
            kind: .streamRecord,
            timestampMs: context.receivedAtMs,
            sequence: Int64(copies.shards.index(of: MD5.number(key)))
          )
          view.id = key
          view.name = stream
          view.properties = data
          memory.writer.append(view)
        }
      }
    }
    copied += 1
  }

  // MARK: Answer

  func acceptance() -> WireAcceptance {
    let events = memory.writer.eventCount - copied
    return WireAcceptance(
      record: events == 0 ? [] : memory.writer.bytes,
      events: events,
      duplicates: duplicates,
      rejections: rejections,
      clientDropped: [:],
      answer: WireAnswer(status: 202, body: Array(memory.rejected.bytes))
    )
  }

  /// Adds a key as its client spells it, by which the client looks its own up.
  mutating func append(quoted key: JSONString) {
    memory.rejected.append(key.start - 1, count: key.count + 2)
  }

  /// Adds what became of an endpoint or event; clients compare the word.
  mutating func appendStatus(_ refusal: String?) {
    guard var refusal else {
      return memory.rejected.append("{\"StatusCode\":202,\"Message\":\"Accepted\"}")
    }
    memory.rejected.append("{\"StatusCode\":400,\"Message\":")
    refusal.withUTF8 { memory.rejected.append(quoting: UnsafeRawBufferPointer($0)) }
    memory.rejected.append("}")
  }

  /// Ends an object whose members each end in a comma.
  private mutating func closeAnswer(_ text: StaticString) {
    if memory.rejected.bytes.last == UInt8(ascii: ",") {
      memory.rejected.truncate(to: memory.rejected.count - 1)
    }
    memory.rejected.append(text)
  }
}
