public import FootfallSystem

/// Why a journal could not do what it was asked.
public enum JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Another journal has the folder open; its process id, or 0 if that could not be read.
  case locked(pid: Int32)
  /// No space is left. The journal works again as soon as there is some.
  case diskFull
  /// The folder does not let itself be written.
  case readOnly
  /// The folder, or one on the way to it, is gone or not a folder.
  case missingFolder
  /// A payload is larger than the configuration allows.
  case tooLarge(bytes: Int, limit: Int)
  /// The folder was written by a newer Footfall; nothing was changed.
  case newerFormat(found: UInt32, supported: UInt32)
  /// The segment is still being written, so it cannot be removed.
  case notSealed(segment: UInt64)
  /// The journal was closed.
  case closed
  /// Anything else the system reports.
  case io(SystemError)

  /// The meaning of a system's error for a journal.
  init(_ error: SystemError) {
    if error.isDiskFull {
      self = .diskFull
    } else if error.isReadOnly {
      self = .readOnly
    } else if error.isMissing {
      self = .missingFolder
    } else {
      self = .io(error)
    }
  }

  /// A sentence that says what is wrong and, where possible, what helps.
  public var description: String {
    switch self {
    case .locked(pid: 0): "The journal is in use by another process."
    case .locked(let pid): "The journal is in use by process \(pid)."
    case .diskFull: "The disk is full."
    case .readOnly: "The journal's folder cannot be written: check its permissions and the disk."
    case .missingFolder: "The journal's folder does not exist."
    case .tooLarge(let bytes, let limit):
      "A record of \(bytes) bytes is over the limit of \(limit) bytes."
    case .newerFormat(let found, let supported):
      "The journal has format \(found), this program knows \(supported): use a newer one."
    case .notSealed(let segment): "Segment \(segment) is still being written."
    case .closed: "The journal is closed."
    case .io(let error): error.description
    }
  }
}

/// Runs `body` with the system's errors turned into the journal's.
func mappingErrors<Result>(_ body: () throws(SystemError) -> Result) throws(JournalError) -> Result
{
  do throws(SystemError) { return try body() } catch { throw JournalError(error) }
}
