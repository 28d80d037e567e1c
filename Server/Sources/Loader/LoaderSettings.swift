/// How a loader works.
public struct LoaderSettings: Sendable {
  /// The least time between the starts of two loads while little is waiting, in seconds; 0.05.
  ///
  /// An event that comes after a quiet moment is loaded at once.
  public var intervalSeconds = 0.05
  /// The same after a batch of at least `busyBytes`, in seconds; 0.25: larger batches cost less.
  public var busyIntervalSeconds = 0.25
  /// From which size on a batch is the sign of a busy time, in bytes; 256 KiB.
  public var busyBytes = 256 << 10
  /// The size of a batch, in bytes of the log; 32 MiB.
  ///
  /// With as much waiting nothing is gathered.
  public var maxBatchBytes = 32 << 20
  /// After how long without anything to load the store may tidy up, in seconds; 1.
  public var idleSeconds: Double = 1
  /// The pause after the first failure, in seconds; 0.1.
  ///
  /// It doubles with each further one.
  public var firstRetrySeconds = 0.1
  /// The longest pause after a failure, in seconds; 5.
  public var maxRetrySeconds: Double = 5

  /// The default settings.
  public init() {}
}
