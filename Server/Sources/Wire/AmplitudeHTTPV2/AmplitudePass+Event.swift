import EventRecord

/// What has been read of one Amplitude event.
struct AmplitudeDraft {
  var name = Slice.empty
  var deviceID = Slice.empty
  var userID = Slice.empty
  var insertID = Slice.empty
  var sessionID = Slice.empty
  var timestampMs: Int64?
  var sequence: Int64?
  /// An old client's counter of events alone.
  var localSequence: Int64?
  var properties = Slice.empty
  var userProperties = Slice.empty
  var groups = Slice.empty
  var groupProperties = Slice.empty
  var groupType = Slice.empty
  var groupValue = Slice.empty
  /// The address to look up.
  var address = AmplitudeAddress.none
  /// True when the client says itself where the person was.
  var hasPlace = false
  /// An id that others gave the device, and its place in the order in which they count.
  var foreignID: (rank: Int, id: Slice)?
  /// False once something is wrong; the faults say what.
  var isGood = true
}

/// What an event says of the person's address.
enum AmplitudeAddress {
  /// Nothing.
  case none
  /// It is the request's.
  case ofRequest
  case text(Slice)
}

extension AmplitudePass {
  /// Takes one event and writes it, counts it as a repeat, or notes what is wrong with it.
  mutating func event() throws(BodyProblem) {
    guard index < limits.maxEvents else { throw .tooManyEvents }
    memory.beginEvent()
    if memory.json.scanner.next() == UInt8(ascii: "{") {
      draft = AmplitudeDraft()
      let start = memory.json.scanner.offset
      var isMore = try memory.json.scanner.enterObject()
      var place = 0
      while isMore {
        let key = try memory.json.scanner.key(at: place, memory.fields)
        place &+= 1
        try field(key)
        if memory.json.violation != nil, draft.isGood { invalid(key) }
        isMore = try memory.json.scanner.nextMember()
      }
      if memory.json.scanner.offset - start > limits.maxEventBytes { invalid("event_properties") }
      finish()
    } else {
      try memory.json.scanner.skipValue()
      faults.notAnObject(at: index)
    }
    if dialect == .legacy, let reason = faults.reason {
      rejections[reason, default: 0] += 1
      faults = AmplitudeFaults()
    }
    index += 1
  }

  private mutating func field(
    _ key: JSONString
  ) throws(BodyProblem) {
    switch AmplitudeField(memory.plain(key), in: dialect) {
    case .eventType: try eventType()
    case .userID: draft.userID = try id("user_id")
    case .deviceID: draft.deviceID = try id("device_id")
    case .time: try time()
    case .insertID: draft.insertID = try text("insert_id")
    case .eventID: try eventID(key)
    case .sessionID: try sessionID(key)
    case .eventProperties: draft.properties = try object("event_properties")
    case .userProperties: draft.userProperties = try object("user_properties")
    case .groups: draft.groups = try object("groups")
    case .groupProperties: draft.groupProperties = try object("group_properties")
    case .address: try address(key)
    case .productID: try contextMember(.quoted("\"productId\""))
    case .groupType: draft.groupType = try text("group_type")
    case .groupValue: try groupValue()
    case .localEventID: try localEventID(key)
    case .place: try place(key)
    case .foreignID: try foreignID(key)
    case .revenueType: try contextMember(.quoted("\"revenueType\""))
    case .other: try contextMember(key)
    }
  }

  private mutating func contextMember(_ key: JSONString) throws(BodyProblem) {
    memory.context.openObject()
    try memory.json.appendMember(key, frame: 0, to: &memory.context)
  }

  /// Keeps what the client says of the place; then no address is looked up.
  private mutating func place(_ key: JSONString) throws(BodyProblem) {
    if memory.json.scanner.next() != UInt8(ascii: "n") { draft.hasPlace = true }
    try contextMember(key)
  }

  /// Keeps an id that others gave the device, and notes the one that counts first.
  private mutating func foreignID(_ key: JSONString) throws(BodyProblem) {
    let rank = AmplitudeField.foreignIDs.firstIndex(where: memory.plain(key).isRaw) ?? 0
    let start = memory.json.scanner.offset
    if case .text(let id) = try memory.idValue(), rank < draft.foreignID?.rank ?? .max,
      !AmplitudeIDs.isRefused(memory.bytes(id)), id.count <= AmplitudeIDs.maxBytes
    {
      draft.foreignID = (rank, id)
    }
    memory.json.scanner.move(to: start)
    try contextMember(key)
  }

  /// Takes the person's address for looking it up, and keeps it where addresses are kept; `$remote` stands
  /// for the request's.
  private mutating func address(_ key: JSONString) throws(BodyProblem) {
    draft.address = .none
    let start = memory.json.scanner.offset
    guard memory.json.scanner.next() == UInt8(ascii: "\"") else {
      guard context.clientAddress != nil else { return try memory.json.scanner.skipValue() }
      return try contextMember(key)
    }
    let text = try memory.json.scanner.string()
    let isRemote = text.isRaw("$remote")
    if context.places != nil {
      draft.address = isRemote ? .ofRequest : .text(memory.text(of: text))
    }
    guard let client = context.clientAddress else { return }
    if isRemote {
      guard !client.isEmpty else { return }
      memory.context.openObject()
      memory.context.append("\"ip\":")
      var client = client
      client.withUTF8 { memory.context.append(quoting: UnsafeRawBufferPointer($0)) }
      memory.context.append(UInt8(ascii: ","))
    } else {
      memory.json.scanner.move(to: start)
      try contextMember(key)
    }
  }

  private mutating func invalid(_ field: String) {
    faults.invalid(field, at: index)
    draft.isGood = false
  }

  private mutating func invalid(_ key: JSONString) {
    invalid(String(decoding: memory.bytes(memory.text(of: key)), as: UTF8.self))
  }

  private mutating func eventType() throws(BodyProblem) {
    draft.name = .empty
    switch memory.json.scanner.next() {
    case UInt8(ascii: "\""):
      draft.name = memory.cut(
        memory.text(of: try memory.json.scanner.string()),
        maxCharacters: 1024
      )
    case UInt8(ascii: "n"): _ = try memory.json.scanner.null()
    default:
      try memory.json.scanner.skipValue()
      invalid("event_type")
    }
  }

  /// Takes a device or user id; a number stands for its decimal text.
  private mutating func id(
    _ field: String
  ) throws(BodyProblem) -> Slice {
    switch try memory.idValue() {
    case .null: return .empty
    case .text(let slice), .integer(let slice):
      let id = memory.bytes(slice)
      if AmplitudeIDs.isRefused(id) {
        // An old client cannot learn that the value stands for none.
        if dialect == .legacy { return .empty }
        faults.refusedID(field, at: index)
      } else if id.count < minIDLength * 4, id.count(where: { $0 & 0xc0 != 0x80 }) < minIDLength {
        faults.idLength(field, at: index)
      } else if id.count > AmplitudeIDs.maxBytes {
        faults.invalid(field, at: index)
      } else {
        return slice
      }
    case .invalid: faults.invalid(field, at: index)
    }
    draft.isGood = false
    return .empty
  }

  private mutating func time() throws(BodyProblem) {
    draft.timestampMs = nil
    switch memory.json.scanner.next() {
    case UInt8(ascii: "n"):
      _ = try memory.json.scanner.null()
      return
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      draft.timestampMs = try memory.json.scanner.number().integer
    default: try memory.json.scanner.skipValue()
    }
    guard let time = draft.timestampMs, Timestamp.range.contains(time) else {
      return invalid("time")
    }
  }

  /// Takes a text of any length; a number stands for its decimal text.
  private mutating func text(_ field: String) throws(BodyProblem) -> Slice {
    switch try memory.idValue() {
    case .null: return .empty
    case .text(let slice), .integer(let slice): return slice
    case .invalid:
      invalid(field)
      return .empty
    }
  }

  /// Takes the event's counter; what is none is kept as it came.
  private mutating func eventID(
    _ key: JSONString
  ) throws(BodyProblem) {
    draft.sequence = nil
    switch memory.json.scanner.next() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = memory.json.scanner.offset
      draft.sequence = try memory.json.scanner.number().integer
      guard draft.sequence == nil else { return }
      memory.json.scanner.move(to: start)
    default: break
    }
    try contextMember(key)
  }

  /// Takes the session's id; -1 stands for none, and what is no id is kept as it came.
  private mutating func sessionID(
    _ key: JSONString
  ) throws(BodyProblem) {
    draft.sessionID = .empty
    let start = memory.json.scanner.offset
    switch try memory.idValue() {
    case .null: return
    case .text(let slice), .integer(let slice):
      guard slice.count <= AmplitudeIDs.maxBytes else { break }
      if slice.count != 2 || !memory.bytes(slice).elementsEqual("-1".utf8) {
        draft.sessionID = slice
      }
      return
    case .invalid: break
    }
    memory.json.scanner.move(to: start)
    try contextMember(key)
  }

  private mutating func localEventID(_ key: JSONString) throws(BodyProblem) {
    let start = memory.json.scanner.offset
    if case .integer(let slice) = try memory.idValue() {
      draft.localSequence = Int64(String(decoding: memory.bytes(slice), as: UTF8.self))
    }
    memory.json.scanner.move(to: start)
    try contextMember(key)
  }

  /// Takes the name of a group, or a list of names.
  private mutating func groupValue() throws(BodyProblem) {
    switch memory.json.scanner.next() {
    case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "-"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      draft.groupValue = try memory.value()
    case UInt8(ascii: "n"): _ = try memory.json.scanner.null()
    default:
      try memory.json.scanner.skipValue()
      invalid("group_value")
    }
  }

  private mutating func object(
    _ field: String
  ) throws(BodyProblem) -> Slice {
    switch try memory.objectValue() {
    case .object(let slice): return slice
    case .empty: return .empty
    case .invalid:
      invalid(field)
      return .empty
    }
  }
}

extension JSONString {
  /// A key of our own, given with its quotes.
  fileprivate static func quoted(_ text: StaticString) -> JSONString {
    JSONString(start: text.utf8Start + 1, count: text.utf8CodeUnitCount - 2, escapes: .none)
  }
}
