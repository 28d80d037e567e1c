/// Which events of a project are meant: those that meet every condition given.
public struct EventConditions: Sendable, Hashable, Codable {
  /// Only events of this user, and those without a user on their devices.
  public var user: String?
  /// Only events of this device.
  public var device: String?
  /// Only events of this name.
  public var name: String?
  /// Only events from this moment on, in milliseconds since 1970.
  public var fromMs: Int64?
  /// Only events before this moment, in milliseconds since 1970.
  public var toMs: Int64?

  /// No condition: all events of a project.
  public init() {}

  /// Whether nothing is asked for, which means everything.
  public var isEmpty: Bool { self == EventConditions() }

  /// Whether all that a person or a device did is meant, and not some of it.
  public var isWholePerson: Bool {
    (user != nil || device != nil) && name == nil && fromMs == nil && toMs == nil
  }

  /// What is meant, without naming a person.
  public var summary: String {
    var parts: [String] = []
    if user != nil { parts.append("one user") }
    if device != nil { parts.append("one device") }
    if let name { parts.append("events “\(name)”") }
    if fromMs != nil || toMs != nil { parts.append("a stretch of time") }
    return parts.isEmpty ? "all events" : parts.joined(separator: ", ")
  }
}
