import EventRecord

/// What has been read of one native event.
struct NativeDraft {
  var id = Slice.empty
  /// How the client spelled the id's key; the answer repeats it.
  var hasEventIDSpelling = false
  var isIDNumber = false
  var name = Slice.empty
  var timestampMs: Int64?
  var sequence: Int64?
  /// Nil when the event does not say; empty when it says that there is none.
  var deviceID: Slice?
  var userID: Slice?
  var sessionID: Slice?
  var properties = Slice.empty
  var groups = Slice.empty
  var operations = Slice.empty
  /// The operations on a group.
  var groupOperations = Slice.empty
  /// The keys of the two, with where their values are in the body.
  var operationsPlace: (key: JSONString, offset: Int)?
  var groupOperationsPlace: (key: JSONString, offset: Int)?
  var isTest: Bool?
  /// The session among the properties.
  var sessionValue: Range<Int>?
}

extension NativePass {
  /// Takes one event and writes it, counts it as a repeat, or refuses it.
  mutating func event() throws(BodyProblem) {
    guard index < NativeLimits.events else { throw .tooManyEvents }
    memory.beginEvent()
    draft = NativeDraft()
    if memory.json.scanner.next() == UInt8(ascii: "{") {
      let start = memory.json.scanner.offset
      var isMore = try memory.json.scanner.enterObject()
      var place = 0
      while isMore {
        try field(try memory.json.scanner.key(at: place, memory.fields))
        place &+= 1
        isMore = try memory.json.scanner.nextMember()
      }
      let isTooLarge = memory.json.scanner.offset - start > NativeLimits.eventBytes
      finish(isTooLarge: isTooLarge)
    } else {
      try memory.json.scanner.skipValue()
      refuse(.notAnObject)
    }
    index += 1
  }

  // MARK: Fields

  private mutating func field(
    _ key: JSONString
  ) throws(BodyProblem) {
    switch NativeField(memory.plain(key)) {
    case .id: try id(isEventIDSpelling: false)
    case .eventID: try id(isEventIDSpelling: true)
    case .name: try name()
    case .timestamp: try timestamp()
    case .sequence: try sequence()
    case .deviceID: draft.deviceID = try identity()
    case .userID: draft.userID = try identity()
    case .sessionID: draft.sessionID = try session()
    case .properties:
      draft.properties = try object()
      draft.sessionValue = memory.json.sessionValue
    case .groups: draft.groups = try object()
    case .operations:
      draft.operationsPlace = (key, memory.json.scanner.offset)
      draft.operations = try object()
    case .groupOperations:
      draft.groupOperationsPlace = (key, memory.json.scanner.offset)
      draft.groupOperations = try object()
    case .context: try context(key)
    case .test: try test()
    case .other:
      memory.context.openObject()
      try memory.json.appendMember(key, frame: 0, to: &memory.context)
    }
  }

  /// Takes what the event says about app, device and place beside what else has no field.
  ///
  /// `null` is kept: it takes back what the client says. What is no object is a member like others.
  private mutating func context(_ key: JSONString) throws(BodyProblem) {
    memory.context.openObject()
    guard memory.json.scanner.next() == UInt8(ascii: "{") else {
      return try memory.json.appendMember(key, frame: 0, to: &memory.context)
    }
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      let key = try memory.json.scanner.key()
      try memory.json.appendMember(key, frame: 0, keepsNull: true, to: &memory.context)
      isMore = try memory.json.scanner.nextMember()
    }
  }

  /// A session's id; -1 says that the event is outside any session.
  private mutating func session() throws(BodyProblem) -> Slice {
    let id = try identity()
    return id.count == 2 && memory.bytes(id).elementsEqual("-1".utf8) ? .empty : id
  }

  private mutating func id(
    isEventIDSpelling: Bool
  ) throws(BodyProblem) {
    draft.hasEventIDSpelling = isEventIDSpelling
    draft.id = .empty
    draft.isIDNumber = false
    switch try memory.idValue() {
    case .text(let slice): draft.id = slice
    case .integer(let slice):
      draft.id = slice
      draft.isIDNumber = true
    case .null: return
    case .invalid: return memory.json.note(.invalidID)
    }
    if draft.id.count > NativeLimits.idBytes {
      draft.id = .empty
      memory.json.note(.invalidID)
    } else if draft.id.count == 0 {
      memory.json.note(.invalidID)
    }
  }

  private mutating func name() throws(BodyProblem) {
    switch memory.json.scanner.next() {
    case UInt8(ascii: "\""): draft.name = memory.text(of: try memory.json.scanner.string())
    case UInt8(ascii: "n"):
      _ = try memory.json.scanner.null()
      draft.name = .empty
    default:
      try memory.json.scanner.skipValue()
      memory.json.note(.invalidName)
    }
  }

  private mutating func timestamp() throws(BodyProblem) {
    switch memory.json.scanner.next() {
    case UInt8(ascii: "\""):
      let text = memory.text(of: try memory.json.scanner.string())
      draft.timestampMs = Timestamp.read(memory.bytes(text))
      if draft.timestampMs == nil { memory.json.note(.invalidTimestamp) }
    case UInt8(ascii: "n"):
      _ = try memory.json.scanner.null()
      draft.timestampMs = nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      draft.timestampMs = Timestamp.read(try memory.json.scanner.number())
      if draft.timestampMs == nil { memory.json.note(.timestampOutOfRange) }
    default:
      try memory.json.scanner.skipValue()
      memory.json.note(.invalidTimestamp)
    }
  }

  private mutating func sequence() throws(BodyProblem) {
    switch memory.json.scanner.next() {
    case UInt8(ascii: "n"):
      _ = try memory.json.scanner.null()
      draft.sequence = nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      draft.sequence = try memory.json.scanner.number().integer
      if draft.sequence == nil { memory.json.note(.invalidField) }
    default:
      try memory.json.scanner.skipValue()
      memory.json.note(.invalidField)
    }
  }

  private mutating func identity() throws(BodyProblem) -> Slice {
    switch try memory.idValue() {
    case .text(let slice), .integer(let slice):
      guard slice.count <= NativeLimits.idBytes else { break }
      return slice
    case .null: return .empty
    case .invalid: break
    }
    memory.json.note(.invalidIdentity)
    return .empty
  }

  private mutating func object() throws(BodyProblem) -> Slice {
    switch try memory.objectValue() {
    case .object(let slice): return slice
    case .empty: return .empty
    case .invalid:
      memory.json.note(.invalidField)
      return .empty
    }
  }

  private mutating func test() throws(BodyProblem) {
    draft.isTest = try memory.json.scanner.boolean()
    guard draft.isTest == nil else { return }
    if try !memory.json.scanner.null() {
      try memory.json.scanner.skipValue()
      memory.json.note(.invalidField)
    }
  }
}
