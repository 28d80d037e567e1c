import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension Destination {
  /// Encodes an event, which is written with the next `commit`.
  func queue(_ event: Event) {
    var losses = DropCounts()
    buffer.truncate()
    let content = settings.codec.commonContent(of: event) ?? settings.codec.commonContent
    if content != groupContent {
      write(note: nil, isOneStep: false)
      storeNewest()
      groupContent = content
    }
    if let reason = settings.codec.encode(event, into: &buffer, losses: &losses) {
      return drop(event, reason, losses)
    }
    if !losses.isEmpty {
      count(losses)
      say(settings.codec.remarks(on: event, dropped: nil))
    }
    if let keeper = settings.keeper { return keep(event, in: keeper, bytes: buffer.count) }
    if let place = settings.codec.place(of: event) { return hold(place) }
    if isMain, event.onResult != nil { reporter.expect(event) }
    group.append(buffer.bytes)
  }

  /// Counts and tells that an event is not sent; `losses` are those of its parts.
  func drop(_ event: Event, _ reason: DropReason, _ losses: DropCounts) {
    if !losses.isEmpty { count(losses) }
    count(reason)
    say(settings.codec.remarks(on: event, dropped: reason))
    end(event, reason)
  }

  private func say(_ remarks: [String]) {
    for remark in remarks { environment.log.warning(remark) }
  }

  /// Writes the events received since the last time, all of them or none, and with them what the
  /// client has to remember; false if that is not written.
  ///
  /// `isOneStep` says that after a stop at any moment all of it is there or nothing.
  @discardableResult
  func commit(note: [UInt8]? = nil, isOneStep: Bool = false) -> Bool {
    guard settings.keeper == nil else { return note == nil }
    storeClearing()
    if defersWriting(note, isOneStep: isOneStep) { return true }
    commitNewest()
    let isWritten = write(note: note, isOneStep: isOneStep)
    settleHeld()
    return isWritten
  }

  @discardableResult
  func write(note: [UInt8]?, isOneStep: Bool) -> Bool {
    // What is held depends on what is remembered too.
    guard !group.isEmpty || note != nil && !held.unwritten.isEmpty else { return note == nil }
    let waited = deferred.take(at: now)
    let (note, isOneStep) = (note ?? waited.note, isOneStep || waited.isOneStep)
    var isWritten = true
    do throws(OutboxError) {
      if note == nil, !isOneStep {
        try onOutbox { outbox throws(OutboxError) in try outbox.append(group) }
      } else {
        let records = records(note, isOneStep: isOneStep)
        try onOutbox { outbox throws(OutboxError) in try outbox.append(records) }
      }
      syncDeadline = syncDeadline ?? now + syncSeconds
      let bytes = group.reduce(0) { $0 + $1.count } - waited.told.bytes
      let events = group.count - waited.told.events
      let effects = flushPolicy.receive(.stored(events: events, bytes: bytes), at: now)
      for effect in effects { perform(effect) }
      isStoringFailing = false
      trace(.stored, group.map { $0[...] })
    } catch {
      count(error.dropReason, group.count)
      if !isStoringFailing {
        environment.log.error("Events cannot be stored and are dropped: \(error)")
      }
      isStoringFailing = true
      isWritten = false
      let outcome = EventResult.Outcome.dropped(
        error.dropReason,
        status: nil,
        message: error.description
      )
      end(group.lazy.map { $0[...] }, outcome)
    }
    group.removeAll(keepingCapacity: true)
    enforceCapsIfDue()
    return isWritten
  }

  /// More is not written in one step, in bytes; a record holds 16 MiB.
  private static let stepBytes = 8 << 20

  private func records(_ note: [UInt8]?, isOneStep: Bool) -> [OutboxRecord] {
    if isOneStep, group.reduce(0, { $0 + $1.count }) <= Self.stepBytes {
      return [OutboxRecord(events: group, note: note)]
    }
    let events = group.map { OutboxRecord(events: [$0]) }
    return note == nil ? events : events + [OutboxRecord(events: [], note: note)]
  }

  /// Writes the group; if the folder itself is the trouble, opens it anew and tries once more.
  private func onOutbox(_ write: (Outbox) throws(OutboxError) -> Void) throws(OutboxError) {
    guard let outbox else { throw openError ?? .failed("The outbox is not open.") }
    outbox.commonContent = groupContent
    do throws(OutboxError) { try write(outbox) } catch {
      guard case .failed = error, let reopened = reopen(outbox) else { throw error }
      reopened.commonContent = groupContent
      try write(reopened)
    }
  }
}
