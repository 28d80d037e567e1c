public import FootfallJournal

/// Where a loader stands.
public struct LoaderStatus: Sendable, Hashable {
  /// Up to where the log has been loaded; nil until the store has been asked.
  public var position: JournalPosition?
  /// Events stored since the start.
  public var stored = 0
  /// Events since the start that the store had already.
  public var duplicates = 0
  /// Events since the start that were left out because they had been erased before they came.
  public var erased = 0
  /// Batches stored since the start.
  public var batches = 0
  /// Seconds the store took for those.
  public var storeSeconds: Double = 0
  /// Records that could not be read and lie in the poison folder, those of earlier starts included.
  public var poisonRecords = 0
  /// Bytes of the log, met since the start, that hold no record that can be read.
  public var gapBytes: UInt64 = 0
  /// Bytes of the log that are not loaded yet.
  public var lagBytes: UInt64 = 0
  /// About how many events that is, by the size of the events loaded so far.
  public var lagEvents = 0
  /// How often in a row loading failed; 0 when all is well.
  public var failures = 0
  /// What the last failure was; nil once loading works again.
  public var problem: String?

  /// The status of a loader that has not started.
  public init() {}
}
