import DuckDBStore
import EventRecord
import EventStore
import FootfallSystem
import Foundation
import Insights
import Testing

/// Statements that somebody wrote, and what must not come of them.
@Suite(.timeLimit(.minutes(5))) struct `The SQL console` {
  /// A store with events of two projects.
  private static func world() throws -> TestStore {
    let store = try TestStore()
    try store.load([
      event(1, project: 1, name: "Tap", user: "ada", properties: #"{"price":2.5}"#),
      event(2, project: 1, name: "Tap", user: "bob"),
      event(3, project: 1, name: "Buy", user: "ada"),
      event(4, project: 2, name: "SECRET", user: "eve", properties: #"{"price":99}"#),
    ])
    return store
  }

  private static func event(
    _ number: UInt64,
    project: UInt32,
    name: String,
    user: String,
    properties: String = ""
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 1, low: number),
      project: project,
      name: name,
      timestampMs: 1_796_117_400_000 + Int64(number),
      deviceID: "phone-\(user)",
      userID: user,
      properties: properties
    )
  }

  private static func ask(
    _ text: String,
    _ store: TestStore,
    project: UInt32 = 1,
    maxRows: Int = 100,
    skippedRows: Int = 0,
    seconds: Double = 30,
    maxBytes: Int = ConsoleQuery.usualMaxBytes
  ) throws -> ConsoleAnswer {
    try store.store.answer(
      ConsoleQuery(
        text: text,
        tables: ConsoleTables.tables(project: project),
        maxRows: maxRows,
        skippedRows: skippedRows,
        seconds: seconds,
        maxBytes: maxBytes
      ),
      cancellation: nil
    )
  }

  @Test func `answers a statement in its order, with types and missing values`() throws {
    let answer = try Self.ask(
      """
      SELECT name, count(*) AS n, max(props ->> 'price') AS price, -- a comment
        count(*) / 2 AS half /* and another */
      FROM events GROUP BY name ORDER BY n DESC;
      """,
      try Self.world()
    )
    #expect(answer.columns.map(\.name) == ["name", "n", "price", "half"])
    #expect(answer.columns.map(\.isNumber) == [false, true, false, true])
    #expect(answer.rows == [["Tap", "2", "2.5", "1.0"], ["Buy", "1", nil, "0.5"]])
    #expect(!answer.isCut)
    #expect(answer.csv == "name,n,price,half\r\nTap,2,2.5,1.0\r\nBuy,1,,0.5\r\n")
  }

  @Test(arguments: [
    ("SELECT count(*) FROM events", "3"), ("FROM events SELECT count(*)", "3"),
    ("SELECT count(*) FROM people", "2"),
    ("SELECT count(*) FROM Events e JOIN people USING (person)", "3"),
    ("WITH x AS (SELECT * FROM events) SELECT count(*) FROM x", "3"),
    (
      "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT max(n) FROM r",
      "9"
    ),
    ("SELECT sum(a) FROM (VALUES (1), (2)) v(a)", "3"), ("SELECT count(*) FROM range(5)", "5"),
    ("SELECT count(*) FROM generate_series(1, 3) g, unnest([1, 2]) u", "6"),
    ("SELECT list_sum(list_transform([1, 2], lambda x: x * 2))", "6"),
    (
      "SELECT max(n) FROM (SELECT row_number() OVER (PARTITION BY name ORDER BY time) AS n FROM events)",
      "2"
    ),
    ("SELECT count(*) FROM (SELECT 1 UNION SELECT 2 EXCEPT SELECT 2)", "1"),
    (
      "SELECT name FROM events WHERE name LIKE 'B%' AND EXISTS (SELECT 1) AND person IN (SELECT person FROM people)",
      "Buy"
    ),
    (
      "SELECT CASE WHEN date_trunc('day', min(time)) < TIMESTAMP '2030-01-01' THEN 'x' ELSE 'y' END FROM events",
      "x"
    ),
    ("SELECT regexp_extract('a-12', '[0-9]+')::INTEGER + 1", "13"),
  ])
  func `takes what asks`(text: String, answer: String) throws {
    #expect(try Self.ask(text, try Self.world()).rows == [[answer]], "\(text)")
  }

  @Test func `has nobody among people who only tested`() throws {
    var tester = Self.event(9, project: 1, name: "Tap", user: "tester")
    tester.isTest = true
    let store = try Self.world()
    try store.load([tester])
    #expect(
      try Self.ask("SELECT person, events FROM people ORDER BY person", store).rows
        == [["ada", "2"], ["bob", "1"]]
    )
    #expect(try Self.ask("SELECT count(*) FROM events WHERE test", store).rows == [["1"]])
  }

  @Test(arguments: [
    // Another project's rows.
    "SELECT * FROM main.events", "SELECT * FROM person_events", "SELECT * FROM events.main.events",
    "SELECT * FROM main.person_events", "SELECT * FROM device_users",
    "SELECT * FROM load_positions",
    "SELECT * FROM current_properties", "SELECT * FROM revenues",
    "SELECT * FROM activity_parts", "SELECT * FROM session_parts",
    "WITH events AS (SELECT * FROM main.events) SELECT * FROM events",
    "WITH device_users AS (SELECT 1) SELECT * FROM device_users",
    "SELECT (WITH person_events AS (SELECT 1) SELECT 1), (SELECT count(*) FROM person_events)",
    "SELECT * FROM (WITH revenues AS (SELECT 1) SELECT 1) a, revenues",
    "SELECT * FROM query_table('main.events')", "SELECT * FROM query('SELECT * FROM main.events')",
    "SELECT * FROM events) UNION SELECT * FROM (SELECT * FROM main.events",
    "SELECT * FROM seq_scan('main.events')", "SELECT * FROM json_execute_serialized_sql('{}')",
    // Files and the network.
    "SELECT * FROM 'x.csv'", "SELECT * FROM \"/etc/passwd\"",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_blob('*')",
    "SELECT * FROM glob('*')",
    "SELECT * FROM read_parquet('https://example.com/x.parquet')",
    "SELECT * FROM read_json_auto('x')",
    "SELECT * FROM sniff_csv('/etc/passwd')", "SELECT read_text('/etc/passwd')",
    "WITH \"a.csv\" AS (SELECT 1) SELECT * FROM \"a.csv\"", "SELECT * FROM parquet_scan('x')",
    "COPY events TO 'x.csv'", "COPY (SELECT 1) TO '/tmp/x'", "COPY events FROM 'x.csv'",
    "EXPORT DATABASE 'x'", "IMPORT DATABASE 'x'", "ATTACH 'x.duckdb'", "ATTACH ':memory:' AS x",
    "DETACH main", "USE main", "INSTALL httpfs", "LOAD httpfs",
    // Settings and the surroundings.
    "PRAGMA database_list", "PRAGMA enable_profiling", "SET memory_limit = '10GB'",
    "RESET memory_limit",
    "SELECT current_setting('memory_limit')", "SELECT getvariable('x')", "SET VARIABLE x = 1",
    "SELECT * FROM duckdb_settings()", "SELECT * FROM duckdb_tables()",
    "SELECT * FROM pragma_version()",
    "SELECT * FROM information_schema.tables", "SELECT * FROM sqlite_master",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM pg_catalog.pg_tables", "SELECT getenv('HOME')", "SELECT version()",
    "SELECT current_query()",
    "SELECT current_database()", "SHOW TABLES", "SHOW ALL TABLES", "DESCRIBE events",
    "SUMMARIZE events",
    "DESCRIBE main.events", "SELECT * FROM (DESCRIBE events)", "SELECT * FROM (SHOW TABLES)",
    "SELECT nextval('x')", "SELECT setseed(0.5)", "SELECT write_log('x')", "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT 1", "CALL pragma_version()", "SELECT main.count(*) FROM events",
    "SELECT system.main.current_setting('threads')",
    // Changes.
    "INSERT INTO events SELECT * FROM events", "DELETE FROM main.events",
    "UPDATE events SET name = 'x'",
    "DROP TABLE main.events", "CREATE TABLE x AS SELECT 1", "CREATE TEMP VIEW events AS SELECT 1",
    "ALTER TABLE events ADD COLUMN x INTEGER", "TRUNCATE events", "VACUUM", "CHECKPOINT", "BEGIN",
    "COMMIT",
    "WITH x AS (DELETE FROM events RETURNING *) SELECT * FROM x", "PREPARE x AS SELECT 1",
    "EXECUTE x",
    "CREATE MACRO count_star() AS 7",
    "MERGE INTO events USING events ON true WHEN MATCHED THEN DELETE",
    // More than one statement, and none.
    "SELECT 1; SELECT 2", "SELECT 1; DROP TABLE main.events",
    "SELECT 1 /* ; */ ; DELETE FROM main.events --",
    "", ";", "-- nothing", "/* SELECT 1", "SELECT 1 -- \n; DROP TABLE main.events", "SELECT",
    "nonsense",
    // Parameters, waiting, and much of little.
    "SELECT $1", "SELECT ?", "SELECT sleep_ms(10)", "SELECT pg_sleep(1)",
    "SELECT repeat('x', 1000000000)", "SELECT replace('aaa', 'a', 'bbb')",
    "SELECT regexp_replace('aaa', 'a', 'bbb', 'g')", "SELECT array_to_string([1, 2], 'bbb')",
    "SELECT length(range(2000000000)::VARCHAR)", "SELECT generate_series(2000000000)",
    "SELECT * FROM unnest(range(2000000000))",
    "SELECT list_aggregate([1, 2], 'footfall_funnel')", "SELECT list_aggr([1], 'max')",
    "SELECT array_aggregate([1], 'max')", "SELECT array_aggr([1], 'max')",
    "SELECT json_contains('[1]', '1')", "SELECT levenshtein('a', 'b')",
    "SELECT list_intersect([1], [2])", "SELECT equi_width_bins(0, 1, 2000000000, false)",
    "SELECT lpad('x', 1000000000, 'y')", "SELECT format('{:>1000000000}', 'x')",
    "SELECT printf('%1000000000d', 1)",
    "SELECT list_resize([1], 1000000000)", "SELECT bar(1, 0, 1, 1000000000)",
    "SELECT * FROM repeat_row(1, num_rows = 1000000000)", "SELECT * FROM test_all_types()",
    // The transaction's name for what is read.
    "SELECT * FROM events AT (VERSION => 1)", "SELECT * FROM events AT (TIMESTAMP => now())",
  ])
  func `takes nothing else`(text: String) throws {
    let world = try Self.world()
    let before = try world.store.rows(SQL("SELECT count(*) FROM main.events"))
    let problem = #expect(throws: ConsoleProblem.self, "\(text)") { try Self.ask(text, world) }
    #expect(
      problem?.description.isEmpty == false && problem?.description.contains("SECRET") == false
    )
    #expect(try world.store.rows(SQL("SELECT count(*) FROM main.events")) == before)
    // The connection is as it was.
    #expect(try Self.ask("SELECT count(*) FROM events", world).rows == [["3"]])
  }

  /// What is wrong with the data that a statement meets is the statement's mistake, not the store's.
  @Test(arguments: [
    ("SELECT CAST('x' AS INT)", "Could not convert string 'x'"),
    ("SELECT CAST(name AS INT) FROM events", "Could not convert string"),
    ("SELECT 9223372036854775807 + name::BIGINT FROM events", "Could not convert string"),
    ("SELECT 200::TINYINT", "200"), ("SELECT DATE '2026-99-99'", "2026-99-99"),
    ("SELECT nothing FROM events", "nothing"),
  ])
  func `says what a statement cannot do with its data`(text: String, part: String) throws {
    let problem = #expect(throws: ConsoleProblem.self) { try Self.ask(text, try Self.world()) }
    let message = problem?.description ?? ""
    #expect(message.contains(part) && !message.contains("LINE ") && !message.contains("main."))
    #expect(message.last?.isWhitespace == false)
  }

  /// A user may have the id that a device has on which nobody signed in.
  @Test func `tells a user from a device of the same id`() throws {
    let store = try TestStore()
    var device = Self.event(2, project: 1, name: "Tap", user: "")
    device.deviceID = "same"
    var signedIn = Self.event(3, project: 1, name: "Tap", user: "")
    signedIn.deviceID = "phone-same"
    try store.load([Self.event(1, project: 1, name: "Tap", user: "same"), device, signedIn])
    let people = try Self.ask("SELECT person, is_user, events FROM people ORDER BY is_user", store)
    #expect(people.rows == [["same", "false", "1"], ["same", "true", "2"]])
    let events = try Self.ask(
      "SELECT is_user, count(*) FROM events GROUP BY ALL ORDER BY is_user",
      store
    )
    #expect(events.rows == [["false", "1"], ["true", "2"]])
  }

  @Test func `sees only its own project, whatever is joined with what`() throws {
    let world = try Self.world()
    for text in [
      "SELECT * FROM events", "SELECT e FROM events e", "SELECT * FROM people",
      "SELECT * FROM events a, events b, people c", "FROM events",
      "SELECT COLUMNS('.*') FROM events",
      "SELECT * EXCLUDE (name) FROM events", "SELECT list(events) FROM events",
      "SELECT to_json(events) FROM events", "WITH x AS (FROM events) FROM x UNION ALL FROM x",
    ] {
      let text0 = try Self.ask(text, world, maxRows: 1_000).rows.description
      #expect(!text0.contains("SECRET") && !text0.contains("eve"), "\(text)")
      #expect(text0.contains("ada"), "\(text)")
    }
    #expect(try Self.ask("SELECT name FROM events", world, project: 2).rows == [["SECRET"]])
    #expect(try Self.ask("SELECT name FROM events", world, project: 3).rows.isEmpty)
  }

  @Test func `cuts what is long, and pages`() throws {
    let world = try Self.world()
    let first = try Self.ask("SELECT range AS n FROM range(1000000000)", world, maxRows: 10)
    #expect(first.rows.count == 10 && first.isCut)
    let last = try Self.ask("FROM range(25)", world, maxRows: 10, skippedRows: 20)
    #expect(last.rows.map { $0[0] } == ["20", "21", "22", "23", "24"] && !last.isCut)
    let long = "SELECT '" + String(repeating: "x", count: 10_000) + "'"
    #expect(throws: ConsoleProblem.self) { try Self.ask(long, world) }
    let deep =
      "SELECT " + String(repeating: "(", count: 900) + "1" + String(repeating: ")", count: 900)
    // However it ends, it ends with a sentence or an answer.
    do { _ = try Self.ask(deep, world) } catch is ConsoleProblem {}
  }

  @Test(arguments: [
    // 5 kB of text in each row, which DuckDB keeps once for all of them.
    (
      "WITH l AS MATERIALIZED (SELECT list(range) AS x FROM range(1000)) SELECT x FROM l, range(",
      300
    ),
    ("SELECT '" + String(repeating: "x", count: 9_000) + "' FROM range(", 200),
    ("SELECT range, '" + String(repeating: "é", count: 900) + "' FROM range(", 900),
    ("SELECT NULL, range, NULL FROM range(", 80_000),
  ])
  func `refuses an answer of too many bytes, and says what to do`(text: String, rows: Int) throws {
    let world = try Self.world()
    let problem = #expect(throws: ConsoleProblem.self) {
      try Self.ask("\(text)\(rows))", world, maxRows: 100_000, maxBytes: 1 << 20)
    }
    #expect(problem?.description.contains("at most 1 MB") == true, "\(problem as Any)")
    #expect(problem?.description.contains("Ask for fewer rows or columns") == true)
    // What is not answered counts for nothing, and every statement begins anew.
    for _ in 0..<3 {
      let some = try Self.ask("\(text)\(rows))", world, maxRows: rows / 3, maxBytes: 1 << 20)
      #expect(some.rows.count == rows / 3 && some.isCut)
    }
    let late = try Self.ask(
      "\(text)\(rows))",
      world,
      maxRows: 9,
      skippedRows: rows - 5,
      maxBytes: 1 << 20
    )
    #expect(late.rows.count == 5 && !late.isCut)
  }

  @Test func `keeps the order and the values of what it counts`() throws {
    let answer = try Self.ask(
      "SELECT range AS n, CASE WHEN range % 2 = 0 THEN range::VARCHAR || 'a long text' END FROM range(5000) ORDER BY n DESC",
      try Self.world(),
      maxRows: 5_000
    )
    #expect(
      answer.rows
        == (0..<5_000).reversed().map { ["\($0)", $0 % 2 == 0 ? "\($0)a long text" : nil] }
    )
  }

  @Test func `stops what takes too long, and what never ends`() throws {
    let world = try Self.world()
    for text in [
      "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b",
      "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
      "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r) SELECT count(*) FROM r",
    ] {
      #expect(throws: StoreError.timedOut(seconds: 0.2), "\(text)") {
        try Self.ask(text, world, seconds: 0.2)
      }
    }
    #expect(try Self.ask("SELECT 1", world).rows == [["1"]])
  }

  /// A statement may be stopped at any of its moments: none may leave anything behind.
  @Test func `answers after any number of stops`() throws {
    let world = try Self.world()
    for round in 0..<60 {
      let seconds = 0.001 + 0.0005 * Double(round)
      #expect(throws: StoreError.timedOut(seconds: seconds)) {
        try Self.ask(
          "SELECT count(DISTINCT a.range * 1000000 + b.range) FROM range(1000000) a, range(1000000) b",
          world,
          seconds: seconds
        )
      }
      #expect(try world.store.rows(SQL("SELECT 1")).count == 1)
    }
    #expect(try Self.ask("SELECT 1", world).rows == [["1"]])
  }

  @Test func `says so when as many statements run as may`() throws {
    let world = try Self.world()
    let isOver = Lock(false)
    let cancellations = [Cancellation(), Cancellation()]
    let threads = try cancellations.map { cancellation in
      try SystemThread(name: "console") {
        let query = ConsoleQuery(
          text: "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b",
          tables: []
        )
        // The statement below may have taken the place.
        while !isOver.withLock({ $0 }) {
          do { _ = try world.store.answer(query, cancellation: cancellation) } catch {
            sched_yield()
          }
        }
      }
    }
    defer {
      isOver.withLock { $0 = true }
      for cancellation in cancellations { cancellation.cancel() }
      for thread in threads { thread.join() }
    }
    var told: StoreError?
    while told == nil {
      do {
        _ = try Self.ask("SELECT 1", world)
        sched_yield()
      } catch let error as StoreError { told = error }
    }
    #expect(told == .crowded(running: 2, of: "statements of the SQL console"))
    #expect(told?.description.contains("2 statements of the SQL console run already") == true)
    #expect(told?.description.contains("try again when one of them is done") == true)
  }

  @Test(.timeLimit(.minutes(5)))
  func `is stopped once nobody waits for its answer`() throws {
    let world = try Self.world()
    let endless = ConsoleQuery(
      text: "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b",
      tables: []
    )
    let asked = Lock(0)
    #expect(throws: StoreError.cancelled) {
      try ConsoleRuns().run(
        "mine",
        while: {
          asked.withLock {
            $0 += 1
            return $0 < 3
          }
        }
      ) { try world.store.answer(endless, cancellation: $0) }
    }
  }

  @Test func `is cancelled by whoever began it`() throws {
    let world = try Self.world()
    let runs = ConsoleRuns()
    let outcome = Lock<StoreError?>(nil)
    let thread = try SystemThread(name: "console") {
      do {
        _ = try runs.run("mine", while: { true }) { cancellation in
          try world.store.answer(
            ConsoleQuery(
              text: "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b",
              tables: []
            ),
            cancellation: cancellation
          )
        }
      } catch { outcome.withLock { $0 = error as? StoreError } }
    }
    #expect(!runs.cancel("other"))
    // The run may not have begun yet.
    while !runs.cancel("mine"), outcome.withLock({ $0 == nil }) { sched_yield() }
    thread.join()
    #expect(outcome.withLock { $0 } == .cancelled)
    #expect(!runs.cancel("mine"))
  }
}
