public import FootfallJournal

extension IngestLog {
  /// How long what the store has is kept in the log.
  public struct Retention: Sendable, Hashable {
    /// Seconds a closed segment is kept after it has been loaded; a day by default.
    ///
    /// It lets the store be rebuilt after a mishap of that day.
    public var keepsLoadedSeconds = 86_400
    /// Seconds after which a segment is closed though it is not full, so that it can be removed in
    /// time; an hour by default.
    public var sealsAfterSeconds = 3_600
    /// Bytes the log may take; 16 GiB by default.
    ///
    /// Over that, loaded segments are removed early; and where that does not help because the store
    /// has not caught up, nothing more is accepted.
    public var maxBytes: UInt64 = 16 << 30

    /// The defaults.
    public init() {}
  }

  /// How the log is kept.
  public struct Settings: Sendable, Hashable {
    /// Bytes of records that may wait for the disk; 64 MiB by default.
    ///
    /// Over that, `submit` says so.
    public var maxPendingBytes = 64 << 20
    /// Bytes after which a segment is closed; 64 MiB by default.
    public var maxSegmentBytes = 64 << 20
    /// The largest record in bytes; 32 MiB by default, which holds Amplitude's largest batch.
    public var maxRecordBytes = 32 << 20
    /// What is kept for how long.
    public var retention = Retention()

    /// The defaults.
    public init() {}
  }
}

/// Why the ingest log could not be opened.
public struct IngestLogError: Error, Sendable, CustomStringConvertible {
  /// Its folder.
  public let folder: String
  /// What the journal found.
  public let cause: JournalError

  /// What happened and what to do.
  public var description: String {
    switch cause {
    case .locked(pid: 0):
      "The data folder is in use by another process (\(folder)). Stop it, or use another folder."
    case .locked(let pid):
      "The data folder is in use by process \(pid) (\(folder)). Stop it, or use another folder."
    default:
      "The ingest log in \(folder) cannot be opened. \(cause.description)"
    }
  }
}

/// What became of handing over a record.
public enum Submission: Sendable, Hashable {
  /// It is on its way; the completion will be called.
  case accepted
  /// Too many bytes wait for the disk already. The completion is not called.
  case overloaded
  /// The log is at its cap and the store has not caught up, or it is closed. Likewise.
  case full
}

/// The log in numbers, for the operator.
public struct IngestLogStatus: Sendable, Hashable {
  /// Records that were made durable since the start.
  public var records: UInt64 = 0
  /// Bytes of those records.
  public var recordBytes: UInt64 = 0
  /// Records that could not be made durable.
  public var failedRecords: UInt64 = 0
  /// Records that were turned away.
  public var refusedRecords: UInt64 = 0
  /// Syncs since the start, those of new and closed segments included.
  public var syncs: UInt64 = 0
  /// Syncs the disk refused.
  public var failedSyncs: UInt64 = 0
  /// Bytes written to files since the start.
  public var writtenBytes: UInt64 = 0
  /// Bytes that wait for the disk now.
  public var pendingBytes = 0
  /// Bytes of all segments.
  public var logBytes: UInt64 = 0
  /// Bytes the store does not have yet.
  public var unloadedBytes: UInt64 = 0
  /// Segments there are.
  public var segments = 0
  /// What the last failure was; nil once a record was made durable after it.
  public var problem: String?
}
