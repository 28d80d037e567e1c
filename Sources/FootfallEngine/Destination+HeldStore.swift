import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// Where identifies wait that are held back, so that the end of the process costs none.
///
/// What is held is in a store of its own until what came of it is in the outbox: a stop in between
/// repeats that under the id it had.
extension Destination {
  /// How long to wait before a store that could not be used is tried again, in seconds.
  private static let storeAgainSeconds = 5.0

  /// Before an event is queued that makes what is held pointless: writes it behind that, so that
  /// what a stop leaves there says so too.
  func storeClearing() {
    guard let event = held.clearing else { return }
    held.clearing = nil
    do throws(OutboxError) {
      try heldStore()?.append([event])
      held.inStore.insert(event.id)
    } catch {
      environment.log.warning("What is held could not be marked as cleared: \(error)")
    }
  }

  /// After what was received is written: clears what went on its way from the store, then puts there
  /// what is held; what cannot be put there is queued at once.
  func settleHeld() {
    if held.owesClearing { clearStore() }
    guard held.isDoubtful || !held.unwritten.isEmpty, !storeHeld() else { return }
    held.isDoubtful = false
    perform(held.coalescer.receive(.flush, at: now), because: nil)
    write(note: nil, isOneStep: false)
    if held.owesClearing { clearStore() }
  }

  private func storeHeld() -> Bool {
    // Behind what is still to be cleared it would be taken for a part of that.
    guard !held.isDoubtful, !held.owesClearing else { return false }
    do throws(OutboxError) {
      guard let store = try heldStore() else { return false }
      try store.append(held.unwritten)
    } catch {
      held.doubt()
      held.retryAt = now + Self.storeAgainSeconds
      environment.log.warning("Identifies cannot be held back and go at once: \(error)")
      return false
    }
    held.needsSync = true
    syncDeadline = syncDeadline ?? now + syncSeconds
    for event in held.unwritten {
      held.inStore.insert(event.id)
      guard reporter.wantsSteps else { continue }
      let place = settings.name
      reporter.tell(DeliveryStep(.held, id: event.id, name: event.name, destination: place))
    }
    held.unwritten = []
    return true
  }

  private func clearStore() {
    guard let store = held.store else { return }
    do throws(OutboxError) {
      // What survives a power cut here must do so there.
      if held.isSynced { try outbox?.sync() }
      try store.clear()
      held.cleared()
    } catch {
      environment.log.warning("Identifies that were merged are still held: \(error)")
    }
  }

  /// The store; nil if it cannot be had now.
  private func heldStore() throws(OutboxError) -> (any HeldPlace)? {
    if let store = held.store { return store }
    guard !held.isUnread, let outbox, held.retryAt.map({ $0 <= now }) ?? true else { return nil }
    let store = try openHeld(of: outbox)
    held.store = store
    held.retryAt = nil
    return store
  }

  private func openHeld(of outbox: Outbox) throws(OutboxError) -> any HeldPlace {
    if let keeper = settings.identifyKeeper { return HeldWithApp(keeper) }
    let store = try HeldStore(
      clientFolder: outbox.folder,
      files: heldFiles,
      random: randomWords()
    )
    if settings.files != nil { prepare([HeldStore.folder(of: outbox.folder)], settings.heldFiles) }
    return store
  }

  /// Makes what is held survive a power cut.
  func syncHeld() {
    guard held.needsSync, let store = held.store else { return }
    do throws(OutboxError) {
      try store.sync()
      held.needsSync = false
      held.isSynced = !held.inStore.isEmpty
    } catch {
      environment.log.warning("Identifies that are held could not be synced: \(error)")
    }
  }

  /// Removes the bytes of what is held no more.
  func tidyHeld() {
    guard held.inStore.isEmpty, !held.owesClearing, let store = held.store else { return }
    do throws(OutboxError) { try store.removeAll() } catch {
      environment.log.warning("Merged identifies could not be cleared away: \(error)")
    }
  }

  // MARK: An earlier run's

  /// Merges and queues what an earlier run held, before anything of this one.
  func takeBackHeld() {
    guard held.isUnread, let outbox, !isClosed, held.retryAt.map({ $0 <= now }) ?? true else {
      return
    }
    held.isUnread = false
    let isThere =
      settings.identifyKeeper != nil || HeldStore.exists(in: outbox.folder, files: heldFiles)
    guard isThere else { return }
    do throws(OutboxError) {
      guard let store = try heldStore() else { return }
      let sets = try store.eventSets()
      if sets.isEmpty && held.inStore.isEmpty { return }
      held.owesClearing = true
      held.isSynced = true
      takeBack(sets, isDamaged: store.damaged > 0)
      count(.damaged, store.damaged)
      guard isCollecting else {
        return delete { () throws(OutboxError) in try removeStore(store) }
      }
      let isSomethingQueued = !group.isEmpty
      commit()
      if isSomethingQueued { perform(FlushPolicy.Effect.sealAll) }
    } catch {
      held.isUnread = true
      held.store?.close()
      held.store = nil
      held.retryAt = now + Self.storeAgainSeconds
      environment.log.error("What an earlier run held back cannot be read yet: \(error)")
    }
  }

  /// Where there is damage, what says which belong together may be gone: then each goes alone.
  private func takeBack(_ sets: [[Event?]], isDamaged: Bool) {
    // Those of this run are on their way already.
    var known = held.inStore
    for set in sets {
      var merging = IdentifyCoalescer<Event>(at: now)
      for stored in set {
        guard let event = stored else {
          count(.damaged)
          continue
        }
        guard known.insert(event.id).inserted else { continue }
        guard isCollecting else {
          count(.optedOut)
          continue
        }
        guard !isDamaged else {
          queue(event)
          continue
        }
        let input = IdentifyCoalescer<Event>.Input.event(event, event.identifyKind, of: event.owner)
        queueAll(merging.receive(input, at: now))
      }
      queueAll(merging.receive(.flush, at: now))
    }
  }

  private func queueAll(_ effects: [IdentifyCoalescer<Event>.Effect]) {
    for event in released(effects) { queue(event) }
  }

  /// The events that are held no more; counts those that were merged into them.
  func released(_ effects: [IdentifyCoalescer<Event>.Effect]) -> [Event] {
    effects.compactMap { effect in
      switch effect {
      case .hold: return nil
      case .queue(let merged):
        counts.merged += merged.others.count
        return merged.event
      case .discard(let pointless):
        counts.merged += pointless.count
        return nil
      case .pass(let event): return event
      }
    }
  }

  // MARK: The end

  /// Deletes what is held, from memory and disk; called again after a failure, it goes on.
  func forgetHeld(_ reason: DropReason) throws(OutboxError) {
    count(reason, held.count)
    _ = held.coalescer.receive(.forget, at: now)
    held.unwritten = []
    held.clearing = nil
    held.isDoubtful = false
    // One that was not opened yet is looked at, counted and deleted when it is.
    if let store = held.store { try removeStore(store) }
  }

  private func removeStore(_ store: any HeldPlace) throws(OutboxError) {
    try store.removeAll()
    held.cleared()
  }

  /// Gives the store back; what is in it waits for the next start.
  func closeHeld() {
    if held.owesClearing { clearStore() }
    tidyHeld()
    held.store?.close()
    held.store = nil
  }
}
