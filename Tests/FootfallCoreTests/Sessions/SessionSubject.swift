import FootfallCore

/// A session core with a history: feeds it moments of one day and writes down what it does.
final class SessionSubject {
  private(set) var core: SessionCore
  /// Everything done so far but persisting and changes of the current session.
  private(set) var done: [SessionCore.Effect] = []
  /// What plugins were told.
  private(set) var told: [SessionID?] = []
  /// The state as the last `persist` found it.
  private(set) var saved: SessionState
  private var random = SeededRandom(seed: 1)
  /// What the wall clock shows too much, in milliseconds.
  var wallError: Int64 = 0

  init(_ rules: SessionRules, state: SessionState = SessionState()) {
    core = SessionCore(rules: rules, state: state)
    saved = state
  }

  /// The next process on the same storage.
  func relaunched(rules: SessionRules? = nil) -> SessionSubject {
    let next = SessionSubject(rules ?? core.rules, state: saved)
    next.random = random
    return next
  }

  @discardableResult
  func take(_ input: SessionCore.Input, at time: Int64) -> [SessionCore.Effect] {
    let now = Moment(
      wallMilliseconds: time + wallError,
      steadyMilliseconds: time + 77_000_000,
      awakeMilliseconds: time
    )
    let effects = core.receive(input, at: now, using: &random)
    for effect in effects {
      switch effect {
      case .persist: saved = core.state
      case .current(let id): told.append(id)
      default: done.append(effect)
      }
    }
    return effects
  }

  /// An event of its own time, or of now.
  func event(
    at time: Int64,
    dated: Int64? = nil,
    _ choice: SessionCore.TrackedEvent.Choice = .current,
    kind: SessionCore.TrackedEvent.Kind = .ordinary
  ) {
    let event = SessionCore.TrackedEvent(
      milliseconds: dated ?? time + wallError,
      isBackDated: dated != nil,
      choice: choice,
      kind: kind
    )
    take(.event(event), at: time)
  }

  func takeDone() -> [SessionCore.Effect] {
    defer { done = [] }
    return done
  }
}
