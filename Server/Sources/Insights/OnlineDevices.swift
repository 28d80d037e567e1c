import EventRecord
public import EventStore

/// How many devices are in use now: those that something came of in the last seconds.
///
/// Identifies count, too, among them what keeps a session going without being an event, such as
/// Phase's pings. Test events are left out.
public struct OnlineDevices: Insight {
  /// Seconds within which a device is online on the live page.
  ///
  /// Source: Phase's realtime page.
  public static let liveSeconds = 20
  /// Seconds within which a device is online on the page of people.
  ///
  /// Source: Phase's users page.
  public static let peopleSeconds = 60

  /// The project's number.
  public var project: UInt32
  /// Now, in milliseconds since 1970.
  public var nowMs: Int64
  /// How many seconds back.
  public var seconds: Int

  /// The question from its parts.
  public init(project: UInt32, nowMs: Int64, seconds: Int = OnlineDevices.liveSeconds) {
    self.project = project
    self.nowMs = nowMs
    self.seconds = seconds
  }

  private var fromMs: Int64 { nowMs - Int64(seconds) * 1_000 }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT count(DISTINCT device_id) FROM events
      WHERE project_id = $1 AND kind < 2 AND NOT is_test AND corrected_at >= $2
      """,
      binding: [.integer(Int64(project)), .time(fromMs)]
    )
  }

  /// The number.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Int {
    try rows.first.map { Int(try $0.integer(0)) } ?? 0
  }

  /// The number by definition.
  public func output(over events: [StoredEvent]) -> Int {
    let devices = events.filter { event in
      event.project == project && [.event, .identify].contains(event.kind) && !event.isTest
        && event.correctedMs >= fromMs
    }.map(\.deviceID)
    return Set(devices).subtracting([""]).count
  }
}
