import EventRecord
public import EventStore

/// How many different people did something in each minute or day.
///
/// A person is counted once in each bucket, see `ActivePeople`; buckets without anybody are there with 0.
public struct PeopleSeries: Insight {
  /// The answer.
  public struct Output: Sendable, Hashable {
    /// When each bucket starts, in milliseconds since 1970, ascending, none missing.
    public var bucketStartsMs: [Int64]
    /// How many people, for each bucket.
    public var counts: [Int]

    /// An answer from its parts.
    public init(bucketStartsMs: [Int64], counts: [Int]) {
      self.bucketStartsMs = bucketStartsMs
      self.counts = counts
    }
  }

  /// What is counted and in which buckets; its names beyond the top ones play no part.
  public var events: EventSeries

  /// The people of a series of events.
  public init(of events: EventSeries) {
    self.events = events
  }

  /// The statement: people per bucket.
  ///
  /// A bucket's start is a whole number of our own making, not a value that somebody sent.
  public func sql(_ dialect: Dialect) -> SQL {
    let starts = events.buckets.starts
    return SQL(
      """
      WITH seen AS (
        SELECT DISTINCT
          greatest(epoch_us(corrected_at::TIMESTAMP) // \(events.slotMs * 1_000) * $7, $8) AS slot, person
        FROM person_events
        WHERE project_id = $1 AND kind = 0 AND person IS NOT NULL
          AND \(EventFilter.condition)
          AND corrected_at >= $5 AND corrected_at < $6
      ), buckets AS (
        SELECT unnest([\(starts.map(String.init).joined(separator: ", "))]::BIGINT[]) AS start
      )
      SELECT start, count(DISTINCT person) FROM seen ASOF JOIN buckets ON slot >= start
      GROUP BY start
      """,
      binding: [.integer(Int64(events.project))] + events.filter.bindings + [
        .time(max(events.fromMs, starts.first ?? events.fromMs)), .time(events.toMs),
        .integer(events.slotMs), .integer(starts.first ?? events.fromMs),
      ]
    )
  }

  /// The counts.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let buckets = events.buckets
    var counts = buckets.starts.map { _ in 0 }
    for row in rows {
      guard let index = buckets.index(of: try row.integer(0)) else { continue }
      counts[index] = Int(try row.integer(1))
    }
    return Output(bucketStartsMs: buckets.starts, counts: counts)
  }

  /// The counts by definition.
  public func output(over all: [StoredEvent]) -> Output {
    let buckets = events.buckets
    let people = PeopleMap(all)
    var seen = buckets.starts.map { _ in Set<Int64>() }
    for event in events.counted(all) {
      guard let index = buckets.index(of: event.correctedMs), let person = people.person(of: event)
      else { continue }
      seen[index].insert(person)
    }
    return Output(bucketStartsMs: buckets.starts, counts: seen.map(\.count))
  }
}
