import FootfallCore
package import FootfallJournal
package import FootfallSystem

/// Keeps events on disk from the moment they are written until the server has them.
///
/// Events go to a journal first. Sealing copies them, oldest first, into batch files that never
/// change afterwards: written under another name, synced, renamed, and only then marked as sealed
/// in the journal. Every step can be the last one of the process; what the next opening finds is
/// either the journal's records or the batch, under the ids they always had.
///
/// Belongs to one thread, the engine's. All methods block for as long as the disk takes.
package final class Outbox {
  /// The folder everything lies in.
  package let folder: String
  /// The limits kept to.
  package let limits: OutboxLimits
  let files: any FileSystem
  let journal: Journal

  /// The batch files, oldest first, those put aside included.
  package internal(set) var batches: [BatchName] = []
  /// Events in the journal that are in no batch yet.
  package internal(set) var unsealedEvents = 0
  /// The bytes of those events.
  package internal(set) var unsealedBytes = 0
  /// What opening found damaged, as sentences for the log; empty as a rule.
  package internal(set) var findings: [String] = []

  /// Events that damage took since `takeLost` was last called.
  var lostEvents = 0
  /// Places in the journal that could not be read when it was opened; sealing steps over them.
  var knownGaps: Set<JournalGap> = []
  /// Up to where the journal's events are in batches.
  var cursor = JournalPosition.start
  var nextNumber: UInt64 = 1
  private var sealedEvents: Int { batches.reduce(0) { $0 + $1.events } }
  private var sealedBytes: Int { batches.reduce(0) { $0 + $1.bytes } }

  /// A journal of batches' events is emptied when it has more bytes than this that nobody needs.
  private static let tidyBytes: UInt64 = 256 << 10

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
    var configuration = Journal.Configuration()
    configuration.maxSegmentBytes = 1 << 20
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

  /// Writes events, each as it will be sent; they survive the end of the process from here on.
  ///
  /// All of them are written or none.
  package func append(_ events: [[UInt8]]) throws(OutboxError) {
    guard !events.isEmpty else { return }
    try onJournal { () throws(JournalError) in _ = try journal.append(events) }
    unsealedEvents += events.count
    unsealedBytes += events.reduce(0) { $0 + $1.count }
  }

  /// Makes everything written survive a power cut.
  package func sync() throws(OutboxError) {
    try onJournal { () throws(JournalError) in try journal.sync() }
  }

  /// The number of events that turned out to be damaged since the last call.
  package func takeLost() -> Int {
    defer { lostEvents = 0 }
    return lostEvents
  }

  /// How far the events written so far reach; compare with `sealedEnd`.
  package var writtenEnd: JournalPosition { journal.end }

  /// Up to where events are in batches.
  package var sealedEnd: JournalPosition { cursor }

  /// The oldest batch to send; nil when there is none.
  package var oldest: BatchName? { batches.first { !$0.isSetAside } }

  /// The number of the newest batch; 0 when there never was one.
  package var newestNumber: UInt64 { nextNumber - 1 }

  /// Events kept, in batches or not, those put aside included.
  package var keptEvents: Int { sealedEvents + unsealedEvents }

  /// The bytes of the events kept.
  package var keptBytes: Int { sealedBytes + unsealedBytes }

  /// The content of a batch.
  ///
  /// Throws `damaged` if the file is not what was written.
  package func read(_ batch: BatchName) throws(OutboxError) -> SealedBatch {
    let bytes = try onDisk { () throws(SystemError) in
      try files.readAll(path(of: batch.fileName))
    }
    guard let file = BatchFile(bytes), file.batch.count == batch.events else {
      throw .damaged("Batch \(batch.fileName) is damaged; its \(batch.events) events are lost.")
    }
    return file.batch
  }

  /// Removes a batch: the server has it, or it is given up.
  package func remove(_ batch: BatchName) throws(OutboxError) {
    batches.removeAll { $0.number == batch.number }
    do throws(SystemError) { try files.remove(path(of: batch.fileName)) } catch {
      guard error.isMissing else { throw OutboxError(error) }
    }
  }

  /// Puts a batch aside that the server will never read; it still counts toward the caps.
  package func setAside(_ batch: BatchName) throws(OutboxError) {
    guard let index = batches.firstIndex(of: batch) else { return }
    batches[index].isSetAside = true
    let aside = batches[index].fileName
    try onDisk { () throws(SystemError) in
      try files.rename(path(of: batch.fileName), to: path(of: aside))
    }
  }

  /// Removes the oldest batches over the caps, never the one with number `inFlight`.
  ///
  /// Returns the number of events that went.
  package func enforceCaps(sparing inFlight: UInt64?) throws(OutboxError) -> Int {
    var events = keptEvents
    var bytes = keptBytes
    var dropped = 0
    for batch in batches where events > limits.keptEvents || bytes > limits.keptBytes {
      guard batch.number != inFlight else { continue }
      try remove(batch)
      dropped += batch.events
      events -= batch.events
      bytes -= batch.bytes
    }
    return dropped
  }

  /// Removes every event, sealed or not.
  ///
  /// Goes on after a failure and throws the first one at the end.
  package func removeAll() throws(OutboxError) {
    var failure: OutboxError?
    for batch in batches {
      do throws(OutboxError) { try remove(batch) } catch { failure = failure ?? error }
    }
    cursor = journal.end
    unsealedEvents = 0
    unsealedBytes = 0
    do throws(OutboxError) { try emptyJournal() } catch { failure = failure ?? error }
    if let failure { throw failure }
  }

  /// Removes records nobody needs from the journal, if there are enough of them or `isThorough`.
  package func tidy(isThorough: Bool = false) throws(OutboxError) {
    let segments = journal.segments
    if unsealedEvents == 0 {
      let bytes = segments.reduce(0) { $0 + $1.bytes }
      if isThorough ? !segments.isEmpty : bytes > Self.tidyBytes { try emptyJournal() }
      return
    }
    for segment in segments where segment.isSealed && segment.number < cursor.segment {
      try onJournal { () throws(JournalError) in try journal.remove(segment: segment.number) }
    }
  }

  private func emptyJournal() throws(OutboxError) {
    try onJournal { () throws(JournalError) in
      try journal.seal()
      for segment in journal.segments where segment.isSealed {
        try journal.remove(segment: segment.number)
      }
    }
  }

  /// Syncs and gives the folder back.
  package func close() {
    journal.close()
  }
}
