import DuckDBStore
import EventStore
import FootfallJournal
import FootfallSystem

/// Measures how fast records of the ingest log get into DuckDB while duplicates are refused.
///
/// A million events of about 280 bytes with fresh UUIDv7 ids, 50 to a request, about 2 % of the
/// requests sent twice; also with people who sign in and change. CPU is that of the whole process, DuckDB's threads and the last checkpoint
/// included.
enum LoadBench {
  static let benchmark = Benchmark(name: "load") {
    // What the loader takes at about 100,000 events a second, at 4,000, and while it catches up.
    try run(batchEvents: 25_000, bar: ">= 200000")
    try run(batchEvents: 1_000)
    try run(batchEvents: 100_000)
    try run(batchEvents: 25_000, .people, bar: ">= 150000")
  }

  private struct Cost {
    var seconds = 0.0
    var cpuSeconds = 0.0

    mutating func measure<Output>(_ body: () throws -> Output) rethrows -> Output {
      let cpu = BenchClock.cpuSeconds()
      let start = MonotonicTime.now()
      defer {
        seconds += MonotonicTime.now().seconds(since: start)
        cpuSeconds += BenchClock.cpuSeconds() - cpu
      }
      return try body()
    }
  }

  private static func run(
    batchEvents: Int,
    _ kind: BenchEvents.Kind = .plain,
    bar: String? = nil
  ) throws {
    let folder = try BenchFolder("load")
    let store = try DuckDBEventStore(
      path: folder.path + "/events.duckdb",
      library: BenchLibrary.path()
    )
    var source = Requests(kind)
    var batch = LoadBatch(log: JournalID(high: 1, low: 1))
    var loading = Cost()
    var total = LoadResult()
    var bytes = 0
    while total.stored < 1_000_000 {
      batch.restart(at: batch.end)
      while batch.records.count * BenchEvents.eventsPerRequest < batchEvents {
        let record = source.next()
        let offset = batch.end.offset + UInt64(record.count)
        record.withUnsafeBytes {
          batch.append($0, upTo: JournalPosition(segment: 1, offset: offset))
        }
      }
      let result = try loading.measure { try store.load(batch) }
      total.stored += result.stored
      total.duplicates += result.duplicates
      bytes += batch.bytes.count
    }
    var all = loading
    all.measure { store.close() }
    let count = total.stored + total.duplicates
    let stored = try folder.size(of: "events.duckdb") / total.stored
    try folder.remove()
    BenchResult(
      id: kind == .plain ? "load-\(batchEvents)" : "load-people-\(batchEvents)",
      what: kind == .plain
        ? "log → DuckDB, duplicates refused, batches of \(batchEvents)"
        : "the same with people who sign in and property changes",
      measured: (Double(count) / all.cpuSeconds).rounded(),
      unit: "events/CPU-s",
      bar: bar,
      detail: """
        \(count) events of \(bytes / count) bytes, \(total.duplicates) duplicates; \
        \(Int(Double(count) / loading.cpuSeconds))/CPU-s before the last checkpoint; \
        \(Int(Double(count) / all.seconds))/s; \(stored) bytes/event stored
        """
    ).print()
  }

  /// Records, one in fifty of them twice.
  private struct Requests {
    private var events: BenchEvents
    private var previous: [UInt8] = []

    init(_ kind: BenchEvents.Kind) {
      events = BenchEvents(startMs: 1_780_000_000_000, kind: kind)
    }

    mutating func next() -> [UInt8] {
      if !previous.isEmpty, Int.random(in: 0..<50) == 0 { return previous }
      previous = events.record()
      return previous
    }
  }
}
