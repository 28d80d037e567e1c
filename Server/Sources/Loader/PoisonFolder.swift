import FootfallJournal
import FootfallSystem

/// Keeps the records that no store can read, for whoever looks into it.
///
/// A file for each, named after the log and the position after the record, so that writing one again
/// changes nothing; beside it a text with the reason.
struct PoisonFolder: Sendable {
  let path: String
  let files: any FileSystem

  /// How many records lie here; 0 when the folder is not there.
  func count() throws(SystemError) -> Int {
    guard files.exists(path) else { return 0 }
    return try files.list(path).count { $0.hasSuffix(Self.suffix) }
  }

  /// Writes a record and why it cannot be read; synced when it returns.
  ///
  /// - Throws: `SystemError` when it could not be written; the record is still in the log.
  func keep(
    _ record: ArraySlice<UInt8>,
    reason: String,
    log: JournalID,
    position: JournalPosition
  ) throws(SystemError) {
    try files.makeFolder(path)
    let name = "\(path)/\(log)-\(position.segment)-\(position.offset)"
    try files.replace(name + ".reason", with: Array((reason + "\n").utf8))
    try files.replace(name + Self.suffix, with: Array(record))
  }

  private static let suffix = ".record"
}
