import EventRecord

/// Reads endpoints, and what else is said of applications, from checked or unchecked JSON, and checks their
/// limits.
///
/// Members that nobody knows are passed over, and so is `null`.
struct PinpointEndpointReader {
  private var scanner: JSONScanner
  private let maxBytes: Int
  /// Whether what an endpoint says of its own making is taken.
  private let takesOrigin: Bool

  private static let channels: Set<String> = [
    "PUSH", "GCM", "APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "ADM", "SMS", "VOICE",
    "EMAIL", "BAIDU", "CUSTOM", "IN_APP",
  ]
  private static let demographicNames: Set<String> = [
    "AppVersion", "Locale", "Make", "Model", "ModelVersion", "Platform", "PlatformVersion",
    "Timezone",
  ]
  private static let locationNames: Set<String> = [
    "City", "Country", "Latitude", "Longitude", "PostalCode", "Region",
  ]

  init(
    _ json: UnsafeRawBufferPointer,
    maxBytes: Int = PinpointLimits.endpointBytes,
    takesOrigin: Bool = false
  ) {
    self.maxBytes = maxBytes
    self.takesOrigin = takesOrigin
    scanner = JSONScanner(json)
    scanner.skipByteOrderMark()
  }

  var isAtEnd: Bool {
    var rest = scanner
    return rest.isAtEnd()
  }

  /// Takes a list of endpoints under `Item`.
  mutating func batch() throws(AWSRefusal) -> [PinpointEndpointUpdate.Item] {
    var items: [PinpointEndpointUpdate.Item]?
    try object("The body") { (reader, name) throws(AWSRefusal) in
      guard name == "Item" else { return try reader.skip() }
      var found: [PinpointEndpointUpdate.Item] = []
      try reader.list("Item") { (reader) throws(AWSRefusal) in
        guard found.count < PinpointLimits.endpoints else {
          throw .badRequest(
            "A request may hold \(PinpointLimits.endpoints) endpoints; send them in parts."
          )
        }
        let item = try reader.update()
        guard let id = item.id else {
          throw .badRequest("The endpoint at place \(found.count) has no Id.")
        }
        try PinpointEndpointUpdate.check(id: id)
        found.append((id, item.update))
      }
      items = found
    }
    guard let items else { throw .badRequest("Item is missing.") }
    return items
  }

  /// Takes an object and returns a member that is a text; nil without it.
  mutating func member(_ wanted: String) throws(AWSRefusal) -> String? {
    var found: String?
    try object("The body") { (reader, name) throws(AWSRefusal) in
      if name == wanted { found = try reader.text(name) } else { try reader.skip() }
    }
    return found
  }

  /// Takes one endpoint, with its id where it has one.
  mutating func update() throws(AWSRefusal) -> (id: String?, update: PinpointEndpointUpdate) {
    var update = PinpointEndpointUpdate()
    var id: String?
    _ = scanner.next()
    let start = scanner.offset
    try object("An endpoint") { (reader, name) throws(AWSRefusal) in
      switch name {
      case "Id": id = try reader.text(name)
      case "Address", "ChannelType", "EffectiveDate", "EndpointStatus", "OptOut", "RequestId":
        if let text = try reader.text(name) { update.texts[name] = text }
      case "CohortId" where reader.takesOrigin, "CreationDate" where reader.takesOrigin:
        if let text = try reader.text(name) { update.texts[name] = text }
      case "Demographic":
        update.demographic = try reader.texts(name, of: Self.demographicNames)
      case "Location": update.location = try reader.location()
      case "Attributes": update.attributes = try reader.lists(name)
      case "Metrics": update.metrics = try reader.metrics()
      case "User": try reader.user(&update)
      default: try reader.skip()
      }
    }
    guard scanner.offset - start <= maxBytes else {
      throw .badRequest("The endpoint is larger than \(maxBytes) bytes.")
    }
    try Self.check("ChannelType", update, among: Self.channels)
    try Self.check("OptOut", update, among: ["ALL", "NONE"])
    try Self.check("EndpointStatus", update, among: ["ACTIVE", "INACTIVE"])
    for name in ["EffectiveDate", "CreationDate"] {
      if let date = update.texts[name] { try Self.check(date: date, name) }
    }
    return (id, update)
  }

  private static func check(
    _ name: String,
    _ update: PinpointEndpointUpdate,
    among allowed: Set<String>
  ) throws(AWSRefusal) {
    guard let value = update.texts[name], !allowed.contains(value) else { return }
    throw .badRequest("\(name) must be one of \(allowed.sorted().joined(separator: ", ")).")
  }

  private static func check(date: String, _ name: String) throws(AWSRefusal) {
    var date = date
    guard date.withUTF8({ Timestamp.read(UnsafeRawBufferPointer($0)) }) != nil else {
      throw .badRequest("\(name) must be a time written 2026-11-02T09:30:00.000Z.")
    }
  }

  private mutating func user(_ update: inout PinpointEndpointUpdate) throws(AWSRefusal) {
    var (id, attributes) = ("", [:] as [String: [String]])
    try object("User") { (reader, name) throws(AWSRefusal) in
      switch name {
      case "UserId": id = try reader.text(name) ?? ""
      case "UserAttributes": attributes = try reader.lists(name)
      default: try reader.skip()
      }
    }
    guard id.utf8.count <= PinpointLimits.idBytes else {
      throw .badRequest("UserId has over \(PinpointLimits.idBytes) bytes.")
    }
    update.userID = id
    update.userAttributes = attributes
  }

  private mutating func location() throws(AWSRefusal) -> [String: String] {
    var found: [String: String] = [:]
    try object("Location") { (reader, name) throws(AWSRefusal) in
      guard Self.locationNames.contains(name) else { return try reader.skip() }
      if name == "Latitude" || name == "Longitude" {
        found[name] = try reader.number(name)
      } else if let text = try reader.text(name) {
        found[name] = JSONText.quoted(text)
      }
    }
    return found
  }

  private mutating func texts(
    _ field: String,
    of names: Set<String>
  ) throws(AWSRefusal) -> [String: String] {
    var found: [String: String] = [:]
    try object(field) { (reader, name) throws(AWSRefusal) in
      guard names.contains(name) else { return try reader.skip() }
      if let text = try reader.text(name) { found[name] = text }
    }
    return found
  }

  private mutating func metrics() throws(AWSRefusal) -> [String: String] {
    var found: [String: String] = [:]
    try object("Metrics") { (reader, name) throws(AWSRefusal) in
      try Self.check(name: name)
      if let number = try reader.number(name) { found[name] = number }
    }
    return found
  }

  private mutating func lists(_ field: String) throws(AWSRefusal) -> [String: [String]] {
    var found: [String: [String]] = [:]
    try object(field) { (reader, name) throws(AWSRefusal) in
      try Self.check(name: name)
      guard try !reader.null() else { return }
      var values: [String] = []
      try reader.list(name) { (reader) throws(AWSRefusal) in
        guard let value = try reader.text(name) else { return }
        guard value.unicodeScalars.count <= PinpointLimits.endpointValueCharacters else {
          throw .badRequest(
            "A value of “\(name)” has over \(PinpointLimits.endpointValueCharacters) characters."
          )
        }
        values.append(value)
      }
      guard values.count <= PinpointLimits.endpointValues else {
        throw .badRequest(
          "“\(name)” has \(values.count) values; the most is \(PinpointLimits.endpointValues)."
        )
      }
      found[name] = values
    }
    return found
  }

  private static func check(name: String) throws(AWSRefusal) {
    guard !name.isEmpty, name.unicodeScalars.count <= PinpointLimits.keyCharacters else {
      throw .badRequest(
        "The name “\(name)” must have 1 to \(PinpointLimits.keyCharacters) characters."
      )
    }
  }

  // MARK: JSON

  /// Walks an object's members; `null` has none.
  mutating func object(
    _ field: String,
    _ body: (inout PinpointEndpointReader, String) throws(AWSRefusal) -> Void
  ) throws(AWSRefusal) {
    if try null() { return }
    guard scanner.next() == UInt8(ascii: "{") else {
      throw .badRequest("\(field) is not an object.")
    }
    var isMore = try json { (scanner) throws(BodyProblem) in try scanner.enterObject() }
    while isMore {
      let key = try json { (scanner) throws(BodyProblem) in try scanner.key() }
      try body(&self, Self.text(of: key))
      isMore = try json { (scanner) throws(BodyProblem) in try scanner.nextMember() }
    }
  }

  mutating func list(
    _ field: String,
    _ body: (inout PinpointEndpointReader) throws(AWSRefusal) -> Void
  ) throws(AWSRefusal) {
    guard scanner.next() == UInt8(ascii: "[") else {
      throw .badRequest("“\(field)” is not a list.")
    }
    var isMore = try json { (scanner) throws(BodyProblem) in try scanner.enterList() }
    while isMore {
      try body(&self)
      isMore = try json { (scanner) throws(BodyProblem) in try scanner.nextElement() }
    }
  }

  mutating func text(_ field: String) throws(AWSRefusal) -> String? {
    if try null() { return nil }
    guard scanner.next() == UInt8(ascii: "\"") else {
      throw .badRequest("“\(field)” is not a text.")
    }
    return Self.text(of: try json { (scanner) throws(BodyProblem) in try scanner.string() })
  }

  mutating func number(_ field: String) throws(AWSRefusal) -> String? {
    if try null() { return nil }
    switch scanner.next() {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): break
    default: throw .badRequest("“\(field)” is not a number.")
    }
    let number = try json { (scanner) throws(BodyProblem) in try scanner.number() }
    switch number.form {
    case .asWritten: return String(decoding: number.raw, as: UTF8.self)
    case .rewritten(let text): return text
    case .outOfRange: throw .badRequest("“\(field)” is beyond the range of a double.")
    }
  }

  mutating func boolean(_ field: String) throws(AWSRefusal) -> Bool? {
    if try null() { return nil }
    guard let value = try json({ (scanner) throws(BodyProblem) in try scanner.boolean() }) else {
      throw .badRequest("“\(field)” is neither true nor false.")
    }
    return value
  }

  private mutating func null() throws(AWSRefusal) -> Bool {
    try json { (scanner) throws(BodyProblem) in try scanner.null() }
  }

  mutating func skip() throws(AWSRefusal) {
    try json { (scanner) throws(BodyProblem) in try scanner.skipValue() }
  }

  /// Passes over a value; returns where it stands in the JSON.
  mutating func skippedRange() throws(AWSRefusal) -> Range<Int> {
    _ = scanner.next()
    let start = scanner.offset
    try skip()
    return start..<scanner.offset
  }

  private mutating func json<R>(
    _ body: (inout JSONScanner) throws(BodyProblem) -> R
  ) throws(AWSRefusal) -> R {
    do throws(BodyProblem) { return try body(&scanner) } catch {
      throw .badRequest("The body is not JSON.")
    }
  }

  private static func text(of string: JSONString) -> String {
    var sink = ByteSink(capacity: string.count)
    string.appendText(to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self)
  }
}
