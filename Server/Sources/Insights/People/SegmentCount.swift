import EventRecord
public import EventStore

/// How many people belong to a segment now.
public struct SegmentCount: Insight {
  /// The project's number.
  public var project: UInt32
  /// The segment.
  public var filter: SegmentFilter

  /// The question from its parts.
  public init(project: UInt32, _ filter: SegmentFilter) {
    self.project = project
    self.filter = filter
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    return statement.sql("SELECT count(*) FROM (\(filter.people(of: project, &statement)))")
  }

  /// The number.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Int {
    try rows.first.map { Int(try $0.integer(0)) } ?? 0
  }

  /// The number by definition.
  public func output(over events: [StoredEvent]) -> Int {
    PeopleReading(project: project, setting: filter.setting, events).people(in: filter.segment)
      .count
  }
}
