import CSQLite

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What is wrong with a database file, for whoever can mend it.
public enum FileTrouble: Sendable, Equatable {
  /// Its content is not what was written.
  case damaged
  /// There is no room to write.
  case diskFull
  /// This user may not write it, or not beside it.
  case readOnly
  /// It cannot be opened at all.
  case unopenable

  /// What a failure of SQLite means; nil for one that is not the file's.
  ///
  /// - Parameters:
  ///   - code: The result code; see sqlite.org/rescode.html.
  ///   - systemError: What the system said last.
  ///   - freeBytes: What may still be written on the disk; asked only where the rest does not tell.
  ///   - isWritable: Whether this user may write beside the file; likewise.
  init?(
    code: Int32,
    systemError: Int32,
    freeBytes: () -> UInt64?,
    isWritable: () -> Bool
  ) {
    switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
    case SQLITE_FULL: self = .diskFull
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      switch systemError {
      case ENOSPC, EDQUOT: self = .diskFull
      case EROFS, EACCES, EPERM: self = .readOnly
      default:
        // Of the memory beside the file that connections share, SQLite does not keep the system's word.
        if let free = freeBytes(), free < 65_536 {
          self = .diskFull
        } else if !isWritable() {
          self = .readOnly
        } else if code & 0xff == SQLITE_CANTOPEN {
          self = .unopenable
        } else {
          return nil
        }
      }
    default: return nil
    }
  }

  /// A sentence about a file, and what to do.
  func text(of path: String) -> String {
    switch self {
    case .damaged: "\(path) is damaged. Restore it from a backup."
    case .diskFull: "The disk is full: \(path) cannot be written. Free some space and try again."
    case .readOnly:
      "\(path) cannot be written: it, its folder or the disk is read-only for this user. "
        + "Make them writable, or run as the user they belong to."
    case .unopenable:
      "\(path) cannot be opened. See that its folder exists and that this user may read and write both."
    }
  }
}
