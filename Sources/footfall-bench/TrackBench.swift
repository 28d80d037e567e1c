import Footfall
import FootfallCore
import FootfallPlatform
import FootfallSystem
import Foundation

extension Benchmark {
  /// `track` at the call site: the caller's own CPU, and its wall time with eight threads.
  static let track = Benchmark(
    name: "track",
    summary: "track with 5 properties and 3 plugins, against the null client"
  ) {
    let scratch = try BenchFolder("track")
    defer { scratch.remove() }
    let client = try TrackBench.client(in: scratch.path)
    defer { client.shutdown(limitSeconds: 0) }
    for plugin in PipelineBench.threePlugins() { client.add(plugin) }
    let cpu = TrackBench.callerCPU(client)
    let eight = try TrackBench.eightThreads(client)
    return [
      Measurement(
        name: "track.cpu",
        value: cpu.track,
        unit: "ns",
        reference: cpu.null
      ),
      Measurement(
        name: "track.8_threads_p50",
        value: eight.track.p50,
        unit: "ns",
        reference: eight.null.p50
      ),
      Measurement(
        name: "track.8_threads_p99",
        value: eight.track.p99,
        unit: "ns",
        reference: eight.null.p99
      ),
      Measurement(
        name: "track.lost",
        value: Double(client.diagnostics.dropped.events),
        unit: "events"
      ),
    ]
  }
}

/// Answers every request at once, without a network.
struct SinkTransport: Transport {
  func send(_ request: UploadRequest) async -> UploadResponse {
    .answered(status: 202, headers: [:], body: Array(#"{"accepted":50,"rejected":[]}"#.utf8))
  }
  func cancelAll() {}
  func shutdown() {}
}

enum TrackBench {
  private static let rounds = 60
  private static let calls = 2_000

  /// A client with the real clock, disk and compression, whose requests go nowhere.
  static func client(
    in folder: String,
    server: any Transport = SinkTransport()
  ) throws -> FootfallClient {
    var environment = Environment.live(log: .silent)
    environment.transport = server
    return FootfallClient(try configuration(in: folder), environment: environment)
  }

  static func configuration(in folder: String) throws -> FootfallClient.Configuration {
    guard let endpoint = URL(string: "http://127.0.0.1:9") else { throw BenchError.noAddress }
    var configuration = FootfallClient.Configuration(key: "ff_pub_bench", endpoint: endpoint)
    configuration.storage.folder = folder
    return configuration
  }

  enum BenchError: Error {
    case noAddress
  }

  @inline(__always)
  static func call(_ number: Int, _ track: (EventName, Properties) -> Void) {
    track(
      "Song Played",
      [
        "title": "Here Comes the Sun", "duration_s": .integer(number), "price": 9.99, "gift": false,
        "genre": "rock",
      ]
    )
  }

  /// Nanoseconds of the calling thread's CPU for a call, the median of interleaved rounds.
  static func callerCPU(_ client: FootfallClient) -> (track: Double, null: Double) {
    let null = NullClient()
    var tracked: [Double] = []
    var nothing: [Double] = []
    for _ in 0..<rounds {
      drain(client)
      var start = threadCPU()
      for number in 0..<calls { call(number) { client.track($0, $1) } }
      tracked.append(Double(threadCPU() - start) / Double(calls))
      start = threadCPU()
      for number in 0..<calls { call(number) { null.track($0, $1) } }
      nothing.append(Double(threadCPU() - start) / Double(calls))
    }
    return (tracked.median, nothing.median)
  }

  /// Wall time of single calls while eight threads call at once.
  static func eightThreads(
    _ client: FootfallClient
  ) throws -> (track: Percentiles, null: Percentiles) {
    var tracked: [UInt64] = []
    var nothing: [UInt64] = []
    for _ in 0..<10 {
      drain(client)
      tracked += try onEightThreads { call($0) { client.track($0, $1) } }
      let clients = (0..<8).map { _ in NullClient() }
      nothing += try onEightThreads { number in
        call(number) { clients[number & 7].track($0, $1) }
      }
    }
    return (Percentiles(tracked), Percentiles(nothing))
  }

  private static func onEightThreads(
    _ body: @escaping @Sendable (Int) -> Void
  ) throws -> [UInt64] {
    let times = Lock<[UInt64]>([])
    let gate = Monitor(false)
    let threads = try (0..<8).map { index in
      try SystemThread(name: "bench \(index)") {
        var own: [UInt64] = []
        own.reserveCapacity(1_000)
        _ = gate.wait { $0 ? true : nil }
        for number in 0..<1_000 {
          let start = MonotonicTime.now().nanoseconds
          body(number << 3 | index)
          own.append(MonotonicTime.now().nanoseconds - start)
        }
        times.withLock { $0 += own }
      }
    }
    gate.change { $0 = true }
    threads.forEach { $0.join() }
    return times.withLock { $0 }
  }

  /// Waits until the client has written what was tracked.
  static func drain(_ client: FootfallClient) {
    while client.diagnostics.waiting > 0 { usleep(1_000) }
  }

  /// Nanoseconds of CPU the calling thread has used.
  static func threadCPU() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// Two places of a distribution.
struct Percentiles {
  let p50: Double
  let p99: Double

  init(_ values: [UInt64]) {
    let sorted = values.sorted()
    p50 = sorted.isEmpty ? 0 : Double(sorted[sorted.count / 2])
    p99 = sorted.isEmpty ? 0 : Double(sorted[sorted.count * 99 / 100])
  }
}
