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
    let amplitude = amplitudeBody(events: events)
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

  /// What Swift's client sends: every unset scalar as `null`, keys sorted.
  private static func amplitudeBody(events count: Int) -> [UInt8] {
    let events = (0..<count).map { index in
      """
      {"adid":null,"android_id":null,"app_version":"4.2.0","carrier":null,"city":null,"country":null,\
      "currency":null,"device_brand":null,"device_id":"0A1B2C3D-0000-4000-8000-000000000001",\
      "device_manufacturer":"Apple","device_model":"iPhone15,2","dma":null,"event_id":\(index),\
      "event_properties":{"title":"Here Comes the Sun","duration_s":185,"genres":["rock","pop"],\
      "price":3.99,"is_gift":false},"event_type":"Song Played","idfa":null,"idfv":null,\
      "insert_id":"5F0B7C9E-1111-4222-8333-\(100_000_000_000 + index)","ip":"$remote",\
      "language":"en-GB","library":"amplitude-swift/1.18.6","location_lat":null,"location_lng":null,\
      "os_name":"ios","os_version":"17.4","partner_id":null,"platform":"iOS","price":null,\
      "product_id":null,"quantity":null,"region":null,"revenue":null,"revenue_type":null,\
      "session_id":1764581000000,"time":\(receivedAtMs + Int64(index)),"user_id":"user-12345",\
      "version_name":"1.2"}
      """
    }
    return Array(
      (#"{"api_key":"k","client_upload_time":"2025-12-01T09:31:40.000Z","events":["#
        + events.joined(separator: ",") + "]}").utf8
    )
  }
}
