public import EventRecord

/// What a request says of an endpoint: only what it names changes.
public struct PinpointEndpointUpdate: Sendable, Hashable {
  /// The members that are single texts, by their names: `Address`, `ChannelType`, `EffectiveDate`,
  /// `EndpointStatus`, `OptOut`, `RequestId`.
  public var texts: [String: String] = [:]
  /// Members of `Demographic`, by their names.
  public var demographic: [String: String] = [:]
  /// Members of `Location`, by their names; numbers as they were written, texts in quotes.
  public var location: [String: String] = [:]
  /// Attributes; an empty list takes one away.
  public var attributes: [String: [String]] = [:]
  /// Metrics, as they were written.
  public var metrics: [String: String] = [:]
  /// Whose it is; empty where that is not said.
  public var userID = ""
  /// Attributes of that user, shared by all endpoints they have; an empty list takes one away.
  public var userAttributes: [String: [String]] = [:]

  /// Says nothing.
  public init() {}

  /// The id of an item of UpdateEndpointsBatch, and what it says.
  public typealias Item = (id: String, update: PinpointEndpointUpdate)

  /// Reads an EndpointRequest.
  ///
  /// - Parameter json: One JSON object, or nothing at all.
  /// - Throws: A refusal that names what is wrong.
  public init(_ json: UnsafeRawBufferPointer) throws(AWSRefusal) {
    guard !json.isEmpty else { return }
    var reader = PinpointEndpointReader(json)
    self = try reader.update().update
    guard reader.isAtEnd else { throw .badRequest("The body is not JSON.") }
  }

  /// Reads what `json` wrote, whatever its size.
  package init(stored json: String) throws(AWSRefusal) {
    self = try Array(json.utf8).withUnsafeBytes { bytes in
      Result { () throws(AWSRefusal) in
        var reader = PinpointEndpointReader(bytes, maxBytes: .max, takesOrigin: true)
        return try reader.update().update
      }
    }.get()
  }

  /// Reads an endpoint of an export, with when it was made and its cohort.
  ///
  /// - Parameter json: One JSON object, an EndpointResponse or part of one.
  /// - Throws: A refusal that names what is wrong.
  public init(imported json: String) throws(AWSRefusal) {
    self = try Array(json.utf8).withUnsafeBytes { bytes in
      Result { () throws(AWSRefusal) in
        var reader = PinpointEndpointReader(bytes, takesOrigin: true)
        return try reader.update().update
      }
    }.get()
  }

  /// Reads the body of UpdateEndpointsBatch.
  ///
  /// - Parameter json: An object with `Item`, a list of endpoints with their `Id`.
  /// - Returns: The items, of which all may be taken.
  /// - Throws: A refusal that names what is wrong, also when that is one item alone.
  public static func batch(_ json: UnsafeRawBufferPointer) throws(AWSRefusal) -> [Item] {
    var reader = PinpointEndpointReader(json)
    let items = try reader.batch()
    guard reader.isAtEnd else { throw .badRequest("The body is not JSON.") }
    return items
  }

  /// Checks an endpoint's id.
  ///
  /// - Throws: A refusal for one that is empty or too long, or has one of `$`, `{` and `}`.
  public static func check(id: String) throws(AWSRefusal) {
    guard !id.isEmpty, id.utf8.count <= PinpointLimits.idBytes,
      !id.contains(where: { "${}".contains($0) })
    else {
      throw .badRequest(
        "An endpoint's id must have 1 to \(PinpointLimits.idBytes) bytes, without $, { and }."
      )
    }
  }
}

extension PinpointEndpointUpdate {
  /// The change as an event that sets the person's properties.
  ///
  /// - Parameters:
  ///   - key: The event's key.
  ///   - deviceID: The endpoint's id.
  ///   - userID: Whose it is now; empty for nobody's.
  ///   - timestampMs: When it was said, in milliseconds since 1970.
  ///   - sequence: The client's counter.
  ///   - context: What charts know of app and device, see `PinpointEndpoint.context`.
  /// - Returns: The event.
  public func event(
    key: EventKey,
    deviceID: String,
    userID: String,
    timestampMs: Int64,
    sequence: Int64,
    context: [UInt8] = []
  ) -> EventRecord {
    EventRecord(
      key: key,
      kind: .identify,
      flags: .keyIsRandom,
      timestampMs: timestampMs,
      sequence: sequence,
      name: "$identify",
      deviceID: deviceID,
      userID: userID,
      operations: operations,
      context: "{\(String(decoding: context, as: UTF8.self))\"Endpoint\":\(json)}"
    )
  }

  /// Attributes and metrics as operations on properties.
  private var operations: String {
    var set: [String: String] = metrics
    var unset: [String] = []
    for (name, values) in attributes.merging(userAttributes, uniquingKeysWith: { $1 }) {
      if values.isEmpty { unset.append(name) } else { set[name] = JSONText.list(values) }
    }
    var json = JSONText()
    json.append("{")
    if !set.isEmpty {
      json.append("\"$set\":")
      json.append(members: set)
    }
    if !unset.isEmpty {
      json.append(set.isEmpty ? "\"$unset\":" : ",\"$unset\":")
      json.append(members: Dictionary(uniqueKeysWithValues: unset.map { ($0, "\"-\"") }))
    }
    json.append("}")
    return json.bytes.count > 2 ? String(decoding: json.bytes, as: UTF8.self) : ""
  }

  /// The change as it was asked for, from which an endpoint can be rebuilt.
  public var json: String {
    var members = texts.mapValues(JSONText.quoted)
    func lists(_ lists: [String: [String]]) -> String {
      JSONText.object(lists.mapValues(JSONText.list))
    }
    if !demographic.isEmpty {
      members["Demographic"] = JSONText.object(demographic.mapValues(JSONText.quoted))
    }
    if !location.isEmpty { members["Location"] = JSONText.object(location) }
    if !attributes.isEmpty { members["Attributes"] = lists(attributes) }
    if !metrics.isEmpty { members["Metrics"] = JSONText.object(metrics) }
    var user: [String: String] = [:]
    if !userID.isEmpty { user["UserId"] = JSONText.quoted(userID) }
    if !userAttributes.isEmpty { user["UserAttributes"] = lists(userAttributes) }
    if !user.isEmpty { members["User"] = JSONText.object(user) }
    return JSONText.object(members)
  }
}

extension JSONText {
  /// A text as JSON.
  package static func quoted(_ text: String) -> String {
    var json = JSONText()
    json.append(quoting: text)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Texts as a JSON list.
  package static func list(_ texts: [String]) -> String {
    "[\(texts.map(quoted).joined(separator: ","))]"
  }

  /// Members as a JSON object, by name; the values are JSON already.
  package static func object(_ members: [String: String]) -> String {
    var json = JSONText()
    json.append(members: members)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  fileprivate mutating func append(members: [String: String]) {
    append("{")
    for (place, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if place > 0 { append(",") }
      append(quoting: member.key)
      append(":")
      append(member.value)
    }
    append("}")
  }
}
