/// Bytes of a journal that hold no frame that can be read.
public struct JournalGap: Sendable, Hashable, CustomStringConvertible {
  /// What is known about the cause.
  public enum Reason: String, Sendable, Hashable {
    /// The segment's header is damaged. No frame is lost by that: the file's name repeats it.
    case header
    /// Neither magic nor checksum of a frame hold.
    case damaged
    /// The last segment ends in the middle of a frame: the process or the machine stopped there.
    case tornTail
    /// The disk could not read the bytes.
    case unreadable
    /// Somebody else deleted the segment's file, or cut its end off.
    case missing
  }

  /// Where the gap starts.
  public let position: JournalPosition
  /// Its length in bytes.
  public let bytes: UInt64
  /// Why it is there.
  public let reason: Reason

  /// A gap of some bytes.
  public init(position: JournalPosition, bytes: UInt64, reason: Reason) {
    self.position = position
    self.bytes = bytes
    self.reason = reason
  }

  /// A short line for a log.
  public var description: String { "\(bytes) bytes at \(position) (\(reason.rawValue))" }
}

/// What opening a journal found in its last segment, or in all of them if so configured.
public struct JournalRecovery: Sendable, Hashable {
  /// Whole frames in the segments that were scanned.
  public internal(set) var frames = 0
  /// Bytes of payload in those frames.
  public internal(set) var payloadBytes: UInt64 = 0
  /// Damage between frames, which reading steps over and each opening reports again.
  public internal(set) var gaps: [JournalGap] = []
  /// What was cut from the end of the last segment.
  public internal(set) var tornTail: JournalGap?
  /// The last segment before the first that is there; 0 where none was removed or nobody tells.
  ///
  /// Removing the oldest segments is what a journal is asked to do.
  public internal(set) var removed: UInt64 = 0
  /// Numbers of segments that held records and that somebody deleted, oldest first.
  ///
  /// They were not removed before those that are there. The last of each range is missing for certain.
  /// Where `Configuration.notesLastSegment` is not set, the last segments are not missed.
  public internal(set) var missing: [ClosedRange<UInt64>] = []
}

/// One file of a journal.
public struct JournalSegment: Sendable, Hashable {
  /// Its number; numbers grow and may leave some out.
  public let number: UInt64
  /// Bytes of the file, its header of 64 bytes and the frames' heads included.
  public let bytes: UInt64
  /// Whether nothing will be appended any more.
  public let isSealed: Bool
}

/// What one call of `read` came upon.
public struct JournalRead: Sendable, Hashable {
  /// Where to read on.
  public internal(set) var next: JournalPosition
  /// Frames handed out.
  public internal(set) var frames = 0
  /// Damage that was stepped over.
  public internal(set) var gaps: [JournalGap] = []
  /// Whether everything up to the asked position was handed out.
  public internal(set) var reachedEnd = false
}
