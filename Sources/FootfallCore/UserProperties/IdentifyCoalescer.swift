/// Holds back identifies that only set properties, and makes one out of many.
///
/// An app that sets properties one by one then sends one event instead of ten. Everything else
/// passes at once, after what was held. Times are seconds on a clock that only goes forward.
/// Source: `amplitude.md` section 2.10. `Envelope` is whatever the shell knows an event by.
package struct IdentifyCoalescer<Envelope: Sendable>: Sendable {
  /// Whom an event belongs to.
  package struct Owner: Sendable, Hashable {
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

    /// An identify from its parts.
    package init(_ envelope: Envelope, setting properties: Properties) {
      self.envelope = envelope
      self.properties = properties
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
    /// An event came through the pipeline.
    case event(Envelope, IdentifyKind, of: Owner)
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

  /// What waits, oldest first.
  package private(set) var held: [Held]
  /// When `timePassed` is due; nil while nothing is held.
  package private(set) var deadline: Double?
  private var owner = Owner()

  /// A coalescer with what an earlier run held, oldest first.
  ///
  /// That is queued before the first event, whoever's it is, or after 30 s.
  package init(restored: [Held] = [], at now: Double) {
    held = restored
    deadline = restored.isEmpty ? nil : now + limitSeconds
  }

  /// Takes in what happened at `now` and says what to do, in order.
  package mutating func receive(_ input: Input, at now: Double) -> [Effect] {
    switch input {
    case .event(let envelope, let kind, let owner):
      let change = self.owner == owner ? [] : release()
      self.owner = owner
      return change + take(envelope, kind, at: now)
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
    at now: Double
  ) -> [Effect] {
    switch kind {
    case .setsOnly(let properties):
      let new = Held(envelope, setting: properties)
      held.append(new)
      deadline = deadline ?? now + limitSeconds
      return [.hold(new)]
    case .clearsAll: return discard() + [.pass(envelope)]
    case .ordinary: return release() + [.pass(envelope)]
    case .group: return [.pass(envelope)]
    }
  }

  private mutating func release() -> [Effect] {
    guard let first = held.first else { return [] }
    let others = held.dropFirst()
    let merged = Merged(
      first: first.envelope,
      others: others.map(\.envelope),
      properties: others.reduce(first.properties) { $0.overlaid(with: $1.properties) }
    )
    held = []
    deadline = nil
    return [.queue(merged)]
  }

  private mutating func discard() -> [Effect] {
    guard !held.isEmpty else { return [] }
    defer {
      held = []
      deadline = nil
    }
    return [.discard(held.map(\.envelope))]
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
}
