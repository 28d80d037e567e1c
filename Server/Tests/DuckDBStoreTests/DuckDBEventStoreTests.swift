import DuckDBStore
import EventRecord
import EventStore
import Foundation
import FootfallJournal
import Testing

@Suite struct `DuckDB event store` {
  private let log = JournalID(high: 1, low: 2)

  @Test func `rows and position are stored together and survive a restart`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let batch = LoadBatch(id: "a", ownMs: 5, log: log, start: .start)
    #expect(try store.position(ofLog: log) == nil)
    _ = try store.load(batch)
    store.close()
    let again = try TestLibrary.open(folder)
    #expect(try again.position(ofLog: log) == batch.end)
    #expect(try again.storedEvents().map(\.id) == ["a"])
    #expect(try again.position(ofLog: JournalID(high: 9, low: 9)) == nil)
  }

  @Test func `a batch that does not start at the position is refused as a whole`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let batch = LoadBatch(id: "a", ownMs: 5, log: log, start: .start)
    _ = try store.load(batch)
    #expect(throws: StoreError.self) { try store.load(batch) }
    let next = LoadBatch(id: "b", ownMs: 5, log: log, start: batch.end)
    _ = try store.load(next)
    #expect(try store.storedEvents().map(\.id) == ["a", "b"])
  }

  @Test func `a patient store finds its file without a restart, another fails at once`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/events.duckdb"
    try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: StoreError.self) { try TestLibrary.open(folder) }
    let store = try DuckDBEventStore(path: path, library: TestLibrary.path(), isPatient: true)
    let problem = try #require(store.openingProblem)
    let batch = LoadBatch(id: "a", ownMs: 5, log: log, start: .start)
    #expect(throws: problem) { try store.load(batch) }
    #expect(throws: problem) { try store.storedEvents() }
    try FileManager.default.removeItem(atPath: path)
    _ = try store.load(batch)
    #expect(try store.storedEvents().map(\.id) == ["a"])
    store.close()
    #expect(throws: StoreError.closed) { try store.storedEvents() }
  }

  @Test func `several logs have positions of their own`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let other = JournalID(high: 3, low: 4)
    let first = LoadBatch(id: "a", ownMs: 5, log: log, start: .start)
    _ = try store.load(first)
    _ = try store.load(LoadBatch(id: "b", ownMs: 5, log: other, start: .start))
    _ = try store.load(LoadBatch(id: "c", ownMs: 5, log: log, start: first.end))
    #expect(try store.storedEvents().map(\.id) == ["a", "b", "c"])
    #expect(try store.position(ofLog: other) == first.end)
  }

  @Test func `a record that cannot be read is reported and the others are stored`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    var batch = LoadBatch(id: "a", ownMs: 5, log: log, start: .start)
    batch.add([1, 2, 3])
    let good = RecordWriter.record(
      RecordHeader(source: .native, project: 1, receivedAtMs: 0),
      events: [
        EventRecord(key: .native(project: 1, id: "x"), timestampMs: 0, name: "x"),
        EventRecord(key: .native(project: 1, id: "y"), timestampMs: 0, name: "Kaffee"),
      ]
    )
    batch.add(good.map { $0 == UInt8(ascii: "K") ? 0xff : $0 })
    batch.add(Array(good.dropLast()))
    batch.add(id: "b", ownMs: 5)
    let result = try store.load(batch)
    #expect(result.refused.map(\.index) == [1, 2, 3])
    #expect(result.stored == 2)
    #expect(try store.storedEvents().map(\.id) == ["a", "b"])
    #expect(try store.position(ofLog: log) == batch.end)
  }

  @Test func `times that no calendar has are moved to the nearest year and stay usable`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    var batch = LoadBatch(id: "a", ownMs: .max, log: log, start: .start)
    batch.add(id: "b", ownMs: .min)
    batch.add(id: "a", ownMs: .max)
    #expect(try store.load(batch).stored == 2)
    let years = try store.rows(
      SQL("SELECT year(ts), year(corrected_at) FROM events ORDER BY rowid")
    )
    #expect(
      years.map(\.values) == [[.integer(9_999), .integer(9_999)], [.integer(1), .integer(1)]]
    )
  }

  @Test func `lists the last stored events of watched projects only`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    var batch = LoadBatch(log: log)
    batch.watchedProjects = [2]
    batch.maxListedEvents = 3
    for number in 0..<10 {
      batch.add(id: "one \(number)", ownMs: 0, project: 1)
      batch.add(id: "two \(number)", ownMs: 0, project: 2)
      batch.add(id: "two 0", ownMs: 0, project: 2)
    }
    #expect(try store.load(batch).events.map(\.id) == ["two 7", "two 8", "two 9"])
  }

  @Test func `many rows of long and short texts arrive unchanged`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let model = InMemoryEventStore()
    var batch = LoadBatch(log: log)
    for number in 0..<10_000 {
      let name = String(repeating: "ä", count: number % 40) + "\(number)"
      batch.add(id: "id-\(number)", ownMs: Int64(number), name: name)
    }
    _ = try model.load(batch)
    _ = try store.load(batch)
    #expect(try store.storedEvents() == model.events)
  }

  @Test func `the data of the first version learns whose each event is`() throws {
    let folder = try TemporaryFolder()
    var store = try TestLibrary.open(folder)
    var random = RandomEvents(seed: 1)
    _ = try store.load(random.batch(log: log, start: .start))
    let people = SQL("SELECT event_key, person, person_id FROM person_events ORDER BY ALL")
    let before = try store.rows(people)
    #expect(before.contains { $0.values[1] != .null })
    for step in OlderTables.steps(to: 1) { _ = try store.rows(SQL(step)) }
    store.close()
    store = try TestLibrary.open(folder)
    #expect(try store.rows(people) == before)
  }

  /// The seventh version took what test events say for what others say.
  @Test func `the data of an older version no longer mixes test events with others`() throws {
    func event(_ number: UInt64, _ user: String, isTest: Bool, plan: String) -> EventRecord {
      EventRecord(
        key: EventKey(high: 1, low: number),
        kind: number < 5 ? .identify : .event,
        flags: isTest ? .test : [],
        timestampMs: Int64(number) * 1_000,
        name: "$identify",
        deviceID: "phone",
        userID: user,
        operations: #"{"$set":{"\(plan)":1}}"#
      )
    }
    let record = RecordWriter.record(
      RecordHeader(source: .native, project: 1, receivedAtMs: 0),
      events: [
        event(1, "", isTest: false, plan: "a"), event(2, "ada", isTest: false, plan: "b"),
        event(3, "tester", isTest: true, plan: "c"), event(4, "", isTest: false, plan: "d"),
        event(5, "", isTest: true, plan: "e"), event(6, "ada", isTest: true, plan: "f"),
      ]
    )
    var batch = LoadBatch(log: log)
    batch.add(record)
    let folder = try TemporaryFolder()
    var store = try TestLibrary.open(folder)
    _ = try store.load(batch)
    let tables = ["device_users", "current_properties", "person_events", "activity_parts"].map {
      SQL("SELECT * FROM \($0) ORDER BY ALL")
    }
    let right = try tables.map { try store.rows($0) }
    let steps = OlderTables.steps(to: 7)
    for step in steps { _ = try store.rows(SQL(step)) }
    // As it then was: the device is ada's up to the tester's, and ada's again, with all that was said.
    let (ada, tester) = (
      PersonNumber.user(project: 1, id: "ada"), PersonNumber.user(project: 1, id: "tester")
    )
    let device = PersonNumber.device(project: 1, id: "phone")
    for step in [
      "DELETE FROM device_users", "DELETE FROM current_properties",
      """
      INSERT INTO device_users VALUES
        (\(device), 1, 'phone', \(ada), 'ada', '0001-01-01', '1970-01-01 00:00:03', '1970-01-01 00:00:02', 0),
        (\(device), 1, 'phone', \(tester), 'tester', '1970-01-01 00:00:03', '1970-01-01 00:00:06',
          '1970-01-01 00:00:03', 0),
        (\(device), 1, 'phone', \(ada), 'ada', '1970-01-01 00:00:06', make_timestamp_ms(\(EventTimes.endMs)),
          '1970-01-01 00:00:06', 0)
      """,
    ] { _ = try store.rows(SQL(step)) }
    store.close()
    store = try TestLibrary.open(folder)
    #expect(try tables.map { try store.rows($0) } == right)
    #expect(right.allSatisfy { $0.count > 1 })
  }

  @Test func `the data of a newer program is refused with the version it needs`() throws {
    let folder = try TemporaryFolder()
    var options = DuckDBOptions()
    options.programVersion = "7.0.0"
    let store = try TestLibrary.open(folder, options: options)
    _ = try store.load(LoadBatch(id: "a", ownMs: 5, log: log, start: .start))
    _ = try store.rows(SQL("UPDATE footfall_schema SET version = 99"))
    store.close()
    #expect(
      throws: StoreError.newerSchema(
        found: 99,
        supported: DuckDBEventStore.schemaVersion,
        writtenBy: "7.0.0"
      )
    ) {
      try TestLibrary.open(folder)
    }
  }

  @Test func `without the library the error says where it was looked for`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: StoreError.self) {
      try DuckDBEventStore(path: folder.path + "/e.duckdb", library: folder.path + "/none.so")
    }
    #expect(error?.description.contains("none.so") == true)
  }

  @Test func `a file that cannot be opened gives DuckDB's message`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/missing/events.duckdb"
    let library = try TestLibrary.path()
    let error = #expect(throws: StoreError.self) {
      try DuckDBEventStore(path: path, library: library)
    }
    #expect(error?.description.contains("missing") == true)
  }

  @Test func `a closed store refuses everything`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    store.close()
    store.close()
    store.idle()
    #expect(throws: StoreError.closed) { try store.rows(SQL("SELECT 1")) }
    #expect(throws: StoreError.closed) { try store.position(ofLog: log) }
    #expect(throws: StoreError.closed) { try store.load(LoadBatch(log: log)) }
  }

  @Test func `bindings of every kind come back as they went in`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .double(-0.25), .boolean(true), .text(""),
      .text("it's 'quoted' \u{0}\u{1F600} and long enough"), .time(-1), .time(1_780_000_000_123),
      .key(EventKey(high: .max, low: 0)), .key(EventKey(high: 0, low: .max)),
    ]
    let parameters = (1...values.count).map { "$\($0)" }.joined(separator: ", ")
    let rows = try store.rows(SQL("SELECT \(parameters)", binding: values))
    #expect(rows == [Row(values)])
  }

  @Test func `a wrong statement gives DuckDB's message`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let error = #expect(throws: StoreError.self) { try store.rows(SQL("SELECT nonsense")) }
    #expect(error?.description.contains("nonsense") == true)
  }
}
