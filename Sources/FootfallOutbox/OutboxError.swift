package import FootfallCore
import FootfallJournal
import FootfallSystem

/// Why the outbox could not store or read.
package enum OutboxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another process has the folder open.
  case locked(pid: Int32)
  /// The disk has no room; it works again as soon as there is some.
  case diskFull
  /// What was stored is no longer what was written.
  case damaged(String)
  /// Anything else, in the system's words.
  case failed(String)

  init(_ error: JournalError) {
    switch error {
    case .locked(let pid): self = .locked(pid: pid)
    case .diskFull: self = .diskFull
    case .readOnly, .missingFolder, .tooLarge, .newerFormat, .notSealed, .closed, .io:
      self = .failed(error.description)
    }
  }

  init(_ error: SystemError) {
    self = error.isDiskFull ? .diskFull : .failed(error.description)
  }

  /// The reason under which events lost to this are counted.
  package var dropReason: DropReason {
    switch self {
    case .diskFull: .diskFull
    case .damaged: .damaged
    case .locked, .failed: .storageFailed
    }
  }

  /// A sentence for the log.
  package var description: String {
    switch self {
    case .locked(let pid): "The outbox is in use by process \(pid)."
    case .diskFull: "The disk is full."
    case .damaged(let what): what
    case .failed(let what): what
    }
  }
}

/// Runs `body` with the journal's errors turned into the outbox's.
func onJournal<Result>(_ body: () throws(JournalError) -> Result) throws(OutboxError) -> Result {
  do throws(JournalError) { return try body() } catch { throw OutboxError(error) }
}

/// Runs `body` with the system's errors turned into the outbox's.
func onDisk<Result>(_ body: () throws(SystemError) -> Result) throws(OutboxError) -> Result {
  do throws(SystemError) { return try body() } catch { throw OutboxError(error) }
}
