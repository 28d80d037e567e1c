import FootfallJournal
import FootfallSystem

/// An event that is kept, with what its batch has in common.
package struct KeptEvent: Sendable, Equatable {
  /// The event as it will be sent.
  package var event: [UInt8]
  /// What batches with it say once.
  package var commonContent: [UInt8]
}

/// Giving up some events out of the middle of what is kept.
extension Outbox {
  /// More is not written into one record, in bytes; a record holds 16 MiB.
  private static let recordBytes = 8 << 20

  /// All events that are kept and can be read, oldest first, but for those of a batch that is being
  /// sent and those put aside.
  package func kept(sparing inFlight: UInt64?) throws(OutboxError) -> [KeptEvent] {
    var kept: [KeptEvent] = []
    for batch in movable(sparing: inFlight) {
      let sealed: SealedBatch
      do throws(OutboxError) { sealed = try read(batch) } catch {
        guard case .damaged = error else { throw error }
        lostEvents += batch.events
        try remove(batch)
        continue
      }
      kept += sealed.split.map { KeptEvent(event: Array($0), commonContent: sealed.commonContent) }
    }
    return kept + (try keptUnsealed())
  }

  private func keptUnsealed() throws(OutboxError) -> [KeptEvent] {
    var kept: [KeptEvent] = []
    var reader = cursor
    var frameStart = cursor.readFrom
    let read = try onJournal { () throws(JournalError) in
      try journal.read(from: cursor.readFrom, upTo: journal.end) { frame, end in
        reader.pass(frame, from: frameStart, to: end) { event, place in
          kept.append(KeptEvent(event: Array(event), commonContent: place.content))
        }
        frameStart = end
      }
    }
    try checkGaps(read.gaps)
    lostEvents += max(0, unsealedEvents - kept.count)
    unsealedEvents = kept.count
    return kept
  }

  /// Keeps these events, which `kept(sparing:)` gave, in the place of all that it gave.
  ///
  /// They are written to the journal anew, behind everything, before anything is removed: after a
  /// stop in between they may be there twice, under the ids they had.
  package func keepOnly(
    _ events: [KeptEvent],
    sparing inFlight: UInt64?
  ) throws(OutboxError) {
    // From here on the journal need not keep what is in files, so nothing is sealed from it again.
    try settle()
    try sync()
    let start = journal.end
    let content = journaledContent
    try writeAgain(events)
    try sync()
    let gone = movable(sparing: inFlight)
    cursor = SealingCursor(place: SealingPlace(end: start), content: content ?? [])
    dueEnd = .start
    unsealedEvents = events.count
    unsealedBytes = events.reduce(0) { $0 + $1.event.count }
    writtenEnd = journal.end
    try writeMark()
    try sync()
    try remove(gone)
    try tidy()
  }

  private func movable(sparing inFlight: UInt64?) -> [BatchName] {
    batches.filter { $0.number != inFlight && !$0.isSetAside }
  }

  private func writeAgain(_ events: [KeptEvent]) throws(OutboxError) {
    var rest = events[...]
    while let first = rest.first {
      var bytes = 0
      let run = rest.prefix { event in
        bytes += event.event.count
        return event.commonContent == first.commonContent
          && (bytes <= Self.recordBytes || bytes == event.event.count)
      }
      rest = rest.dropFirst(run.count)
      commonContent = first.commonContent
      try append([OutboxRecord(events: run.map(\.event))])
    }
  }
}
