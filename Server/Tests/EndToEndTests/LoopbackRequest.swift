import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// One HTTP request over a plain socket, as simple as a client can be.
enum LoopbackRequest {
  struct Failure: Error {
    let step: String
    let code = errno
  }

  /// Posts a body to 127.0.0.1, or sends it by another method, and reads the answer until the server
  /// closes.
  static func post(
    port: UInt16,
    path: String,
    headers: [String: String],
    body: String,
    method: String = "POST"
  ) throws -> (status: Int, body: String) {
    let host = headers["Host"] ?? "127.0.0.1"
    let fields = headers.filter { $0.key != "Host" }.map { "\($0.key): \($0.value)\r\n" }.joined()
    let request =
      "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    return try exchange(port: port, bytes: Array(request.utf8))
  }

  /// Sends bytes to 127.0.0.1 as they are and reads the answer until the server closes.
  ///
  /// A server that closes before all is sent has answered, or has not: the status is 0 then. The bytes may
  /// come from another loopback address than 127.0.0.1.
  static func exchange(
    port: UInt16,
    bytes: [UInt8],
    from source: String? = nil
  ) throws -> (status: Int, body: String) {
    let answer = try received(port: port, bytes: bytes, from: source)
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }

  /// The same for an answer whose body is no text, with its header.
  static func bytes(
    port: UInt16,
    request: String
  ) throws -> (status: Int, body: Data, header: String) {
    let answer = try received(port: port, bytes: Array(request.utf8), from: nil)
    return (answer.status, Data(answer.body), answer.header)
  }

  private static func received(
    port: UInt16,
    bytes: [UInt8],
    from source: String?
  ) throws -> (status: Int, header: String, body: [UInt8]) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Failure(step: "socket") }
    defer { close(descriptor) }
    if let source {
      let bound = withAddress(source, port: 0) { bind(descriptor, $0, $1) }
      guard bound == 0 else { throw Failure(step: "bind") }
    }
    let connected = withAddress("127.0.0.1", port: port) { connect(descriptor, $0, $1) }
    guard connected == 0 else { throw Failure(step: "connect") }

    var unsent = bytes[...]
    while !unsent.isEmpty {
      let sent = unsent.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { break }
      unsent = unsent.dropFirst(sent)
    }
    return try answer(from: descriptor)
  }

  private static func withAddress(
    _ text: String,
    port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(text)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func answer(
    from descriptor: Int32
  ) throws -> (status: Int, header: String, body: [UInt8]) {
    var received: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count >= 0 else { throw Failure(step: "recv") }
      guard count > 0 else { break }
      received += piece.prefix(count)
    }
    let end = received.firstRange(of: Array("\r\n\r\n".utf8))
    let header = String(decoding: received[..<(end?.lowerBound ?? received.count)], as: UTF8.self)
    let status = header.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (status, header, Array(received[(end?.upperBound ?? received.count)...]))
  }
}
