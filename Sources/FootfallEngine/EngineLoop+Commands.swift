import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// A flush someone waits for, with the numbers at its beginning.
struct Flusher {
  let delivered: Int
  let rejected: [String: Int]
  let done: @Sendable (DeliveryReport) -> Void
}

extension EngineLoop {
  func perform(_ command: Inbox.Command) {
    switch command {
    case .flush(let done): flush(done)
    case .answered(let attempt, let response): answered(attempt, response)
    case .disable(let done): disable(done)
    case .settle(let done): settling.append(done)
    case .enable:
      // What should have gone goes now; what is tracked from here on stays.
      if owesDeletion { deleteAll() }
      owesDeletion = false
      isCollecting = true
      feed(.resume)
    case .shutDown(let limitSeconds):
      shutdownDeadline = now + limitSeconds
      // What is in the journal is safe; without time to send, nothing need be sealed.
      guard limitSeconds > 0 else { return finish() }
      flush { [inbox] _ in inbox.poke() }
      if flushers.isEmpty { finish() }
    }
  }

  /// Batches are sealed so many at a time, so that answers are looked at in between.
  private static let batchesPerStep = 16

  func perform(_ effect: FlushPolicy.Effect) {
    sealing = sealing == .sealAll ? .sealAll : effect
  }

  /// Seals some of what is to be sealed, and asks for the upload once a flush has all it wants.
  func continueSealing() {
    if let sealing { seal(includingRest: sealing == .sealAll) }
    guard let target = flushTarget, let outbox else { return }
    guard sealing == nil || outbox.sealedEnd >= target else { return }
    flushTarget = nil
    feed(.flush(through: outbox.newestNumber))
  }

  private func seal(includingRest: Bool) {
    guard let outbox else { return }
    do throws(OutboxError) {
      saveStateIfChanged()
      if try outbox.seal(includingRest: includingRest, atMost: Self.batchesPerStep) {
        sealing = nil
      }
      let dropped = try outbox.enforceCaps(sparing: upload.batchInFlight)
      if dropped > 0 {
        count(.backlogFull, dropped)
        environment.log.warning("The \(dropped) oldest events were dropped: too many unsent.")
      }
    } catch {
      sealing = nil
      counts.problem = DeliveryProblem(.storageFailed, error.description)
      environment.log.error("Events could not be sealed; they stay in the journal: \(error)")
    }
    count(.damaged, outbox.takeLost())
    _ = flushPolicy.receive(
      .sealed(eventsLeft: outbox.unsealedEvents, bytesLeft: outbox.unsealedBytes),
      at: now
    )
    feedOldest()
  }

  func sync() {
    syncDeadline = nil
    guard let outbox else { return }
    do throws(OutboxError) { try outbox.sync() } catch {
      environment.log.warning("Events could not be synced: \(error)")
      if case .failed = error { _ = reopen(outbox) }
    }
  }

  /// Clears the journal of what has been delivered.
  func tidy() {
    tidyDeadline = nil
    guard let outbox, outbox.unsealedEvents == 0 else { return }
    do throws(OutboxError) { try outbox.tidy(isThorough: true) } catch {
      environment.log.warning("Delivered events could not be cleared away: \(error)")
    }
  }

  // MARK: Flush

  private func flush(_ done: @escaping @Sendable (DeliveryReport) -> Void) {
    guard isCollecting else {
      done(DeliveryReport(problem: DeliveryProblem(.disabled, "Collection is off.")))
      return
    }
    guard let outbox else {
      done(DeliveryReport(problem: counts.problem))
      return
    }
    flushers.append(
      Flusher(delivered: counts.delivered, rejected: counts.rejected, done: done)
    )
    flushTarget = outbox.writtenEnd
    perform(FlushPolicy.Effect.sealAll)
    continueSealing()
  }

  func finishFlush(_ problem: DeliveryProblem?) {
    let finished = flushers
    flushers = []
    guard !finished.isEmpty else { return }
    if outbox?.oldest == nil { tidy() }
    let kept = outbox?.keptEvents ?? 0
    let stuck = (outbox?.unsealedEvents ?? 0) > 0 ? counts.problem : nil
    for flusher in finished {
      let rejected = counts.rejected.merging(flusher.rejected) { $0 - $1 }.filter { $0.value > 0 }
      flusher.done(
        DeliveryReport(
          delivered: counts.delivered - flusher.delivered,
          kept: kept,
          rejected: rejected,
          problem: problem ?? stuck
        )
      )
    }
    if shutdownDeadline != nil { finish() }
  }

  // MARK: Off

  private func disable(_ done: @Sendable () -> Void) {
    isCollecting = false
    cancelUpload()
    feed(.stop(DeliveryProblem(.disabled, "Collection is off.")))
    deleteAll()
    done()
  }

  func deleteAll() {
    guard let outbox else {
      owesDeletion = true
      return
    }
    let events = outbox.keptEvents
    do throws(OutboxError) {
      try outbox.removeAll()
      owesDeletion = false
    } catch {
      owesDeletion = true
      openDeadline = now + 1
      environment.log.error("Unsent events could not be deleted yet: \(error)")
    }
    sealing = nil
    count(.optedOut, events - outbox.keptEvents)
    _ = flushPolicy.receive(.sealed(eventsLeft: 0, bytesLeft: 0), at: now)
    syncDeadline = nil
    feedOldest()
  }

  // MARK: End

  func finish() {
    guard !isFinished else { return }
    isFinished = true
    sealing = nil
    shutdownDeadline = nil
    cancelUpload()
    feed(.stop(DeliveryProblem(.shutDown, "The client was shut down.")))
    state.sequenceCeiling = nextSequence
    saveState()
    outbox?.close()
    environment.transport.shutdown()
  }
}
