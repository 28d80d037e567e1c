import FootfallCore
import FootfallOutbox
import FootfallPlatform
import Foundation

/// A request on its way.
struct Attempt {
  let batch: BatchName
  let events: [Int]
  let content: SealedBatch
  var task: Task<Void, Never>?
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
    }
    isFeeding = false
  }

  func feedOldest() {
    let oldest = outbox?.oldest
    feed(.oldest(oldest.map { UploadCore.Batch(number: $0.number, events: $0.events) }))
  }

  private func perform(_ effect: UploadCore.Effect) {
    switch effect {
    case .send(let number, let events): send(number, events)
    case .remove(let number):
      settle(number) { outbox, batch throws(OutboxError) in
        try outbox.remove(batch)
      }
    case .setAside(let number):
      settle(number) { outbox, batch throws(OutboxError) in
        environment.log.error("The server cannot read batch \(number); it was put aside.")
        try outbox.setAside(batch)
      }
    case .settled(_, let settlements): count(settlements)
    case .finishFlush(let problem): finishFlush(problem)
    case .report(let problem):
      environment.log.log(problem.kind == .keyRefused ? .error : .warning, problem.description)
    case .offlineChanged: break
    }
  }

  /// Counts what the server refused; what it took was counted with its answer.
  private func count(_ settlements: [EventSettlement]) {
    for case .dropped(let reason, let status, _) in settlements.map(\.outcome) {
      count(reason)
      counts.rejected[reason.rawValue, default: 0] += 1
      let answer = status.map { " (\($0))" } ?? ""
      environment.log.warning("An event was refused by the server\(answer) and dropped: \(reason).")
    }
  }

  /// Removes a batch or puts it aside, then goes on with the oldest.
  private func settle(
    _ number: UInt64,
    _ action: (Outbox, BatchName) throws(OutboxError) -> Void
  ) {
    inFlight = nil
    if let outbox, let batch = outbox.batches.first(where: { $0.number == number }) {
      do throws(OutboxError) { try action(outbox, batch) } catch {
        environment.log.warning("A settled batch is still on disk: \(error)")
      }
      if outbox.wantsSealing { sealMore() }
      if outbox.oldest == nil { tidyDeadline = tidyDeadline ?? now + syncSeconds }
    }
    feedOldest()
  }

  private func send(_ number: UInt64, _ events: [Int]) {
    guard isCollecting, !isClosed else { return }
    guard let batch = outbox?.oldest, batch.number == number else {
      return feed(.gone)
    }
    do throws(OutboxError) {
      let content = try content(of: batch)
      attempt += 1
      counts.requests += 1
      reported = unreported
      inFlight = Attempt(
        batch: batch,
        events: events,
        content: content,
        task: start(attempt, content.part(events))
      )
    } catch {
      environment.log.error("A batch cannot be read: \(error)")
      giveUp(batch, error)
    }
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
    feed(.gone)
  }

  /// Starts a request; the answer comes back through `post`.
  private func start(_ attempt: Int, _ content: BatchContent) -> Task<Void, Never> {
    let (codec, environment, post, losses) = (settings.codec, environment, post, reported)
    return Task.detached(priority: .utility) {
      let sentAt = environment.now().timeIntervalSince1970 * 1_000
      let request = codec.request(
        content,
        attempt: AttemptInfo(sentAtMilliseconds: Int64(clamping: sentAt), losses: losses)
      )
      let response = await environment.transport.send(request)
      post(attempt, response)
    }
  }

  /// Takes in the answer to an attempt; one that was given up means nothing any more.
  func answered(_ number: Int, _ response: UploadResponse) {
    guard number == attempt, let sent = inFlight else { return }
    let verdict = settings.codec.verdict(
      response,
      for: sent.content.part(sent.events),
      now: environment.now().timeIntervalSince1970
    )
    switch verdict {
    case .delivered:
      counts.problem = nil
      countDelivered(sent, response)
    case .failed(let problem, _): counts.problem = problem
    case .keyRefused:
      counts.problem = DeliveryProblem(.keyRefused, "The server does not know the key (401).")
    case .partial, .refused, .unexplained, .tooLarge, .malformed, .unreadable: break
    }
    feed(.answered(verdict))
  }

  private func countDelivered(_ sent: Attempt, _ response: UploadResponse) {
    let rejected = (settings.codec as? NativeCodec)?.rejections(response) ?? [:]
    let refused = min(sent.events.count, rejected.values.reduce(0, +))
    counts.delivered += sent.events.count - refused
    for (reason, number) in rejected { counts.rejected[reason, default: 0] += number }
    count(.rejectedByServer, refused)
    if refused > 0 { environment.log.warning("The server refused \(refused) events.") }
    unreported.subtract(reported)
    reported = DropCounts()
  }

  /// Ends the request in flight; when this returns no more of it leaves.
  func cancelUpload() {
    attempt += 1
    guard let sent = inFlight else { return }
    inFlight = nil
    sent.task?.cancel()
    environment.transport.cancelAll()
  }
}

extension SealedBatch {
  /// Some of its events, as they are sent.
  func part(_ events: [Int]) -> BatchContent {
    BatchContent(events: bytes(of: events), count: events.count, commonContent: commonContent)
  }
}
