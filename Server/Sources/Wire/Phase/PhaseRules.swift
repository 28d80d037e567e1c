/// What the values of Phase's items may be.
///
/// Source: `phase.md` sections 3.1 and 3.2; lengths count UTF-16 units.
enum PhaseRules {
  static let maxParams = 32
  static let maxParamKey = 32
  static let maxParamText = 256
  static let maxParamsJSON = 8_192
  static let maxPropertiesJSON = 50_000
  static let maxNameCharacters = 256
  /// How long after its start a session takes events and pings, in milliseconds.
  static let maxSessionMs: Int64 = 2 * 3_600_000
  /// How far before its start an event may lie; the start then moves.
  static let maxBeforeSessionMs: Int64 = 3_600_000

  /// What is wrong with an item in itself; nil for nothing.
  static func problem(of item: PhaseItem) -> String? {
    if let id = item.deviceID, !isID(id) { return idProblem("deviceId", id) }
    // A single ping of the stock server takes any session id; it finds none by such a one.
    if let id = item.sessionID, !isID(id) { return idProblem("sessionId", id) }
    switch item.kind {
    case .device:
      let length = utf16Count(item.values.json())
      return length <= maxPropertiesJSON
        ? nil : "properties has \(length) characters; at most \(maxPropertiesJSON) are taken."
    case .event: return nameProblem(item.name) ?? paramsProblem(item.values)
    case .session, .ping: return nil
    }
  }

  private static func idProblem(_ field: String, _ id: String) -> String {
    "\(field) must have 8 to 128 letters, digits, _ or -; this one has \(id.utf16.count) characters."
  }

  /// Whether a text can be the id of a device or session.
  static func isID(_ id: String) -> Bool {
    (8...128).contains(id.utf8.count) && id.utf8.allSatisfy(isIDByte)
  }

  static func isIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func nameProblem(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy { byte in
      isIDByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "/")
        || byte == UInt8(ascii: " ")
    }
    guard isPlain, (1...maxNameCharacters).contains(name.utf8.count) else {
      return "name must have 1 to \(maxNameCharacters) letters, digits, spaces or _ - . /."
    }
    return nil
  }

  private static func paramsProblem(_ params: PhaseValues) -> String? {
    guard params.members.count <= maxParams else {
      return "params has \(params.members.count) keys; at most \(maxParams) are taken."
    }
    for (key, value) in params.members {
      guard key.utf16.count <= maxParamKey else {
        return
          "params has a key of \(key.utf16.count) characters; at most \(maxParamKey) are taken."
      }
      // With quotes and escapes it is never shorter than the text itself.
      if value.first == UInt8(ascii: "\""), value.count > maxParamText + 2 {
        let length = JSONText.unquoted(value).utf16.count
        guard length <= maxParamText else {
          return "params.\(key) has \(length) characters; at most \(maxParamText) are taken."
        }
      }
    }
    let length = utf16Count(params.json())
    return length <= maxParamsJSON
      ? nil : "params has \(length) characters as JSON; at most \(maxParamsJSON) are taken."
  }

  private static func utf16Count(_ json: [UInt8]) -> Int {
    // Short text has no more UTF-16 units than bytes.
    json.count <= maxParamsJSON ? json.count : String(decoding: json, as: UTF8.self).utf16.count
  }

  /// The name of a screen as it is kept.
  ///
  /// Query and fragment are cut off, slashes not repeated nor left at the end, letters lower-cased,
  /// and a part that is all digits becomes `:id`. Source: `phase.md` section 4.
  static func screenName(_ name: String) -> String {
    let path = name.prefix { $0 != "?" && $0 != "#" }.lowercased()
    let parts = path.split(separator: "/").map { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? ":id" : String(part)
    }
    let joined = parts.joined(separator: "/")
    return path.hasPrefix("/") || joined.isEmpty ? "/" + joined : joined
  }
}
