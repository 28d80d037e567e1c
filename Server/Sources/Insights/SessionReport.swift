import EventRecord
public import EventStore

/// How many sessions began in a stretch of time, and how long they were.
///
/// A session is the events of one person under one session id; events outside any session are left
/// out. Its length is the time from its first to its last event, or to a later heartbeat of it, by the
/// client's own, uncorrected clock; heartbeats are what the collector makes of Phase's pings. Events from before the session's own start (back-dated ones carry the id of the session in
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
  public static let startNames = SessionVocabulary.startNames

  /// The name of events that tell of a crash.
  public static let crashName = SessionVocabulary.crashName

  /// Which events sessions are made of.
  ///
  /// Its time is that in which sessions begin; whom it counts plays
  /// no part, since a session is a person's.
  public var scope: Scope

  /// The sessions of this scope.
  public init(_ scope: Scope) {
    self.scope = scope
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let pieces = SessionPieces(scope: scope, breakdown: nil, isWithin: false)
    return statement.sql(
      """
      WITH \(pieces.tables(&statement, field: "NULL"))
      SELECT count(*), coalesce(sum(length), 0)::BIGINT
      FROM (\(Heartbeats(scope: scope).lengths(of: "sessions", &statement))) AS e
      WHERE \(scope.time(&statement))
      """
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
    let reading = ScopeReading(scope, events)
    var sessions: [SessionKey: [StoredEvent]] = [:]
    for event in events where reading.belongs(event) && !event.sessionID.isEmpty {
      guard let person = reading.people.person(of: event) else { continue }
      sessions[SessionKey(person: person, id: event.sessionID), default: []].append(event)
    }
    var output = Output(count: 0, totalLengthMs: 0)
    let heartbeats = Heartbeats(scope: scope).last(in: events, of: reading.people)
    for (key, events) in sessions {
      let own = SessionVocabulary.own(events)
      guard own.contains(where: reading.admits), let begun = own.map(\.correctedMs).min(),
        begun >= scope.fromMs, begun < scope.toMs,
        let first = own.map(\.timestampMs).min(), let last = own.map(\.timestampMs).max()
      else { continue }
      output.count += 1
      output.totalLengthMs += max(last, heartbeats[key] ?? last) - first
    }
    return output
  }
}
