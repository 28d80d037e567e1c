import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension Destination {
  /// Batches are sealed so many at a time, so that answers are looked at in between.
  private static let batchesPerStep = 16

  func perform(_ effect: FlushPolicy.Effect) {
    if effect == .sealAll, sealing != .sealAll, keptEvents > 0, !upload.isOffline {
      environment.log.log(settings.levels.flush, "Start flushing \(keptEvents) events")
    }
    sealing = sealing == .sealAll ? .sealAll : effect
  }

  /// Seals some of what is to be sealed, and asks for the upload once a flush has all it wants.
  func continueSealing() {
    if let keeper = settings.keeper { return closeBlock(of: keeper) }
    guard outbox != nil else { return giveUpSealing() }
    if let sealing { seal(includingRest: sealing == .sealAll) }
    guard let target = flushTarget, let outbox else { return }
    // What there is no room for is sealed when batches are gone, and asked for then.
    guard sealing == nil || outbox.isSealed(through: target) else { return }
    let kind = flushKind
    if outbox.isSealed(through: target) {
      flushTarget = nil
      flushKind = .ordinary
    }
    feed(.flush(through: outbox.newestNumber, kind: kind))
  }

  /// The folder cannot be used: what is in it is sealed once it is opened again.
  private func giveUpSealing() {
    sealing = nil
    flushTarget = nil
    flushKind = .ordinary
    finishFlush(counts.problem)
  }

  private func seal(includingRest: Bool) {
    writeDeferred()
    guard let outbox else { return }
    do throws(OutboxError) {
      if includingRest || outbox.wantsSealing { host?.willSeal(self) }
      if includingRest { storeNewestIfSendable() }
      let newest = outbox.newestNumber
      defer { traceSealed(after: newest) }
      if try outbox.seal(includingRest: includingRest, atMost: Self.batchesPerStep) {
        sealing = nil
      }
      try enforceCaps()
    } catch {
      sealing = nil
      failedToSeal(outbox, error)
    }
    guard self.outbox != nil else { return }
    countAnew()
    feedOldest()
  }

  private func failedToSeal(_ outbox: Outbox, _ error: OutboxError) {
    // Batches that wait to be sent make room for more.
    if case .diskFull = error, outbox.oldest != nil { return }
    if outbox.isGone {
      environment.log.error("The folder was removed, with what was in it: \(error)")
      _ = reopen(outbox)
      return
    }
    counts.problem = DeliveryProblem(.storageFailed, error.description)
    environment.log.error("Events could not be sealed; they stay in the journal: \(error)")
  }

  /// Tells of events that go because there are too many; nil if nobody wants to know.
  var dropTeller: ((ArraySlice<UInt8>) -> Void)? {
    guard reportsEnds else { return nil }
    let outcome = EventResult.Outcome.dropped(.backlogFull, status: nil, message: "")
    return { self.end(CollectionOfOne($0), outcome) }
  }

  /// Seals what there is room for now that a batch is gone.
  func sealMore() {
    perform(FlushPolicy.Effect.sealFull)
    continueSealing()
  }

  func sync() {
    syncDeadline = nil
    saveLosses()
    guard let outbox else { return }
    do throws(OutboxError) { try outbox.sync() } catch {
      environment.log.warning("Events could not be synced: \(error)")
      if case .failed = error { _ = reopen(outbox) }
    }
    syncHeld()
  }

  /// Clears the journal of what has been delivered.
  func tidy() {
    tidyDeadline = nil
    tidyHeld()
    guard let outbox, outbox.unsealedEvents == 0 else { return }
    do throws(OutboxError) { try outbox.tidy(isThorough: true) } catch {
      environment.log.warning("Delivered events could not be cleared away: \(error)")
    }
  }
}
