internal import EventRecord

/// A path of Phase's SDK API.
///
/// Source: `phase.md` section 6.
public enum PhasePath: String, Sendable, Hashable, CaseIterable {
  /// Registers a device, or adds to what is known of it.
  case devices
  /// Starts a session of a device.
  case sessions
  /// An event or a screen view in a session.
  case events
  /// Stretches a session.
  case ping
  /// Any of these, up to 1,000.
  case batch

  /// How far from now the times of a call may lie.
  ///
  /// Source: `phase.md` section 6.6.
  func window(isOwnClient: Bool) -> PhaseWindow {
    guard self == .batch else { return PhaseWindow(pastMs: 2 * 3_600_000, futureMs: 5 * 60_000) }
    return PhaseWindow(pastMs: (isOwnClient ? 30 : 7) * 86_400_000, futureMs: 60 * 60_000)
  }
}

/// How far from now a time may lie.
struct PhaseWindow: Sendable {
  /// Milliseconds back.
  var pastMs: Int64
  /// Milliseconds ahead.
  var futureMs: Int64
}

/// What must be known of a request to Phase's SDK API beside its body.
public struct PhaseContext: Sendable {
  /// The path it came by.
  public var path: PhasePath
  /// The app that its key belongs to.
  public var project: UInt32
  /// When the server had the whole request, in milliseconds since 1970 (UTC).
  public var receivedAtMs: Int64
  /// When the client says it sent the request, by its own clock; nil when it does not say so.
  public var sentAtMs: Int64?
  /// Whether the request says that it is a developer's.
  public var isDebug = false
  /// Whether one of our own clients sent it, which reads every platform and may send 30 days back.
  public var isOwnClient = false
  /// The country that the request came from; nil where that is not known.
  public var country: String?

  /// A context from its parts.
  public init(path: PhasePath, project: UInt32, receivedAtMs: Int64, sentAtMs: Int64? = nil) {
    self.path = path
    self.project = project
    self.receivedAtMs = receivedAtMs
    self.sentAtMs = sentAtMs
  }
}

/// A readable request to Phase's SDK API, before anything is decided about it.
public struct PhaseCall: Sendable {
  /// What it asks for, in the order of the request.
  var items: [PhaseItem]

  /// The devices whose state decides the answer.
  public var deviceIDs: Set<String> { Set(items.compactMap(\.deviceID)) }

  /// The sessions whose state decides the answer.
  public var sessionIDs: Set<String> { Set(items.compactMap(\.sessionID)) }

  /// The device that the request is counted for; nil when it names none.
  public var countedDevice: String? { items.lazy.compactMap(\.deviceID).first }
}

/// One thing that a request asks for.
struct PhaseItem: Sendable {
  enum Kind: String, Sendable {
    case device, session, event, ping
  }

  var kind: Kind
  /// The client's number of the item, as it wrote it, and its value.
  var order = "0"
  var orderValue = 0.0
  var deviceID: String?
  var sessionID: String?
  /// A session's start, or an event's or ping's time, in milliseconds since 1970.
  var timeMs: Int64 = 0
  var eventID: String?
  var name = ""
  var isScreen = false
  /// An event's params or a device's properties.
  var values = PhaseValues()
  var osVersion: String?
  var platform: String?
  var locale: String?
  var model: String?
  var disablesGeolocation = false
  /// Why the item is refused, whatever is known.
  var problem: String?

  init(_ kind: Kind) { self.kind = kind }
}

/// A flat JSON object: texts, numbers, booleans and nulls by key.
struct PhaseValues: Sendable, Hashable {
  /// The keys, and the values as JSON.
  private(set) var members: [(key: String, value: [UInt8])] = []

  static func == (left: Self, right: Self) -> Bool {
    left.members.elementsEqual(right.members) {
      $0.key.hasBytes(of: $1.key) && $0.value == $1.value
    }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(members.count) }

  /// Sets one value; an earlier one of that key is replaced.
  mutating func set(_ key: String, _ value: [UInt8]) {
    if let index = members.firstIndex(where: { $0.key.hasBytes(of: key) }) {
      members[index].value = value
    } else {
      members.append((key, value))
    }
  }

  /// Adds another object's values to these, key by key.
  mutating func merge(_ other: PhaseValues) {
    for member in other.members { set(member.key, member.value) }
  }

  /// The object as JSON, its keys in order if asked for.
  func json(sorted: Bool = false) -> [UInt8] {
    var text = JSONText()
    text.append("{")
    let members = sorted ? members.sorted { $0.key < $1.key } : members
    for (index, member) in members.enumerated() {
      if index > 0 { text.append(",") }
      text.append(quoting: member.key)
      text.append(":")
      text.append(bytes: member.value)
    }
    text.append("}")
    return text.bytes
  }
}
