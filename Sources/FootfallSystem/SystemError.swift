#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What the operating system answered when it could not do something.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What was asked of the system.
  public enum Operation: String, Sendable, Hashable, CaseIterable {
    /// Making a folder.
    case makeFolder = "make the folder"
    /// Listing a folder.
    case list = "list the folder"
    /// Opening or creating a file.
    case open = "open"
    /// Reading from a file.
    case read = "read"
    /// Writing to a file.
    case write = "write"
    /// Making a file's bytes durable.
    case sync = "sync"
    /// Making a folder's entries durable.
    case syncFolder = "sync the folder"
    /// Cutting a file.
    case truncate = "cut"
    /// Asking for a file's size.
    case size = "measure"
    /// Renaming a file.
    case rename = "rename"
    /// Removing a file.
    case remove = "remove"
    /// Locking a file against other processes.
    case lock = "lock"
    /// Starting a thread.
    case startThread = "start the thread"
  }

  /// The system's error number (`errno`).
  public let code: Int32
  /// What was asked.
  public let operation: Operation
  /// The file, folder or thread it was asked for.
  public let path: String

  /// An error of the given number.
  public init(code: Int32, operation: Operation, path: String) {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// The calling thread's last error; read right after the call that failed.
  static func last(_ operation: Operation, _ path: String) -> SystemError {
    SystemError(code: errno, operation: operation, path: path)
  }

  /// The error number of a file that does not exist (`ENOENT`).
  public static let missing: Int32 = ENOENT

  /// Whether no space, or none of the user's share of it, is left.
  public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

  /// Whether this process may not change what it wanted to change.
  public var isReadOnly: Bool { code == EROFS || code == EACCES || code == EPERM }

  /// Whether the file, or a folder on the way to it, does not exist.
  public var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether there is something already where something was to be made.
  package var isInTheWay: Bool { code == EEXIST }

  /// Whether the disk itself failed (`EIO`).
  public var isMediaFailure: Bool { code == EIO }

  /// A sentence: what could not be done to what, and why.
  public var description: String {
    let reason = strerror(code).map { String(cString: $0) } ?? "unknown error"
    return "Could not \(operation.rawValue) \(path): \(reason) (\(code))."
  }
}
