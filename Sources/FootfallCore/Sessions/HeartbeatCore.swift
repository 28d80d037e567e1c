/// Decides when a session says that it is still going on.
///
/// The older the session, the rarer. Times are seconds on a clock that only goes forward. Source:
/// `phase.md` section 5.4. That at most one heartbeat waits unsent is the queue's rule.
package struct HeartbeatCore: Sendable {
  /// What happened.
  package enum Input: Sendable, Equatable {
    /// A session began, in the place of the one before.
    case started
    /// The session is over; a last heartbeat tells its length.
    case ended
    /// An event or heartbeat arrived at the server, which therefore knows.
    case delivered
    /// The app left the front or came back.
    case presence(isAway: Bool)
    /// Time went by: `deadline` is due.
    case timePassed
  }

  /// What is to be done.
  package enum Effect: Sendable, Equatable {
    /// Queue a heartbeat of now.
    case beat
  }

  private var startedAt: Double?
  private var isAway = false

  /// When `timePassed` is due; nil while no heartbeat is.
  package private(set) var deadline: Double?

  /// A core without a session.
  package init() {}

  /// Takes in what happened at `now` and says what to do.
  package mutating func receive(_ input: Input, at now: Double) -> [Effect] {
    switch input {
    case .started: startedAt = now
    case .ended:
      let wasOpen = startedAt != nil
      startedAt = nil
      deadline = nil
      return wasOpen ? [.beat] : []
    case .delivered: break
    case .presence(let isAway):
      guard isAway != self.isAway else { return [] }
      self.isAway = isAway
    case .timePassed:
      guard let deadline, deadline <= now else { return [] }
      wait(from: now)
      return [.beat]
    }
    wait(from: now)
    return []
  }

  private mutating func wait(from now: Double) {
    guard let startedAt, !isAway else {
      deadline = nil
      return
    }
    deadline = now + Self.intervalSeconds(age: now - startedAt)
  }

  /// How long until the next heartbeat of a session of that age, both in seconds.
  package static func intervalSeconds(age: Double) -> Double {
    switch age {
    case ..<15: 5
    case ..<65: 10
    case ..<180: 15
    case ..<300: 20
    default: 30
    }
  }
}
