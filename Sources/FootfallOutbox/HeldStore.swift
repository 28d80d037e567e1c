import FootfallJournal
package import FootfallSystem

/// Keeps what is held back to be merged, such as identifies, in a folder beside the outbox's.
///
/// What was added survives the end of the process at once, and a power cut after `sync`. Belongs to
/// one thread; the outbox's lock is not enough for it, so it takes one of its own.
package final class HeldStore {
  /// Places where damage took records, found when the store was opened.
  package let damaged: Int
  private let journal: Journal

  /// The folder's name in the client's folder.
  package static let folderName = "held"
  /// Cleared records are removed from disk when there are more bytes of them than this.
  private static let clearedBytes: UInt64 = 256 << 10

  /// The first byte of a frame.
  private enum Tag: UInt8 {
    case record = 1
    /// Everything before is held no more.
    case clear
    /// What follows is not to be merged with what is before.
    case set
  }

  /// Opens the store of a client's folder, or starts one.
  ///
  /// Throws `locked` while another process has it open.
  package init(
    clientFolder: String,
    files: any FileSystem,
    random: @escaping @Sendable () -> UInt64
  ) throws(OutboxError) {
    let opened = try onJournal { () throws(JournalError) in
      var configuration = Journal.Configuration()
      configuration.maxSegmentBytes = 1 << 20
      configuration.maxUnsyncedBytes = 1 << 20
      let journal = try Journal(
        folder: Self.folder(of: clientFolder),
        configuration: configuration,
        files: files,
        random: random
      )
      var cleared = JournalPosition.start
      let read = try journal.read(from: .start, upTo: journal.end) { frame, end in
        if frame.first == Tag.clear.rawValue { cleared = end }
      }
      return (journal, read.gaps.count { $0.position >= cleared })
    }
    (journal, damaged) = opened
  }

  /// Its folder in a client's folder.
  package static func folder(of clientFolder: String) -> String { clientFolder + "/" + folderName }

  /// Whether a client's folder has a store.
  package static func exists(in clientFolder: String, files: any FileSystem) -> Bool {
    files.exists(folder(of: clientFolder))
  }

  /// Adds a record at the end.
  package func append(_ record: [UInt8]) throws(OutboxError) {
    try append([record])
  }

  /// Adds records at the end, all of them or none; `beginsSet` parts them from those before.
  package func append(_ records: [[UInt8]], beginsSet: Bool = false) throws(OutboxError) {
    let start: [[UInt8]] = beginsSet ? [[Tag.set.rawValue]] : []
    let frames = start + records.map { [Tag.record.rawValue] + $0 }
    try onJournal { () throws(JournalError) in _ = try journal.append(frames) }
  }

  /// All records by what may be merged, oldest first; damaged ones are left out.
  package func sets() throws(OutboxError) -> [[[UInt8]]] {
    var sets: [[[UInt8]]] = [[]]
    try onJournal { () throws(JournalError) in
      _ = try journal.read(from: .start, upTo: journal.end) { frame, _ in
        switch frame.first.flatMap(Tag.init(rawValue:)) {
        case .record: sets[sets.count - 1].append([UInt8](frame.dropFirst()))
        case .clear: sets = [[]]
        case .set: sets.append([])
        case nil: break
        }
      }
    }
    return sets.filter { !$0.isEmpty }
  }

  /// All records, oldest first; damaged ones are left out.
  package func all() throws(OutboxError) -> [[UInt8]] {
    try sets().flatMap(\.self)
  }

  /// All records are held no more: they are merged and stored, or nobody wants them.
  ///
  /// One step: after a stop at any moment all of them are there or none. Bytes may stay on disk until
  /// `removeAll`, or until there are many. Works on a full disk too.
  package func clear() throws(OutboxError) {
    do throws(OutboxError) {
      try onJournal { () throws(JournalError) in _ = try journal.append([Tag.clear.rawValue]) }
    } catch {
      return try removeAll()
    }
    if journal.segments.reduce(0, { $0 + $1.bytes }) > Self.clearedBytes { try removeAll() }
  }

  /// Removes everything from disk.
  package func removeAll() throws(OutboxError) {
    try onJournal { () throws(JournalError) in
      try journal.seal()
      for segment in journal.segments { try journal.remove(segment: segment.number) }
    }
  }

  /// Makes everything added survive a power cut.
  package func sync() throws(OutboxError) {
    try onJournal { () throws(JournalError) in try journal.sync() }
  }

  /// In a child made by `fork`: leaves the folder to the parent; nothing else may be called then.
  package func leaveToParent() {
    journal.leaveToParent()
  }

  /// Syncs and gives the folder back.
  package func close() {
    journal.close()
  }
}
