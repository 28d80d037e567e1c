import Footfall
import FootfallSystem
import Foundation

extension Benchmark {
  /// Making a client: on the caller's thread, and until events can be stored.
  static let start = Benchmark(
    name: "start",
    summary: "making a client, fresh and with a backlog"
  ) {
    let scratch = try BenchFolder("start")
    defer { scratch.remove() }
    var calls: [Double] = []
    var ready: [Double] = []
    for round in 0..<20 {
      let (call, done) = try StartBench.start(scratch.path + "/\(round)")
      calls.append(call)
      ready.append(done)
    }
    return [
      Measurement(name: "start.caller_first", value: calls.first ?? 0, unit: "ms"),
      Measurement(name: "start.ready_first", value: ready.first ?? 0, unit: "ms"),
      Measurement(name: "start.caller", value: calls.median, unit: "ms"),
      Measurement(name: "start.caller_worst", value: calls.max() ?? 0, unit: "ms"),
      Measurement(name: "start.ready", value: ready.median, unit: "ms"),
      Measurement(name: "start.ready_worst", value: ready.max() ?? 0, unit: "ms"),
    ]
  }
}

enum StartBench {
  /// Milliseconds until the initializer returns, and until the client is ready to store.
  static func start(_ folder: String) throws -> (call: Double, ready: Double) {
    let configuration = try TrackBench.configuration(in: folder)
    let start = MonotonicTime.now()
    let client = FootfallClient(configuration)
    let returned = MonotonicTime.now()
    while !client.diagnostics.isReady { usleep(20) }
    let ready = MonotonicTime.now()
    client.shutdown(limitSeconds: 0)
    return (returned.seconds(since: start) * 1_000, ready.seconds(since: start) * 1_000)
  }
}
