import CDeflate
import FootfallSystem
import HTTPServing
import Testing

/// A proxy in front of a server, as operators put one there.
final class Proxy {
  let server: HTTPServer
  private let hasUnpacked = Lock(false)

  /// Whether a body came that was packed, and went on unpacked.
  var hasUnpackedAny: Bool { hasUnpacked.withLock { $0 } }

  /// Starts a proxy to a port of this machine.
  ///
  /// - Parameters:
  ///   - port: Where requests go on to.
  ///   - source: The loopback address they come from there.
  ///   - unpacks: Whether bodies go on without gzip and the client's address in `X-Forwarded-For`; otherwise
  ///     everything goes on as it came.
  /// - Throws: What keeps it from listening.
  init(to port: UInt16, from source: String, unpacks: Bool) throws {
    var router = Router()
    for path in ["/2/httpapi", "/v1/events"] {
      router.on(.post, path) { [hasUnpacked] request in
        var fields = ["Host: x", "Connection: close"]
        var body = Array(request.body)
        for name in ["Authorization", "Content-Type", "Content-Encoding", "Footfall-Sent-At"] {
          guard let value = request.header(name.lowercased()) else { continue }
          if unpacks, name == "Content-Encoding" {
            body = GzipText.unpacked(body)
            hasUnpacked.withLock { $0 = true }
          } else {
            fields.append("\(name): \(value)")
          }
        }
        if unpacks { fields.append("X-Forwarded-For: \(request.remoteAddress)") }
        fields.append("Content-Length: \(body.count)")
        let head = "POST \(path) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n"
        do {
          let answer = try LoopbackRequest.exchange(
            port: port,
            bytes: Array(head.utf8) + body,
            from: source
          )
          return .now(Response(status: answer.status, headers: [], body: Array(answer.body.utf8)))
        } catch {
          return .now(Response(status: 502, headers: [], body: Array("\(error)".utf8)))
        }
      }
    }
    server = try HTTPServer(
      host: "127.0.0.1",
      port: 0,
      limits: HTTPServer.Limits(),
      router: router
    )
    try server.start()
  }
}

/// Texts as gzip, and back.
enum GzipText {
  static func packed(_ bytes: [UInt8]) throws -> [UInt8] {
    let compressor = try #require(libdeflate_alloc_compressor(6))
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_gzip_compress_bound(compressor, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
      count = libdeflate_gzip_compress(
        compressor,
        bytes,
        bytes.count,
        output.baseAddress,
        output.count
      )
    }
  }

  /// Up to 1 MiB; empty for what is no gzip.
  static func unpacked(_ bytes: [UInt8]) -> [UInt8] {
    guard let decompressor = libdeflate_alloc_decompressor() else { return [] }
    defer { libdeflate_free_decompressor(decompressor) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 20) { output, count in
      let result = libdeflate_gzip_decompress(
        decompressor,
        bytes,
        bytes.count,
        output.baseAddress,
        output.count,
        &count
      )
      if result != LIBDEFLATE_SUCCESS { count = 0 }
    }
  }
}
