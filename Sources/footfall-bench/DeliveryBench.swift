import Footfall
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

extension Benchmark {
  /// A backlog to a server that answers at once.
  static let delivery = Benchmark(
    name: "delivery",
    summary: "20,000 events of backlog to a loopback server"
  ) {
    let (rate, inFlight) = try DeliveryBench.backlog()
    return [
      Measurement(name: "delivery.backlog", value: rate, unit: "events/s"),
      Measurement(name: "delivery.most_in_flight", value: Double(inFlight), unit: "requests"),
    ]
  }

  /// A steady stream to a server that takes its time.
  static let steady = Benchmark(
    name: "steady",
    summary: "200 events/s with 200 ms an answer, against the null client at the same pace"
  ) {
    let null = NullClient()
    let pacing = DeliveryBench.pacedCPU { null.track($0, $1) }
    return [
      Measurement(
        name: "delivery.steady_cpu",
        value: try DeliveryBench.steadyCPU() - pacing,
        unit: "ms per 1,000 events"
      ),
      Measurement(name: "delivery.pacing_cpu", value: pacing, unit: "ms per 1,000 events"),
    ]
  }
}

/// Requests on their way.
private struct Flight: Sendable {
  var now = 0
  var most = 0
}

/// A real transport that counts how many requests are on their way at once.
private struct CountedTransport: Transport {
  let transport: any Transport
  let flight: Lock<Flight>

  func send(_ request: UploadRequest) async -> UploadResponse {
    flight.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
    defer { flight.withLock { $0.now -= 1 } }
    return await transport.send(request)
  }

  func cancelAll() { transport.cancelAll() }
  func shutdown() { transport.shutdown() }
}

enum DeliveryBench {
  private static let events = 20_000

  /// Events delivered a second from a relaunch on, the median of three; the most requests at once.
  static func backlog() throws -> (perSecond: Double, mostInFlight: Int) {
    var rates: [Double] = []
    let flight = Lock(Flight())
    for _ in 0..<3 {
      let scratch = try BenchFolder("delivery")
      defer { scratch.remove() }
      let offline = try TrackBench.client(in: scratch.path, server: UnreachableTransport())
      for number in 0..<events { TrackBench.call(number) { offline.track($0, $1) } }
      TrackBench.drain(offline)
      offline.shutdown(limitSeconds: 0)

      let server = try LoopbackServer()
      defer { server.stop() }
      var environment = Environment.live(log: .silent)
      environment.transport = CountedTransport(transport: environment.transport, flight: flight)
      let start = MonotonicTime.now()
      let client = FootfallClient(
        try configuration(server, scratch.path),
        environment: environment
      )
      while client.diagnostics.delivered < events,
        MonotonicTime.now().seconds(since: start) < 60
      { usleep(200) }
      rates.append(
        Double(client.diagnostics.delivered) / MonotonicTime.now().seconds(since: start)
      )
      client.shutdown(limitSeconds: 0)
    }
    return (rates.median, flight.withLock { $0.most })
  }

  /// Milliseconds of the whole process's CPU for 1,000 events, the small server's included.
  static func steadyCPU() throws -> Double {
    let scratch = try BenchFolder("steady")
    defer { scratch.remove() }
    let server = try LoopbackServer { _ in
      usleep(200_000)
      return .status(202)
    }
    defer { server.stop() }
    let client = FootfallClient(try configuration(server, scratch.path))
    defer { client.shutdown(limitSeconds: 2) }
    for number in 0..<200 { TrackBench.call(number) { client.track($0, $1) } }
    // What a first request loads is no part of a steady stream.
    for _ in 0..<5_000 where client.diagnostics.delivered < 200 { usleep(1_000) }
    return pacedCPU { client.track($0, $1) }
  }

  /// Milliseconds of the whole process's CPU for 1,000 events at 200 a second.
  static func pacedCPU(_ track: (EventName, Properties) -> Void) -> Double {
    let begin = UploadWaitBench.processSeconds()
    for number in 0..<2_000 {
      TrackBench.call(number, track)
      usleep(5_000)
    }
    return (UploadWaitBench.processSeconds() - begin) * 1_000 / 2
  }

  static func configuration(
    _ server: LoopbackServer,
    _ folder: String
  ) throws -> FootfallClient.Configuration {
    guard let endpoint = URL(string: server.url("")) else { throw TrackBench.BenchError.noAddress }
    var configuration = FootfallClient.Configuration(key: "ff_pub_bench", endpoint: endpoint)
    configuration.storage.folder = folder
    return configuration
  }
}
