import FootfallCore
import FootfallOutbox
import FootfallPlatform

/// What goes when more is kept than may be.
extension Destination {
  /// Drops what is too much, whether or not it is in batches.
  func enforceCaps() throws(OutboxError) {
    guard let outbox else { return }
    var dropped = 0
    if settings.overflow == .oldestGroups { dropped = try dropGroups(of: outbox) }
    dropped += try outbox.enforceCaps(sparing: upload.batchInFlight, onDrop: dropTeller)
    guard dropped > 0 else { return }
    count(.backlogFull, dropped)
    environment.log.warning("The \(dropped) oldest events were dropped: too many unsent.")
  }

  /// Makes room at once where events stay in the journal until they are sent, so that no sealing
  /// would do it.
  func enforceCapsIfDue() {
    guard settings.overflow == .oldestGroups || settings.delivery.sendsOnlyOnFlush, isOverCap
    else { return }
    do throws(OutboxError) { try enforceCaps() } catch {
      environment.log.warning("What is too much could not be dropped yet: \(error)")
    }
    countAnew()
    feedOldest()
  }

  private var isOverCap: Bool {
    keptEvents > settings.outbox.keptEvents || (outbox?.keptBytes ?? 0) > settings.outbox.keptBytes
  }

  private func dropGroups(of outbox: Outbox) throws(OutboxError) -> Int {
    guard isOverCap else { return 0 }
    let inFlight = upload.batchInFlight
    let kept = try outbox.kept(sparing: inFlight)
    let replaced = newest.entries
    let all = kept.map(\.event) + replaced.map(\.event)
    let groups = all.map { settings.codec.group(of: $0[...]) }
    let immovable = keptEvents - kept.count - replaced.count
    let limit = max(0, settings.outbox.keptEvents - immovable)
    let gone = Set(BacklogGroup.excess(of: groups, over: limit))
    let stays = kept.indices.filter { !gone.contains($0) }.map { kept[$0] }
    try outbox.keepOnly(stays, sparing: inFlight)
    for (place, entry) in replaced.enumerated() where gone.contains(kept.count + place) {
      newest.remove(entry)
      isNewestChanged = true
    }
    if let dropTeller { for place in gone.sorted() { dropTeller(all[place][...]) } }
    return gone.count
  }

  /// Tells the policy what is left.
  func countAnew() {
    guard let outbox else { return }
    count(.damaged, outbox.takeLost())
    _ = flushPolicy.receive(
      // What is due already needs no timer: it waits for room.
      outbox.isAllDue && newest.entries.isEmpty
        ? .sealed(eventsLeft: 0, bytesLeft: 0)
        : .sealed(
          eventsLeft: outbox.unsealedEvents + newest.entries.count,
          bytesLeft: outbox.unsealedBytes
        ),
      at: now
    )
  }
}
