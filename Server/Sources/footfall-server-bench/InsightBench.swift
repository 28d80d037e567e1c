import DuckDBStore
import EventStore
import FootfallJournal
import FootfallSystem
import Foundation
import Insights

/// Measures the dashboard's questions over two million events, alone and while events are loaded.
enum InsightBench {
  static let benchmark = Benchmark(name: "insights") {
    let folder = try BenchFolder("insights")
    let path = folder.path + "/events.duckdb"
    var options = DuckDBOptions()
    // What is measured is the answering, each time.
    options.maxAnswerBytes = 0
    let store = try DuckDBEventStore(
      path: path,
      library: BenchLibrary.path(),
      options: options
    )
    let endMs = try fill(store)
    let questions = Self.questions(endMs: endMs)
    for question in questions { try measure(question, on: store) }
    let recent = try RecentEvents(project: 1, limit: 1).run(on: store)
    if let event = recent.first {
      try measure(
        Question("detail", "one event", EventDetail(project: 1, key: event.key)),
        on: store
      )
    }
    try measureWhileLoading(questions, on: store)
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
      fill(&batch, from: &events)
      _ = try store.load(batch)
    }
    store.idle()
    return startMs + Int64(events.number / BenchEvents.eventsPerMs)
  }

  /// Adds 20,000 events to a batch.
  private static func fill(_ batch: inout LoadBatch, from events: inout BenchEvents) {
    for _ in 0..<400 {
      let offset = batch.end.offset + 1
      events.record().withUnsafeBytes {
        batch.append($0, upTo: JournalPosition(segment: 1, offset: offset))
      }
    }
  }

  /// A question with its name.
  private struct Question: Sendable {
    let id: String
    let what: String
    let run: @Sendable (DuckDBEventStore) throws -> Void

    init<Value: Insight>(_ id: String, _ what: String, _ insight: Value) {
      self.id = id
      self.what = what
      run = { _ = try insight.run(on: $0) }
    }

    /// How long it takes, in milliseconds, the median of some times.
    func milliseconds(on store: DuckDBEventStore, times: Int) throws -> Double {
      median(
        try (0..<times).map { _ in
          let start = MonotonicTime.now()
          try run(store)
          return MonotonicTime.now().seconds(since: start) * 1_000
        }
      )
    }
  }

  private static func questions(endMs: Int64) -> [Question] {
    func series(_ interval: EventSeries.Interval, _ spanMs: Int64) -> EventSeries {
      EventSeries(
        project: 1,
        interval: interval,
        fromMs: endMs - spanMs,
        toMs: endMs,
        timeZone: .gmt
      )
    }
    let person = RecentEvents(project: 1, person: "user-7")
    return [
      Question("recent", "the last 100 events", RecentEvents(project: 1)),
      Question("recent-person", "the last 100 events of one person", person),
      Question("names", "all names", EventNames(project: 1)),
      Question("minutes", "an hour by minute", series(.minute, 3_600_000)),
      Question("days", "90 days by day", series(.day, 90 * 86_400_000)),
    ]
  }

  private static func measure(_ question: Question, on store: DuckDBEventStore) throws {
    let cpu = BenchClock.cpuSeconds()
    let times = try question.milliseconds(on: store, times: 7)
    let spent = (BenchClock.cpuSeconds() - cpu) / 7 * 1_000
    BenchResult(
      id: "insight-\(question.id)",
      what: "2 million events: \(question.what)",
      measured: (times * 10).rounded() / 10,
      unit: "ms",
      detail: "median of 7, \(Int(spent)) ms of CPU"
    ).print()
  }

  /// Asks again while events are loaded as fast as they go in, a batch after the other.
  private static func measureWhileLoading(
    _ questions: [Question],
    on store: DuckDBEventStore
  ) throws {
    let quiet = try questions.map { try $0.milliseconds(on: store, times: 7) }
    let isOver = Lock(false)
    let loaded = Lock(0)
    let problem = Lock("")
    let loading = try SystemThread(name: "loading") {
      var events = BenchEvents(startMs: 1_781_000_000_000)
      var batch = LoadBatch(log: JournalID(high: 2, low: 2))
      do {
        while !isOver.withLock({ $0 }) {
          batch.restart(at: batch.end)
          fill(&batch, from: &events)
          _ = try store.load(batch)
          loaded.withLock { $0 = events.number }
        }
      } catch { problem.withLock { $0 = "\(error)" } }
    }
    while loaded.withLock({ $0 }) == 0, problem.withLock({ $0.isEmpty }) { usleep(1_000) }
    let start = MonotonicTime.now()
    let before = loaded.withLock { $0 }
    let busy = try questions.map { try $0.milliseconds(on: store, times: 15) }
    let rate =
      Double(loaded.withLock { $0 } - before) / MonotonicTime.now().seconds(since: start)
    isOver.withLock { $0 = true }
    loading.join()
    guard problem.withLock({ $0.isEmpty }) else {
      throw BenchFailure(description: problem.withLock { $0 })
    }
    let ratios = zip(busy, quiet).map { $0 / $1 }
    let details = zip(questions, ratios).map { "\($0.id) \(($1 * 100).rounded() / 100)x" }
    BenchResult(
      id: "insight-while-loading",
      what: "questions while loading flat out, against their quiet time: the slowest",
      measured: ((ratios.max() ?? 0) * 100).rounded() / 100,
      unit: "x quiet",
      bar: "<= 2.5",
      detail: details.joined(separator: ", ") + "; \(Int(rate)) events/s loaded beside"
    ).print()
  }
}
