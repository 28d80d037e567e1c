import Footfall
import FootfallPlatform
import FootfallSystem
import Foundation

extension Benchmark {
  /// From `track` to the journal, through the whole pipeline and the real disk.
  static let written = Benchmark(
    name: "written",
    summary: "events tracked and written a second: session, context, 3 plugins, real disk"
  ) {
    let scratch = try BenchFolder("written")
    defer { scratch.remove() }
    let client = try TrackBench.client(in: scratch.path, server: UnreachableTransport())
    defer { client.shutdown(limitSeconds: 0) }
    for plugin in PipelineBench.threePlugins() { client.add(plugin) }
    var rates: [Double] = []
    for _ in 0..<5 {
      let start = MonotonicTime.now()
      for number in 0..<30_000 { TrackBench.call(number) { client.track($0, $1) } }
      TrackBench.drain(client)
      rates.append(30_000 / MonotonicTime.now().seconds(since: start))
    }
    return [
      Measurement(name: "written.per_second", value: rates.median, unit: "events/s"),
      Measurement(
        name: "written.lost",
        value: Double(client.diagnostics.dropped.events),
        unit: "events"
      ),
    ]
  }
}

/// Never reaches a server.
struct UnreachableTransport: Transport {
  func send(_ request: UploadRequest) async -> UploadResponse { .failed(.offline("no network")) }
  func cancelAll() {}
  func shutdown() {}
}
