/// What ingest takes in one request.
public struct IngestSettings: Sendable, Hashable {
  /// Bytes received in one native request; 1 MiB by default.
  public var maxRequestBytes = 1 << 20
  /// Bytes after inflating; 10 MiB by default.
  public var maxInflatedBytes = 10 << 20
  /// How many times larger a body may become by inflating; 100 by default.
  public var maxInflationRatio = 100
  /// Bytes received, and after inflating, in one request to Amplitude's `/batch`; 20 MiB by default.
  ///
  /// Source: Batch Event Upload API, "Limits".
  public var maxBatchBytes = 20 << 20
  /// Seconds after which clients are asked to come again while too much waits for the disk.
  public var overloadRetrySeconds = 2
  /// The same while the disk is full or fails, or the log is at its cap.
  public var diskRetrySeconds = 30

  /// The defaults.
  public init() {}
}
