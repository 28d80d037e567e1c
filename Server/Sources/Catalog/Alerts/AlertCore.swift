/// What an alert does: looks when it is time, and tells each change once.
///
/// A value without clock, network or disk: it is told what happened and says what is to be done. People are
/// told when the number goes too far and when it is back, never twice of the same; a change that is over
/// before it could be told is not told. One that nobody takes is tried for as long as it is so.
public struct AlertCore: Sendable, Hashable {
  /// Something that happened.
  public enum Input: Sendable, Hashable {
    /// Time went by: what is to be looked at and what is to be told.
    case time
    /// Time went by, and its question may be asked.
    case timeToLook
    /// Time went by, and its receiver may be told.
    case timeToTell
    /// A look found a number.
    case found(AlertState.Finding)
    /// A look found several, of buckets that are over since the last look, in the order of time.
    case foundSince([AlertState.Finding])
    /// A look found none.
    case foundNothing(String)
    /// A message was taken.
    case sent(Int)
    /// A message was not taken.
    case failed(Int, String)
    /// Somebody wants to see whether telling works.
    case test
    /// Somebody stops it.
    case pause
    /// Somebody lets it go on.
    case resume
  }

  /// Something that is to be done.
  public enum Effect: Sendable, Hashable {
    /// Ask the question.
    case look
    /// Tell this.
    case send(AlertState.Message)
    /// Keep this in the alert's history.
    case note(Note, String)
  }

  /// What an entry of the history is about.
  public enum Note: String, Sendable, CaseIterable {
    case firing
    case calm
    case sent
    case failed
    case dropped
    case paused
    case resumed
  }

  /// How often a test is tried.
  public static let maxAttempts = 5
  /// How long after a failure a message is tried again, in milliseconds: half a minute, 2, 10, 60 minutes,
  /// and then every 60.
  public static let pausesMs: [Int64] = [30_000, 120_000, 600_000, 3_600_000]
  /// How long a message is under way at most before it is tried again, in milliseconds.
  static let leaseMs: Int64 = 60_000

  /// What was decided about the alert.
  public let rule: AlertRule
  /// Milliseconds between two looks.
  public let everyMs: Int64
  /// How it stands.
  public private(set) var state: AlertState

  /// The alert's core.
  public init(rule: AlertRule, everyMinutes: Int, state: AlertState) {
    self.rule = rule
    everyMs = Int64(everyMinutes) * 60_000
    self.state = state
  }

  /// Takes in what happened.
  public mutating func receive(_ input: Input, at nowMs: Int64) -> [Effect] {
    switch input {
    case .time: return tell(nowMs) + look(nowMs)
    case .timeToLook: return look(nowMs)
    case .timeToTell: return tell(nowMs)
    case .found(let finding): return found(finding, nowMs)
    case .foundSince(let findings): return found(findings, nowMs)
    case .foundNothing(let problem):
      state.problem = problem
      return []
    case .sent(let number): return sent(number)
    case .failed(let number, let problem): return failed(number, problem, nowMs)
    case .test:
      // One that waits already shows the same.
      guard !state.messages.contains(where: { $0.kind == .test }) else { return [] }
      add(.test, nowMs)
      return []
    case .pause:
      guard !state.isPaused else { return [] }
      state.isPaused = true
      forget { _ in true }
      return [.note(.paused, "")]
    case .resume:
      guard state.isPaused else { return [] }
      state.isPaused = false
      // What went on meanwhile is found by a new look, and told if it was not.
      state.lookedMs = nil
      state.level = .unknown
      return [.note(.resumed, "")]
    }
  }

  private mutating func tell(_ nowMs: Int64) -> [Effect] {
    guard let message = state.messages.first, message.nextMs <= nowMs else { return [] }
    state.messages[0].nextMs = nowMs + Self.leaseMs
    state.messages[0].isUnderWay = true
    return [.send(message)]
  }

  private mutating func look(_ nowMs: Int64) -> [Effect] {
    // A clock that was put back must not stop it for long.
    let isDue = state.lookedMs.map { nowMs >= $0 + everyMs || nowMs < $0 - everyMs } ?? true
    guard isDue, !state.isPaused else { return [] }
    state.lookedMs = nowMs
    return [.look]
  }

  /// What went on while nobody looked is told, also where it is over by now.
  private mutating func found(_ findings: [AlertState.Finding], _ nowMs: Int64) -> [Effect] {
    let known = state.messages.map(\.number)
    var effects: [Effect] = []
    var missed: [AlertState.Message] = []
    for finding in findings {
      effects += found(finding, nowMs)
      // Each change of this look is taken aside, so that the next one does not drop it.
      let new = state.messages.filter { $0.kind != .test && !known.contains($0.number) }
      state.messages.removeAll { message in new.contains { $0.number == message.number } }
      missed += new
      if let last = new.last { state.told = last.kind == .firing ? .firing : .calm }
    }
    state.messages += missed
    return effects
  }

  private mutating func found(_ finding: AlertState.Finding, _ nowMs: Int64) -> [Effect] {
    guard !state.isPaused else { return [] }
    let isBroken = rule.isBroken(by: finding.value, before: finding.before)
    let level: AlertState.Level = isBroken ? .firing : .calm
    state.problem = nil
    state.finding = finding
    guard level != state.level else { return [] }
    let wasKnown = state.level != .unknown
    state.level = level
    state.sinceMs = nowMs
    var effects: [Effect] =
      wasKnown || isBroken ? [.note(isBroken ? .firing : .calm, "\(finding.value)")] : []
    if let waiting = state.messages.first(where: { $0.kind != .test }) {
      forget { $0.kind != .test }
      effects.append(.note(.dropped, "message \(waiting.number): over before it was told"))
    }
    if level != state.told { add(isBroken ? .firing : .calm, nowMs) }
    return effects
  }

  /// Drops messages; of one that may have been taken nobody knows what was told.
  private mutating func forget(_ isOver: (AlertState.Message) -> Bool) {
    for message in state.messages where isOver(message) {
      if message.kind != .test, message.isUnderWay == true { state.told = .unknown }
    }
    state.messages.removeAll(where: isOver)
  }

  private mutating func add(_ kind: AlertState.Message.Kind, _ nowMs: Int64) {
    state.lastNumber += 1
    state.messages.append(
      AlertState.Message(
        number: state.lastNumber,
        kind: kind,
        atMs: nowMs,
        finding: state.finding,
        nextMs: nowMs
      )
    )
  }

  private mutating func sent(_ number: Int) -> [Effect] {
    guard let index = state.messages.firstIndex(where: { $0.number == number }) else {
      // It was dropped while it was under way; what is so now is told after it.
      return []
    }
    let message = state.messages.remove(at: index)
    settle(message)
    return [.note(.sent, "message \(number)")]
  }

  private mutating func failed(_ number: Int, _ problem: String, _ nowMs: Int64) -> [Effect] {
    guard let index = state.messages.firstIndex(where: { $0.number == number }) else { return [] }
    state.messages[index].attempts += 1
    state.messages[index].isUnderWay = nil
    let attempts = state.messages[index].attempts
    guard state.messages[index].kind != .test || attempts < Self.maxAttempts else {
      state.messages.remove(at: index)
      return [.note(.dropped, "message \(number), after \(attempts) attempts: \(problem)")]
    }
    state.messages[index].nextMs = nowMs + Self.pausesMs[min(attempts, Self.pausesMs.count) - 1]
    return [.note(.failed, "message \(number), attempt \(attempts): \(problem)")]
  }

  private mutating func settle(_ message: AlertState.Message) {
    switch message.kind {
    case .firing: state.told = .firing
    case .calm: state.told = .calm
    case .test: break
    }
  }
}
