import DuckDBStore
import EventRecord
import EventStore
import Insights
import Testing

/// What statements of Phase's “Query” find in DuckDB.
@Suite struct `Phase's tables` {
  /// 1 December 2026, 10:00 UTC.
  private static let now: Int64 = 1_796_119_200_000
  private static let phone = """
    {"library":"phase","platform":"ios","locale":"de_DE","model":"iPhone17,1","os":"18.1","country":"DE"}
    """
  private static let bare = #"{"library":"phase"}"#

  private static func event(
    _ number: UInt64,
    _ name: String,
    agoMs: Int64,
    device: String,
    session: String = "",
    project: UInt32 = 1,
    user: String = "",
    isTest: Bool = false,
    setting operations: String = "",
    properties: String = "",
    client: String = Self.bare
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 7, low: number),
      project: project,
      kind: name.hasPrefix("$") ? .identify : .event,
      isTest: isTest,
      name: name,
      timestampMs: now - agoMs,
      sequence: Int64(number),
      deviceID: device,
      userID: user,
      sessionID: session,
      properties: properties,
      operations: operations,
      client: client
    )
  }

  /// Two devices of one app, one of another, tests, and pings that know nothing of their device.
  private static let events = [
    event(
      1,
      "$identify",
      agoMs: 400_000,
      device: "d1",
      setting: #"{"$set":{"plan":"free","n":1}}"#,
      client: phone
    ),
    event(2, "session_start", agoMs: 399_000, device: "d1", session: "s1", client: phone),
    event(
      3,
      "/home",
      agoMs: 398_000,
      device: "d1",
      session: "s1",
      properties: #"{"tab":"a"}"#,
      client: phone
    ),
    event(
      4,
      "$identify",
      agoMs: 300_000,
      device: "d1",
      setting: #"{"$set":{"plan":"pro"}}"#,
      client: phone
    ),
    event(5, "$ping", agoMs: 99_000, device: "d1", session: "s1"),
    event(6, "$ping", agoMs: 9_000, device: "d1", session: "s1", isTest: true),
    event(7, "session_start", agoMs: 50 * 86_400_000, device: "d2", session: "s2"),
    event(8, "login", agoMs: 50 * 86_400_000 - 1_500, device: "d2", session: "s2"),
    event(9, "login", agoMs: 1_000, device: "d3", session: "s3", isTest: true),
    event(10, "SECRET", agoMs: 1_000, device: "other", session: "s9", project: 2, client: phone),
  ]

  private static func ask(
    _ text: String,
    _ table: PhaseTables,
    events: [StoredEvent] = Self.events,
    erasing erasure: Erasure? = nil,
    fromMs: Int64? = nil
  ) throws -> [[String?]] {
    let store = try TestStore()
    try store.load(events)
    if let erasure { #expect(try store.store.erase(erasure) > 0) }
    return try store.store.answer(
      ConsoleQuery(text: text, tables: [table.table(project: 1, fromMs: fromMs)]),
      cancellation: nil
    ).rows
  }

  @Test func `events are those of the app, without pings, tests and starts of sessions`() throws {
    #expect(
      try Self.ask("SELECT * FROM events ORDER BY timestamp", .events)
        == [
          ["2026-10-12 10:00:01.5", "d2", "login", nil],
          ["2026-12-01 09:53:22", "d1", "/home", #"{"tab":"a"}"#],
        ]
    )
    #expect(
      try Self.ask("SELECT name FROM events", .events, fromMs: Self.now - 30 * 86_400_000)
        == [["/home"]]
    )
  }

  @Test func `users are what was said of them last, with what holds of them now`() throws {
    #expect(
      try Self.ask("SELECT * FROM users ORDER BY user_id", .users)
        == [
          [
            "d1", "ios", "DE", "de_DE", "iPhone17,1", "18.1", "2026-12-01 09:53:20",
            #"{"n":1,"plan":"pro"}"#,
          ],
          ["d2", nil, nil, nil, nil, nil, "2026-10-12 10:00:00", nil],
        ]
    )
    #expect(
      try Self.ask("SELECT user_id FROM users", .users, fromMs: Self.now - 30 * 86_400_000)
        == [["d1"]]
    )
    #expect(
      try Self.ask("SELECT properties ->> 'plan' FROM users WHERE platform = 'ios'", .users)
        == [["pro"]]
    )
  }

  @Test
  func `a device of somebody who signed in has their properties, but for what was erased`() throws {
    let signedIn =
      Self.events + [
        Self.event(
          20,
          "$identify",
          agoMs: 90_000,
          device: "d1",
          user: "ada",
          setting: #"{"$set":{"tier":2}}"#
        ),
        Self.event(
          21,
          "$identify",
          agoMs: 80_000,
          device: "d2",
          user: "ada",
          setting: #"{"$set":{"plan":"team"}}"#
        ),
      ]
    let text = "SELECT user_id, properties FROM users ORDER BY user_id"
    let both = #"{"n":1,"plan":"team","tier":2}"#
    #expect(try Self.ask(text, .users, events: signedIn) == [["d1", both], ["d2", both]])
    var erasure = Erasure(id: 1, project: 1, askedAtMs: Self.now)
    erasure.device = PersonNumber.device(project: 1, id: "d1")
    let left = try Self.ask(text, .users, events: signedIn, erasing: erasure)
    #expect(left == [["d2", #"{"plan":"team"}"#]])
  }

  @Test func `sessions begin with their own start, whatever earlier was sent in them`() throws {
    let late = Self.event(20, "login", agoMs: 3_600_000, device: "d1", session: "s1")
    #expect(
      try Self.ask(
        "SELECT started_at, duration_seconds FROM sessions WHERE session_id = 's1'",
        .sessions,
        events: Self.events + [late]
      ) == [["2026-12-01 09:53:21", "300.0"]]
    )
  }

  @Test func `sessions last until their last ping`() throws {
    #expect(
      try Self.ask("SELECT * FROM sessions ORDER BY started_at", .sessions)
        == [
          ["s2", "d2", "2026-10-12 10:00:00", "2026-10-12 10:00:01.5", "1.5"],
          ["s1", "d1", "2026-12-01 09:53:21", "2026-12-01 09:58:21", "300.0"],
        ]
    )
    #expect(
      try Self.ask("SELECT session_id FROM sessions", .sessions, fromMs: Self.now - 86_400_000)
        == [["s1"]]
    )
  }
}
