import FootfallCore
import FootfallEngine
import FootfallPlatform
import Foundation

extension Benchmark {
  /// The demo's events, cut into batches of 50, as requests.
  static let wireSize = Benchmark(
    name: "wire-size",
    summary: "bytes per event of the demo's events in batches of 50, compressed"
  ) {
    let size = try WireBench.bytesPerEvent()
    return [
      Measurement(
        name: "wire.bytes_per_event",
        value: size.compressed,
        unit: "bytes",
        reference: size.plain
      )
    ]
  }
}

enum WireBench {
  private static let batch = 50

  /// Bytes of the requests' bodies for an event, compressed and not.
  static func bytesPerEvent() throws -> (compressed: Double, plain: Double) {
    let path = "Fixtures/demo-events/events.ndjson"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let gzip = Gzip.system(log: .silent)
    let events = lines.count / batch * batch
    return (
      try bytes(lines.prefix(events), gzip) / Double(events),
      try bytes(lines.prefix(events), .none) / Double(events)
    )
  }

  private static func bytes(_ lines: ArraySlice<Substring>, _ gzip: Gzip) throws -> Double {
    let codec = NativeCodec(url: "", key: "ff_pub_bench", device: .current, gzip: gzip)
    var total = 0
    for start in stride(from: 0, to: lines.count, by: batch) {
      let body = lines[start..<start + batch].joined(separator: ",\n")
      let content = BatchContent(
        events: Array(body.utf8)[...],
        count: batch,
        commonContent: codec.commonContent
      )
      let request = codec.request(
        content,
        attempt: AttemptInfo(sentAtMilliseconds: 0, losses: DropCounts())
      )
      total += request.body.count
    }
    return Double(total)
  }
}
