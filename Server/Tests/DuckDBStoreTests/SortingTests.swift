import EventRecord
import EventStore
import FootfallJournal
import Foundation
import Testing

@testable import DuckDBStore

/// What the child process does; it kills itself.
private enum Child {
  static let log = JournalID(high: 1, low: 2)

  /// Pieces so small that a few hundred events make many.
  static func options(pieceRows: Int) -> DuckDBOptions {
    var options = DuckDBOptions()
    options.sorting.pieceRows = pieceRows
    options.sorting.minRunRows = 40
    options.sorting.quietHotRows = 30
    options.sorting.keptRows = 10
    options.sorting.maxHotRows = 100
    options.sorting.pauseSeconds = 0
    return options
  }

  /// Batches with some hundred events, the same every time.
  static func batches() -> [LoadBatch] {
    var random = RandomEvents(seed: 3)
    var batches: [LoadBatch] = []
    for _ in 0..<12 {
      batches.append(random.batch(log: log, start: batches.last?.end ?? .start))
    }
    return batches
  }

  /// Loads them and sorts until a piece is written and not yet committed.
  static func sortUntilKilled(in folder: String, piece: Int) throws {
    let store = try DuckDBEventStore(
      path: folder + "/events.duckdb",
      library: TestLibrary.path(),
      options: options(pieceRows: 50)
    )
    for batch in batches() { _ = try store.load(batch) }
    var pieces = 0
    _ = try store.sortNow {
      pieces += 1
      if pieces == piece { kill(getpid(), SIGKILL) }
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Sorted events` {
  /// All events; `EventColumns` says nothing of tiers.
  private static func events(_ store: DuckDBEventStore) throws -> [StoredEvent] {
    try store.rows(SQL("SELECT \(EventColumns.list) FROM events ORDER BY event_key, ts"))
      .map(EventColumns.event)
  }

  private static func sorted(_ events: [StoredEvent]) -> [StoredEvent] {
    events.sorted {
      ($0.key.high, $0.key.low, $0.timestampMs) < ($1.key.high, $1.key.low, $1.timestampMs)
    }
  }

  private static func count(_ store: DuckDBEventStore, _ condition: String) throws -> Int64 {
    try store.rows(SQL("SELECT count(*) FROM events WHERE \(condition)")).first?.integer(0) ?? -1
  }

  /// How many rows of a project's month stand behind one that comes later in its order.
  private static let misplaced = SQL(
    """
    SELECT count(*) FROM (
      SELECT (person, corrected_at, seq, event_key) AS place, lag(place) OVER (
        PARTITION BY project_id, year(corrected_at), month(corrected_at) ORDER BY rowid) AS earlier
      FROM events WHERE person IS NOT NULL
    ) WHERE place < earlier
    """
  )

  /// The rules as plain code (`InMemoryEventStore`) against the store, which sorts in quiet moments, between
  /// batches and when asked, is opened anew, and is sent everything again.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `are the events that were loaded, each once, and refuse repeats as before`(
    seed: UInt64
  ) throws {
    let folder = try TemporaryFolder()
    let options = Child.options(pieceRows: Int(seed) * 7)
    var store = try TestLibrary.open(folder, options: options)
    let model = InMemoryEventStore()
    var random = RandomEvents(seed: seed)
    var position = JournalPosition.start
    for round in 0..<25 {
      let batch = random.batch(log: Child.log, start: position)
      let expected = try model.load(batch)
      let result = try store.load(batch)
      try #require(result.stored == expected.stored, "seed \(seed), round \(round)")
      position = batch.end
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        store.close()
        store = try TestLibrary.open(folder, options: options)
      case 1: store.idle()
      case 2: store.afterBatch(events: result.stored)
      case 3: _ = try store.sortNow(maxPieces: Int.random(in: 1...9, using: &random))
      default: break
      }
      try #require(try Self.events(store) == Self.sorted(model.events), "seed \(seed)")
    }
    _ = try store.sortNow()
    #expect(try Self.events(store) == Self.sorted(model.events), "seed \(seed)")
    #expect(try Self.count(store, "tier <> 2") == 0)
    #expect(try store.rows(Self.misplaced) == [Row([.integer(0)])])
    #expect(try store.position(ofLog: Child.log) == position)
    #expect(try store.sortNow() == 0)
    store.close()
  }

  @Test func `are moved by a quiet moment, and by batches when there are many`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder, options: Child.options(pieceRows: 25))
    var batch = LoadBatch(log: Child.log)
    for number in 0..<29 { batch.add(id: "a\(number)", ownMs: Int64(number)) }
    _ = try store.load(batch)
    store.idle()
    #expect(try Self.count(store, "tier = 0") == 29)
    batch.restart(at: batch.end)
    for number in 0..<31 { batch.add(id: "b\(number)", ownMs: Int64(number)) }
    _ = try store.load(batch)
    store.idle()
    #expect(try Self.count(store, "tier = 0") == 35)
    batch.restart(at: batch.end)
    for number in 0..<64 { batch.add(id: "c\(number)", ownMs: Int64(number)) }
    _ = try store.load(batch)
    store.afterBatch(events: 1_000_000)
    #expect(try Self.count(store, "tier = 0") == 99)
    batch.restart(at: batch.end)
    batch.add(id: "d", ownMs: 7)
    _ = try store.load(batch)
    store.afterBatch(events: 1_000_000)
    #expect(try Self.count(store, "tier = 0") == 75)
    #expect(try Self.count(store, "true") == 125)
    store.close()
  }

  @Test func `of one person with more than a piece are settled in several, in order`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder, options: Child.options(pieceRows: 10))
    let events = (0..<95).map { number in
      EventRecord(
        key: .native(project: 1, id: "\(number)"),
        timestampMs: 1_780_000_000_000 + Int64(number * 37 % 95),
        id: "\(number)",
        name: "Opened",
        deviceID: "d"
      )
    }
    let record = RecordWriter.record(
      RecordHeader(source: .native, project: 1, receivedAtMs: 1_780_000_000_000),
      events: events
    )
    var batch = LoadBatch(log: Child.log)
    batch.add(record)
    _ = try store.load(batch)
    _ = try store.sortNow()
    #expect(try Self.count(store, "tier = 2") == 95)
    #expect(try store.rows(Self.misplaced) == [Row([.integer(0)])])
    store.close()
  }

  /// A kill between writing a piece and its commit; what the log holds is compared with what is stored.
  @Test(arguments: [1, 2, 5, 9])
  func `are each there once after a kill in the middle of a piece`(piece: Int) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, piece = piece as Int] in
      try Child.sortUntilKilled(in: path, piece: piece)
    }
    let model = InMemoryEventStore()
    let batches = Child.batches()
    for batch in batches { _ = try model.load(batch) }
    let store = try TestLibrary.open(folder, options: Child.options(pieceRows: 50))
    #expect(try store.position(ofLog: Child.log) == batches.last?.end)
    #expect(try Self.events(store) == Self.sorted(model.events))
    _ = try store.sortNow()
    #expect(try Self.events(store) == Self.sorted(model.events))
    #expect(try Self.count(store, "tier <> 2") == 0)
    store.close()
  }

  @Test(arguments: [3, 4, 5, 6, 7])
  func `of an older version are those of a file whose rows never were sorted`(version: Int) throws {
    let folder = try TemporaryFolder()
    var store = try TestLibrary.open(folder)
    var random = RandomEvents(seed: 4)
    let batch = random.batch(log: Child.log, start: .start)
    _ = try store.load(batch)
    let before = try Self.events(store)
    let people = SQL("SELECT event_key, person, person_id FROM person_events ORDER BY ALL")
    let owners = try store.rows(people)
    for step in OlderTables.steps(to: version) { _ = try store.rows(SQL(step)) }
    store.close()
    store = try TestLibrary.open(folder)
    if version < 6 { #expect(try Self.count(store, "tier = 0") == Int64(before.count)) }
    #expect(try Self.events(store) == before)
    _ = try store.sortNow()
    #expect(try Self.events(store) == before)
    #expect(try store.rows(people) == owners)
    // The rows that were moved are still known.
    var repeated = LoadBatch(log: JournalID(high: 1, low: 9))
    for range in batch.records { repeated.add(Array(batch.bytes[range])) }
    #expect(try store.load(repeated).stored == 0)
    store.close()
  }
}

/// What undoes the steps of the tables' versions, from the present one down.
enum OlderTables {
  private static let undoing: [Int: [String]] = [
    8: [
      "DROP VIEW property_changes", "ALTER TABLE kept_changes DROP COLUMN is_test",
      "ALTER TABLE current_properties DROP COLUMN is_test",
      """
      UPDATE events SET person = xor(person, \(PersonNumber.testMark))
        WHERE is_test AND user_id IS NULL
      """,
      """
      CREATE VIEW property_changes AS
        SELECT changes.* EXCLUDE (person), coalesce(owner.person, changes.person) AS person
        FROM (
          SELECT project_id, kind, corrected_at, seq, event_key, person, ops, groups FROM events
            WHERE ops IS NOT NULL OR kind = 1 AND groups IS NOT NULL
          UNION ALL
          SELECT project_id, kind, corrected_at, seq, event_key, person, ops, groups FROM kept_changes
        ) AS changes LEFT JOIN device_users AS owner ON owner.device = changes.person
          AND changes.corrected_at >= owner.from_at AND changes.corrected_at < owner.to_at
      """,
    ],
    7: ["DROP VIEW property_changes", "DROP TABLE kept_changes"],
    6: [
      "DROP VIEW person_events", "ALTER TABLE events DROP COLUMN tier",
      """
      CREATE VIEW person_events AS
        SELECT events.* EXCLUDE (person), coalesce(owner.person, events.person) AS person,
          coalesce(events.user_id, owner.user_id, events.device_id) AS person_id
        FROM events LEFT JOIN device_users AS owner ON owner.device = events.person
          AND events.corrected_at >= owner.from_at AND events.corrected_at < owner.to_at
      """,
    ],
    5: ["DROP TABLE activity_parts", "DROP TABLE session_parts"],
    4: ["DROP TABLE erasures_done"],
    3: ["DROP TABLE revenues", "DROP TABLE current_properties"],
    2: [
      "DROP VIEW person_events", "DROP TABLE device_users", "ALTER TABLE events DROP COLUMN person",
    ],
  ]

  /// Statements that make a file of this program one of an older version.
  static func steps(to version: Int) -> [String] {
    (version + 1...DuckDBEventStore.schemaVersion).reversed().flatMap { undoing[$0] ?? [] }
      + ["UPDATE footfall_schema SET version = \(version)"]
  }
}
