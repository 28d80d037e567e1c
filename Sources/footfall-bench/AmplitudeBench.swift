import Footfall
import FootfallAmplitude
import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

extension Benchmark {
  /// Amplitude's names on the same engine: a call against the native one, and a backlog.
  static let amplitude = Benchmark(
    name: "amplitude",
    summary: "a call by Amplitude's names against the native one, and 20,000 events of backlog"
  ) {
    let cpu = try AmplitudeBench.callerCPU()
    return [
      Measurement(name: "amplitude.call", value: cpu.face, unit: "ns", reference: cpu.native),
      Measurement(
        name: "amplitude.event",
        value: cpu.event,
        unit: "ns",
        reference: cpu.native
      ),
      Measurement(
        name: "amplitude.backlog",
        value: try AmplitudeBench.backlog(),
        unit: "events/s"
      ),
    ]
  }
}

enum AmplitudeBench {
  private static let rounds = 60
  private static let calls = 2_000
  private static let backlogEvents = 20_000

  /// A client with the real clock and disk in a folder; requests go to the server.
  private static func client(
    in folder: String,
    to server: (any Transport)? = nil,
    url: String = "http://127.0.0.1:9/2/httpapi",
    offline: Bool? = false
  ) -> Amplitude {
    var environment = Environment.live(log: .silent)
    if let server { environment.transport = server }
    environment.storage = StorageLocation(path: folder)
    return Amplitude(
      configuration: Configuration(
        apiKey: "bench",
        serverUrl: url,
        offline: offline,
        enableAutoCaptureRemoteConfig: false
      ),
      environment: environment
    )
  }

  /// The native call's event, by Amplitude's names.
  @inline(__always)
  private static func call(_ number: Int, _ amplitude: Amplitude) {
    amplitude.track(
      eventType: "Song Played",
      eventProperties: [
        "title": "Here Comes the Sun", "duration_s": number, "price": 9.99, "gift": false,
        "genre": "rock",
      ],
      options: nil
    )
  }

  @inline(__always)
  private static func callWithEvent(_ number: Int, _ amplitude: Amplitude) {
    amplitude.track(
      event: BaseEvent(
        eventType: "Song Played",
        eventProperties: [
          "title": "Here Comes the Sun", "duration_s": number, "price": 9.99, "gift": false,
          "genre": "rock",
        ]
      )
    )
  }

  /// Nanoseconds of the calling thread's CPU for a call, medians of interleaved rounds.
  static func callerCPU() throws -> (face: Double, event: Double, native: Double) {
    let (scratch, other) = (try BenchFolder("amplitude"), try BenchFolder("native"))
    defer {
      scratch.remove()
      other.remove()
    }
    let amplitude = client(in: scratch.path, to: SinkTransport())
    let native = try TrackBench.client(in: other.path)
    defer {
      amplitude.client.shutdown(limitSeconds: 0)
      native.shutdown(limitSeconds: 0)
    }
    var (face, event, plain): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<rounds {
      TrackBench.drain(amplitude.client)
      face.append(cpu { call($0, amplitude) })
      TrackBench.drain(amplitude.client)
      event.append(cpu { callWithEvent($0, amplitude) })
      TrackBench.drain(native)
      plain.append(cpu { number in TrackBench.call(number) { native.track($0, $1) } })
    }
    return (face.median, event.median, plain.median)
  }

  private static func cpu(_ body: (Int) -> Void) -> Double {
    let start = TrackBench.threadCPU()
    for number in 0..<calls { body(number) }
    return Double(TrackBench.threadCPU() - start) / Double(calls)
  }

  /// Events delivered a second from a relaunch on, the median of three.
  static func backlog() throws -> Double {
    var rates: [Double] = []
    for _ in 0..<3 {
      let scratch = try BenchFolder("amplitude-backlog")
      defer { scratch.remove() }
      let before = client(in: scratch.path, to: UnreachableTransport(), offline: true)
      for number in 0..<backlogEvents { call(number, before) }
      TrackBench.drain(before.client)
      before.client.shutdown(limitSeconds: 0)

      let server = try LoopbackServer(.status(200, #"{"code":200}"#))
      defer { server.stop() }
      let start = MonotonicTime.now()
      let amplitude = client(in: scratch.path, url: server.url("/2/httpapi"))
      amplitude.flush()
      while amplitude.client.diagnostics.delivered < backlogEvents,
        MonotonicTime.now().seconds(since: start) < 60
      { usleep(200) }
      rates.append(
        Double(amplitude.client.diagnostics.delivered) / MonotonicTime.now().seconds(since: start)
      )
      amplitude.client.shutdown(limitSeconds: 0)
    }
    return rates.median
  }
}
