/// Holds back identifies that only set properties, and makes one out of many.
///
/// An app that sets properties one by one then sends one event instead of ten. Everything else
/// passes at once, after what was held. Times are seconds on a clock that only goes forward.
/// Source: `amplitude.md` section 2.10. `Envelope` is whatever the shell knows an event by.
package struct IdentifyCoalescer<Envelope: Sendable>: Sendable {
  /// Whom an event belongs to.
  package struct Owner: Sendable, Equatable {
    /// The user, if one is signed in.
    package var userID: String?
    /// The device.
    package var deviceID: String?

    /// An owner from its parts.
    package init(userID: String? = nil, deviceID: String? = nil) {
      self.userID = userID
      self.deviceID = deviceID
    }
  }

  /// An identify that waits.
  package struct Held: Sendable {
    /// The event it came in.
    package var envelope: Envelope
    /// What it sets.
    package var properties: Properties
    /// How large the event is when it is sent alone.
    package var bytes: Int

    /// An identify from its parts.
    package init(_ envelope: Envelope, setting properties: Properties, bytes: Int = 0) {
      self.envelope = envelope
      self.properties = properties
      self.bytes = bytes
    }
  }

  /// Identifies that became one.
  package struct Merged: Sendable {
    /// The first: the merged event has its id, time, session and number.
    package var first: Envelope
    /// The others, whose fate is that of the first.
    package var others: [Envelope]
    /// What they set together, later values over earlier ones.
    package var properties: Properties

    /// Identifies from their parts.
    package init(first: Envelope, others: [Envelope], properties: Properties) {
      self.first = first
      self.others = others
      self.properties = properties
    }
  }

  /// What happened.
  package enum Input: Sendable {
    /// An event came through the pipeline; so large is it when it is sent alone.
    case event(Envelope, IdentifyKind, of: Owner, bytes: Int = 0)
    /// Everything is to be sent.
    case flush
    /// Time went by: `deadline` is due.
    case timePassed
    /// Everything unsent is being deleted.
    case forget
  }

  /// What is to be done, in the order given.
  package enum Effect: Sendable {
    /// Store this one where it is found again after a relaunch, apart from what is sent.
    case hold(Held)
    /// Queue this one for sending, and remove those it came from, in one step.
    case queue(Merged)
    /// Remove these: a later event makes them pointless.
    case discard([Envelope])
    /// Queue the event itself.
    case pass(Envelope)
  }

  /// The longest wait of the first one held, in seconds.
  ///
  /// Source: `amplitude.md`, C10 and C17.
  private let limitSeconds = 30.0
  /// What has more properties together, nested ones included, or more bytes, is not merged.
  ///
  /// Merged it would lose what goes through alone: an event has 256 properties and 64 KiB at most
  /// (`EventLimits`). Ours.
  private let limit = Size(properties: 200, bytes: 32 * 1_024)

  /// What waits, oldest first.
  package private(set) var held: [Held]
  /// When `timePassed` is due; nil while nothing is held.
  package private(set) var deadline: Double?
  private var owner = Owner()
  private var size = Size()

  private struct Size {
    var properties = 0
    var bytes = 0
  }

  /// A coalescer with what an earlier run held, oldest first.
  ///
  /// That is queued before the first event, whoever's it is, or after 30 s.
  package init(restored: [Held] = [], at now: Double) {
    held = restored
    deadline = restored.isEmpty ? nil : now + limitSeconds
    for one in restored { add(one) }
  }

  /// Takes in what happened at `now` and says what to do, in order.
  package mutating func receive(_ input: Input, at now: Double) -> [Effect] {
    switch input {
    case .event(let envelope, let kind, let owner, let bytes):
      let change = self.owner == owner ? [] : release()
      self.owner = owner
      return change + take(envelope, kind, bytes, at: now)
    case .flush: return release()
    case .timePassed:
      guard let deadline, deadline <= now else { return [] }
      return release()
    case .forget: return discard()
    }
  }

  private mutating func take(
    _ envelope: Envelope,
    _ kind: IdentifyKind,
    _ bytes: Int,
    at now: Double
  ) -> [Effect] {
    switch kind {
    case .setsOnly(let properties):
      let new = Held(envelope, setting: properties, bytes: bytes)
      let full = fits(new) ? [] : release()
      held.append(new)
      add(new)
      deadline = deadline ?? now + limitSeconds
      return full + [.hold(new)]
    case .clearsAll: return discard() + [.pass(envelope)]
    case .ordinary: return release() + [.pass(envelope)]
    case .group: return [.pass(envelope)]
    }
  }

  private func fits(_ new: Held) -> Bool {
    size.properties + new.properties.nestedCount <= limit.properties
      && size.bytes + new.bytes <= limit.bytes
  }

  private mutating func add(_ new: Held) {
    size.properties += new.properties.nestedCount
    size.bytes += new.bytes
  }

  private mutating func release() -> [Effect] {
    guard let first = held.first else { return [] }
    let others = held.dropFirst()
    let merged = Merged(
      first: first.envelope,
      others: others.map(\.envelope),
      properties: others.reduce(first.properties) { $0.overlaid(with: $1.properties) }
    )
    empty()
    return [.queue(merged)]
  }

  private mutating func discard() -> [Effect] {
    guard !held.isEmpty else { return [] }
    defer { empty() }
    return [.discard(held.map(\.envelope))]
  }

  private mutating func empty() {
    held = []
    deadline = nil
    size = Size()
  }
}

extension IdentifyCoalescer.Held: Equatable where Envelope: Equatable {}
extension IdentifyCoalescer.Merged: Equatable where Envelope: Equatable {}
extension IdentifyCoalescer.Effect: Equatable where Envelope: Equatable {}

extension Properties {
  /// These with others on top; null replaces no value, but is kept under a new key.
  func overlaid(with other: Properties) -> Properties {
    other.reduce(into: self) { result, pair in
      if pair.value != .null || result[pair.key] == nil { result[pair.key] = pair.value }
    }
  }

  /// How many properties there are, those inside of others included.
  fileprivate var nestedCount: Int { reduce(0) { $0 + 1 + $1.value.nestedCount } }
}

extension PropertyValue {
  fileprivate var nestedCount: Int {
    switch self {
    case .object(let properties): properties.nestedCount
    case .array(let values): values.reduce(0) { $0 + $1.nestedCount }
    case .string, .integer, .double, .boolean, .null: 0
    }
  }
}
