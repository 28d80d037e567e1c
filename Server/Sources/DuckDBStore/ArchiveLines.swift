import Archives
import EventStore
import Foundation

/// The file whose lines an import reads: the one it was given or, for a ZIP archive, one beside the store
/// with the lines of all the archive's files.
struct ArchiveLines {
  /// Where the lines are.
  let path: String
  private let isTemporary: Bool

  /// Unpacks a ZIP archive, whose files must be lines of JSON.
  ///
  /// - Throws: `ArchiveProblem`, `StoreError.unsupported` for another form of files, or `.cancelled`.
  init(
    of path: String,
    _ format: TransferFormat,
    beside store: String,
    _ cancellation: Cancellation?
  ) throws {
    isTemporary = ZipLines.isZip(path)
    guard isTemporary else {
      self.path = path
      return
    }
    guard format == .amplitude || format == .ndjson else {
      throw StoreError.unsupported("reading \(format.rawValue) from a ZIP archive; unpack it first")
    }
    self.path = store + ".unpacked"
    do {
      try ZipLines().unpack(path, to: self.path) {
        if cancellation?.isCancelled == true { throw StoreError.cancelled }
      }
    } catch {
      remove()
      throw error
    }
  }

  /// Removes what was unpacked.
  func remove() {
    guard isTemporary else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      // The next import of an archive replaces it.
    }
  }
}
