/// How much of the machine the embedded store may use.
public struct DuckDBOptions: Sendable {
  /// Threads for one statement; 0 means one for each core.
  public var threads = 0
  /// The memory DuckDB may use before it writes to its temporary folder, in bytes; 1 GiB.
  public var memoryLimitBytes = 1 << 30
  /// How many statements may read at the same time; the others wait.
  ///
  /// At least 1.
  public var readers = 4
  /// After how long a reading statement is stopped, in seconds; also how long one waits for its turn.
  public var queryTimeLimitSeconds: Double = 15
  /// The memory for keys of recent minutes and days, in bytes; 128 MiB.
  ///
  /// See `DuckDBEventStore`.
  public var maxKeyBytes = 128 << 20
  /// After how many new rows `idle` moves them from the write-ahead log into the file.
  public var rowsPerCheckpoint = 20_000
  /// About how much memory answers may take that are kept until the data change, in bytes; 32 MiB.
  ///
  /// 0 keeps none.
  public var maxAnswerBytes = 32 << 20
  /// Answers that took less time are not kept, in seconds: they are as soon found anew.
  public var leastAnswerSeconds = 0.02
  /// When events are rewritten sorted, and how many at a time.
  public var sorting = SortingRule()
  /// The version of the program, written into a new database for the message to an older program.
  public var programVersion = "0.1.0"

  /// The default options.
  public init() {}
}
