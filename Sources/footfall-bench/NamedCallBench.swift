import Footfall
import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallSimpleDataLogs
import FootfallSystem
import Foundation

extension Benchmark {
  /// A call by SimpleDataLogs' names against the native one, on the same client.
  static let simpleDataLogs = Benchmark(
    name: "simpledatalogs",
    summary: "a call by SimpleDataLogs' names against the native one"
  ) {
    let scratch = try BenchFolder("simpledatalogs")
    defer { scratch.remove() }
    let client = SimpleDataLogsClient(log: .silent)
    client.configure(
      ingestKey: "sdl_pub_bench",
      in: { NamedCallBench.world(in: scratch.path) },
      change: { $0.waitingEvents = 50_000 }
    )
    defer { client.footfall.shutdown(limitSeconds: 0) }
    return NamedCallBench.measure("simpledatalogs", client.footfall) { number in
      client.track(
        "Song Played",
        properties: [
          "title": "Here Comes the Sun", "duration_s": .integer(number), "price": 9.99,
          "gift": false, "genre": "rock",
        ]
      )
    }
  }

  /// A call by Phase's names against the native one, on the same client.
  static let phase = Benchmark(
    name: "phase",
    summary: "a call by Phase's names against the native one"
  ) {
    let scratch = try BenchFolder("phase")
    defer { scratch.remove() }
    var surroundings = PhaseSDK.Surroundings()
    surroundings.world = { _ in NamedCallBench.world(in: scratch.path) }
    surroundings.store = { .files(in: scratch.path, of: $0) }
    let sdk = PhaseSDK(surroundings)
    let isReady = Monitor(false)
    Task {
      do {
        try await sdk.initialize(apiKey: "phase_bench")
      } catch {
        print("The SDK was not initialised: \(error)")
      }
      await sdk.identify()
      isReady.change { $0 = true }
    }
    _ = isReady.wait { $0 ? true : nil }
    defer { sdk.footfall.shutdown(limitSeconds: 0) }
    return NamedCallBench.measure("phase", sdk.footfall) { number in
      sdk.track(
        "Song Played",
        params: [
          "title": "Here Comes the Sun", "duration_s": number, "price": 9.99, "gift": false,
          "genre": "rock",
        ]
      )
    }
  }
}

/// What a call costs by another product's names.
enum NamedCallBench {
  private static let rounds = 60
  private static let calls = 2_000

  /// The real clock and disk, in a folder; requests go nowhere.
  static func world(in folder: String) -> Environment {
    var environment = Environment.live(log: .silent)
    environment.transport = SinkTransport()
    environment.storage = StorageLocation(path: folder)
    return environment
  }

  /// Nanoseconds of the calling thread's CPU, medians of interleaved rounds: the same event by both.
  static func measure(
    _ name: String,
    _ footfall: FootfallClient,
    _ call: (Int) -> Void
  ) -> [Measurement] {
    var named: [Double] = []
    var native: [Double] = []
    for _ in 0..<rounds {
      TrackBench.drain(footfall)
      var start = TrackBench.threadCPU()
      for number in 0..<calls { call(number) }
      named.append(Double(TrackBench.threadCPU() - start) / Double(calls))
      TrackBench.drain(footfall)
      start = TrackBench.threadCPU()
      for number in 0..<calls { TrackBench.call(number) { footfall.track($0, $1) } }
      native.append(Double(TrackBench.threadCPU() - start) / Double(calls))
    }
    return [
      Measurement(name: "\(name).call", value: named.median, unit: "ns", reference: native.median)
    ]
  }
}
