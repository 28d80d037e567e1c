import EventRecord
public import EventStore

/// How well events arrive, by the day on which the server received them and by the library that sent them.
///
/// Counted from the events themselves, so exactly; what was refused is none.
public struct Arrival: Insight {
  /// What arrived from one library in one bucket.
  public struct Count: Sendable, Hashable {
    /// The start of the bucket, in milliseconds since 1970.
    public var bucketMs: Int64
    /// The library with its version, as the client told; empty where it did not.
    public var library: String
    /// How many events.
    public var events = 0
    /// How many of them came later than `lateMs` after they happened.
    public var late = 0
    /// How many of them were sent by a clock that was a minute off or more: their time was corrected by so
    /// much.
    public var skewed = 0
    /// How many of them are test events.
    public var test = 0
    /// How many of them name neither a user nor a device.
    public var unknown = 0

    static func + (a: Count, b: Count) -> Count {
      var sum = a
      sum.events += b.events
      sum.late += b.late
      sum.skewed += b.skewed
      sum.test += b.test
      sum.unknown += b.unknown
      return sum
    }
  }

  /// The project's number.
  public var project: UInt32
  /// From when on the server received them, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when, this moment excluded.
  public var toMs: Int64
  /// The buckets.
  public var axis: TimeAxis
  /// After how many milliseconds an event is late.
  public var lateMs: Int64

  /// How far a clock may be off, in milliseconds; clocks that are off by less are not corrected.
  public static let skewMs: Int64 = 60_000

  /// The question from its parts.
  public init(project: UInt32, fromMs: Int64, toMs: Int64, axis: TimeAxis, lateMs: Int64) {
    self.project = project
    self.fromMs = fromMs
    self.toMs = toMs
    self.axis = axis
    self.lateMs = lateMs
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    let buckets = buckets
    // No zone's hours begin elsewhere than at a quarter of an hour.
    return SQL(
      """
      SELECT time_bucket(INTERVAL '15 minutes', received_at::TIMESTAMP)::TIMESTAMP_MS AS quarter,
        CASE WHEN json_type(client, '/library') = 'VARCHAR'
          THEN json_extract_string(client, '/library') ELSE '' END AS library,
        count(*),
        count(*) FILTER (epoch_ms(received_at::TIMESTAMP) - epoch_ms(corrected_at::TIMESTAMP) > $4),
        count(*) FILTER (abs(epoch_ms(corrected_at::TIMESTAMP) - epoch_ms(ts::TIMESTAMP)) >= \(Self.skewMs)),
        count(*) FILTER (is_test),
        count(*) FILTER (user_id IS NULL AND device_id IS NULL)
      FROM events
      WHERE project_id = $1 AND kind = 0 AND received_at >= $2 AND received_at < $3
      GROUP BY quarter, library
      """,
      binding: [
        .integer(Int64(project)), .time(buckets.fromMs), .time(buckets.toMs), .integer(lateMs),
      ]
    )
  }

  /// The counts, in the order of their buckets and libraries.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Count] {
    var counts: [Count] = []
    for row in rows {
      var count = Count(bucketMs: try row.time(0), library: try row.text(1))
      count.events = Int(try row.integer(2))
      count.late = Int(try row.integer(3))
      count.skewed = Int(try row.integer(4))
      count.test = Int(try row.integer(5))
      count.unknown = Int(try row.integer(6))
      counts.append(count)
    }
    return gathered(counts)
  }

  /// The counts by definition.
  public func output(over events: [StoredEvent]) -> [Count] {
    let buckets = buckets
    let mine = events.filter {
      $0.project == project && $0.kind == .event && $0.receivedMs >= buckets.fromMs
        && $0.receivedMs < buckets.toMs
    }
    return gathered(
      mine.map { event in
        var library = ""
        if case .text(let text)? = PropertyValue.members(of: event.client)?["library"] {
          library = text
        }
        var count = Count(bucketMs: event.receivedMs, library: library)
        count.events = 1
        count.late = event.receivedMs - event.correctedMs > lateMs ? 1 : 0
        count.skewed =
          abs(event.correctedMs - event.timestampMs) >= Self.skewMs ? 1 : 0
        count.test = event.isTest ? 1 : 0
        count.unknown = event.userID.isEmpty && event.deviceID.isEmpty ? 1 : 0
        return count
      }
    )
  }

  private func gathered(_ counts: [Count]) -> [Count] {
    struct Place: Hashable {
      var bucket: Int64
      var library: String
    }
    let buckets = buckets
    var sums: [Place: Count] = [:]
    for var count in counts {
      guard let index = buckets.index(of: count.bucketMs) else { continue }
      count.bucketMs = buckets.starts[index]
      let place = Place(bucket: count.bucketMs, library: count.library)
      sums[place] = sums[place].map { $0 + count } ?? count
    }
    return sums.values.sorted {
      $0.bucketMs == $1.bucketMs
        ? bytesAscend($0.library, $1.library) : $0.bucketMs < $1.bucketMs
    }
  }

  /// The starts of the buckets, in their order.
  public var bucketStartsMs: [Int64] { buckets.starts }

  private var buckets: CalendarBuckets { CalendarBuckets(axis, fromMs: fromMs, toMs: toMs) }
}
