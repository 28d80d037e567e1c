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
        folder: clientFolder + "/" + Self.folderName,
        configuration: configuration,
        files: files,
        random: random
      )
      let read = try journal.read(from: .start, upTo: journal.end) { _, _ in }
      let torn = journal.recovery.tornTail == nil ? 0 : 1
      return (journal, read.gaps.count + torn)
    }
    (journal, damaged) = opened
  }

  /// Adds a record at the end.
  package func append(_ record: [UInt8]) throws(OutboxError) {
    try onJournal { () throws(JournalError) in _ = try journal.append(record) }
  }

  /// All records, oldest first; damaged ones are left out.
  package func all() throws(OutboxError) -> [[UInt8]] {
    var records: [[UInt8]] = []
    try onJournal { () throws(JournalError) in
      _ = try journal.read(from: .start, upTo: journal.end) { record, _ in
        records.append([UInt8](record))
      }
    }
    return records
  }

  /// Removes all records: they are merged and stored, or nobody wants them any more.
  ///
  /// Should the process end on the way, some of the newest may still be there.
  package func clear() throws(OutboxError) {
    try onJournal { () throws(JournalError) in
      try journal.seal()
      for segment in journal.segments { try journal.remove(segment: segment.number) }
    }
  }

  /// Makes everything added survive a power cut.
  package func sync() throws(OutboxError) {
    try onJournal { () throws(JournalError) in try journal.sync() }
  }

  /// Syncs and gives the folder back.
  package func close() {
    journal.close()
  }
}
