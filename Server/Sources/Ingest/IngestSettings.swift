/// What ingest takes in one request.
public struct IngestSettings: Sendable, Hashable {
  /// Bytes received in one native request; 1 MiB by default.
  public var maxRequestBytes = 1 << 20
  /// Bytes after inflating; 10 MiB by default.
  public var maxInflatedBytes = 10 << 20
  /// Bytes in one request with a SimpleDataLogs key, after inflating; 262,144 by default.
  ///
  /// Source: SimpleDataLogs, ingest, "Limits".
  public var maxSimpleDataLogsBytes = 262_144
  /// How many times larger a body may become by inflating; 100 by default.
  public var maxInflationRatio = 100
  /// Bytes received, and after inflating, in one request to Amplitude's `/batch`; 20 MiB by default.
  ///
  /// Source: Batch Event Upload API, "Limits".
  public var maxBatchBytes = 20 << 20
  /// Events per second, on average over 30 s, that one device or user of Amplitude's clients may send
  /// to `/2/httpapi`; 30 by default, 0 for any number.
  ///
  /// Source: HTTP V2 API, "Upload limit".
  public var maxUploadsPerSecond = 30
  /// The same for `/batch`; 1,000 by default, 0 for any number.
  ///
  /// Source: Batch Event Upload API, "Limits".
  public var maxBatchedPerSecond = 1_000
  /// Events that one device or user may send to `/batch` in 24 hours; 500,000 by default, 0 for any
  /// number.
  ///
  /// Source: Batch Event Upload API, "Limits".
  public var maxBatchedPerDay = 500_000
  /// Updates of one person's properties that Amplitude's `/identify` takes in an hour; 1,800 by default, 0 for
  /// any number.
  ///
  /// Source: Identify API, "Limits".
  public var maxIdentifiesPerHour = 1_800
  /// Bytes received, and after inflating, in one request of Kinesis's and Firehose's clients; 16 MiB by
  /// default, which holds 10 MiB of records in base 64.
  public var maxStreamBytes = 16 << 20
  /// Bytes of the log that one `GetRecords` looks through; 16 MiB by default.
  public var maxStreamScanBytes = 16 << 20
  /// Bytes received in one request of Phase's clients; 10 MiB by default.
  ///
  /// Source: `phase.md` section 6.5, as are those after inflating.
  public var maxPhaseBytes = 10 << 20
  /// Bytes after inflating in one request of Phase's clients; 50 MiB by default.
  public var maxPhaseInflatedBytes = 50 << 20
  /// Requests within 60 s that one device, and one address, of Phase's clients may make; 1,000 by
  /// default, 0 for any number.
  ///
  /// Source: `phase.md` section 6.7.
  public var maxPhaseRequestsPerMinute = 1_000
  /// PutEvents requests per second, on average over 30 s, that one Pinpoint application may send; 0, the
  /// default, for any number.
  public var maxPutEventsPerSecond = 0
  /// Whether the addresses of people are kept where their client asks for it (`ip`); no by default.
  public var keepsAddresses = false
  /// The host, with its port if it has one, that clients reach the server by where a proxy stands in
  /// front.
  ///
  /// AWS clients may have signed it. Nil by default.
  public var publicHost: String?
  /// Seconds after which clients are asked to come again while too much waits for the disk.
  public var overloadRetrySeconds = 2
  /// The same while the disk is full or fails, or the log is at its cap.
  public var diskRetrySeconds = 30

  /// The defaults.
  public init() {}
}
