import Archives
import EventStore
import Foundation

/// The file whose lines an import reads: the one it was given or, for a ZIP archive, one beside the store
/// with the lines of all the archive's files.
struct ArchiveLines {
  /// One file of an archive.
  struct Part {
    /// Its name there.
    let name: String
    /// Bytes of lines before its first.
    let offset: UInt64
  }

  /// Where the lines are.
  let path: String
  /// An archive's files; empty for a file that is none.
  private(set) var parts: [Part] = []
  private let isTemporary: Bool

  /// Unpacks a ZIP archive, whose files must be lines of JSON.
  ///
  /// - Throws: `ArchiveProblem`, `ImportProblem` for another form of files, or `StoreError.cancelled`.
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
      throw ImportProblem(
        "\(path) is a ZIP archive, of which only files of JSON lines are read; unpack it, and import the files as \(format.rawValue)."
      )
    }
    self.path = store + ".unpacked"
    do {
      var parts: [Part] = []
      try ZipLines().unpack(
        path,
        to: self.path,
        began: { parts.append(Part(name: $0, offset: $1)) },
        check: { if cancellation?.isCancelled == true { throw StoreError.cancelled } }
      )
      self.parts = parts
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
