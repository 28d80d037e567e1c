public import Catalog
import EventStore
import FootfallJournal
import IngestLog
import Wire

/// What a stopped server's log has of a stream.
public enum StreamFile {
  /// Hands out the bytes of a stream's records, in the order they were put, with nothing between them;
  /// without what was erased.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - folder: The data folder.
  ///   - write: Takes the bytes of one record; valid only inside it.
  /// - Returns: How many records there were.
  /// - Throws: `StartError` when a server runs on the folder or the log cannot be read, `CatalogError`
  ///   when it is not known what was erased; what `write` throws.
  public static func write(
    _ stream: RecordStream,
    of folder: DataFolder,
    to write: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    try folder.checkExisting()
    let log = try Server.openLog(of: folder, keepsItself: false)
    defer { log.close() }
    let catalog = try StartError.part("catalogue") { try Catalog(path: folder.catalogue) }
    let erased = try EraseList(catalog)
    let extract = StreamExtract(stream: stream.id, erased: StreamErased(erased))
    var count = 0
    var failure: (any Error)?
    var place = JournalPosition.start
    var isAtEnd = false
    while !isAtEnd, failure == nil {
      let read = try log.read(from: place, maxBytes: 4 << 20) { record, _ in
        guard failure == nil else { return }
        do {
          try extract.records(of: record) { bytes in
            guard failure == nil else { return }
            do {
              try write(bytes)
              count += 1
            } catch {
              failure = error
            }
          }
        } catch {
          failure = error
        }
      }
      isAtEnd = read.reachedEnd
      place = read.next
    }
    if let failure { throw failure }
    return count
  }
}
