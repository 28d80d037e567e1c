import EventRecord
public import EventStore

/// How many people did something for the first time in a stretch of time.
///
/// A person is new at the first counted event: property changes make nobody new.
public struct NewPeople: Insight {
  /// The project's number.
  public var project: UInt32
  /// From when on, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when, this moment excluded.
  public var toMs: Int64
  /// Whether test events count.
  public var includesTest: Bool

  /// The question from its parts.
  public init(project: UInt32, fromMs: Int64, toMs: Int64, includesTest: Bool = false) {
    self.project = project
    self.fromMs = fromMs
    self.toMs = toMs
    self.includesTest = includesTest
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT count(*) FROM (
        SELECT min(corrected_at) AS first FROM person_events
        WHERE project_id = $1 AND kind = 0 AND person IS NOT NULL AND ($2 OR NOT is_test)
        GROUP BY person
      ) WHERE first >= $3 AND first < $4
      """,
      binding: [.integer(Int64(project)), .boolean(includesTest), .time(fromMs), .time(toMs)]
    )
  }

  /// The number.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Int {
    guard let row = rows.first else { return 0 }
    return Int(try row.integer(0))
  }

  /// The number by definition.
  public func output(over events: [StoredEvent]) -> Int {
    let people = PeopleMap(events)
    var first: [Int64: Int64] = [:]
    for event in events where event.project == project && event.kind == .event {
      guard includesTest || !event.isTest, let person = people.person(of: event) else { continue }
      first[person] = min(first[person] ?? .max, event.correctedMs)
    }
    return first.values.count { $0 >= fromMs && $0 < toMs }
  }
}
