extension UploadCore {
  mutating func answered(
    _ verdict: UploadVerdict,
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard phase == .sending, let number = plan?.number, let part = plan?.split.current else {
      return []
    }
    phase = .ready
    switch verdict {
    case .delivered(let status): return settle(part, of: number, .delivered(status: status))
    case .refused(let status, let message):
      return settle(part, of: number, .dropped(.batchRefused, status: status, message: message))
    case .tooLarge(let status, let message):
      return halve(
        part,
        of: number,
        .dropped(.tooLarge, status: status, message: message)
      )
    case .malformed(let status, let message):
      return halve(
        part,
        of: number,
        .dropped(.malformed, status: status, message: message)
      )
    case .unreadable: return leave(number, .setAside(number))
    case .partial(let verdicts):
      return settle(part, of: number, by: verdicts, at: now, using: &random)
    case .unexplained(let status, let message):
      let again = EventVerdict.again(countsAsTry: true, status: status, message: message)
      let verdicts = [EventVerdict](repeating: again, count: part.count)
      return settle(part, of: number, by: verdicts, at: now, using: &random)
    case .keyRefused: return keyRefused(at: now, using: &random)
    case .failed(let failure, let retryAfterSeconds):
      let wait = (rest: retryAfterSeconds, canResend: failure.kind != .offline)
      return failed(failure, wait, at: now, using: &random)
    }
  }

  // MARK: Settling

  private mutating func settle(
    _ part: [Int],
    of number: UInt64,
    _ outcome: EventResult.Outcome
  ) -> [Effect] {
    succeeded()
    plan?.split.settle()
    let settlements = part.map { EventSettlement(event: $0, outcome: outcome) }
    return [.settled(number, settlements)] + continuePlan(number)
  }

  private mutating func halve(
    _ part: [Int],
    of number: UInt64,
    _ outcome: EventResult.Outcome
  ) -> [Effect] {
    plan?.split.split() == true ? proceed() : settle(part, of: number, outcome)
  }

  private mutating func settle(
    _ part: [Int],
    of number: UInt64,
    by verdicts: [EventVerdict],
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    var settlements: [EventSettlement] = []
    var left: [Int] = []
    var didTry = false
    for (position, event) in part.enumerated() {
      let isSpokenOf = position < verdicts.count
      let verdict = isSpokenOf ? verdicts[position] : .again(countsAsTry: false)
      if case .again(countsAsTry: true, _, _) = verdict { didTry = true }
      if let settlement = settlement(of: event, verdict) {
        settlements.append(settlement)
      } else {
        left.append(event)
      }
    }
    plan?.split.settle(except: left)
    let told: [Effect] = settlements.isEmpty ? [] : [.settled(number, settlements)]
    if !settlements.isEmpty { succeeded() }
    if left.isEmpty { return told + continuePlan(number) }
    // What was only in bad company goes at once; what failed by itself waits.
    if !settlements.isEmpty, !didTry { return told + proceed() }
    let failure = DeliveryProblem(
      .unexpectedAnswer,
      "The server did not take \(left.count) of \(part.count) events for now."
    )
    return told + failed(failure, (rest: nil, canResend: false), at: now, using: &random)
  }

  private mutating func settlement(of event: Int, _ verdict: EventVerdict) -> EventSettlement? {
    switch verdict {
    case .delivered(let status):
      return EventSettlement(event: event, outcome: .delivered(status: status))
    case .refused(let status, let reason, let message):
      let outcome = EventResult.Outcome.dropped(
        .rejectedByServer,
        status: status,
        message: message
      )
      return EventSettlement(event: event, outcome: outcome, serverReason: reason)
    case .again(let countsAsTry, let status, let message):
      guard countsAsTry, let tries = plan?.split.countTry(of: event),
        let most = rules.retriesPerEvent, tries > most
      else { return nil }
      let outcome = EventResult.Outcome.dropped(
        .triedTooOften,
        status: status,
        message: message
      )
      return EventSettlement(event: event, outcome: outcome)
    }
  }

  /// The next part of the batch, or its removal; `oldest` then brings the next batch.
  private mutating func continuePlan(_ number: UInt64) -> [Effect] {
    plan?.split.current != nil ? proceed() : leave(number, .remove(number))
  }

  // MARK: Waiting

  private mutating func keyRefused(
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    guard let pause = rules.keyPause else {
      let refusal = DeliveryProblem(.keyRefused, "The server does not know the key (401).")
      return failed(refusal, (rest: nil, canResend: false), at: now, using: &random)
    }
    let seconds = keyRefusals == 0 ? pause.firstSeconds : pause.laterSeconds
    keyRefusals += 1
    let refusal = DeliveryProblem(
      .keyRefused,
      "The server does not know the key (401); next attempt in \(Int(seconds)) s."
    )
    problem = refusal
    phase = .holding(until: now + seconds)
    return (keyRefusals == 1 ? [.report(refusal)] : []) + finishFlush(refusal)
  }

  private mutating func failed(
    _ failure: DeliveryProblem,
    _ wait: (rest: Double?, canResend: Bool),
    at now: Double,
    using random: inout some RandomNumberGenerator
  ) -> [Effect] {
    let reported: [Effect] = retry.failures == 0 ? [.report(failure)] : []
    let until = now + retry.failed(retryAfterSeconds: wait.rest, using: &random)
    problem = failure
    phase = wait.rest == nil ? .backingOff(until: until) : .holding(until: until)
    if goesOffline(after: failure) {
      retry.reset()
      return reported + setOffline(.failures) + finishFlush(failure)
    }
    if wait.canResend, wait.rest == nil, flushThrough != nil, resends < rules.resendsPerFlush {
      resends += 1
      return reported
    }
    // Without a flush nothing is sent, so there is nothing to wait for but what the server asked.
    if rules.sendsOnlyOnFlush {
      retry.reset()
      if wait.rest == nil { phase = .ready }
    }
    return reported + finishFlush(failure)
  }

  private func goesOffline(after failure: DeliveryProblem) -> Bool {
    if rules.goesOfflineWhenUnreachable, failure.kind == .offline { return true }
    guard let most = rules.failuresBeforeOffline else { return false }
    return retry.failures > most
  }
}
