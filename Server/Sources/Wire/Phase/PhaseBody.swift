/// Reads the bodies of Phase's SDK API.
///
/// What has another type than the protocol's, or is missing, refuses the request as a whole; what only
/// breaks a rule refuses its item. Unknown members are passed over. Source: `phase.md` section 6.
struct PhaseBody {
  static let maxItems = 1_000

  /// Reads a body.
  static func read(
    _ body: UnsafeRawBufferPointer,
    path: PhasePath
  ) throws(JSONFault) -> PhaseCall {
    var reader = JSONReader(body)
    let items: [PhaseItem] =
      switch path {
      case .devices: [try payload(.device, &reader)]
      case .sessions: [try payload(.session, &reader)]
      case .events: [try payload(.event, &reader)]
      case .ping: [try payload(.ping, &reader)]
      case .batch: try batch(&reader)
      }
    try reader.end()
    return PhaseCall(items: items)
  }

  private static func batch(_ reader: inout JSONReader) throws(JSONFault) -> [PhaseItem] {
    var items: [PhaseItem] = []
    try reader.object("The body") { reader, key throws(JSONFault) in
      guard key == "items" else { return try reader.skip() }
      items = []
      try reader.list("items") { reader throws(JSONFault) in
        guard items.count < maxItems else {
          throw .schema("items has more than \(maxItems) items; send them in several batches.")
        }
        items.append(try item(&reader))
      }
    }
    guard !items.isEmpty else { throw .schema("items must have 1 to \(maxItems) items.") }
    return items
  }

  private static func item(_ reader: inout JSONReader) throws(JSONFault) -> PhaseItem {
    var kind: PhaseItem.Kind?
    var order: (text: String, value: Double)?
    var payloadStart: Int?
    try reader.object("An item") { reader, key throws(JSONFault) in
      switch key {
      case "type":
        let type = try reader.text("type")
        kind = PhaseItem.Kind(rawValue: type)
        if kind == nil { throw .schema("type must be device, session, event or ping.") }
      case "clientOrder": order = try reader.count("clientOrder")
      case "payload":
        payloadStart = reader.offset
        try reader.skip()
      default: try reader.skip()
      }
    }
    guard let kind, let order, let payloadStart else {
      throw .schema("An item must have type, clientOrder and payload.")
    }
    let end = reader.offset
    reader.offset = payloadStart
    var item = try payload(kind, &reader)
    reader.offset = end
    item.order = order.text
    item.orderValue = order.value
    return item
  }

  private static func payload(
    _ kind: PhaseItem.Kind,
    _ reader: inout JSONReader
  ) throws(JSONFault) -> PhaseItem {
    var item = PhaseItem(kind)
    var isTimed = kind == .device
    var isNamed = kind != .event
    try reader.object("The \(kind.rawValue)") { reader, key throws(JSONFault) in
      switch (kind, key) {
      case (.device, "deviceId"), (.session, "deviceId"):
        item.deviceID = try reader.text(key)
      case (.session, "sessionId"), (.event, "sessionId"), (.ping, "sessionId"):
        item.sessionID = try reader.text(key)
      case (.session, "startedAt"), (.event, "timestamp"), (.ping, "timestamp"):
        item.timeMs = try reader.time(key)
        isTimed = true
      case (.event, "name"):
        item.name = try reader.text(key)
        isNamed = true
      case (.event, "isScreen"): item.isScreen = try reader.boolean(key)
      case (.event, "eventId"): item.eventID = try reader.optionalText(key, max: 1_024)
      case (.event, "params"), (.device, "properties"):
        let found = try reader.values(key)
        item.values = found.values
        item.problem = item.problem ?? found.problem
      default: try deviceField(key, kind, &item, &reader)
      }
    }
    if item.deviceID == nil, kind == .device || kind == .session { throw missing("deviceId") }
    if item.sessionID == nil, kind != .device { throw missing("sessionId") }
    if !isNamed { throw missing("name") }
    if !isTimed { throw missing(kind == .session ? "startedAt" : "timestamp") }
    item.problem = item.problem ?? PhaseRules.problem(of: item)
    return item
  }

  private static func deviceField(
    _ key: String,
    _ kind: PhaseItem.Kind,
    _ item: inout PhaseItem,
    _ reader: inout JSONReader
  ) throws(JSONFault) {
    guard kind == .device else { return try reader.skip() }
    switch key {
    case "osVersion": item.osVersion = try reader.optionalText(key, max: 64)
    case "model": item.model = try reader.optionalText(key, max: 128)
    case "locale":
      // Phase's own server refuses the device over 10 characters, and with it all that follows.
      item.locale = try reader.optionalText(key, max: 64).map { String($0.prefix(10)) }
    case "platform":
      item.platform = try reader.optionalText(key, max: 20)
      guard item.platform?.utf8.allSatisfy(PhaseRules.isIDByte) ?? true else {
        throw .schema("platform must be ios, android, unknown or another word.")
      }
    case "disableGeolocation": item.disablesGeolocation = try reader.boolean(key)
    default: try reader.skip()
    }
  }

  private static func missing(_ field: String) -> JSONFault { .schema("\(field) is missing.") }
}
