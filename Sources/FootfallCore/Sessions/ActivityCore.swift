/// Decides whether the user was active at an event, and for how long since the event before.
///
/// Source: `simpledatalogs.md` section 5.6. Whoever does not want it has no such core.
package struct ActivityCore: Sendable {
  /// What happened between events.
  package enum Input: Sendable, Equatable {
    /// The app came to the front or left it.
    case presence(Presence)
    /// The keyboard or mouse was used so many milliseconds ago, in any app.
    case userInput(millisecondsAgo: Int64)
  }

  /// What an event says about the user.
  package struct Stamp: Sendable, Equatable {
    /// Whether the user was active.
    package let isActive: Bool
    /// The time in front since the previous event, in milliseconds; time asleep does not count.
    package let engagedMilliseconds: Int64

    /// The stamp as `app_state` and `engaged_ms`; an event's own properties go on top.
    package var properties: Properties {
      [
        "app_state": isActive ? "active" : "background",
        "engaged_ms": .integer(engagedMilliseconds),
      ]
    }
  }

  /// How long after input the user still counts as active while the app is not in front, in
  /// milliseconds; nil where input elsewhere does not count.
  package static let macInputMilliseconds: Int64 = 10_000

  private let awayFrom: Presence
  private let inputMilliseconds: Int64?
  private var inFrontSince: Int64?
  private var engaged: Int64 = 0
  private var lastInput: Int64?

  /// A core of an app that has not been in front yet.
  ///
  /// - Parameters:
  ///   - awayFrom: The presence from which on the app is not in front; `inactive` on a Mac.
  ///   - inputMilliseconds: How long input counts, `macInputMilliseconds` on a Mac; nil for not at
  ///     all.
  package init(awayFrom: Presence = .background, inputMilliseconds: Int64? = nil) {
    self.awayFrom = awayFrom
    self.inputMilliseconds = inputMilliseconds
  }

  /// Takes in what happened at `now`.
  package mutating func receive(_ input: Input, at now: Moment) {
    switch input {
    case .presence(let presence) where presence < awayFrom:
      inFrontSince = inFrontSince ?? now.awakeMilliseconds
    case .presence:
      engaged = engaged.plus(timeInFront(until: now))
      inFrontSince = nil
    case .userInput(let ago):
      let time = now.steadyMilliseconds.minus(max(0, ago))
      lastInput = max(lastInput ?? time, time)
    }
  }

  /// The stamp of an event of `now`, from which the next one counts; nil for a back-dated event,
  /// which has none and changes nothing.
  package mutating func stamp(isBackDated: Bool = false, at now: Moment) -> Stamp? {
    guard !isBackDated else { return nil }
    let stamp = Stamp(
      isActive: inFrontSince != nil || isInputRecent(at: now),
      engagedMilliseconds: engaged.plus(timeInFront(until: now))
    )
    engaged = 0
    if inFrontSince != nil { inFrontSince = now.awakeMilliseconds }
    return stamp
  }

  private func timeInFront(until now: Moment) -> Int64 {
    inFrontSince.map { max(0, now.awakeMilliseconds.minus($0)) } ?? 0
  }

  private func isInputRecent(at now: Moment) -> Bool {
    guard let inputMilliseconds, let lastInput else { return false }
    return now.steadyMilliseconds.minus(lastInput) <= inputMilliseconds
  }
}
