import HTTPServing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A client that says exactly what it is told to, over loopback; a read that gets nothing gives up
/// after a minute so that a broken server cannot hang the tests.
final class RawSocket {
  struct Failure: Error {
    let what: String
  }

  private let descriptor: Int32
  private var unread: [UInt8] = []

  /// Connects to the port, from another loopback address where one is named.
  init(port: Int, from source: String? = nil) throws {
    #if canImport(Glibc)
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    if let source {
      var own = sockaddr_in()
      own.sin_family = sa_family_t(AF_INET)
      own.sin_addr.s_addr = inet_addr(source)
      let bound = withUnsafePointer(to: &own) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard bound == 0 else { throw Failure(what: "bind: \(errno)") }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor,
      SOL_SOCKET,
      SO_RCVTIMEO,
      &patience,
      socklen_t(MemoryLayout<timeval>.size)
    )
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      // The deinit closes it.
      throw Failure(what: "connect: \(errno)")
    }
  }

  deinit { close() }

  private var isClosed = false

  func close() {
    if !isClosed { Glibc.close(descriptor) }
    isClosed = true
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor,
          $0.baseAddress?.advanced(by: sent),
          bytes.count - sent,
          Int32(MSG_NOSIGNAL)
        )
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// One more piece; empty at the end or when the server went away.
  private func more() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { throw Failure(what: "nothing came for a minute") }
    return count > 0 ? Array(buffer[..<count]) : []
  }

  /// Reads until the text appears, and returns all up to its end.
  func read(until text: String) throws -> String {
    let wanted = Array(text.utf8)
    while true {
      if let end = unread.firstRange(of: wanted)?.upperBound {
        defer { unread.removeFirst(end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let piece = try more()
      if piece.isEmpty {
        throw Failure(what: "ended before \(text): \(String(decoding: unread, as: UTF8.self))")
      }
      unread += piece
    }
  }

  /// Reads one whole answer with a `Content-Length`.
  func readAnswer() throws -> (status: Int, header: String, body: String) {
    let header = try read(until: "\r\n\r\n")
    let status = Int(header.split(separator: " ")[1]) ?? 0
    let length =
      header.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
      .flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    while unread.count < length {
      let piece = try more()
      if piece.isEmpty { throw Failure(what: "the body ended early") }
      unread += piece
    }
    defer { unread.removeFirst(length) }
    return (status, header, String(decoding: unread[..<length], as: UTF8.self))
  }

  /// Whether the server closes without saying more.
  func isClosedByServer() throws -> Bool { try unread.isEmpty && more().isEmpty }
}

/// Starts a server on a port of its own, runs the body, and stops it.
func withServer(
  _ router: Router,
  limits: HTTPServer.Limits = .init(),
  accessLog: (@Sendable (AccessRecord) -> Void)? = nil,
  _ body: (HTTPServer) throws -> Void
) throws {
  let server = try HTTPServer(port: 0, limits: limits, router: router, accessLog: accessLog)
  try server.start()
  defer { server.stop(drainSeconds: 5) }
  try body(server)
}

/// A router with an echo, a small-bodied route that never blocks, and a page.
func sampleRouter() -> Router {
  var router = Router()
  router.get("/hello") { _ in .now(.text("hello")) }
  router.post("/echo") { request in .now(Response(body: Array(request.body))) }
  var small = RouteOptions()
  small.maxBodyBytes = 10
  small.mayBlock = false
  router.post("/small", options: small) { request in .now(.text(request.bodyText)) }
  router.get("/people/:id/events/:key") { request in
    .now(.text(request.parameter("id") + "|" + request.parameter("key")))
  }
  return router
}
