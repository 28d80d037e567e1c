import FootfallSystem
import Catalog
import EventRecord
import EventStore
import Foundation
import HTTPServing
import Insights
import ProjectQuestions
import Testing

@testable import AdminAPI

/// Phase's read API, over a catalogue and a store in memory.
@Suite struct `Phase's read API` {
  private static let now = APIFixture.nowMs
  private static let hour: Int64 = 3_600_000

  private static func event(
    _ number: UInt64,
    _ name: String,
    device: String,
    user: String = "",
    ago: Int64,
    session: String = "",
    isScreen: Bool = false,
    platform: String = "ios",
    isTest: Bool = false
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 5, low: number),
      project: 1,
      isTest: isTest,
      name: name,
      timestampMs: now - ago,
      deviceID: device,
      userID: user,
      sessionID: session,
      context: isScreen ? #"{"is_screen":true}"# : "",
      client: #"{"platform":"\#(platform)","country":"DE"}"#
    )
  }

  private static let events = [
    event(1, "session_start", device: "d1", ago: 2 * hour, session: "s1"),
    event(2, "login", device: "d1", ago: 2 * hour - 10_000, session: "s1"),
    event(3, "/home", device: "d1", ago: 2 * hour - 30_000, session: "s1", isScreen: true),
    event(4, "session_start", device: "d2", ago: 30 * hour, session: "s2", platform: "android"),
    event(5, "login", device: "d2", ago: 30 * hour - 12_000, session: "s2", platform: "android"),
    event(6, "login", device: "d3", ago: hour, session: "s3", isTest: true),
  ]

  private struct World {
    let fixture: APIFixture
    let client: TestClient
    var key: String

    func get(_ path: String, app: String = "1") async -> Response {
      await client.get(
        "/public-api/v1/apps/\(app)" + path,
        headers: [Header("Authorization", "Bearer \(key)")]
      )
    }

    func post(_ path: String, _ body: String) async -> Response {
      await client.post(
        "/public-api/v1/apps/1" + path,
        headers: [Header("Authorization", "bearer \(key)")],
        text: body
      )
    }
  }

  private static func world(_ events: [StoredEvent] = events) throws -> World {
    let fixture = try APIFixture(events: events)
    let now = fixture.now
    var router = Router()
    PhaseReadAPI(catalog: fixture.catalog, store: fixture.store, nowMs: { now.withLock { $0 } })
      .install(in: &router)
    let made = try fixture.catalog.createPhaseReadKey(name: "Reports", project: 1)
    return World(fixture: fixture, client: TestClient(router), key: made.plaintext)
  }

  @Test(arguments: [
    ("/reports/events/overview", #""totalEvents":3,"uniqueUsers":2,"eventsPerUser":1.5"#),
    ("/reports/events/breakdown", #"{"value":"login","count":2}"#),
    ("/reports/events/breakdown?dimension=screenName", #"[{"value":"/home","count":1}]"#),
    ("/reports/events/timeseries?range=7d", #"{"date":"2026-12-01","value":2}"#),
    ("/reports/sessions/overview", #""totalSessions":2,"avgSessionDuration":21,"bounceRate":50"#),
    (
      "/reports/sessions/timeseries?metric=bounceRate&range=7d",
      #"{"date":"2026-11-30","value":100}"#
    ),
    ("/reports/sessions/breakdown?dimension=platform", #"{"value":"ios","count":1}"#),
    ("/reports/users/overview", #""totalUsers":2,"activeUsers":2,"newUsers":2"#),
    ("/reports/users/timeseries?metric=totalUsers&range=7d", #"{"date":"2026-12-01","value":2}"#),
    ("/reports/users/breakdown?dimension=country", #"[{"value":"DE","count":2}]"#),
  ])
  func `answers a report with how it is made`(path: String, part: String) async throws {
    let answer = await (try Self.world()).get(path)
    #expect(answer.status == 200)
    #expect(answer.text.contains(part), "\(answer.text)")
    #expect(
      answer.text.contains(
        #""meta":{"generatedAt":"2026-12-01T09:30:00Z","consistency":"eventual","identityModel":"user"}"#
      )
    )
  }

  @Test func `a session on a device that two people share is one session`() async throws {
    let start = 2 * Self.hour
    let world = try Self.world([
      Self.event(1, "session_start", device: "d1", user: "ada", ago: start, session: "s1"),
      Self.event(2, "login", device: "d1", user: "ada", ago: start - 10_000, session: "s1"),
      Self.event(3, "login", device: "d1", user: "bob", ago: start - 20_000, session: "s1"),
      Self.event(4, "pay", device: "d1", user: "bob", ago: start - 60_000, session: "s1"),
    ])
    for (path, part) in [
      ("overview", #""totalSessions":1,"avgSessionDuration":60,"bounceRate":0"#),
      ("timeseries?metric=sessionCount&range=7d", #"{"date":"2026-12-01","value":1}"#),
      ("breakdown?dimension=platform", #"{"value":"ios","count":1}"#),
    ] {
      let answer = await world.get("/reports/sessions/" + path).text
      #expect(answer.contains(part), "\(answer)")
    }
  }

  @Test func `runs funnels of events, and those that are saved on boards`() async throws {
    let world = try Self.world()
    let run = await world.post(
      "/reports/funnels/run",
      #"{"steps":[{"kind":"event","value":"login"},{"kind":"event","value":"/home"}],"windowHours":24}"#
    )
    #expect(
      run.text.contains(
        #""name":"/home","users":1,"conversionFromStart":50,"conversionFromPrevious":50"#
      )
    )
    let board = try world.fixture.catalog.createBoard(
      name: "B",
      cards: [
        BoardCard(
          title: "Home",
          content: .chart(question: "funnel", parameters: "steps=login%3B%2Fhome")
        )
      ],
      project: 1
    )
    let id = try #require(board.cards.first?.id)
    #expect(await world.get("/reports/funnels").text.contains(#"[{"id":"\#(id)","name":"Home"}]"#))
    #expect(await world.get("/reports/funnels/\(id)").text.contains(#""name":"login","users":2"#))
    #expect(await world.get("/reports/funnels/999").status == 404)
  }

  @Test func `runs a funnel over the days that its body names`() async throws {
    let world = try Self.world()
    let steps = #""steps":[{"kind":"event","value":"login"},{"kind":"event","name":"/home"}]"#
    func users(_ days: String, _ query: String = "") async -> [String] {
      await world.post("/reports/funnels/run" + query, "{\(steps)\(days)}").text
        .matches(of: /"users":([0-9]+)/).map { String($0.1) }
    }
    #expect(await users(#","from":"2026-12-01","to":"2026-12-01""#) == ["1", "1"])
    #expect(await users(#","from":"2026-11-30","to":"2026-11-30""#) == ["1", "0"])
    #expect(await users("", "?from=2026-11-30&to=2026-11-30") == ["1", "0"])
    #expect(await users(#","from":"2026-12-01""#, "?from=2026-11-30") == ["1", "1"])
    for days in [
      #","from":1"#, #","from":"yesterday""#, #","from":"2024-01-01","to":"2026-01-01""#,
    ] {
      let answer = await world.post("/reports/funnels/run", "{\(steps)\(days)}")
      #expect(answer.status == 400 && answer.text.contains("VALIDATION_ERROR"), "\(days)")
    }
  }

  @Test(arguments: [
    (#"{"kind":"first_seen"},{"kind":"session"}"#, ["2", "2"]),
    (#"{"kind":"first_seen"},{"kind":"session_30s"}"#, ["2", "1"]),
    (#"{"kind":"session"},{"kind":"session_10m"}"#, ["2", "0"]),
    (#"{"kind":"first_seen"},{"kind":"engaged_10m"}"#, ["2", "0"]),
    (#"{"kind":"first_seen"},{"kind":"return_d1"},{"kind":"return_d3"}"#, ["2", "0", "0"]),
    (#"{"kind":"event","value":"login"},{"kind":"event","value":"login"}"#, ["2", "0"]),
  ])
  func `knows Phase's kinds of steps`(steps: String, users: [String]) async throws {
    let answer = await (try Self.world()).post("/reports/funnels/run", #"{"steps":[\#(steps)]}"#)
    let found = answer.text.matches(of: /"users":([0-9]+)/).map { String($0.1) }
    #expect(found == users, "\(answer.text)")
  }

  @Test(arguments: [
    "[]", #"[{"kind":"session"}]"#, #"[{"kind":"session"},{"kind":"click"}]"#,
    #"[{"kind":"return_d1"},{"kind":"session"}]"#, #"[{"kind":"session"},{"kind":"event"}]"#,
    #"[{"kind":"session"},1]"#, #"[{"kind":1},{"kind":"session"}]"#,
  ])
  func `refuses steps that are none`(steps: String) async throws {
    let answer = await (try Self.world()).post("/reports/funnels/run", #"{"steps":\#(steps)}"#)
    #expect(answer.status == 400 && answer.text.contains("VALIDATION_ERROR"), "\(answer.text)")
  }

  @Test func `tells who was held of those who came`() async throws {
    let world = try Self.world()
    let answer = await world.get("/reports/funnels/activation")
    for step in ["first_open", "engaged_10m", "return_d1", "return_d3"] {
      let users = step == "first_open" ? 2 : 0
      #expect(answer.text.contains(#""name":"\#(step)","users":\#(users)"#), "\(answer.text)")
    }
    let day = await world.get("/reports/funnels/activation?from=2026-12-01&to=2026-12-01")
    #expect(day.text.contains(#""name":"first_open","users":1"#))
  }

  /// Whatever a saved funnel is asked with: the same numbers as on its board.
  @Test(arguments: [
    ("steps=login%3B%2Fhome", ["2", "1"]),
    ("steps=login%3B%2Fhome&where=platform%3Ais%3Aandroid", ["1", "0"]),
    ("steps=%2Fhome%3Blogin&order=any", ["2", "1"]), ("steps=%2Fhome%3Blogin", ["1", "0"]),
    ("steps=login%3Blogin&test=true&unit=devices", ["3", "0"]),
    ("steps=session_start%3B%2Fhome&without=login", ["2", "0"]),
    ("steps=login%3B%2Fhome&segment=SEGMENT", ["1", "1"]),
    ("steps=login%3B%2Fhome&from=2026-11-30&to=2026-11-30", ["1", "0"]),
  ])
  func `asks a saved funnel as its board does`(query: String, users: [String]) async throws {
    let world = try Self.world()
    let segment = try world.fixture.catalog.addSegment(
      name: "Home",
      definition: #"all/all;did-at-least 1 ever \/home"#,
      project: 1
    )
    let asked = query.replacing("SEGMENT", with: "\(segment.id)")
    let board = try world.fixture.catalog.createBoard(
      name: "B",
      cards: [BoardCard(title: "F", content: .chart(question: "funnel", parameters: asked))],
      project: 1
    )
    let id = try #require(board.cards.first?.id)
    let answer = await world.get("/reports/funnels/\(id)")
    let found = answer.text.matches(of: /"users":([0-9]+)/).map { String($0.1) }
    #expect(found == users, "\(answer.text)")
    let project = try #require(try world.fixture.catalog.project(1))
    let report = try SavedQuestion(word: "funnel", query: asked).report(
      QuestionForm.Setting(project, in: world.fixture.catalog, nowMs: Self.now),
      on: world.fixture.store
    )
    #expect(
      report.figures.prefix(2).map(\.value) == [users[0], users[1]].map { Double($0) }
    )
    // Days of the request are in the place of its own.
    let none = await world.get("/reports/funnels/\(id)?from=2026-11-01&to=2026-11-02")
    #expect(none.text.contains(#""users":0,"#) && !none.text.contains(#""users":1,"#))
  }

  @Test(arguments: [
    "/reports/events/breakdown?limit=0", "/reports/events/breakdown?limit=51",
    "/reports/events/breakdown?dimension=colour", "/reports/sessions/timeseries?metric=x",
    "/reports/events/overview?from=2025-01-01&to=2026-11-30", "/reports/users/overview?range=2y",
  ])
  func `refuses what is over its limits`(path: String) async throws {
    let answer = await (try Self.world()).get(path)
    #expect(answer.status == 400 && answer.text.contains(#""code":"VALIDATION_ERROR""#))
  }

  @Test func `is for keys that work, and their app`() async throws {
    var world = try Self.world()
    let path = "/reports/events/overview"
    #expect(await world.get(path, app: "2").status == 404)
    #expect(await world.get(path, app: "x").status == 404)
    #expect(await world.get("/reports/nothing").status == 404)
    let bare = await world.client.get("/public-api/v1/apps/1" + path)
    #expect(bare.status == 401 && bare.text.contains(#""code":"UNAUTHORIZED""#))
    let key = try #require(try world.fixture.catalog.phaseReadKeys(project: 1).first)
    #expect(key.prefix.count == 18 && world.key.hasPrefix(key.prefix))
    #expect(await world.get(path).status == 200)
    #expect(try world.fixture.catalog.phaseReadKeys(project: 1).first?.usedAtMs != nil)
    try world.fixture.catalog.revokePhaseReadKey(key.id, project: 1)
    let revoked = await world.get(path)
    #expect(revoked.status == 401 && revoked.text.contains("revoked"))
    world.key = "phase_public_guess"
    #expect(await world.get(path).status == 401)
  }

  @Test func `takes 300 requests in a minute`() {
    var rates = PhaseRates()
    for _ in 0..<300 { #expect(rates.admit(["key", "address"], nowMs: 1_000) == nil) }
    #expect(rates.admit(["key", "other"], nowMs: 31_000) == 30)
    #expect(rates.admit(["another", "address"], nowMs: 31_000) == 30)
    #expect(rates.admit(["another", "other"], nowMs: 31_000) == nil)
    #expect(rates.admit(["key", "address"], nowMs: 61_000) == nil)
  }

  // MARK: SQL

  private static func query(_ text: String, page: Int = 1) throws -> ConsoleQuery {
    try PhaseQuery(text, page: page, project: 7, nowMs: now).query
  }

  @Test func `asks one table of its app, for 30 days unless a time is compared`() throws {
    let query = try Self.query("SELECT name, count(*) FROM events GROUP BY name")
    #expect(query.tables.map(\.name) == ["events"])
    #expect(query.tables[0].sql.contains("project_id = 7"))
    let since = "make_timestamp_ms(\(Self.now - 30 * 86_400_000))"
    #expect(query.tables[0].sql.contains(since))
    #expect(query.maxRows == 50 && query.skippedRows == 0 && query.seconds == 30)
    for text in [
      "SELECT * FROM events WHERE timestamp > '2020-01-01'",
      "SELECT * FROM users WHERE now() > first_seen",
      "SELECT * FROM sessions WHERE started_at BETWEEN 1 AND 2",
    ] { #expect(try !Self.query(text).tables[0].sql.contains("make_timestamp_ms"), "\(text)") }
    #expect(
      try Self.query("SELECT timestamp FROM events -- timestamp > 1").tables[0].sql.contains(since)
    )
    #expect(try Self.query("SELECT 1 FROM users", page: 2_001).skippedRows == 100_000)
  }

  @Test(arguments: [
    "", "DELETE FROM events", "SELECT 1; SELECT 2", "SELECT * FROM events;",
    "SELECT * FROM events a JOIN users b",
    "SELECT * FROM events LIMIT 1 OFFSET 2", "SELECT * FROM events, users", "SELECT 1",
    "SELECT * FROM devices",
    "SELECT device_id FROM events", "WITH x AS (SELECT 1) SELECT * FROM x",
    "SELECT * FROM events WHERE drop = 1",
    "SELECT * FROM (SELECT * FROM users) u, (SELECT * FROM events) e",
  ])
  func `refuses what Phase refuses`(text: String) {
    #expect(throws: PhaseQuery.Problem.self, "\(text)") { try Self.query(text) }
  }

  @Test func `takes forbidden words in quotes, and pages up to a limit`() throws {
    #expect(throws: Never.self) { try Self.query("SELECT * FROM events WHERE name = 'drop; join'") }
    #expect(throws: PhaseQuery.Problem.self) { try Self.query("SELECT 1 FROM users", page: 2_002) }
    #expect(throws: PhaseQuery.Problem.self) { try Self.query("SELECT 1 FROM users", page: 0) }
    let long = "SELECT '" + String(repeating: "x", count: 10_000) + "' FROM users"
    #expect(throws: PhaseQuery.Problem.self) { try Self.query(long) }
  }

  @Test func `answers a statement page by page`() async throws {
    let world = try Self.world()
    world.fixture.store.answerConsoles { query in
      ConsoleAnswer(
        columns: [.init("name", "VARCHAR"), .init("n", "BIGINT")],
        rows: [["a", "\(query.skippedRows)"]],
        isCut: true
      )
    }
    let answer = await world.post("/query", #"{"sql":"SELECT name FROM events","page":2}"#)
    #expect(answer.text.contains(#""columns":["name","n"],"rows":[["a",50]]"#), "\(answer.text)")
    #expect(answer.text.contains(#""pagination":{"page":2,"pageSize":50,"hasMore":true}"#))
    for body in ["", "[]", "{}", #"{"sql":1}"#, #"{"sql":"SELECT 1","page":"x"}"#] {
      #expect(await world.post("/query", body).status == 400, "\(body)")
    }
  }
}
