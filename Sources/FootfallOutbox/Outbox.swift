import FootfallCore
package import FootfallJournal
package import FootfallSystem

/// Keeps events on disk from the moment they are written until the server has them.
///
/// Events go to a journal first. Sealing copies a few batches of them, oldest first, into files that
/// never change afterwards, and commits those by a mark in the journal; only then may they be sent.
/// The journal keeps a batch's events until the batch is removed or its file is synced, so sealing
/// needs no sync of files. Every step can be the last one of the process; what the next opening
/// finds is either the journal's records or the batch, under the ids they always had.
///
/// Belongs to one thread, the engine's. All methods block for as long as the disk takes.
package final class Outbox {
  /// The folder everything lies in.
  package let folder: String
  /// The limits kept to.
  package let limits: OutboxLimits
  let files: any FileSystem
  let journal: Journal

  /// What the events appended from now on have in common; batches never mix two.
  ///
  /// Empty unless set. Written to the journal with the next record if it differs from the last.
  package var commonContent: [UInt8] = []
  /// The newest note that a record brought, in this run or, after opening, in an earlier one.
  package internal(set) var note: [UInt8]?
  /// The batch files, oldest first, those put aside included.
  package internal(set) var batches: [BatchName] = []
  /// Events in the journal that are in no batch yet.
  package internal(set) var unsealedEvents = 0
  /// The bytes of those events.
  package internal(set) var unsealedBytes = 0
  /// How far the events written so far reach; for `isSealed(through:)`.
  package internal(set) var writtenEnd = JournalPosition.start
  /// What opening found damaged, as sentences for the log; empty as a rule.
  package internal(set) var findings: [String] = []

  /// Events that damage took since `takeLost` was last called.
  var lostEvents = 0
  /// Places in the journal that could not be read when it was opened; sealing steps over them.
  var knownGaps: Set<JournalGap> = []
  /// Up to where the journal's events are in batches.
  var cursor = SealingCursor()
  /// Up to where events are to be sealed even if they do not fill a batch.
  var dueEnd = JournalPosition.start
  /// Batches whose events the journal still has to keep.
  var unsettled: [UnsettledBatch] = []
  var nextNumber: UInt64 = 1
  /// The segment that the newest mark is in; nil if there is none.
  var markedSegment: UInt64?
  /// What the journal says of the next event; nil if that is unknown.
  var journaledContent: [UInt8]?
  /// Whether the reserve is known to be there.
  var holdsReserve = false
  /// Batches that are settled but whose files could not be removed; never sent again in this run.
  var undeletable: [BatchName] = []
  /// Batches that could not be put aside; never sent again in this run.
  var immovable: Set<UInt64> = []
  /// Batches that are settled and whose files are removed with `clearRetired`.
  package internal(set) var retired: [BatchName] = []
  let random: @Sendable () -> UInt64

  /// Opens the outbox of a folder, or starts one.
  ///
  /// `random` gives 64 random bits a call. Throws `locked` while another process has it open.
  package init(
    folder: String,
    limits: OutboxLimits = OutboxLimits(),
    files: any FileSystem,
    random: @escaping @Sendable () -> UInt64
  ) throws(OutboxError) {
    self.folder = folder
    self.limits = limits
    self.files = files
    self.random = random
    var configuration = Journal.Configuration()
    configuration.maxSegmentBytes = 2 << 20
    configuration.maxUnsyncedBytes = 4 << 20
    journal = try onJournal { () throws(JournalError) in
      try Journal(
        folder: folder + "/journal",
        configuration: configuration,
        files: files,
        random: random
      )
    }
    try recover()
  }

  /// Where the batch files lie.
  var batchFolder: String { folder + "/batches" }

  func path(of name: String) -> String { batchFolder + "/" + name }

  /// Makes everything written survive a power cut.
  package func sync() throws(OutboxError) {
    try onJournal { () throws(JournalError) in try journal.sync() }
  }

  /// The number of events that turned out to be damaged since the last call.
  package func takeLost() -> Int {
    defer { lostEvents = 0 }
    return lostEvents
  }

  /// Whether everything written up to a position is in batches.
  package func isSealed(through position: JournalPosition) -> Bool {
    unsealedEvents == 0 || cursor.place >= SealingPlace(end: position)
  }

  /// The oldest batch to send; nil when there is none.
  package var oldest: BatchName? {
    batches.first { !$0.isSetAside && !immovable.contains($0.number) }
  }

  /// The number of the newest batch; 0 when there never was one.
  package var newestNumber: UInt64 { nextNumber - 1 }

  /// Events kept, in batches or not, those put aside included.
  package var keptEvents: Int { batches.reduce(unsealedEvents) { $0 + $1.events } }

  /// Whether its folder was removed underneath: what was in it is lost.
  package var isGone: Bool { !files.exists(batchFolder) || !files.exists(journal.folder) }

  /// The bytes of the events kept.
  package var keptBytes: Int { batches.reduce(unsealedBytes) { $0 + $1.bytes } }

  /// In a child made by `fork`: leaves the folder and all that is in it to the parent.
  ///
  /// Nothing else may be called afterwards. Opening the folder again gives the child one of its own.
  package func leaveToParent() {
    journal.leaveToParent()
  }

  /// Syncs and gives the folder back.
  package func close() {
    journal.close()
  }
}

// MARK: - Writing

extension Outbox {
  /// Writes events, each as it will be sent; they survive the end of the process from here on.
  ///
  /// All of them are written or none.
  package func append(_ events: [[UInt8]]) throws(OutboxError) {
    let areFrames = events.allSatisfy { $0.first.map(JournalEntry.startsEvent) ?? false }
    guard areFrames else { return try append(events.map { OutboxRecord(events: [$0]) }) }
    try write(events, events: events.count, bytes: events.reduce(0) { $0 + $1.count })
  }

  /// Writes records; they survive the end of the process from here on.
  ///
  /// All of them are written or none. A record of more than 16 MiB is refused with all others, and
  /// `diskFull` is thrown also while there is no room for the reserve.
  package func append(_ records: [OutboxRecord]) throws(OutboxError) {
    var frames: [[UInt8]] = []
    frames.reserveCapacity(records.count)
    var (events, bytes) = (0, 0)
    for record in records where !record.events.isEmpty || record.note != nil {
      frames.append(record.frame)
      events += record.events.count
      bytes += record.events.reduce(0) { $0 + $1.count }
    }
    guard !frames.isEmpty else { return }
    try write(frames, events: events, bytes: bytes)
    if let newest = records.last(where: { $0.note != nil }) { note = newest.note }
  }

  private func write(_ frames: [[UInt8]], events: Int, bytes: Int) throws(OutboxError) {
    guard !frames.isEmpty else { return }
    try holdReserve()
    let isSaid = journaledContent == commonContent
    let all = isSaid ? frames : [JournalEntry.content(frame: commonContent)] + frames
    try onJournal { () throws(JournalError) in _ = try journal.append(all) }
    journaledContent = commonContent
    unsealedEvents += events
    unsealedBytes += bytes
    writtenEnd = journal.end
    markNewSegment()
  }

  /// Says that what the note tells is stored elsewhere, so that it need not be carried on.
  package func forgetNote() {
    note = nil
  }

  /// Writes a mark where the journal went on to another segment, for the next opening to start at.
  ///
  /// If that fails the next opening starts at an earlier one.
  func markNewSegment() {
    guard journal.end.segment != markedSegment else { return }
    do throws(OutboxError) { try writeMark() } catch {
      // The next record tries again.
    }
  }

  /// Commits the present state of sealing.
  func writeMark() throws(OutboxError) {
    var mark = SealingMark()
    mark.newest = newestNumber
    mark.cursor = cursor
    mark.unsealedEvents = unsealedEvents
    mark.unsealedBytes = unsealedBytes
    mark.unsettled = unsettled
    var frames = [mark.frame]
    // A segment that an opening may start at must also have the newest note.
    if let note, journal.end.segment != markedSegment {
      frames.append(OutboxRecord(events: [], note: note).frame)
    }
    try onJournal { () throws(JournalError) in _ = try journal.append(frames) }
    markedSegment = journal.end.segment
  }
}
