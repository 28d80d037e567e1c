import EventRecord
public import EventStore

/// Crashes put together by what they have in common, see `CrashSignature`; the most frequent first.
///
/// Counts `app_crashed` by the time of the crash. Of a stack the first 4,000 characters count.
public struct Crashes: Insight {
  /// How often it happened in one version of the app.
  public struct Version: Sendable, Hashable {
    /// The version; empty where the crash does not say.
    public var version: String
    /// How many crashes.
    public var count: Int
    /// The time of the last, in milliseconds since 1970.
    public var lastMs: Int64
  }

  /// Crashes of one signature.
  public struct Group: Sendable, Hashable {
    /// What they have in common.
    public var signature: CrashSignature
    /// How many crashes.
    public var count: Int
    /// How many different people, devices or users, as the scope counts.
    public var people: Int
    /// By version, the latest crash first.
    public var versions: [Version]
    /// The time of the first, in milliseconds since 1970.
    public var firstMs: Int64
    /// The time of the last, in milliseconds since 1970.
    public var lastMs: Int64
    /// How many there were in each bucket, by its start.
    public var times: [Int64: Int]

    /// The newest version in which it was seen; empty where none was told.
    public var newestVersion: String {
      versions.map(\.version).max { AppVersion($0) < AppVersion($1) } ?? ""
    }
  }

  /// Which crashes count.
  public var scope: Scope
  /// The buckets.
  public var axis: TimeAxis

  /// The starts of the buckets, in their order.
  public var bucketStartsMs: [Int64] { buckets.starts }

  private var buckets: CalendarBuckets {
    CalendarBuckets(axis, fromMs: scope.fromMs, toMs: scope.toMs)
  }

  static let stackCharacters = 4_000

  /// The crashes of this scope.
  public init(_ scope: Scope, axis: TimeAxis) {
    self.scope = scope.with(.name(CrashSignature.eventName))
    self.axis = axis
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    func text(_ json: String) -> String {
      "CASE WHEN json_type(\(json)) = 'VARCHAR' THEN json_extract_string(\(json), '$') END"
    }
    let exception = text(Field.property("exception_name").json(&statement))
    let stack = text(Field.property("stack").json(&statement))
    let version = text(Field.version.json(&statement))
    // Each trace is told once, by a number: addresses in it would make every crash another.
    return statement.sql(
      """
      WITH crashes AS (
        SELECT coalesce(\(exception), '') AS exception,
          regexp_replace(left(coalesce(\(stack), ''), \(Self.stackCharacters)),
            '0x[0-9a-fA-F]+', '0x', 'g') AS trace,
          coalesce(\(version), '') AS version, (\(scope.key))::VARCHAR AS who, e.corrected_at
        FROM \(scope.source(for: [.version], needsPerson: scope.needsPerson))
        WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
      ), traces AS (
        SELECT exception, trace, row_number() OVER (ORDER BY exception, trace) AS number
        FROM (SELECT DISTINCT exception, trace FROM crashes)
      )
      SELECT number, exception,
        CASE WHEN row_number() OVER (PARTITION BY number ORDER BY version, who, quarter) = 1 THEN trace END,
        version, who, count(*), min(corrected_at), max(corrected_at),
        time_bucket(INTERVAL '15 minutes', corrected_at::TIMESTAMP)::TIMESTAMP_MS AS quarter
      FROM crashes JOIN traces USING (exception, trace)
      GROUP BY number, exception, trace, version, who, quarter
      """
    )
  }

  /// The groups.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> [Group] {
    var traces: [Int64: String] = [:]
    for row in rows {
      if case .text(let trace) = row.values[2] { traces[try row.integer(0)] = trace }
    }
    var signatures: [Int64: CrashSignature] = [:]
    var gathering = CrashGathering(buckets: buckets)
    for row in rows {
      let number = try row.integer(0)
      let signature =
        try signatures[number]
        ?? CrashSignature(exception: try row.text(1), stack: traces[number] ?? "")
      signatures[number] = signature
      var who: String?
      if case .text(let text) = row.values[4] { who = text }
      gathering.add(
        signature,
        version: try row.text(3),
        who: who,
        count: Int(try row.integer(5)),
        firstMs: try row.time(6),
        lastMs: try row.time(7),
        quarterMs: try row.time(8)
      )
    }
    return gathering.groups
  }

  /// The groups by definition.
  public func output(over events: [StoredEvent]) -> [Group] {
    let reading = ScopeReading(scope, events)
    var gathering = CrashGathering(buckets: buckets)
    for event in reading.admitted(events) {
      func text(_ field: Field) -> String {
        if case .text(let text)? = reading.value(of: field, event) { text } else { "" }
      }
      let stack = text(.property("stack")).unicodeScalars.prefix(Self.stackCharacters)
      gathering.add(
        CrashSignature(
          exception: text(.property("exception_name")),
          stack: String(String.UnicodeScalarView(stack))
        ),
        version: text(.version),
        who: reading.key(of: event),
        count: 1,
        firstMs: event.correctedMs,
        lastMs: event.correctedMs,
        quarterMs: event.correctedMs
      )
    }
    return gathering.groups
  }
}

/// Puts crashes together by their signatures.
private struct CrashGathering {
  private struct Entry {
    var people: Set<String> = []
    var versions: [ExactText: Crashes.Version] = [:]
    var count = 0
    var times: [Int64: Int] = [:]
    var firstMs = Int64.max
    var lastMs = Int64.min
  }

  let buckets: CalendarBuckets
  private var entries: [CrashSignature: Entry] = [:]

  init(buckets: CalendarBuckets) {
    self.buckets = buckets
  }

  mutating func add(
    _ signature: CrashSignature,
    version: String,
    who: String?,
    count: Int,
    firstMs: Int64,
    lastMs: Int64,
    quarterMs: Int64
  ) {
    var entry = entries[signature, default: Entry()]
    if let who { entry.people.insert(who) }
    entry.count += count
    // A quarter of an hour before the first bucket holds its first moments, where a range begins within.
    let bucket = buckets.index(of: quarterMs).map { buckets.starts[$0] } ?? buckets.starts.first
    if let bucket { entry.times[bucket, default: 0] += count }
    entry.firstMs = min(entry.firstMs, firstMs)
    entry.lastMs = max(entry.lastMs, lastMs)
    var known =
      entry.versions[ExactText(version)]
      ?? Crashes.Version(version: version, count: 0, lastMs: lastMs)
    known.count += count
    known.lastMs = max(known.lastMs, lastMs)
    entry.versions[ExactText(version)] = known
    entries[signature] = entry
  }

  var groups: [Crashes.Group] {
    entries.map { signature, entry in
      Crashes.Group(
        signature: signature,
        count: entry.count,
        people: entry.people.count,
        versions: entry.versions.values.sorted {
          $0.lastMs == $1.lastMs ? bytesAscend($0.version, $1.version) : $0.lastMs > $1.lastMs
        },
        firstMs: entry.firstMs,
        lastMs: entry.lastMs,
        times: entry.times
      )
    }.sorted { $0.count == $1.count ? $0.signature.id < $1.signature.id : $0.count > $1.count }
  }
}
