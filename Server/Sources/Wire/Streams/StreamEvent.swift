import EventRecord

/// Reads the bytes of a stream's record as an event, where they are one.
///
/// They are when they are one JSON object with a name (`name`, `event`, `event_name` or `event_type`, up
/// to 256 characters) within the limits of native events. Its id (`id`, `event_id` or `insert_id`), time
/// (`ts`, `time`, `timestamp` or `event_timestamp`), `device_id`, `user_id`, `session_id` and the first of
/// `props`, `properties`, `event_properties` and `attributes` have their own places; what else there is goes
/// to the context. Names of two words are read as `eventName`, too. Any other bytes are a record that nobody has to understand.
struct StreamEvent {
  var name = Slice.empty
  var id = Slice.empty
  var deviceID = Slice.empty
  var userID = Slice.empty
  var sessionID = Slice.empty
  var properties = Slice.empty
  var timestampMs: Int64?

  /// Reads some bytes; nil for what is no event.
  ///
  /// The texts lie in the memory, which begins anew.
  static func read(_ data: UnsafeRawBufferPointer, _ memory: inout WireMemory) -> StreamEvent? {
    guard data.first == UInt8(ascii: "{"), data.count <= NativeLimits.eventBytes else { return nil }
    memory.begin(data, limits: NativeLimits.json)
    memory.beginEvent()
    var event = StreamEvent()
    do throws(BodyProblem) {
      guard try event.walk(&memory), memory.json.scanner.isAtEnd() else { return nil }
    } catch {
      return nil
    }
    guard memory.json.violation == nil, event.name.count > 0,
      memory.bytes(event.name).lazy.filter({ $0 & 0xc0 != 0x80 }).count
        <= NativeLimits.nameCharacters
    else { return nil }
    return event
  }

  /// Walks the object; false when a member of an event has another type than an event's.
  private mutating func walk(_ memory: inout WireMemory) throws(BodyProblem) -> Bool {
    var isMore = try memory.json.scanner.enterObject()
    var place = 0
    while isMore {
      let key = try memory.json.scanner.key(at: place, memory.fields)
      place &+= 1
      guard try member(key, &memory) else { return false }
      isMore = try memory.json.scanner.nextMember()
    }
    return true
  }

  private mutating func member(
    _ key: JSONString,
    _ memory: inout WireMemory
  ) throws(BodyProblem) -> Bool {
    switch Field(key) {
    case .name:
      guard memory.json.scanner.next() == UInt8(ascii: "\"") else { return false }
      name = memory.text(of: try memory.json.scanner.string())
    case .id: return try Self.text(&id, &memory)
    case .deviceID: return try Self.text(&deviceID, &memory)
    case .userID: return try Self.text(&userID, &memory)
    case .sessionID: return try Self.text(&sessionID, &memory)
    case .time: return try time(&memory)
    case .properties where properties.count == 0:
      switch try memory.objectValue() {
      case .object(let slice): properties = slice
      case .empty: break
      case .invalid: return false
      }
    case .properties, .other:
      memory.context.openObject()
      try memory.json.appendMember(key, frame: 0, to: &memory.context)
    }
    return true
  }

  private static func text(
    _ field: inout Slice,
    _ memory: inout WireMemory
  ) throws(BodyProblem) -> Bool {
    switch try memory.idValue() {
    case .text(let slice), .integer(let slice):
      field = slice
      return slice.count <= NativeLimits.idBytes
    case .null: return true
    case .invalid: return false
    }
  }

  private mutating func time(_ memory: inout WireMemory) throws(BodyProblem) -> Bool {
    switch memory.json.scanner.next() {
    case UInt8(ascii: "\""):
      timestampMs = Timestamp.read(memory.bytes(memory.text(of: try memory.json.scanner.string())))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      timestampMs = Timestamp.read(try memory.json.scanner.number())
    case UInt8(ascii: "n"): return try memory.json.scanner.null()
    default: return false
    }
    return timestampMs.map(Timestamp.range.contains) ?? false
  }

  private enum Field {
    case name, id, deviceID, userID, sessionID, time, properties, other

    init(_ key: JSONString) {
      self = .other
      switch key.count {
      case 2: if key.isStart("id") { self = .id } else if key.isStart("ts") { self = .time }
      case 4: if key.isStart("name") { self = .name } else if key.isStart("time") { self = .time }
      case 5:
        if key.isStart("event") { self = .name } else if key.isStart("props") { self = .properties }
      case 6: if key.isStart("userId") { self = .userID }
      case 7:
        if key.isStart("user_id") { self = .userID } else if key.isStart("eventId") { self = .id }
      case 8:
        if key.isStart("event_id") {
          self = .id
        } else if key.isStart("deviceId") {
          self = .deviceID
        }
      case 9:
        if key.isStart("device_id") {
          self = .deviceID
        } else if key.isStart("sessionId") {
          self = .sessionID
        } else if key.isStart("eventName") || key.isStart("eventType") {
          self = .name
        } else if key.isStart("insert_id") {
          self = .id
        } else if key.isStart("timestamp") {
          self = .time
        }
      case 10:
        if key.isStart("event_name") || key.isStart("event_type") {
          self = .name
        } else if key.isStart("session_id") {
          self = .sessionID
        } else if key.isStart("properties") || key.isStart("attributes") {
          self = .properties
        }
      case 15: if key.isStart("event_timestamp") { self = .time }
      case 16: if key.isStart("event_properties") { self = .properties }
      default: break
      }
    }
  }
}
