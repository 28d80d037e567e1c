/// The 128-bit key under which an event counts once.
///
/// A hash of the project and of what the protocol itself calls an event's identity. It is written to
/// the log and to the store, so neither the hash nor its input may change without a new record version.
public struct EventKey: Sendable, Hashable {
  /// The upper half.
  public var high: UInt64
  /// The lower half.
  public var low: UInt64

  /// A key from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The rule by which a key was made; part of what is hashed.
  public enum Rule: UInt8, Sendable {
    /// Project and the event's id, ASCII letters lower-cased.
    case native = 1
    /// Project, device id and insert id.
    case amplitude = 2
    /// Project, application, endpoint and event id.
    case pinpoint = 3
    /// Project, what the id is of, and that id.
    case phase = 4
    /// Project and the key an event had in another one.
    case imported = 253
    /// Project, all that the event says, and its place in the request.
    case content = 254
    /// Project and random bytes: an event that has no identity, and so never has a duplicate.
    case random = 255
  }

  /// The key of a native or SimpleDataLogs event.
  ///
  /// Ids that differ only in the case of ASCII letters are the same id.
  public static func native(project: UInt32, id: UnsafeRawBufferPointer) -> EventKey {
    var hasher = KeyHasher(rule: .native, project: project)
    hasher.absorb(id, lowercasing: true)
    return hasher.finish()
  }

  /// The key of a native or SimpleDataLogs event.
  public static func native(project: UInt32, id: String) -> EventKey {
    var id = id
    return id.withUTF8 { native(project: project, id: UnsafeRawBufferPointer($0)) }
  }

  /// The key of an Amplitude event; an empty device id stands for none, then the insert id counts alone.
  public static func amplitude(
    project: UInt32,
    deviceID: UnsafeRawBufferPointer,
    insertID: UnsafeRawBufferPointer
  ) -> EventKey {
    OfSender(project: project, deviceID: deviceID).key(of: insertID)
  }

  /// The key of an Amplitude event; an empty device id stands for none, then the insert id counts alone.
  public static func amplitude(project: UInt32, deviceID: String, insertID: String) -> EventKey {
    var deviceID = deviceID
    var insertID = insertID
    return deviceID.withUTF8 { device in
      insertID.withUTF8 { insert in
        amplitude(
          project: project,
          deviceID: UnsafeRawBufferPointer(device),
          insertID: UnsafeRawBufferPointer(insert)
        )
      }
    }
  }

  /// What an id of Phase's protocol is of.
  public enum PhaseRole: UInt64, Sendable {
    /// An event, by its own id.
    case event
    /// The start of the session with this id.
    case session
    /// A ping, by its session and time.
    case ping
  }

  /// The key of an event, a session's start or a ping of Phase's clients.
  public static func phase(project: UInt32, _ role: PhaseRole, id: String) -> EventKey {
    var hasher = KeyHasher(rule: .phase, project: project)
    hasher.absorb(role.rawValue)
    var id = id
    id.withUTF8 { hasher.absorb(UnsafeRawBufferPointer($0)) }
    return hasher.finish()
  }

  /// The key of an event that was exported from another project.
  public static func imported(project: UInt32, from key: EventKey) -> EventKey {
    var hasher = KeyHasher(rule: .imported, project: project)
    hasher.absorb(key.high)
    hasher.absorb(key.low)
    return hasher.finish()
  }

  /// The key of an event that has no identity of its own, but whose request may be sent again.
  ///
  /// - Parameters:
  ///   - project: The project's number.
  ///   - event: Its ids, operations, groups and context count, not its time.
  ///   - place: Its place in the request: the same twice in one request is meant.
  /// - Returns: A key that the same object sent again has too.
  public static func content(project: UInt32, of event: EventView, place: Int) -> EventKey {
    var hasher = KeyHasher(rule: .content, project: project)
    hasher.absorb(UInt64(event.kind.rawValue))
    hasher.absorb(UInt64(clamping: place))
    for part in [
      event.deviceID, event.userID, event.operations, event.groups, event.properties, event.context,
    ] { hasher.absorb(part) }
    return hasher.finish()
  }

  /// The key of a Pinpoint event; the endpoint's id must be in small letters, since case does not count.
  public static func pinpoint(
    project: UInt32,
    app: UnsafeRawBufferPointer,
    endpoint: UnsafeRawBufferPointer,
    event: UnsafeRawBufferPointer
  ) -> EventKey {
    OfSender(project: project, app: app, endpoint: endpoint).key(of: event)
  }

  /// The keys of one sender's events, each as `amplitude` or `pinpoint` makes it: what they share is hashed
  /// once.
  package struct OfSender {
    private let start: KeyHasher

    /// The keys of a device of Amplitude's clients.
    package init(project: UInt32, deviceID: UnsafeRawBufferPointer) {
      var hasher = KeyHasher(rule: .amplitude, project: project)
      hasher.absorb(deviceID)
      start = hasher
    }

    /// The keys of a Pinpoint endpoint, whose id must be in small letters.
    package init(project: UInt32, app: UnsafeRawBufferPointer, endpoint: UnsafeRawBufferPointer) {
      var hasher = KeyHasher(rule: .pinpoint, project: project)
      hasher.absorb(app)
      hasher.absorb(endpoint)
      start = hasher
    }

    /// The key of an event.
    package func key(of event: UnsafeRawBufferPointer) -> EventKey {
      var hasher = start
      hasher.absorb(event)
      return hasher.finish()
    }
  }

  /// The key of an event that has no identity of its own.
  ///
  /// - Parameters:
  ///   - project: The project's number.
  ///   - nonce: 128 random bits of whoever counts.
  ///   - counter: Different for every event under one nonce.
  /// - Returns: A key that no other event has.
  public static func random(
    project: UInt32,
    nonce: (UInt64, UInt64),
    counter: UInt64
  ) -> EventKey {
    var hasher = KeyHasher(rule: .random, project: project)
    hasher.absorb(nonce.0)
    hasher.absorb(nonce.1)
    hasher.absorb(counter)
    return hasher.finish()
  }
}

extension EventKey: LosslessStringConvertible {
  /// 32 lower-case hexadecimal digits, as used in addresses.
  public var description: String {
    hex(high) + hex(low)
  }

  /// Reads 32 hexadecimal digits; anything else is nil.
  public init?(_ description: String) {
    guard description.utf8.count == 32, description.utf8.allSatisfy(isHexDigit),
      let high = UInt64(description.prefix(16), radix: 16),
      let low = UInt64(description.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

private func hex(_ half: UInt64) -> String {
  let digits = String(half, radix: 16)
  return String(repeating: "0", count: 16 - digits.utf8.count) + digits
}

private func isHexDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
    UInt8(ascii: "A")...UInt8(ascii: "F"):
    true
  default: false
  }
}

/// Feeds length-prefixed parts to SipHash in whole words.
struct KeyHasher {
  // A published key: the hash is an identity, not a secret. "footfall-event-k" in ASCII.
  private var hash = SipHash128(key0: 0x6c6c_6166_746f_6f66, key1: 0x6b2d_746e_6576_652d)

  init(rule: EventKey.Rule, project: UInt32) {
    self.init(domain: rule.rawValue, project: project)
  }

  /// A hash of what shares no value with another domain's, an event key's rule or `PersonNumber`'s.
  init(domain: UInt8, project: UInt32) {
    hash.absorb(UInt64(domain) << 32 | UInt64(project))
  }

  mutating func absorb(_ word: UInt64) {
    hash.absorb(word)
  }

  /// One part: its length as a word, its bytes, zeros up to the next word.
  @inline(__always)
  mutating func absorb(_ part: UnsafeRawBufferPointer, lowercasing: Bool = false) {
    hash.absorb(UInt64(part.count))
    var offset = 0
    while offset + 8 <= part.count {
      let word = UInt64(littleEndian: part.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      hash.absorb(lowercasing ? lowercased(word) : word)
      offset += 8
    }
    let left = part.count - offset
    guard left > 0 else { return }
    var word: UInt64 = 0
    if offset > 0 {
      // A whole word that ends with the part, without the bytes that have been absorbed.
      let last = part.loadUnaligned(fromByteOffset: part.count - 8, as: UInt64.self)
      word = UInt64(littleEndian: last) >> (8 * UInt64(8 - left))
    } else {
      for place in 0..<left { word |= UInt64(part[place]) << (8 * UInt64(place)) }
    }
    hash.absorb(lowercasing ? lowercased(word) : word)
  }

  consuming func finish() -> EventKey {
    let (first, second) = hash.finish()
    return EventKey(high: first, low: second)
  }
}

/// Turns the letters A to Z among eight bytes into lower case; other bytes stay.
private func lowercased(_ word: UInt64) -> UInt64 {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let low = word & (0x7f * ones)
  let atLeastA = low &+ (0x3f * ones)  // sets the top bit from 'A' (0x41) on
  let aboveZ = low &+ (0x25 * ones)  // sets the top bit above 'Z' (0x5a)
  let capitals = (atLeastA ^ aboveZ) & ~word & (0x80 * ones)
  return word | capitals >> 2
}
