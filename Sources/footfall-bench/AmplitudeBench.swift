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
    try AmplitudeBench.callerCPU() + [
      Measurement(
        name: "amplitude.backlog",
        value: try AmplitudeBench.backlog(),
        unit: "events/s"
      )
    ]
  }
}

enum AmplitudeBench {
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
      eventProperties: NamedCallBench.untyped(number),
      options: nil
    )
  }

  @inline(__always)
  private static func callWithEvent(_ number: Int, _ amplitude: Amplitude) {
    amplitude.track(
      event: BaseEvent(
        eventType: "Song Played",
        eventProperties: NamedCallBench.untyped(number)
      )
    )
  }

  /// A call, with its argument at hand and with its literal, and one with an event made by hand.
  static func callerCPU() throws -> [Measurement] {
    let scratch = try BenchFolder("amplitude")
    defer { scratch.remove() }
    let amplitude = client(in: scratch.path, to: SinkTransport())
    defer { amplitude.client.shutdown(limitSeconds: 0) }
    return NamedCallBench.measure(
      "amplitude.call",
      amplitude.client,
      { NamedCallBench.untyped($0) },
      { amplitude.track(eventType: "Song Played", eventProperties: $0, options: nil) }
    )
      + NamedCallBench.measureLiterals("amplitude.literal", amplitude.client) { number in
        call(number, amplitude)
      }
      + NamedCallBench.measureLiterals("amplitude.event", amplitude.client) { number in
        callWithEvent(number, amplitude)
      }
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
