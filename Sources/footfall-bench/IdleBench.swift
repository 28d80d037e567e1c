import Footfall
import FootfallSystem
import FootfallTesting
import Foundation

extension Benchmark {
  /// How often the client's threads run while there is nothing to do.
  static let idle = Benchmark(
    name: "idle",
    summary: "wake-ups of the client's threads in 60 s with nothing queued"
  ) {
    let scratch = try BenchFolder("idle")
    defer { scratch.remove() }
    let server = try LoopbackServer()
    defer { server.stop() }
    let client = FootfallClient(try DeliveryBench.configuration(server, scratch.path))
    defer { client.shutdown(limitSeconds: 0) }
    for number in 0..<50 { TrackBench.call(number) { client.track($0, $1) } }
    while client.diagnostics.delivered < client.diagnostics.tracked { usleep(1_000) }
    // What is cleared away a little later is cleared away.
    Thread.sleep(forTimeInterval: 5)
    let before = IdleBench.switches()
    Thread.sleep(forTimeInterval: 60)
    let wakeUps = IdleBench.switches().reduce(0) { sum, thread in
      sum + thread.value - (before[thread.key] ?? 0)
    }
    return [Measurement(name: "idle.wake_ups", value: Double(wakeUps), unit: "in 60 s")]
  }
}

enum IdleBench {
  /// How often each thread has waited so far, but the measuring one and those of Dispatch, which the client
  /// does without, earlier benchmarks do not, and which wake up once a second.
  static func switches() -> [String: Int] {
    var counts: [String: Int] = [:]
    do {
      for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      where thread != "\(getpid())" {
        let name = try String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
        if name.contains("qos") { continue }
        let status = try String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        counts[thread] = line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
      }
    } catch {
      // A thread that ended while it was looked at.
    }
    return counts
  }
}
