import EventRecord

/// What a request's `client` says for the events that do not say it themselves.
struct NativeDefaults {
  var deviceID = Slice.empty
  var userID = Slice.empty
  var sessionID = Slice.empty
  var isTest = false
  /// What the client dropped before sending, by its own reasons.
  var dropped: [String: Int] = [:]
}

extension NativePass {
  /// The most reasons that are counted apart.
  private static let maxDropReasons = 64

  /// Takes the value of `client`.
  ///
  /// `device_id`, `user_id`, `session_id` and `test` become the events' defaults and `dropped` counts;
  /// the rest, whatever its keys, becomes the record's context. A description over the limits is left
  /// out and says so: it is no reason to lose events. What is no object says nothing.
  mutating func client() throws(BodyProblem) {
    defaults = NativeDefaults()
    memory.beginEvent()
    memory.client.removeAll()
    guard memory.json.scanner.next() == UInt8(ascii: "{") else {
      return try memory.json.scanner.skipValue()
    }
    memory.client.openObject()
    hasPlace = false
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      try clientField(try memory.json.scanner.key())
      isMore = try memory.json.scanner.nextMember()
    }
    if !hasPlace { requestPlace()?.append(to: &memory.client) }
    memory.client.closeObject()
    if let violation = memory.json.violation
      ?? (memory.client.count > NativeLimits.eventBytes
        ? .eventTooLarge : nil)
    {
      memory.client.removeAll()
      for byte in "{\"refused\":\"\(violation.rawValue)\"}".utf8 { memory.client.append(byte) }
    }
  }

  private mutating func clientField(_ key: JSONString) throws(BodyProblem) {
    if key.isRaw("device_id") {
      defaults.deviceID = try clientID()
    } else if key.isRaw("user_id") {
      defaults.userID = try clientID()
    } else if key.isRaw("session_id") {
      defaults.sessionID = try clientID()
    } else if key.isRaw("dropped") {
      try dropped()
    } else if key.isRaw("test"), let isTest = try memory.json.scanner.boolean() {
      defaults.isTest = isTest
    } else {
      if ["country", "region", "city"].contains(where: key.isRaw) { hasPlace = true }
      try memory.json.appendMember(key, frame: 0, to: &memory.client)
    }
  }

  /// Describes a client that says nothing of itself by where its request came from.
  mutating func describeSilentClient() {
    guard memory.client.count == 0, let place = requestPlace() else { return }
    place.append(to: &memory.client)
    memory.client.closeObject()
  }

  /// Where the request came from; looked up once.
  private mutating func requestPlace() -> WirePlace? {
    let place = foundPlace ?? context.places?.ofRequest
    foundPlace = .some(place)
    return place
  }

  /// An id in a place that outlives the event's texts.
  private mutating func clientID() throws(BodyProblem) -> Slice {
    switch try memory.idValue() {
    case .text(let slice), .integer(let slice):
      guard slice.count <= NativeLimits.idBytes else { break }
      guard slice.area == .text else { return slice }
      let start = memory.defaults.count
      memory.defaults.append(memory.bytes(slice))
      return Slice(area: .defaults, start: start, count: slice.count)
    case .null: return .empty
    case .invalid: break
    }
    memory.json.note(.invalidIdentity)
    return .empty
  }

  private mutating func dropped() throws(BodyProblem) {
    guard memory.json.scanner.next() == UInt8(ascii: "{") else {
      return try memory.json.scanner.skipValue()
    }
    var isMore = try memory.json.scanner.enterObject()
    while isMore {
      let key = try memory.json.scanner.key()
      if case .integer(let slice) = try memory.idValue(), key.count <= 64,
        defaults.dropped.count < Self.maxDropReasons
      {
        let count = Int(String(decoding: memory.bytes(slice), as: UTF8.self)) ?? 0
        let reason = String(decoding: memory.bytes(memory.text(of: key)), as: UTF8.self)
        defaults.dropped[reason] = max(0, count)
      }
      isMore = try memory.json.scanner.nextMember()
    }
  }
}
