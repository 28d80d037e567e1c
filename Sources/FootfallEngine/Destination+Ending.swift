import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension Destination {
  /// Collection is off: nothing more leaves, and everything unsent is deleted.
  func switchOff() {
    isCollecting = false
    stop(DeliveryProblem(.disabled, "Collection is off."))
    deleteAll()
  }

  /// Collection is on again.
  func switchOn() {
    // What should have gone goes now; what is received from here on stays.
    if owesDeletion { deleteAll() }
    if owesDeletion { leaveUndeleted() }
    isCollecting = true
    feed(.resume)
  }

  /// What cannot be deleted must not be sent: the folder is used again once that has gone.
  func leaveUndeleted() {
    doubtful = outbox?.keptEvents ?? doubtful
    outbox?.close()
    outbox = nil
    openDeadline = now + Self.openAgainSeconds
  }

  /// Deletes what is stored, and what waits to be unless that came later.
  func deleteAll(_ reason: DropReason = .optedOut, sparingWaiting: Bool = false) {
    if let keeper = settings.keeper { return clearKeeper(keeper, reason) }
    guard let outbox else {
      owesDeletion = true
      return
    }
    let events = keptEvents
    if !sparingWaiting { dropDeferred() }
    dropNewest()
    if reporter.hasListeners {
      outbox.eachKept(atMost: Inbox.refusalLimit - deleted.count) { event in
        guard let (id, name) = settings.codec.identity(of: event) else { return }
        deleted.append((id, EventName(name)))
      }
    }
    owesDeletion = false
    delete { () throws(OutboxError) in try outbox.removeAll() }
    delete { () throws(OutboxError) in try forgetHeld(reason) }
    sealing = nil
    count(reason, events - keptEvents)
    if !owesDeletion { tellDeleted(reason) }
    if isMain, !owesDeletion, !sparingWaiting { reporter.endAll(reason) }
    _ = flushPolicy.receive(.sealed(eventsLeft: 0, bytesLeft: 0), at: now)
    syncDeadline = nil
    feedOldest()
  }

  /// Deletes something; if that fails it is to be tried again.
  func delete(_ action: () throws(OutboxError) -> Void) {
    do throws(OutboxError) { try action() } catch {
      owesDeletion = true
      openDeadline = now + 1
      environment.log.error("Unsent events could not be deleted yet: \(error)")
    }
  }

  private func tellDeleted(_ reason: DropReason) {
    // An attempt that failed may have seen them as well.
    var told: Set<String> = []
    for (id, name) in deleted where told.insert(id).inserted {
      end(id, name, .dropped(reason, status: nil, message: ""))
    }
    deleted = []
    eventsOfBatch = [:]
  }

  /// Ends the request in flight and every flush; nothing more is sent.
  func stop(_ problem: DeliveryProblem) {
    sealing = nil
    flushTarget = nil
    cancelUpload()
    feed(.stop(problem))
    finishFlush(problem)
  }

  /// Gives the folder back; what is stored waits for the next start.
  func close() {
    guard !isClosed else { return }
    writeDeferred()
    isClosed = true
    closeHeld()
    saveLosses()
    outbox?.close()
  }
}
