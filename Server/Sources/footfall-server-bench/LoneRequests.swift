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

/// One keep-alive connection that sends whole requests and waits for each answer.
final class Connection {
  private let descriptor: Int32

  init(port: Int) throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw BenchFailure(description: "cannot connect: \(errno)") }
  }

  deinit { close(descriptor) }

  func exchange(_ request: [UInt8]) throws {
    var sent = 0
    while sent < request.count {
      let count = request.withUnsafeBytes {
        send(descriptor, $0.baseAddress?.advanced(by: sent), request.count - sent, 0)
      }
      guard count > 0 else { throw BenchFailure(description: "cannot send: \(errno)") }
      sent += count
    }
    var answer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &answer, answer.count, 0)
    guard count > 12, answer.starts(with: "HTTP/1.1 202".utf8) else {
      throw BenchFailure(description: "the answer is not 202")
    }
  }
}
