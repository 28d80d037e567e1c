import EventRecord
public import EventStore
public import Foundation

/// How often something happened at each hour of each day of the week, by the clock where it happened.
///
/// An event counts by the time zone that it names for its device; where it names none, or one that is
/// not known, by the project's.
public struct WeekHours: Insight {
  /// The answer.
  public struct Output: Sendable, Hashable {
    /// How many events, by days from Monday on and by hours from midnight on: 7 lists of 24.
    public var counts: [[Int]]

    /// How many events there were.
    public var total: Int { counts.reduce(0) { $0 + $1.reduce(0, +) } }
  }

  /// Which events.
  public var scope: Scope
  /// The zone of events that name none.
  public var timeZone: TimeZone

  /// The question from its parts.
  public init(_ scope: Scope, timeZone: TimeZone) {
    self.scope = scope
    self.timeZone = timeZone
  }

  /// A quarter of an hour: clocks differ from one another by whole ones.
  private static let quarterMs: Int64 = 900_000

  /// The statement: events by zone and quarter of an hour.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let zone = Field.timeZone.json(&statement)
    return statement.sql(
      """
      SELECT json_extract_string(zone, '$'), quarter, count(*) FROM (
        SELECT \(zone) AS zone, epoch_us(e.corrected_at::TIMESTAMP) // \(Self.quarterMs * 1_000) AS quarter
        FROM \(scope.source(needsPerson: false))
        WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
          AND epoch_us(e.corrected_at::TIMESTAMP) >= 0
      ) GROUP BY ALL
      """
    )
  }

  /// The counts.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    var tally = Tally(timeZone)
    for row in rows {
      let zone: String? = row.values[0] == .null ? nil : try row.text(0)
      tally.add(Int(try row.integer(2)), at: try row.integer(1) * Self.quarterMs, in: zone)
    }
    return tally.output
  }

  /// The counts by definition.
  public func output(over events: [StoredEvent]) -> Output {
    var tally = Tally(timeZone)
    let reading = ScopeReading(scope, events)
    for event in reading.admitted(events) where event.correctedMs >= 0 {
      let zone: String? =
        switch reading.value(of: .timeZone, event) {
        case .text(let name): name
        default: nil
        }
      tally.add(1, at: event.correctedMs, in: zone)
    }
    return tally.output
  }

  /// Counts while they are added up.
  private struct Tally {
    private(set) var output = Output(counts: (0..<7).map { _ in [Int](repeating: 0, count: 24) })
    private let standard: TimeZone
    private var zones: [String: TimeZone] = [:]

    init(_ standard: TimeZone) { self.standard = standard }

    mutating func add(_ count: Int, at ms: Int64, in name: String?) {
      let offset = zone(name).secondsFromGMT(for: Date(timeIntervalSince1970: Double(ms) / 1_000))
      let hours = (ms + Int64(offset) * 1_000).floored(3_600_000).whole
      // 1 January 1970 was a Thursday.
      let day = Int((hours.floored(24).whole + 3).floored(7).rest)
      output.counts[day][Int(hours.floored(24).rest)] += count
    }

    private mutating func zone(_ name: String?) -> TimeZone {
      guard let name else { return standard }
      if let known = zones[name] { return known }
      let zone = TimeZone(identifier: name) ?? standard
      zones[name] = zone
      return zone
    }
  }
}
