internal import CArchive

/// Gives the library's memory back when it is no longer used.
final class ArchiveReader {
  let handle: OpaquePointer?
  private var isDamaged = false

  init() { handle = archive_read_new() }

  deinit { archive_read_free(handle) }

  /// What the library says went wrong last.
  var message: String { archive_error_string(handle).map { String(cString: $0) } ?? "" }

  /// The next bytes of a file, valid until the next call: how many, 0 at its end; nil for a damaged one.
  func block(_ bytes: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int? {
    var (count, offset) = (0, la_int64_t(0))
    switch archive_read_data_block(handle, bytes, &count, &offset) {
    case ARCHIVE_OK: return count
    case ARCHIVE_EOF: return 0
    default:
      isDamaged = true
      return nil
    }
  }

  /// Reads the rest of a file; false if any of it was damaged.
  func isWholeToTheEnd() -> Bool {
    var bytes: UnsafeRawPointer?
    while !isDamaged, let count = block(&bytes), count > 0 {}
    return !isDamaged
  }

  /// Goes on to the next file; nil after the last one.
  func next(named path: String) throws -> ArchiveEntry? {
    var entry: OpaquePointer?
    switch archive_read_next_header(handle, &entry) {
    case ARCHIVE_EOF: return nil
    case ARCHIVE_OK, ARCHIVE_WARN: return ArchiveEntry(entry)
    default: throw ArchiveProblem("\(path) is damaged: \(message)")
    }
  }
}
