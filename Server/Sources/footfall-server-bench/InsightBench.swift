import DuckDBStore
import EventStore
import FootfallJournal
import FootfallSystem
import Foundation
import Insights

/// Measures the dashboard's questions over two million events, and opening after a kill.
enum InsightBench {
  static let benchmark = Benchmark(name: "insights") {
    let folder = try BenchFolder("insights")
    let path = folder.path + "/events.duckdb"
    let store = try DuckDBEventStore(path: path, library: BenchLibrary.path())
    let endMs = try fill(store)
    let dayMs: Int64 = 86_400_000
    try measure("recent", "the last 100 events", on: store, RecentEvents(project: 1))
    try measure(
      "recent-person",
      "the last 100 events of one person",
      on: store,
      RecentEvents(project: 1, person: "user-7")
    )
    try measure("names", "all names", on: store, EventNames(project: 1))
    try measure(
      "minutes",
      "an hour by minute",
      on: store,
      EventSeries(
        project: 1,
        interval: .minute,
        fromMs: endMs - 3_600_000,
        toMs: endMs,
        timeZone: .gmt
      )
    )
    try measure(
      "days",
      "90 days by day",
      on: store,
      EventSeries(
        project: 1,
        interval: .day,
        fromMs: endMs - 90 * dayMs,
        toMs: endMs,
        timeZone: .gmt
      )
    )
    let recent = try RecentEvents(project: 1, limit: 1).run(on: store)
    if let event = recent.first {
      try measure("detail", "one event", on: store, EventDetail(project: 1, key: event.key))
    }
    store.close()
    try folder.remove()
  }

  /// Loads two million events; returns the own time after the last.
  private static func fill(_ store: DuckDBEventStore) throws -> Int64 {
    let startMs: Int64 = 1_780_000_000_000
    var events = BenchEvents(startMs: startMs)
    var batch = LoadBatch(log: JournalID(high: 1, low: 1))
    while events.number < 2_000_000 {
      batch.restart(at: batch.end)
      for _ in 0..<400 {
        let offset = batch.end.offset + 1
        events.record().withUnsafeBytes {
          batch.append($0, upTo: JournalPosition(segment: 1, offset: offset))
        }
      }
      _ = try store.load(batch)
    }
    store.idle()
    return startMs + Int64(events.number / BenchEvents.eventsPerMs)
  }

  private static func measure<Question: Insight>(
    _ id: String,
    _ what: String,
    on store: DuckDBEventStore,
    _ question: Question
  ) throws {
    var times: [Double] = []
    let cpu = BenchClock.cpuSeconds()
    for _ in 0..<7 {
      let start = MonotonicTime.now()
      _ = try question.run(on: store)
      times.append(MonotonicTime.now().seconds(since: start) * 1_000)
    }
    let spent = (BenchClock.cpuSeconds() - cpu) / 7 * 1_000
    BenchResult(
      id: "insight-\(id)",
      what: "2 million events: \(what)",
      measured: (median(times) * 10).rounded() / 10,
      unit: "ms",
      detail: "median of 7, \(Int(spent)) ms of CPU"
    ).print()
  }
}
