import EventRecord
public import EventStore

/// How many sessions began in a stretch of time, and how long they were.
///
/// A session is the events of one person under one session id; events outside any session are left
/// out. Its length is the time from its first to its last event by the client's own, uncorrected
/// clock. Events from before the session's own start (back-dated ones carry the id of the session in
/// which they were sent) change nothing about it.
public struct SessionReport: Insight {
  /// The answer.
  public struct Output: Sendable, Hashable {
    /// How many sessions.
    public var count: Int
    /// All their lengths together, in milliseconds.
    public var totalLengthMs: Int64

    /// An answer from its parts.
    public init(count: Int, totalLengthMs: Int64) {
      self.count = count
      self.totalLengthMs = totalLengthMs
    }
  }

  /// Names of events that mark a session's start.
  public static let startNames = ["session_start", "[Amplitude] Start Session"]

  /// The project's number.
  public var project: UInt32
  /// From when on sessions may begin, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when sessions may begin, this moment excluded.
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
      WITH candidates AS (
        SELECT person, session_id, ts, corrected_at,
          min(ts) FILTER (WHERE name IN ($5, $6)) OVER (PARTITION BY person, session_id) AS opened
        FROM person_events
        WHERE project_id = $1 AND kind = 0 AND session_id IS NOT NULL AND person IS NOT NULL
          AND ($2 OR NOT is_test)
      ), sessions AS (
        SELECT epoch_ms(max(ts)::TIMESTAMP) - epoch_ms(min(ts)::TIMESTAMP) AS length,
          min(corrected_at) AS begun
        FROM candidates WHERE opened IS NULL OR ts >= opened
        GROUP BY person, session_id
      )
      SELECT count(*), coalesce(sum(length), 0)::BIGINT FROM sessions
      WHERE begun >= $3 AND begun < $4
      """,
      binding: [
        .integer(Int64(project)), .boolean(includesTest), .time(fromMs), .time(toMs),
      ] + Self.startNames.map { .text($0) }
    )
  }

  /// The numbers.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    guard let row = rows.first else { return Output(count: 0, totalLengthMs: 0) }
    return Output(count: Int(try row.integer(0)), totalLengthMs: try row.integer(1))
  }

  /// The numbers by definition.
  public func output(over events: [StoredEvent]) -> Output {
    struct Session: Hashable {
      var person: Int64
      var id: String
    }
    let people = PeopleMap(events)
    var sessions: [Session: [StoredEvent]] = [:]
    for event in events where event.project == project && event.kind == .event {
      guard !event.sessionID.isEmpty, includesTest || !event.isTest,
        let person = people.person(of: event)
      else { continue }
      sessions[Session(person: person, id: event.sessionID), default: []].append(event)
    }
    var output = Output(count: 0, totalLengthMs: 0)
    for events in sessions.values {
      let opened = events.filter { Self.startNames.contains($0.name) }.map(\.timestampMs).min()
      let own = events.filter { $0.timestampMs >= opened ?? .min }
      guard let begun = own.map(\.correctedMs).min(), begun >= fromMs, begun < toMs,
        let first = own.map(\.timestampMs).min(), let last = own.map(\.timestampMs).max()
      else { continue }
      output.count += 1
      output.totalLengthMs += last - first
    }
    return output
  }
}
