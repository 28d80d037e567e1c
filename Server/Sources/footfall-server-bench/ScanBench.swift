import Foundation
import Wire

/// Checking and decoding request bodies, against Foundation's parser in the same run.
enum ScanBench {
  static let benchmark = Benchmark(name: "scan", run: run)

  private static let rounds = 7
  private static let receivedAtMs: Int64 = 1_764_581_500_000

  static func run() throws {
    let events = 50
    let body = SampleBatch.json(events: events)
    let foundation = try seconds(repeats: 20) {
      _ = try JSONSerialization.jsonObject(with: Data(body))
    }
    let validation = seconds(repeats: 2000) {
      _ = body.withUnsafeBytes { JSONCheck.isValid($0) }
    }
    let native = seconds(repeats: 2000, decoding(body))
    let amplitude = SampleBatch.amplitude(events: events, key: "k")
    let amplitudeSeconds = seconds(repeats: 2000, decodingAmplitude(amplitude))
    BenchResult(
      id: "scan-validate",
      what: "check a body: Foundation's time over ours",
      measured: foundation / validation,
      unit: "x",
      bar: ">= 20",
      detail: megabytes(body.count, validation)
    ).print()
    BenchResult(
      id: "scan-native",
      what: "native body to record: Foundation's parse over ours",
      measured: foundation / native,
      unit: "x",
      bar: ">= 6",
      detail: megabytes(body.count, native) + ", " + perEvent(native, events)
    ).print()
    if let reference = SimdJSON(body) {
      let seconds = seconds(repeats: 2000) { reference.read(events: events) }
      BenchResult(
        id: "scan-simdjson",
        what: "native body to record: simdjson's time for lines over ours",
        measured: seconds / native,
        unit: "x",
        bar: ">= 1",
        detail: "simdjson: " + megabytes(body.count, seconds)
      ).print()
    }
    BenchResult(
      id: "scan-amplitude",
      what: "Amplitude body to record, per event",
      measured: amplitudeSeconds / Double(events) * 1e9,
      unit: "ns",
      detail: megabytes(amplitude.count, amplitudeSeconds)
    ).print()
  }

  private static func decoding(_ body: [UInt8]) -> () -> Void {
    var scratch = WireScratch()
    return {
      let outcome = body.withUnsafeBytes {
        NativeEvents.decode(
          $0,
          contentType: "application/json",
          project: 1,
          context: WireContext(receivedAtMs: receivedAtMs),
          scratch: &scratch
        )
      }
      guard case .accepted(let acceptance) = outcome, acceptance.events == 50 else {
        preconditionFailure("The benchmark's own body was refused.")
      }
    }
  }

  private static func decodingAmplitude(_ body: [UInt8]) -> () -> Void {
    var scratch = WireScratch()
    return {
      let outcome = body.withUnsafeBytes {
        AmplitudeHTTPV2.decode(
          $0,
          project: { _ in 1 },
          context: WireContext(receivedAtMs: receivedAtMs),
          scratch: &scratch
        )
      }
      guard case .accepted(let acceptance) = outcome, acceptance.events == 50 else {
        preconditionFailure("The benchmark's own body was refused.")
      }
    }
  }

  /// The best of some rounds: what else the machine does only ever adds time.
  private static func seconds(repeats: Int, _ work: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let best = try (0..<rounds).map { _ in
      try clock.measure { for _ in 0..<repeats { try work() } }
    }.min()
    return (best ?? .zero) / .seconds(1) / Double(repeats)
  }

  private static func megabytes(_ bytes: Int, _ seconds: Double) -> String {
    String(format: "%.0f MB/s of %d bytes", Double(bytes) / seconds / 1e6, bytes)
  }

  private static func perEvent(_ seconds: Double, _ events: Int) -> String {
    String(format: "%.0f ns per event", seconds / Double(events) * 1e9)
  }
}
