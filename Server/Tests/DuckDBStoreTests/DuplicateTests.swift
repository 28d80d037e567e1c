import DuckDBStore
import EventRecord
import EventStore
import FootfallJournal
import Testing

@Suite struct `Duplicates in DuckDB` {
  private let log = JournalID(high: 1, low: 2)

  /// The rules as plain code (`InMemoryEventStore`) against the store, over random repeats; the store
  /// is closed and opened in between, and in half of the runs keeps no keys in memory at all.
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `keeps exactly what the rules keep, also after a restart`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var options = DuckDBOptions()
    options.maxKeyBytes = seed.isMultiple(of: 2) ? 0 : options.maxKeyBytes
    var store = try TestLibrary.open(folder, options: options)
    let model = InMemoryEventStore()
    var random = RandomEvents(seed: seed)
    var position = JournalPosition.start
    for round in 0..<30 {
      let batch = random.batch(log: log, start: position)
      let expected = try model.load(batch)
      let result = try store.load(batch)
      try #require(result.stored == expected.stored, "seed \(seed), round \(round)")
      #expect(result.duplicates == expected.duplicates, "seed \(seed), round \(round)")
      position = batch.end
      if Int.random(in: 0..<6, using: &random) == 0 {
        store.close()
        store = try TestLibrary.open(folder, options: options)
      }
    }
    #expect(try store.storedEvents() == model.events, "seed \(seed)")
    #expect(try store.position(ofLog: log) == position)
  }

  /// SDL-13: an id of the caller's own is one event, whatever time it is sent with.
  @Test(
    arguments: [0, 1, 6_000, 3_600_000, 400 * 86_400_000] as [Int64],
    [
      "order-1234", "0190c9a0-0000-7abc-8def-0123456789ab", "8f14e45f-ceea-467f-9d3b-a1b2c3d4e5f6",
    ]
  )
  func `SDL-13 a native id counts once whatever its time, also after a restart`(
    laterMs: Int64,
    id: String
  ) throws {
    let folder = try TemporaryFolder()
    let first: Int64 = 0x0190_c9a0_0000
    var store = try TestLibrary.open(folder)
    let batch = LoadBatch(id: id, ownMs: first, log: log, start: .start)
    #expect(try store.load(batch).stored == 1)
    store.close()
    store = try TestLibrary.open(folder)
    let again = LoadBatch(id: id.uppercased(), ownMs: first + laterMs, log: log, start: batch.end)
    let result = try store.load(again)
    #expect(result.stored == 0)
    #expect(result.duplicates == 1)
  }

  /// AMP-V4: eight days later is another event, the very same event is not, however late it comes.
  @Test(
    arguments: [
      (0, 0), (7 * 86_400_000 - 1, 0), (7 * 86_400_000, 1), (8 * 86_400_000, 1),
      (-7 * 86_400_000, 1),
    ] as [(Int64, Int)]
  )
  func `an Amplitude key counts again from seven days of own time on`(
    laterMs: Int64,
    stored: Int
  ) throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let first: Int64 = 1_780_000_000_000
    let batch = LoadBatch(id: "a", ownMs: first, source: .amplitude, log: log, start: .start)
    _ = try store.load(batch)
    let again = LoadBatch(
      id: "a",
      ownMs: first + laterMs,
      source: .amplitude,
      log: log,
      start: batch.end
    )
    #expect(try store.load(again).stored == stored)
  }

  @Test func `the seven days hold within one batch too`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    let week: Int64 = 7 * 86_400_000
    var batch = LoadBatch(id: "a", ownMs: week, source: .amplitude, log: log, start: .start)
    batch.add(id: "a", ownMs: 2 * week - 1, source: .amplitude)
    batch.add(id: "a", ownMs: 2 * week, source: .amplitude)
    let result = try store.load(batch)
    #expect(result.stored == 2)
    #expect(result.duplicates == 1)
  }

  /// A restored store is loaded from an older position; records come again as they are.
  @Test func `an event without an identity counts once however often its record is read`() throws {
    let folder = try TemporaryFolder()
    var store = try TestLibrary.open(folder)
    let event = EventRecord(
      key: .random(project: 1, nonce: (1, 2), counter: 3),
      flags: .keyIsRandom,
      timestampMs: 1_780_000_000_000,
      name: "Opened"
    )
    let record = RecordWriter.record(
      RecordHeader(source: .native, project: 1, receivedAtMs: 0),
      events: [event]
    )
    var batch = LoadBatch(log: log)
    batch.add(record)
    #expect(try store.load(batch).stored == 1)
    store.close()
    store = try TestLibrary.open(folder)
    batch.restart(at: batch.end)
    batch.add(record)
    #expect(try store.load(batch).stored == 0)
  }

  @Test func `the same id in two projects is two events`() throws {
    let folder = try TemporaryFolder()
    let store = try TestLibrary.open(folder)
    var batch = LoadBatch(id: "a", ownMs: 0, project: 1, log: log, start: .start)
    batch.add(id: "a", ownMs: 0, project: 2)
    #expect(try store.load(batch).stored == 2)
  }
}
