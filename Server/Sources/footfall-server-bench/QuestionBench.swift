import DuckDBStore
import EventRecord
import EventStore
import FootfallSystem
import Foundation
import Insights

/// Asks the dashboard's questions of millions of events, one at a time as it is told to.
///
/// Makes the events, writes them for the reference, and then reads the names of questions from standard
/// input. To each it answers a line of JSON with the CPU and wall time and the numbers to compare;
/// `Tools/bench/questions.py` asks it and the reference in turn and prints the results.
enum QuestionBench {
  static let benchmark = Benchmark(name: "questions", needsOtherPrograms: true) {
    let folder = try BenchFolder("questions")
    var options = DuckDBOptions()
    options.threads = 2
    options.queryTimeLimitSeconds = 600
    // What is measured is the answering, each time.
    options.maxAnswerBytes = 0
    let store = try DuckDBEventStore(
      path: folder.path + "/events.duckdb",
      library: BenchLibrary.path(),
      options: options
    )
    let count =
      ProcessInfo.processInfo.environment["FOOTFALL_BENCH_EVENTS"].flatMap { Int($0) } ?? 10_000_000
    let world = QuestionWorld(store: store, events: count)
    try world.fill()
    let parquet = folder.path + "/events.parquet"
    try world.export(to: parquet)
    let size = try world.bytes()
    answer(["ready": "\(count)", "parquet": quoted(parquet), "bytes": "\(size)"])
    while let line = readLine(), line != "quit" {
      guard let question = questions[line] else {
        answer(["error": quoted("There is no question “\(line)”.")])
        continue
      }
      let (cpu, wall) = (BenchClock.cpuSeconds(), MonotonicTime.now())
      let numbers = try question(store)
      let seconds = MonotonicTime.now().seconds(since: wall)
      answer([
        "cpu": "\(BenchClock.cpuSeconds() - cpu)", "wall": "\(seconds)", "numbers": "\(numbers)",
      ])
    }
    store.close()
    try folder.remove()
  }

  private static func quoted(_ text: String) -> String { JSONQuoting.quoted(text) }

  private static func answer(_ members: KeyValuePairs<String, String>) {
    say("{" + members.map { "\(quoted($0.key)):\($0.value)" }.joined(separator: ",") + "}")
  }

  /// A question asks and gives the numbers that the reference must have too; none where those differ
  /// by definition.
  private typealias Question = @Sendable (DuckDBEventStore) throws -> [Int]

  private static let scope = Scope(
    project: 1,
    fromMs: QuestionWorld.startMs,
    toMs: QuestionWorld.endMs
  )
  private static let days = TimeAxis(.day, timeZone: .gmt)

  private static let questions: [String: Question] = [
    "funnel": { store in
      let steps = [2, 3, 1, 4, 6].map { FunnelStep("Event \($0)", []) }
      return try Funnel(scope, steps: steps).run(on: store).levels.map(\.count)
    },
    "retention": { store in
      let answer = try Retention(
        scope,
        axis: TimeAxis(.week, timeZone: .gmt),
        periods: 12,
        untilMs: QuestionWorld.endMs
      ).run(on: store)
      return answer.returned
    },
    "daily": { store in
      let trend = Trend(scope, axis: days, measure: .people)
      return try trend.run(on: store).all.values.map { Int($0 ?? 0) }
    },
    "rolling": { store in
      try Activity(scope, axis: days).run(on: store).flatMap {
        [$0.lastSevenDays ?? 0, $0.lastThirtyDays ?? 0]
      }
    },
    "property": { store in
      let trend = Trend(scope, axis: days, breakdown: .property("screen"), limit: 50)
      return try trend.run(on: store).lines.prefix(5).map { Int($0.total ?? 0) }
    },
    "names": { store in
      let trend = Trend(scope, axis: days, breakdown: .name, limit: 50)
      return try trend.run(on: store).lines.map { Int($0.total ?? 0) }
    },
    "sessions": { store in
      let answer = try SessionTrend(scope, axis: days).run(on: store)
      return [answer.all.count, Int(answer.all.lengthMs)]
    },
    "revenue": { store in
      let answer = try RevenueTrend(scope, axis: days).run(on: store)
      return answer.lines.flatMap { [Int($0.all.micros), $0.all.payers, $0.all.purchases] }
    },
    "paths": { store in
      let answer = try Paths(scope).run(on: store)
      return [answer.count] + answer.paths.prefix(5).map(\.count)
    },
    "person": { store in
      let found = try PersonLookup(project: 1, id: QuestionWorld.somebody).run(on: store)
      guard case .person(let person) = found else {
        throw BenchFailure(description: "There is no \(QuestionWorld.somebody).")
      }
      let events = try PersonTimeline(person, limit: 200).run(on: store)
      return [events.count]
    },
  ]
}
