import FootfallJournal
import FootfallSystem

extension Outbox {
  /// A journal of batches' events is emptied when it has more bytes than this that nobody needs.
  private static let tidyBytes: UInt64 = 256 << 10
  /// More of those are taken before batches are synced for it.
  private static let settleBytes: UInt64 = 2 << 20

  /// Removes records nobody needs from the journal, if there are enough of them or `isThorough`.
  package func tidy(isThorough: Bool = false) throws(OutboxError) {
    try withReserve { () throws(OutboxError) in try tidyOnce(isThorough: isThorough) }
  }

  private func tidyOnce(isThorough: Bool) throws(OutboxError) {
    let segments = journal.segments
    if unsealedEvents == 0 {
      let bytes = segments.reduce(0) { $0 + $1.bytes }
      let enough = unsettled.isEmpty ? Self.tidyBytes : Self.settleBytes
      guard isThorough ? !segments.isEmpty : bytes > enough else { return }
      try settle()
      return try emptyJournal()
    }
    var first = cursor.readFrom.segment
    if let held = unsettled.first?.from.readFrom.segment, held < first {
      let bytes = segments.filter { $0.number < first }.reduce(0) { $0 + $1.bytes }
      // A batch that stays must not hold the journal for ever.
      if bytes > Self.settleBytes * 2 { try settle() } else { first = held }
    }
    let old = segments.filter { $0.isSealed && $0.number < first }
    guard !old.isEmpty else { return }
    // What says that they are not needed must survive them.
    try writeMark()
    try sync()
    for segment in old where segment.number < markedSegment ?? 0 {
      try onJournal { () throws(JournalError) in try journal.remove(segment: segment.number) }
    }
  }

  /// Removes every event, sealed or not, and the note.
  ///
  /// Goes on after a failure and throws the first one at the end; called again it tries again.
  package func removeAll() throws(OutboxError) {
    var failure: OutboxError?
    unsettled = []
    note = nil
    giveUpReserve()
    batches = undeletable + retired + batches
    (undeletable, retired) = ([], [])
    do throws(OutboxError) { try remove(batches) } catch { failure = error }
    cursor.place = SealingPlace(end: journal.end)
    cursor.readFrom = journal.end
    unsealedEvents = 0
    unsealedBytes = 0
    // Nothing to commit, which a full disk would refuse.
    do throws(OutboxError) { try emptyJournal(commits: false) } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  /// Removes all segments; what has to outlive them is written to a new one before.
  private func emptyJournal(commits: Bool = true) throws(OutboxError) {
    let isCarried = note != nil
    if commits, !isCarried { try writeMark() }
    try onJournal { () throws(JournalError) in try journal.seal() }
    let old = journal.segments.filter(\.isSealed)
    if isCarried {
      markedSegment = nil
      try writeMark()
      try sync()
    }
    try onJournal { () throws(JournalError) in
      for segment in old { try journal.remove(segment: segment.number) }
    }
    dueEnd = .start
    guard !isCarried else { return }
    markedSegment = nil
    cursor.content = []
    journaledContent = []
  }
}
