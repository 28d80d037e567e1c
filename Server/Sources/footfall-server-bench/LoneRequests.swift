import FootfallSystem
import Foundation
import IngestLog

/// Single requests to an idle collector: each must be synced at once, alone.
enum LoneRequests {
  private static let count = 200

  /// Sends one after the other, and beside each writes and syncs as many bytes to a file directly.
  static func measure(_ collector: Collector, body: [UInt8]) throws {
    let connection = try Connection(port: collector.port)
    let request = collector.request(body)
    try connection.exchange(request)
    let plain = try PosixFiles().open(collector.log.folder + "/plain.bench", .append)
    let syncsBefore = collector.log.status.syncs
    var latencies: [Double] = []
    var disk: [Double] = []
    for _ in 0..<count {
      let start = MonotonicTime.now()
      try connection.exchange(request)
      latencies.append(MonotonicTime.now().seconds(since: start) * 1_000)
      let diskStart = MonotonicTime.now()
      try plain.writeAll(body)
      try plain.sync()
      disk.append(MonotonicTime.now().seconds(since: diskStart) * 1_000)
    }
    let syncs = Double(collector.log.status.syncs - syncsBefore) / Double(count)
    BenchResult(
      id: "ingest-lone-syncs",
      what: "a lone request on an idle server: syncs",
      measured: syncs,
      unit: "x a request",
      bar: "<= 1"
    ).print()
    BenchResult(
      id: "ingest-lone-latency",
      what: "a lone request on an idle server: time",
      measured: median(latencies) / median(disk),
      unit: "x write and fdatasync",
      detail: String(format: "%.2f ms against %.2f ms", median(latencies), median(disk))
    ).print()
  }
}

extension Collector {
  /// A request of native events, whole.
  func request(_ body: [UInt8]) -> [UInt8] {
    let header =
      "POST /v1/events HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer \(key)\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
    return Array(header.utf8) + body
  }

  /// A request of one event.
  var loneRequest: [UInt8] {
    request(Array(#"{"events":[{"id":"idle","name":"Idle","ts":1764581400123}]}"#.utf8))
  }
}
