import EventRecord

/// One walk over a native body that writes its record and its answer.
///
/// Members of an object that appear twice: the last one counts, at every level. Members of the envelope
/// other than `client` and `events` are ignored; those of an event are kept under its context.
struct NativePass: WirePass, ~Copyable {
  var memory: WireMemory
  let project: UInt32
  let context: WireContext
  let clock: ClockCorrection
  let scratch: WireScratch
  /// Whether the client says itself where it is.
  var hasPlace = false
  /// Where the request came from, once it was looked up.
  var foundPlace: WirePlace??
  /// What events have that do not say otherwise.
  var defaults = NativeDefaults()
  /// What has been read of the current event.
  var draft = NativeDraft()
  /// The current event's place in the request.
  var index = 0
  var duplicates = 0
  var rejections: [RejectionReason: Int] = [:]

  init(
    _ body: UnsafeRawBufferPointer,
    project: UInt32,
    context: WireContext,
    scratch: WireScratch
  ) {
    memory = scratch.takeMemory()
    self.scratch = scratch
    self.project = project
    self.context = context
    clock = ClockCorrection(
      receivedAtMs: context.receivedAtMs,
      sentAtMs: context.sentAtMs,
      toleranceMs: NativeLimits.clockToleranceMs
    )
    memory.begin(body, limits: NativeLimits.json)
  }

  /// Gives the memory back.
  consuming func end() {
    let scratch = scratch
    scratch.keep(memory)
  }

  /// Walks the body.
  mutating func run(isLines: Bool) throws(BodyProblem) {
    memory.json.scanner.skipByteOrderMark()
    switch memory.json.scanner.next() {
    case UInt8(ascii: "["):
      beginEvents()
      try list()
    case UInt8(ascii: "{"):
      let start = memory.json.scanner.offset
      if isLines {
        try lines()
      } else if try !envelope() {
        // No `events` in the first object: it is an event itself, perhaps the first line of many.
        memory.json.scanner.move(to: start)
        defaults = NativeDefaults()
        memory.client.removeAll()
        try lines()
      }
    default: throw .malformed
    }
    guard memory.json.scanner.isAtEnd() else { throw .malformed }
  }

  /// Takes an object with `events`; false when it has none.
  private mutating func envelope() throws(BodyProblem) -> Bool {
    var eventsStart: Int?
    var isClientLate = false
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      let key = try memory.json.scanner.key()
      if key.isRaw("client") {
        try client()
        isClientLate = eventsStart != nil
      } else if key.isRaw("events") {
        guard memory.json.scanner.next() == UInt8(ascii: "[") else { throw .wrongShape }
        eventsStart = memory.json.scanner.offset
        isClientLate = false
        beginEvents()
        try list()
      } else {
        try memory.json.scanner.skipValue()
      }
      isMore = try memory.json.scanner.nextMember()
    }
    guard let eventsStart else { return false }
    if isClientLate {
      // What the client says holds for the events before it too.
      let end = memory.json.scanner.offset
      memory.json.scanner.move(to: eventsStart)
      beginEvents()
      try list()
      memory.json.scanner.move(to: end)
    }
    return true
  }

  private mutating func list() throws(BodyProblem) {
    var isMore = try memory.json.scanner.enterList()
    while isMore {
      try event()
      isMore = try memory.json.scanner.nextElement()
    }
  }

  private mutating func lines() throws(BodyProblem) {
    beginEvents()
    while !memory.json.scanner.isAtEnd() { try event() }
  }

  private mutating func beginEvents() {
    describeSilentClient()
    memory.writer.begin(header(.native), context: memory.client.bytes)
    memory.seen.removeAll()
    memory.rejected.removeAll()
    index = 0
    duplicates = 0
    rejections = [:]
  }

  /// The answer to a body that was walked to its end.
  func acceptance(clientMember: String?) -> WireAcceptance {
    let events = memory.writer.eventCount
    var json = JSONText()
    json.reserve(64 + memory.rejected.count)
    json.append(literal: "{\"accepted\":")
    json.append(String(events))
    json.append(literal: ",\"duplicates\":")
    json.append(String(duplicates))
    json.append(literal: ",\"rejected\":[")
    json.append(memory.rejected.bytes)
    json.append(literal: "]}")
    return WireAcceptance(
      record: events == 0 ? [] : memory.writer.bytes(addingToClient: clientMember),
      events: events,
      duplicates: duplicates,
      rejections: rejections,
      clientDropped: defaults.dropped,
      answer: WireAnswer(status: 202, body: json.bytes)
    )
  }
}
