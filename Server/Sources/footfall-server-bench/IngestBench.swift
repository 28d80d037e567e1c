import Catalog
import FootfallSystem
import Foundation
import HTTPServing
import Ingest
import IngestLog

/// Durable ingest over loopback, interleaved with nginx answering 202 to the same requests.
///
/// Batches of 50 events by each protocol; the bars of its own are those of JSON and gzip.
enum IngestBench {
  static let benchmark = Benchmark(name: "ingest", needsOtherPrograms: true, run: run)

  private static let rounds = 5
  private static let seconds = 3

  /// Requests of one kind, and what must hold of them beside nginx.
  private struct Kind {
    let id: String
    let load: IngestLoad
    let rate: Double
    var cpu: Double?
    var p99Ms: Double?
    /// Connections that stay open beside the load and say nothing while it lasts.
    var idleConnections = 0
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

    let json = try IngestLoad.json.request(to: collector)
    let kinds = [
      Kind(id: "json", load: .json, rate: 0.18, cpu: 5.5, p99Ms: 25),
      Kind(id: "gzip", load: .gzip, rate: 0.11, cpu: 11, p99Ms: 60),
      Kind(id: "amplitude", load: .amplitude, rate: 0.15),
      Kind(id: "pinpoint", load: .pinpoint, rate: 0.08),
      Kind(id: "kinesis", load: .kinesis, rate: 0.08),
      Kind(id: "idle-1000", load: .json, rate: 0.15, p99Ms: 50, idleConnections: 1_000),
    ]
    let chosen = ProcessInfo.processInfo.environment["FOOTFALL_BENCH_LOAD"]
    for kind in kinds where chosen.map({ $0 == kind.id }) ?? true {
      try measure(kind, folder, collector, nginx)
    }
    if chosen == nil { try LoneRequests.measure(collector, body: json.body) }
  }

  private static func measure(
    _ kind: Kind,
    _ folder: URL,
    _ collector: Collector,
    _ nginx: Nginx
  ) throws {
    let load = try kind.load.request(to: collector)
    let wrk = try Wrk(folder: folder, name: kind.id, load: load)
    say("\(kind.id): a body of \(load.body.count) bytes")
    // Warm-up of both, not counted.
    _ = try wrk.run(port: nginx.port, seconds: 1)
    _ = try wrk.run(port: collector.port, seconds: 1)
    let idle = try (0..<kind.idleConnections).map { _ in try Connection(port: collector.port) }
    var sample = Sample()
    for _ in 0..<rounds {
      // Once in a while each sends something, as apps do: one that never does is closed.
      for connection in idle { try connection.exchange(collector.loneRequest) }
      let before = try nginx.cpuSeconds()
      let reference = try wrk.run(port: nginx.port, seconds: seconds)
      let referenceCPU = (try nginx.cpuSeconds() - before) / reference.requests
      let ourBefore = Collector.cpuSeconds()
      let ours = try wrk.run(port: collector.port, seconds: seconds)
      let ourCPU = (Collector.cpuSeconds() - ourBefore) / ours.requests
      guard ours.unexpected == 0, reference.unexpected == 0 else {
        throw BenchFailure(description: "\(ours.unexpected) requests were not answered with 2xx")
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
      bar: kind.cpu.map { "<= \($0)" },
      detail: String(format: "%.1f us", median(sample.ourCPU))
    ).print()
    BenchResult(
      id: "ingest-\(kind.id)-p99",
      what: "durable ingest, \(kind.id): p99, 64 connections",
      measured: median(sample.p99),
      unit: "ms",
      bar: kind.p99Ms.map { "<= \($0)" }
    ).print()
  }
}
