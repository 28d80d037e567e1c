import Catalog
import FootfallSystem
import Foundation
import HTTPServing
import Ingest
import IngestLog

/// Durable ingest over loopback, interleaved with nginx answering 202 to the same requests.
///
/// Source of the bars: the numbers of the first milestone; JSON and gzip batches of 50 events.
enum IngestBench {
  static let benchmark = Benchmark(name: "ingest", needsOtherPrograms: true, run: run)

  private static let rounds = 5
  private static let seconds = 3

  private struct Kind {
    let id: String
    let body: [UInt8]
    let rate: Double
    let cpu: Double
    let p99Ms: Double
  }

  private struct Sample {
    var rate: [Double] = []
    var cpu: [Double] = []
    var p99: [Double] = []
    var ourRate: [Double] = []
    var ourCPU: [Double] = []
  }

  static func run() throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("footfall-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let collector = try Collector(folder: folder)
    defer { collector.stop() }
    let nginx = try Nginx(folder: folder, port: try FreePort.find())
    defer { nginx.stop() }

    let json = SampleBatch.json()
    let kinds = [
      Kind(id: "json", body: json, rate: 0.18, cpu: 5.5, p99Ms: 25),
      Kind(
        id: "gzip",
        body: try Gzip.compress(json),
        rate: 0.11,
        cpu: 11,
        p99Ms: 60
      ),
    ]
    say("batches of 50 events: \(kinds[0].body.count) bytes, gzip \(kinds[1].body.count)")
    for kind in kinds { try measure(kind, folder, collector, nginx) }
    try LoneRequests.measure(collector, body: json)
  }

  private static func measure(
    _ kind: Kind,
    _ folder: URL,
    _ collector: Collector,
    _ nginx: Nginx
  ) throws {
    let wrk = try Wrk(folder: folder, name: kind.id, body: kind.body, key: collector.key)
    // Warm-up of both, not counted.
    _ = try wrk.run(port: nginx.port, path: "/v1/events", seconds: 1)
    _ = try wrk.run(port: collector.port, path: "/v1/events", seconds: 1)
    var sample = Sample()
    for _ in 0..<rounds {
      let before = try nginx.cpuSeconds()
      let reference = try wrk.run(port: nginx.port, path: "/v1/events", seconds: seconds)
      let referenceCPU = (try nginx.cpuSeconds() - before) / reference.requests
      let ourBefore = Collector.cpuSeconds()
      let ours = try wrk.run(port: collector.port, path: "/v1/events", seconds: seconds)
      let ourCPU = (Collector.cpuSeconds() - ourBefore) / ours.requests
      guard ours.unexpected == 0, reference.unexpected == 0 else {
        throw BenchFailure(description: "\(ours.unexpected) requests were not answered with 202")
      }
      sample.rate.append(ours.requestsPerSecond / reference.requestsPerSecond)
      sample.cpu.append(ourCPU / referenceCPU)
      sample.p99.append(ours.p99Ms)
      sample.ourRate.append(ours.requestsPerSecond)
      sample.ourCPU.append(ourCPU * 1e6)
      say(
        String(
          format:
            "%@: %.0f/s against %.0f/s, CPU %.1f us against %.1f us, p50 %.1f ms, p99 %.1f ms",
          kind.id,
          ours.requestsPerSecond,
          reference.requestsPerSecond,
          ourCPU * 1e6,
          referenceCPU * 1e6,
          ours.p50Ms,
          ours.p99Ms
        )
      )
      collector.forget()
    }
    report(kind, sample)
  }

  private static func report(_ kind: Kind, _ sample: Sample) {
    let rate = median(sample.ourRate)
    BenchResult(
      id: "ingest-\(kind.id)-rate",
      what: "durable ingest, \(kind.id): request rate",
      measured: median(sample.rate),
      unit: "x nginx",
      bar: ">= \(kind.rate)",
      detail: String(format: "%.0f requests/s, %.0f events/s", rate, rate * 50)
    ).print()
    BenchResult(
      id: "ingest-\(kind.id)-cpu",
      what: "durable ingest, \(kind.id): CPU per request",
      measured: median(sample.cpu),
      unit: "x nginx",
      bar: "<= \(kind.cpu)",
      detail: String(format: "%.1f us", median(sample.ourCPU))
    ).print()
    BenchResult(
      id: "ingest-\(kind.id)-p99",
      what: "durable ingest, \(kind.id): p99, 64 connections",
      measured: median(sample.p99),
      unit: "ms",
      bar: "<= \(kind.p99Ms)"
    ).print()
  }
}
