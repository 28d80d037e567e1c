import DuckDBStore
import EventRecord
import EventStore
import FootfallJournal
import FootfallSystem
import Foundation

/// Measures how fast records of the ingest log get into DuckDB while duplicates are refused.
///
/// Events of about 300 bytes with fresh UUIDv7 ids, 50 to a request, 2 % of the requests sent twice.
/// CPU is that of the whole process, DuckDB's threads included.
enum LoadBench {
  /// Prints one line of JSON.
  static func run(events: Int, batchEvents: Int, library: String, bar: String = "") throws {
    let folder = FileManager.default.temporaryDirectory.path + "/footfall-load-bench-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer {
      do {
        try FileManager.default.removeItem(atPath: folder)
      } catch {
        print("\(folder) could not be removed: \(error)")
      }
    }
    let store = try DuckDBEventStore(path: folder + "/events.duckdb", library: library)
    var source = BenchRecords()
    let log = JournalID(high: 1, low: 1)
    var position = JournalPosition.start
    var cpu = 0.0
    var seconds = 0.0
    var total = LoadResult()
    var bytes = 0
    while total.stored < events {
      var batch = LoadBatch(log: log, start: position)
      while batch.records.count * BenchRecords.eventsPerRequest < batchEvents {
        let record = source.next()
        let end = JournalPosition(segment: 1, offset: batch.end.offset + UInt64(record.count))
        record.withUnsafeBytes { batch.append($0, upTo: end) }
      }
      let cpuBefore = BenchClock.cpuSeconds()
      let before = MonotonicTime.now()
      let result = try store.load(batch)
      seconds += MonotonicTime.now().seconds(since: before)
      cpu += BenchClock.cpuSeconds() - cpuBefore
      total.stored += result.stored
      total.duplicates += result.duplicates
      bytes += batch.bytes.count
      position = batch.end
    }
    let cpuBefore = BenchClock.cpuSeconds()
    let before = MonotonicTime.now()
    store.close()
    let closingCPU = BenchClock.cpuSeconds() - cpuBefore
    let closing = MonotonicTime.now().seconds(since: before)
    let file = try FileManager.default.attributesOfItem(atPath: folder + "/events.duckdb")
    let fileBytes = (file[.size] as? Int) ?? 0
    let count = total.stored + total.duplicates
    BenchLine(
      id: "load-cpu-\(batchEvents)",
      what: "log → DuckDB, duplicates refused, \(batchEvents) a batch",
      measured: Double(count) / (cpu + closingCPU),
      unit: "events/CPU-s",
      bar: bar,
      detail: """
        \(count) events of \(bytes / count) B, \(total.duplicates) duplicates; \
        \(Int(Double(count) / cpu))/CPU-s without the last checkpoint; \
        \(Int(Double(count) / (seconds + closing)))/s; \(fileBytes / total.stored) B/event stored
        """
    ).print()
  }
}

/// One measured number, in the form that `script/bench` reads.
struct BenchLine {
  var id: String
  var what: String
  var measured: Double
  var unit: String
  var bar = ""
  var detail = ""

  /// Prints the line.
  func print() {
    let barField = bar.isEmpty ? "" : #""bar":"\#(bar)","#
    let number = (measured * 1_000).rounded() / 1_000
    Swift.print(
      """
      {"id":"\(id)","what":"\(what)","measured":\(number),"unit":"\(unit)",\(barField)\
      "detail":"\(detail)"}
      """
    )
  }
}

/// The CPU time of this process.
enum BenchClock {
  static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// Requests of an app with some hundred people, ids and times as an SDK makes them.
struct BenchRecords {
  static let eventsPerRequest = 50
  private var number = 0
  private var nowMs: Int64 = 1_780_000_000_000
  private var previous: [UInt8] = []
  private var random = SystemRandomNumberGenerator()

  mutating func next() -> [UInt8] {
    if !previous.isEmpty, Int.random(in: 0..<50) == 0 { return previous }
    let header = RecordHeader(source: .native, project: 1, receivedAtMs: nowMs + 400)
    let person = Int.random(in: 0..<500)
    let events = (0..<Self.eventsPerRequest).map { _ in event(person: person) }
    previous = RecordWriter.record(header, context: Self.client, events: events)
    return previous
  }

  private mutating func event(person: Int) -> EventRecord {
    number += 1
    // 10,000 events a second by their own time.
    if number.isMultiple(of: 10) { nowMs += 1 }
    let id = Self.uuid(nowMs, random.next(), random.next())
    let name = Self.names[number % Self.names.count]
    return EventRecord(
      key: .native(project: 1, id: id),
      timestampMs: nowMs,
      sequence: Int64(number),
      id: id,
      name: name,
      deviceID: "8f14e45f-ceea-467f-9d3b-\(100_000_000_000 + person)",
      userID: person.isMultiple(of: 3) ? "" : "user-\(person)",
      sessionID: "\(nowMs / 600_000)",
      properties: """
        {"title":"Here Comes the Sun","duration_s":\(number % 400),"genres":["rock","pop"],\
        "screen":"\(Self.screens[number % Self.screens.count])","price":\(number % 100).99}
        """
    )
  }

  private static func uuid(_ ms: Int64, _ a: UInt64, _ b: UInt64) -> String {
    let time = hex(UInt64(ms), 12)
    return "\(time.prefix(8))-\(time.suffix(4))-7\(hex(a & 0xfff, 3))-a\(hex(a >> 52, 3))-"
      + hex(b & 0xffff_ffff_ffff, 12)
  }

  private static func hex(_ value: UInt64, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  private static let names = [
    "Song Played", "Song Skipped", "Playlist Opened", "Search", "App Opened", "Purchase",
  ]
  private static let screens = ["home", "search", "library", "player", "settings"]
  private static let client = """
    {"library":"footfall-swift/1.0.0","platform":"iOS","os":"iOS 19.1","model":"iPhone17,2",\
    "app":"4.2.0","build":"881","locale":"en_GB"}
    """
}
