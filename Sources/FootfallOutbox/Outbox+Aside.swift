import FootfallSystem

/// Batches that the server will never read, as this version of the library sends them.
///
/// They stay on disk and count toward the caps, until another version of the library tries them
/// again. Which one put them aside is in a small file beside them, written before the first one is.
extension Outbox {
  /// The file's name in the outbox's folder.
  static let asideName = "aside"

  private var asidePath: String { folder + "/" + Self.asideName }

  /// Puts a batch aside that the server will never read from this version of the library.
  ///
  /// After an error it is not sent again in this run all the same.
  package func setAside(_ batch: BatchName, library: String) throws(OutboxError) {
    do throws(OutboxError) { try putAside(batch, library) } catch {
      immovable.insert(batch.number)
      throw error
    }
  }

  private func putAside(_ batch: BatchName, _ library: String) throws(OutboxError) {
    // What an older version put aside and could not be taken back is still to be tried again.
    if !batches.contains(where: \.isSetAside) {
      try onDisk { () throws(SystemError) in
        try files.replace(asidePath, with: Array(library.utf8))
      }
    }
    try rename(batch, isSetAside: true)
  }

  /// Makes batches to be sent of those that another version of the library put aside; returns how
  /// many there were.
  ///
  /// To be called once, after opening. Goes on after a failure, and throws the first one at the end;
  /// what is still aside then is tried again at the next start.
  package func takeBackAside(library: String) throws(OutboxError) -> Int {
    let aside = batches.filter(\.isSetAside)
    guard !aside.isEmpty, asideLibrary != Array(library.utf8) else { return 0 }
    var failure: OutboxError?
    var taken = 0
    for batch in aside {
      do throws(OutboxError) {
        try rename(batch, isSetAside: false)
        taken += 1
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return taken
  }

  /// Which version put them aside; nil if nobody knows, as before there was the file.
  private var asideLibrary: [UInt8]? {
    guard files.exists(asidePath) else { return nil }
    do throws(SystemError) { return try files.readAll(asidePath) } catch {
      // Then they are tried once more, which costs a request each.
      return nil
    }
  }

  private func rename(_ batch: BatchName, isSetAside: Bool) throws(OutboxError) {
    guard let index = batches.firstIndex(of: batch) else { return }
    var renamed = batch
    renamed.isSetAside = isSetAside
    try onDisk { () throws(SystemError) in
      try files.rename(path(of: batch.fileName), to: path(of: renamed.fileName))
    }
    batches[index] = renamed
  }
}
