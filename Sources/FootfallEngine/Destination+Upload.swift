import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem
import Foundation

/// A request on its way.
struct Attempt {
  let batch: BatchName
  let events: [Int]
  let content: SealedBatch
  var task: Task<Void, Never>?
}

extension UploadCore.Input {
  fileprivate var isFlush: Bool {
    if case .flush = self { true } else { false }
  }
}

extension EventSettlement {
  fileprivate var isDelivered: Bool {
    if case .delivered = outcome { true } else { false }
  }
}

extension Destination {
  /// Feeds the upload core and does what it says.
  ///
  /// What comes up on the way is fed afterwards, so that a thousand damaged batches in a row do not
  /// become a thousand calls within each other.
  func feed(_ input: UploadCore.Input) {
    inputs.append(input)
    guard !isFeeding else { return }
    isFeeding = true
    while !inputs.isEmpty {
      let next = inputs.removeFirst()
      for effect in upload.receive(next, at: now, using: &random) { perform(effect) }
      if inputs.isEmpty { clearRetired() }
    }
    isFeeding = false
    // By now the file of what ended is gone.
    reporter.tell()
    // With no request on its way, nothing of a batch is kept in memory.
    if !upload.isSending { inFlight = nil }
    for effect in flushPolicy.receive(.uploadFree(upload.isFree), at: now) { perform(effect) }
  }

  func feedOldest() {
    if let keeper = settings.keeper { return feed(.oldest(oldestBlock(in: keeper))) }
    let oldest = outbox?.oldest
    feed(.oldest(oldest.map { UploadCore.Batch(number: $0.number, events: $0.events) }))
  }

  private func perform(_ effect: UploadCore.Effect) {
    switch effect {
    case .send(let number, let events): send(number, events)
    case .remove(let number): retire(number)
    case .setAside(let number): setAside(number)
    case .settled(_, let settlements): settle(settlements)
    case .finishFlush(nil) where inputs.contains(where: \.isFlush):
      // More was sealed for the flush, which goes on with that.
      break
    case .finishFlush(let problem):
      clearRetired()
      reporter.tell()
      finishFlush(problem)
    case .report(let problem):
      let level = problem.kind == .keyRefused ? .error : settings.levels.failure
      environment.log.log(level, problem.description)
    case .offlineChanged(let isOffline):
      if !isOffline, settings.flush.sendsWhenOnline { perform(FlushPolicy.Effect.sealAll) }
    }
  }

  /// Counts and tells what became of events of the batch in flight.
  private func settle(_ settlements: [EventSettlement]) {
    var refused = DropCounts()
    for settlement in settlements {
      guard case .dropped(let reason, _, _) = settlement.outcome else {
        counts.delivered += 1
        continue
      }
      refused.count(reason)
      counts.rejected[settlement.serverReason ?? reason.rawValue, default: 0] += 1
    }
    if settlements.contains(where: \.isDelivered) { host?.delivered(self) }
    count(refused)
    for (reason, number) in refused.byReason {
      environment.log.log(
        settings.levels.failure,
        "The server refused \(number) events, which were dropped: \(reason)."
      )
    }
    guard reportsEnds, let events = inFlight?.content.split else { return }
    for settlement in settlements where events.indices.contains(settlement.event) {
      end(CollectionOfOne(events[settlement.event]), settlement.outcome)
    }
  }

  /// Goes on with the next batch, and removes this one while that is on its way.
  private func retire(_ number: UInt64) {
    let batch = leave(number)
    if let batch { outbox?.retire(batch) }
    if outbox?.oldest == nil { clearRetired() }
    feedOldest()
  }

  /// Puts a batch aside, then goes on with the next one.
  private func setAside(_ number: UInt64) {
    if let outbox, let batch = leave(number) {
      environment.log.error("The server cannot read batch \(number); it was put aside.")
      do throws(OutboxError) {
        try outbox.setAside(batch, library: environment.device.library)
      } catch { warnOfLeftover(error) }
      makeRoom()
    }
    feedOldest()
  }

  /// The batch of a number, of which nothing more is sent.
  private func leave(_ number: UInt64) -> BatchName? {
    inFlight = nil
    eventsOfBatch[number] = nil
    return outbox?.batches.first { $0.number == number }
  }

  /// Removes what is left of batches that are settled, and fills their place.
  private func clearRetired() {
    guard let outbox, !outbox.retired.isEmpty else { return }
    do throws(OutboxError) { try outbox.clearRetired() } catch { warnOfLeftover(error) }
    makeRoom()
  }

  private func warnOfLeftover(_ error: OutboxError) {
    environment.log.warning("A settled batch is still on disk: \(error)")
  }

  private func makeRoom() {
    guard let outbox else { return }
    if outbox.wantsSealing { sealMore() }
    if outbox.oldest == nil { tidyDeadline = tidyDeadline ?? now + syncSeconds }
  }

  private func send(_ number: UInt64, _ events: [Int]) {
    // While a disk held this thread up, the switch may have been turned: it is read one step later.
    guard isCollecting, !isClosed, !isCutOff() else { return }
    if settings.keeper != nil {
      guard let block = block(number) else { return feed(.gone) }
      return send(block.name, block.content, events)
    }
    guard let batch = outbox?.oldest, batch.number == number else {
      return feed(.gone)
    }
    do throws(OutboxError) { send(batch, try content(of: batch), events) } catch {
      environment.log.error("A batch cannot be read: \(error)")
      giveUp(batch, error)
    }
  }

  private func send(_ batch: BatchName, _ content: SealedBatch, _ events: [Int]) {
    attempt += 1
    counts.requests += 1
    reported = unreported
    _ = flushPolicy.receive(.attempted, at: now)
    if reporter.wantsSteps {
      let all = content.split
      trace(.sent, events.map { all[$0] }, number: UInt64(counts.requests))
    }
    inFlight = Attempt(
      batch: batch,
      events: events,
      content: content,
      task: start(attempt, content.part(events))
    )
  }

  /// Parts of a split batch are cut from the content read for the first part.
  private func content(of batch: BatchName) throws(OutboxError) -> SealedBatch {
    if let known = inFlight, known.batch == batch { return known.content }
    guard let outbox else { throw .failed("The outbox is closed.") }
    return try outbox.read(batch)
  }

  private func giveUp(_ batch: BatchName, _ error: OutboxError) {
    guard case .damaged = error else {
      let problem = DeliveryProblem(.storageFailed, error.description)
      return feed(.answered(.failed(problem, retryAfterSeconds: nil)))
    }
    count(.damaged, batch.events)
    let outcome = EventResult.Outcome.dropped(.damaged, status: nil, message: error.description)
    for (id, name) in eventsOfBatch[batch.number] ?? [] { end(id, name, outcome) }
    feed(.gone)
  }

  /// Starts a request; the answer comes back through `post`.
  private func start(_ attempt: Int, _ content: BatchContent) -> Task<Void, Never> {
    let (codec, environment, post, losses) = (settings.codec, environment, post, reported)
    let isCutOff = isCutOff
    let time = settings.asksForTime ? environment.lifecycle.askForTime() : .none
    return beginUpload {
      let request = ForkGate.work {
        let sentAt = environment.now().timeIntervalSince1970 * 1_000
        return codec.request(
          content,
          attempt: AttemptInfo(sentAtMilliseconds: Int64(clamping: sentAt), losses: losses)
        )
      }
      // Whoever switches off waits before cutting connections: what began before is cut then.
      let response: UploadResponse =
        isCutOff() ? .failed(.cancelled) : await environment.transport.send(request)
      time.finish()
      ForkGate.work { post(attempt, response) }
    }
  }

  /// Takes in the answer to an attempt; one that was given up means nothing any more.
  func answered(_ number: Int, _ response: UploadResponse) {
    guard number == attempt, let sent = inFlight else { return }
    environment.log.debug(
      "Request \(counts.requests) to \(settings.name), \(sent.events.count) events: \(response)."
    )
    let verdict: UploadVerdict
    if let keeper = settings.keeper {
      guard let judged = self.verdict(of: keeper, response) else { return feed(.gone) }
      verdict = judged
    } else {
      verdict = settings.codec.verdict(
        response,
        for: sent.content.part(sent.events),
        now: environment.now().timeIntervalSince1970
      )
    }
    switch verdict {
    case .delivered, .partial:
      counts.problem = nil
      tookLosses()
    case .refused, .tooLarge, .malformed, .unreadable: counts.problem = nil
    case .failed(let problem, _): counts.problem = problem
    case .keyRefused:
      counts.problem = DeliveryProblem(.keyRefused, "The server does not know the key (401).")
    case .unexplained(let status, _):
      let text = "The server answered \(status) and did not say what became of the events."
      counts.problem = DeliveryProblem(.unexpectedAnswer, text)
      // It took the request all the same, with what was told in it.
      if (200...299).contains(status) { tookLosses() }
    }
    feed(.answered(verdict))
  }

  /// The server has heard of the losses that were told with the request.
  private func tookLosses() {
    unreported.subtract(reported)
    saveLossesSoon()
    reported = DropCounts()
  }

  /// Ends the request in flight.
  ///
  /// When this returns no more of it leaves if it `cutsAll`, with every other request; otherwise what is
  /// on the way may still arrive, and others' requests go on.
  func cancelUpload(cutsAll: Bool = true) {
    attempt += 1
    guard let sent = inFlight else { return }
    inFlight = nil
    sent.task?.cancel()
    if cutsAll { environment.transport.cancelAll() }
  }
}
