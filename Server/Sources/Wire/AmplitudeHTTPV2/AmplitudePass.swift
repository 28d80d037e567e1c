import EventRecord

/// One walk over an Amplitude body that writes its record, or collects all that is wrong with it.
///
/// Members of an object that appear twice: the last one counts, at every level. What stands behind the
/// events but holds for them (key, options, upload time) makes it walk the events again.
struct AmplitudePass: WirePass, ~Copyable {
  /// Repeats of an insert id count again from this distance of their own times on.
  static let repeatWindowMs: Int64 = 7 * 86_400_000

  var memory: WireMemory
  let context: WireContext
  let limits: AmplitudeHTTPV2.Limits
  let dialect: AmplitudeDialect
  let scratch: WireScratch
  var project: UInt32 = 0
  var clock: ClockCorrection
  var minIDLength = AmplitudeIDs.defaultMinLength
  var faults = AmplitudeFaults()
  /// What has been read of the current event.
  var draft = AmplitudeDraft()
  /// Where the request came from, once it was looked up.
  var requestPlace: WirePlace??
  /// The device of the event before, and the keys of its events.
  var sender: (device: Slice, keys: EventKey.OfSender)?
  /// The current event's place in the request; after the walk, how many there are.
  var index = 0
  /// How many events repeat another one of the request.
  var duplicates = 0
  /// Whose the others are.
  var senders: [WireSender] = []
  /// Events that were left out, where a bad one does not stop the others.
  var rejections: [RejectionReason: Int] = [:]

  /// What the envelope says beside the events.
  private struct Envelope {
    var apiKey: String?
    var project: UInt32?
    var sentAtMs: Int64?
    var eventsStart: Int?
    /// True when the events were walked knowing all that holds for them.
    var isSettled = false
  }

  /// How a walk to the body's end came out.
  enum Result {
    /// The record is written, or `faults` says why not.
    case walked
    /// A field of the envelope is not there.
    case missing(field: String)
    case unknownKey(String)
  }

  init(
    _ body: UnsafeRawBufferPointer,
    context: WireContext,
    limits: AmplitudeHTTPV2.Limits,
    dialect: AmplitudeDialect = .current,
    scratch: WireScratch
  ) {
    memory = scratch.takeMemory()
    self.scratch = scratch
    self.context = context
    self.limits = limits
    self.dialect = dialect
    // Old clients and partners know nothing of a shortest id.
    if dialect == .legacy || dialect == .attribution { minIDLength = 1 }
    clock = ClockCorrection(
      receivedAtMs: context.receivedAtMs,
      sentAtMs: context.sentAtMs,
      toleranceMs: ClockCorrection.usualToleranceMs
    )
    // Depth, keys and text length: HTTP V2 API, "Upload limit" and "String character limit".
    memory.begin(
      body,
      limits: JSONLimits(maxDepth: 40, maxMembers: 1024, longText: .cut(maxCharacters: 1024))
    )
  }

  /// Gives the memory back.
  consuming func end() {
    let scratch = scratch
    scratch.keep(memory)
  }

  /// Walks the body.
  mutating func run(_ project: (String) -> UInt32?) throws(BodyProblem) -> Result {
    memory.json.scanner.skipByteOrderMark()
    var envelope = Envelope(sentAtMs: context.sentAtMs)
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      try field(try memory.json.scanner.key(), &envelope, project)
      isMore = try memory.json.scanner.nextMember()
    }
    guard memory.json.scanner.isAtEnd() else { throw .malformed }
    guard let apiKey = envelope.apiKey else { return .missing(field: "api_key") }
    guard envelope.project != nil else { return .unknownKey(apiKey) }
    guard let eventsStart = envelope.eventsStart else { return .missing(field: "events") }
    if !envelope.isSettled {
      memory.json.scanner.move(to: eventsStart)
      try events(envelope)
    }
    return .walked
  }

  /// Walks the value of a form's field: one event, or a list of them.
  mutating func runForm(project: UInt32, sentAtMs: Int64?) throws(BodyProblem) {
    memory.json.scanner.skipByteOrderMark()
    begin(project: project, sentAtMs: sentAtMs ?? context.sentAtMs)
    switch memory.json.scanner.next() {
    case UInt8(ascii: "["): try list()
    case UInt8(ascii: "{"): try event()
    default: throw .wrongShape
    }
    guard memory.json.scanner.isAtEnd() else { throw .malformed }
  }

  private mutating func field(
    _ key: JSONString,
    _ envelope: inout Envelope,
    _ project: (String) -> UInt32?
  ) throws(BodyProblem) {
    if key.isRaw("api_key") {
      envelope.apiKey = try apiKey()
      envelope.project = envelope.apiKey.flatMap(project)
      envelope.isSettled = false
    } else if key.isRaw("events") {
      try eventsField(&envelope)
    } else if key.isRaw("options") {
      let before = minIDLength
      minIDLength = try minIDLengthOption()
      envelope.isSettled = envelope.isSettled && minIDLength == before
    } else if key.isRaw("client_upload_time") {
      envelope.sentAtMs = try uploadTime() ?? context.sentAtMs
      envelope.isSettled = false
    } else {
      // `request_metadata` and whatever else: ignored, as Amplitude does.
      try memory.json.scanner.skipValue()
    }
  }

  private mutating func eventsField(_ envelope: inout Envelope) throws(BodyProblem) {
    if try memory.json.scanner.null() {
      envelope.eventsStart = nil
      return
    }
    guard memory.json.scanner.next() == UInt8(ascii: "[") else { throw .wrongShape }
    envelope.eventsStart = memory.json.scanner.offset
    envelope.isSettled = envelope.project != nil
    if envelope.isSettled { try events(envelope) } else { try memory.json.scanner.skipValue() }
  }

  private mutating func apiKey() throws(BodyProblem) -> String? {
    memory.beginEvent()
    guard case .text(let key) = try memory.idValue(), key.count > 0 else { return nil }
    return String(decoding: memory.bytes(key), as: UTF8.self)
  }

  private mutating func uploadTime() throws(BodyProblem) -> Int64? {
    memory.beginEvent()
    guard case .text(let time) = try memory.idValue() else { return nil }
    return Timestamp.read(memory.bytes(time))
  }

  private mutating func minIDLengthOption() throws(BodyProblem) -> Int {
    guard memory.json.scanner.next() == UInt8(ascii: "{") else {
      try memory.json.scanner.skipValue()
      return AmplitudeIDs.defaultMinLength
    }
    var length = AmplitudeIDs.defaultMinLength
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      let key = try memory.json.scanner.key()
      if case .integer(let slice) = try memory.idValue(), key.isRaw("min_id_length") {
        length = Int(String(decoding: memory.bytes(slice), as: UTF8.self)) ?? length
      }
      isMore = try memory.json.scanner.nextMember()
    }
    // A client may ask for any number; one over the longest id refuses every id.
    return min(max(0, length), AmplitudeIDs.maxBytes + 1)
  }

  private mutating func events(_ envelope: Envelope) throws(BodyProblem) {
    begin(project: envelope.project ?? 0, sentAtMs: envelope.sentAtMs)
    try list()
  }

  private mutating func begin(project: UInt32, sentAtMs: Int64?) {
    self.project = project
    clock = ClockCorrection(
      receivedAtMs: context.receivedAtMs,
      sentAtMs: sentAtMs,
      toleranceMs: ClockCorrection.usualToleranceMs
    )
    memory.writer.begin(header(.amplitude), context: UnsafeRawBufferPointer(start: nil, count: 0))
    memory.seen.removeAll()
    sender = nil
    faults = AmplitudeFaults()
    index = 0
    duplicates = 0
    senders.removeAll()
    rejections = [:]
  }

  private mutating func list() throws(BodyProblem) {
    var isMore = try memory.json.scanner.enterList()
    while isMore {
      try event()
      isMore = try memory.json.scanner.nextElement()
    }
  }

  /// What became of a body that was walked to its end.
  func outcome(bodyBytes: Int, clientMember: String?) -> WireOutcome {
    var json = JSONText()
    json.append("{\"code\":200,\"events_ingested\":\(index),\"payload_size_bytes\":\(bodyBytes),")
    json.append("\"server_upload_time\":\(context.receivedAtMs)}")
    return outcome(WireAnswer(status: 200, body: json.bytes), clientMember: clientMember)
  }

  /// What became of a body that was walked to its end, with the answer if it is taken.
  func outcome(_ answer: WireAnswer, clientMember: String?) -> WireOutcome {
    guard faults.isEmpty else { return .refused(faults.answer, reason: "invalid_events") }
    let events = memory.writer.eventCount
    return .accepted(
      WireAcceptance(
        record: events == 0 ? [] : memory.writer.bytes(addingToClient: clientMember),
        events: events,
        duplicates: duplicates,
        senders: senders,
        rejections: rejections,
        clientDropped: [:],
        answer: answer
      )
    )
  }
}
