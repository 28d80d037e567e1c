import Foundation

/// Whole requests of every protocol in this process alone, from the socket to the log: what a profiler is
/// to look at.
///
/// `FOOTFALL_BENCH_LOAD` chooses one protocol, `FOOTFALL_BENCH_REQUESTS` says how many requests; beside
/// those, two runs whose numbers differ show what a request costs alone.
enum RequestBench {
  static let benchmark = Benchmark(name: "requests", needsOtherPrograms: true, run: run)

  /// So many requests share a sync, about as under load.
  private static let connections = 16

  static func run() throws {
    let folder = try BenchFolder("requests")
    let collector = try Collector(folder: URL(fileURLWithPath: folder.path))
    let environment = ProcessInfo.processInfo.environment
    let count = environment["FOOTFALL_BENCH_REQUESTS"].flatMap(Int.init) ?? 4_000
    for load in IngestLoad.allCases {
      if let chosen = environment["FOOTFALL_BENCH_LOAD"], chosen != load.rawValue { continue }
      let request = try load.request(to: collector).bytes
      try send(request, count: 3 * connections, to: collector)
      let before = BenchClock.cpuSeconds()
      try send(request, count: count, to: collector)
      BenchResult(
        id: "request-\(load.rawValue)",
        what: "a request of 50 events with its client, \(load.rawValue): CPU",
        measured: (BenchClock.cpuSeconds() - before) / Double(max(1, count)) * 1e6,
        unit: "us"
      ).print()
      collector.forget()
    }
    collector.stop()
    try folder.remove()
  }

  private static func send(_ request: [UInt8], count: Int, to collector: Collector) throws {
    let connections = try (0..<connections).map { _ in try Connection(port: collector.port) }
    var left = count
    while left > 0 {
      for connection in connections.prefix(left) { try connection.send(request) }
      for connection in connections.prefix(left) { try connection.receive() }
      left -= min(left, connections.count)
    }
  }
}
