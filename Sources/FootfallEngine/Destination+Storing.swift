import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension Destination {
  /// Takes an event, which is written with the next `commit`.
  func receive(_ event: Event) {
    var losses = DropCounts()
    buffer.truncate()
    let reason = settings.codec.encode(event, into: &buffer, losses: &losses)
    if !losses.isEmpty { count(losses) }
    if let reason {
      count(reason)
      environment.log.warning("An event was dropped: \(reason).")
    } else {
      group.append(buffer.bytes)
    }
  }

  /// Writes the events received since the last time, all of them or none.
  func commit() {
    guard !group.isEmpty else { return }
    do throws(OutboxError) {
      try append()
      syncDeadline = syncDeadline ?? now + syncSeconds
      let bytes = group.reduce(0) { $0 + $1.count }
      let effects = flushPolicy.receive(.stored(events: group.count, bytes: bytes), at: now)
      for effect in effects { perform(effect) }
    } catch {
      count(error.dropReason, group.count)
      environment.log.error("Events could not be stored and were dropped: \(error)")
    }
    group.removeAll(keepingCapacity: true)
  }

  /// Writes the group; if the folder itself is the trouble, opens it anew and tries once more.
  private func append() throws(OutboxError) {
    guard let outbox else { throw openError ?? .failed("The outbox is not open.") }
    do throws(OutboxError) { try outbox.append(group) } catch {
      guard case .failed = error, let reopened = reopen(outbox) else { throw error }
      try reopened.append(group)
    }
  }
}
