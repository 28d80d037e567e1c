package import FootfallCore

/// Reads an event as it was stored: what a callback is told of an event of an earlier run.
///
/// `null` counts as unset for every field. Source: `amplitude.md` sections 1.3 and 1.4.
package struct AmplitudeEventReader {
  /// Larger than any event that is stored, in bytes.
  private static let maxBytes = 1 << 20
  /// Deeper than any event that is stored.
  private static let maxDepth = 64

  /// The event of some bytes; nil if they are not an event with a name.
  package static func read(_ bytes: some Sequence<UInt8>) -> Event? {
    members(of: bytes).flatMap { event(of: $0) }
  }

  /// The members of a JSON object; nil if the bytes are none.
  static func members(of bytes: some Sequence<UInt8>) -> Properties? {
    do throws(JSONReader.Failure) {
      let value = try JSONReader.read(Array(bytes), maxBytes: maxBytes, maxDepth: maxDepth)
      guard case .object(let members) = value else { return nil }
      return members
    } catch {
      // Bytes of someone else: whoever asks is told that there is no event in them.
      return nil
    }
  }

  /// The event of the members of a JSON object; nil without a name.
  static func event(of members: Properties) -> Event? {
    guard let name = members.text("event_type") else { return nil }
    var event = Event(
      EventName(name),
      members.object("event_properties") ?? [:],
      identifier: .own(members.text("insert_id") ?? ""),
      milliseconds: members.integer("time") ?? 0,
      sequence: members.integer("event_id") ?? 0,
      deviceID: members.text("device_id"),
      userID: members.text("user_id"),
      sessionID: members.integer("session_id").map { .number($0) },
      groups: groups(members.object("groups") ?? [:]),
      userOperations: members.object("user_properties").map { .init(asWritten: $0) },
      groupOperations: members.object("group_properties").map { .init(asWritten: $0) }
    )
    for (key, value) in members where !named.contains(key) && value != .null {
      event.context[AmplitudeContextFields.field(key)] = value
    }
    return event
  }

  /// Members that are no part of the context.
  private static let named: Set<String> = [
    "event_type", "event_properties", "insert_id", "time", "event_id", "device_id", "user_id",
    "session_id", "groups", "user_properties", "group_properties",
  ]

  private static func groups(_ written: Properties) -> [String: [String]] {
    written.reduce(into: [:]) { groups, pair in
      switch pair.value {
      case .string(let name): groups[pair.key] = [name]
      case .array(let names):
        groups[pair.key] = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
      default: break
      }
    }
  }
}

extension Properties {
  func text(_ key: String) -> String? {
    if case .string(let text) = self[key] { text } else { nil }
  }

  func integer(_ key: String) -> Int64? {
    if case .integer(let number) = self[key] { number } else { nil }
  }

  func object(_ key: String) -> Properties? {
    if case .object(let properties) = self[key] { properties } else { nil }
  }
}
