/// What is known of a device of Phase's clients.
public struct PhaseDevice: Sendable, Hashable {
  /// The app it belongs to; ids are unique among all apps.
  public var project: UInt32
  var osVersion: String?
  var platform: String?
  var locale: String?
  var model: String?
  /// Looked up when it was registered first, and never again.
  var country: String?
  var properties = PhaseValues()
  /// In milliseconds since 1970 (UTC).
  var firstSeenMs: Int64

  init(project: UInt32, firstSeenMs: Int64) {
    self.project = project
    self.firstSeenMs = firstSeenMs
  }

  /// The fields with a value, by the names that clients use.
  func fields(platform: String?) -> [(name: String, value: String)] {
    [
      ("osVersion", osVersion), ("platform", platform), ("locale", locale), ("model", model),
      ("country", country),
    ].compactMap { field in field.1.map { (field.0, $0) } }
  }

  /// The form in which it is kept.
  public var text: String {
    var json = JSONText()
    json.append("{\"project\":\(project),\"firstSeen\":\(firstSeenMs)")
    json.append(members: fields(platform: platform))
    json.append(",\"properties\":")
    json.append(bytes: properties.json())
    json.append("}")
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// A device as it was kept; nil for another text.
  public init?(text: String) {
    var device = PhaseDevice(project: 0, firstSeenMs: 0)
    let isRead = JSONReader.read(text) { reader, key throws(JSONFault) in
      switch key {
      case "project": device.project = UInt32(try reader.count(key).value)
      case "firstSeen": device.firstSeenMs = Int64(try reader.count(key).value)
      case "osVersion": device.osVersion = try reader.text(key)
      case "platform": device.platform = try reader.text(key)
      case "locale": device.locale = try reader.text(key)
      case "model": device.model = try reader.text(key)
      case "country": device.country = try reader.text(key)
      case "properties": device.properties = try reader.values(key).values
      default: try reader.skip()
      }
    }
    guard isRead else { return nil }
    self = device
  }
}

/// What is known of a session of Phase's clients.
public struct PhaseSession: Sendable, Hashable {
  /// The app it belongs to.
  public var project: UInt32
  /// The device it runs on.
  public internal(set) var deviceID: String
  /// Its start as the client said it, from which its two hours count.
  var declaredMs: Int64
  /// Its start: that, or the time of an earlier event.
  var startedMs: Int64
  /// In milliseconds since 1970 (UTC).
  public internal(set) var lastActivityMs: Int64

  init(project: UInt32, deviceID: String, startedMs: Int64) {
    self.project = project
    self.deviceID = deviceID
    declaredMs = startedMs
    self.startedMs = startedMs
    lastActivityMs = startedMs
  }

  /// The form in which it is kept.
  public var text: String {
    var json = JSONText()
    json.append("{\"project\":\(project),\"declared\":\(declaredMs),\"started\":\(startedMs)")
    json.append(",\"active\":\(lastActivityMs)")
    json.append(members: [("device", deviceID)])
    json.append("}")
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// A session as it was kept; nil for another text.
  public init?(text: String) {
    var session = PhaseSession(project: 0, deviceID: "", startedMs: 0)
    let isRead = JSONReader.read(text) { reader, key throws(JSONFault) in
      switch key {
      case "project": session.project = UInt32(try reader.count(key).value)
      case "declared": session.declaredMs = Int64(try reader.count(key).value)
      case "started": session.startedMs = Int64(try reader.count(key).value)
      case "active": session.lastActivityMs = Int64(try reader.count(key).value)
      case "device": session.deviceID = try reader.text(key)
      default: try reader.skip()
      }
    }
    guard isRead else { return nil }
    self = session
  }
}

/// The devices and sessions that a request is about.
public struct PhaseKnowledge: Sendable, Hashable {
  /// Devices by their ids.
  public var devices: [String: PhaseDevice] = [:]
  /// Sessions by their ids.
  public var sessions: [String: PhaseSession] = [:]

  /// Nothing is known.
  public init() {}
}

extension JSONReader {
  /// Reads one object of our own; false where it is none.
  fileprivate static func read(
    _ text: String,
    _ member: (inout JSONReader, String) throws(JSONFault) -> Void
  ) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var reader = JSONReader(UnsafeRawBufferPointer(bytes))
      do throws(JSONFault) {
        try reader.object("", member)
        try reader.end()
        return true
      } catch {
        return false
      }
    }
  }
}

extension JSONText {
  /// Adds members with texts behind others.
  mutating func append(members: [(name: String, value: String)]) {
    for member in members {
      append(",")
      append(quoting: member.name)
      append(":")
      append(quoting: member.value)
    }
  }
}
