import EventRecord
public import EventStore

/// How many people and sessions there were, and how many of them met a crash.
///
/// Whoever did anything counts; conditions on names and properties say only which crashes do.
public struct CrashFree: Insight {
  /// The numbers.
  public struct Output: Sendable, Hashable {
    /// How many different people did anything.
    public var people: Int
    /// How many of them met a crash.
    public var crashedPeople: Int
    /// How many different sessions had an event.
    public var sessions: Int
    /// How many of them met a crash.
    public var crashedSessions: Int

    /// The share of people without a crash; nil without people.
    public var peopleShare: Double? { Self.share(crashedPeople, of: people) }
    /// The share of sessions without a crash; nil without sessions.
    public var sessionShare: Double? { Self.share(crashedSessions, of: sessions) }

    private static func share(_ crashed: Int, of all: Int) -> Double? {
      all == 0 ? nil : 1 - Double(crashed) / Double(all)
    }
  }

  /// Which events count, and whom.
  public var scope: Scope

  /// The numbers of this scope.
  public init(_ scope: Scope) {
    self.scope = scope
  }

  /// Whether only some crashes count.
  var isNarrowed: Bool { !scope.deeds.isEmpty }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    let crash = [Condition(.name, .equals, CrashSignature.eventName)] + scope.deeds
    let isCrash = crash.map { $0.sql(&statement) }.joined(separator: " AND ")
    let scope = scope.whateverDone
    return statement.sql(
      """
      WITH mine AS (
        SELECT \(scope.key) AS who, e.person, e.session_id, \(isCrash) AS crashed
        FROM \(scope.source(needsPerson: true))
        WHERE \(scope.admission(&statement)) AND \(scope.time(&statement))
      ), people AS (
        SELECT bool_or(crashed) AS crashed FROM mine WHERE who IS NOT NULL GROUP BY who
      ), sessions AS (
        SELECT bool_or(crashed) AS crashed FROM mine
        WHERE session_id IS NOT NULL AND person IS NOT NULL GROUP BY person, session_id
      )
      SELECT (SELECT count(*) FROM people), (SELECT count(*) FROM people WHERE crashed),
        (SELECT count(*) FROM sessions), (SELECT count(*) FROM sessions WHERE crashed)
      """
    )
  }

  /// The numbers.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    guard let row = rows.first else {
      return Output(people: 0, crashedPeople: 0, sessions: 0, crashedSessions: 0)
    }
    return Output(
      people: Int(try row.integer(0)),
      crashedPeople: Int(try row.integer(1)),
      sessions: Int(try row.integer(2)),
      crashedSessions: Int(try row.integer(3))
    )
  }

  /// What one person did under one session id, as everywhere.
  private struct Session: Hashable {
    var person: Int64
    var id: String
  }

  /// The numbers by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let reading = ScopeReading(scope.whateverDone, events)
    var people: [String: Bool] = [:]
    var sessions: [Session: Bool] = [:]
    for event in reading.admitted(events) {
      let isCrash =
        event.name == CrashSignature.eventName
        && scope.deeds.allSatisfy { reading.meets($0, event) }
      if let who = reading.key(of: event) { people[who] = people[who] ?? false || isCrash }
      guard !event.sessionID.isEmpty, let person = reading.people.person(of: event) else {
        continue
      }
      let session = Session(person: person, id: event.sessionID)
      sessions[session] = sessions[session] ?? false || isCrash
    }
    return Output(
      people: people.count,
      crashedPeople: people.values.count { $0 },
      sessions: sessions.count,
      crashedSessions: sessions.values.count { $0 }
    )
  }
}
