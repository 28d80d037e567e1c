/// Decides when the configuration is asked for, what an answer changes, and what counts meanwhile.
///
/// Times are seconds on a clock that only goes forward.
package struct RemoteConfigurationCore: Sendable {
  /// What happened.
  package enum Input: Sendable, Equatable {
    /// The client began, with what an earlier run kept.
    case start(cached: RemoteDocument?, isCollecting: Bool)
    /// The question in flight was answered, or failed.
    case answered(RemoteAnswer)
    /// A session began, or the app asks: whatever is known may be old.
    case refresh
    /// Time went by.
    case timePassed
    /// Collection was switched on or off.
    case collecting(Bool)
    /// The client ends.
    case terminate
  }

  /// What is to be done.
  package enum Effect: Sendable, Equatable {
    /// Ask; with the tag, the server may answer that it still holds.
    case fetch(entityTag: String?)
    /// Cut off the question in flight.
    case cancel
    /// This counts from now on; nil for local values alone.
    case apply(RemoteDocument?, RemoteConfiguration.Source)
    /// Keep this for the next run.
    case store(RemoteDocument)
    /// Delete what is kept.
    case forget
    /// Say this in the log.
    case report(String)
  }

  private enum Phase: Equatable {
    /// Not begun, switched off, or over.
    case off
    case resting
    case fetching(attempt: Int)
    case waiting(attempt: Int, until: Double)
    /// The server does not want to be asked; still applies what was known.
    case refusedForGood
  }

  private let rules: RemoteConfigurationRules
  private var phase = Phase.off
  private var known: RemoteDocument?
  private var isApplied = false
  private var applyBy: Double?
  private var lastQuestion: Double?
  private var hasBegun = false
  private var isOver = false

  /// A core that has not begun.
  package init(rules: RemoteConfigurationRules) {
    self.rules = rules
  }

  /// When `timePassed` is due; nil while nothing waits for time.
  package var deadline: Double? {
    guard case .waiting(_, let until) = phase else { return applyBy }
    return min(until, applyBy ?? until)
  }

  /// Whether a question is in flight.
  package var isFetching: Bool {
    if case .fetching = phase { true } else { false }
  }

  /// Takes in what happened at `now` and says what to do, in order.
  package mutating func receive(
    _ input: Input,
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    if case .start = input { hasBegun = true }
    guard rules.isEnabled, hasBegun, !isOver else { return [] }
    switch input {
    case .start(let cached, let isCollecting): return start(cached, isCollecting, at: now)
    case .answered(let answer): return answered(answer, at: now, using: &random)
    case .refresh:
      guard phase == .resting, lastQuestion.map({ now - $0 >= rules.refreshSeconds }) ?? true else {
        return []
      }
      return fetch(attempt: 1, at: now)
    case .timePassed: return timePassed(at: now)
    case .collecting(true):
      guard phase == .off else { return [] }
      return start(nil, true, at: now)
    case .collecting(false): return switchOff()
    case .terminate:
      isOver = true
      applyBy = nil
      defer { phase = .off }
      return isFetching ? [.cancel] : []
    }
  }

  // MARK: Beginning and end

  private mutating func start(
    _ cached: RemoteDocument?,
    _ isCollecting: Bool,
    at now: Double
  ) -> [Effect] {
    guard isCollecting else { return [.forget] }
    known = cached
    var effects: [Effect] = []
    switch rules.delivery {
    case .cachedThenRemote: effects = cached == nil ? [] : applyKnown()
    case .waitForRemote(let seconds): applyBy = now + seconds
    }
    return effects + fetch(attempt: 1, at: now)
  }

  /// Nothing is asked while collection is off, and nothing said to this device is kept.
  private mutating func switchOff() -> [Effect] {
    let cancelled: [Effect] = isFetching ? [.cancel] : []
    // A server that does not want to be asked is not asked after the user's next change of mind.
    if phase != .refusedForGood { phase = .off }
    applyBy = nil
    known = nil
    defer { isApplied = false }
    return cancelled + [.forget] + (isApplied ? [.apply(nil, .local)] : [])
  }

  private mutating func timePassed(at now: Double) -> [Effect] {
    var effects: [Effect] = []
    if let due = applyBy, due <= now { effects += applyKnown() }
    if case .waiting(let attempt, let until) = phase, until <= now {
      effects += fetch(attempt: attempt, at: now)
    }
    return effects
  }

  private mutating func fetch(attempt: Int, at now: Double) -> [Effect] {
    if attempt == 1 { lastQuestion = now }
    phase = .fetching(attempt: attempt)
    return [.fetch(entityTag: known?.entityTag)]
  }

  // MARK: Answers

  private mutating func answered(
    _ answer: RemoteAnswer,
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard case .fetching(let attempt) = phase else { return [] }
    phase = .resting
    switch answer {
    case .document(let document):
      known = document
      return [.store(document)] + applyKnown(.server)
    case .unchanged:
      guard known != nil else { return failed("The server says that nothing changed (304).") }
      return applyKnown(.server)
    case .refusedForGood(let status):
      phase = .refusedForGood
      return failed("The server gives this client no configuration (\(status)); not asked again.")
    case .refused(let status): return failed("The server has no configuration (\(status)).")
    case .unreadable(let error): return failed("\(error)")
    case .failed(let reason, let retryAfter):
      guard attempt < rules.attempts else {
        return failed("No configuration after \(attempt) attempts (\(reason)).")
      }
      let wait = wait(after: attempt, retryAfter, using: &random)
      phase = .waiting(attempt: attempt + 1, until: now + wait)
      return []
    }
  }

  private func wait(
    after attempt: Int,
    _ retryAfter: Double?,
    using random: inout some RandomNumberGenerator
  ) -> Double {
    let bound = (1..<attempt).reduce(rules.firstWaitSeconds) { bound, _ in bound * 2 }
    let wait = bound * Double.random(in: rules.waitFactor, using: &random)
    return max(wait, min(retryAfter ?? 0, rules.retryAfterCapSeconds))
  }

  /// Nothing more is to be expected: whoever waits gets what is known.
  private mutating func failed(_ reason: String) -> [Effect] {
    [.report(reason)] + (applyBy == nil ? [] : applyKnown())
  }

  private mutating func applyKnown(_ source: RemoteConfiguration.Source = .cache) -> [Effect] {
    applyBy = nil
    isApplied = known != nil
    return [.apply(known, known == nil ? .local : source)]
  }
}
