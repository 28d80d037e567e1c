import Foundation

/// One keep-alive connection that sends whole requests and waits for each answer.
final class Connection {
  private let descriptor: Int32
  private var answer: [UInt8] = []

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

  /// Sends a request and waits for its answer, which must be of status 200 or 202.
  func exchange(_ request: [UInt8]) throws {
    try send(request)
    try receive()
  }

  /// Sends a request.
  func send(_ request: [UInt8]) throws {
    var sent = 0
    while sent < request.count {
      let count = request.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress?.advanced(by: sent), request.count - sent, 0)
      }
      guard count > 0 else { throw BenchFailure(description: "cannot send: \(errno)") }
      sent += count
    }
  }

  /// Waits for the answer to the request sent last, and for all of it.
  func receive() throws {
    answer.removeAll(keepingCapacity: true)
    try receiveMore()
    guard answer.starts(with: "HTTP/1.1 20".utf8) else {
      let text = String(decoding: answer.prefix(1_000), as: UTF8.self)
      throw BenchFailure(description: "the answer is not 200 or 202: \(text)")
    }
    while try answer.count < whole() { try receiveMore() }
  }

  private func receiveMore() throws {
    var room = [UInt8](repeating: 0, count: 16 << 10)
    let count = recv(descriptor, &room, room.count, 0)
    guard count > 0 else { throw BenchFailure(description: "there is no answer: \(errno)") }
    answer.append(contentsOf: room[..<count])
  }

  /// How many bytes the answer has in all; one more than there are while its header is not complete.
  private func whole() throws -> Int {
    guard let end = place(behind: "\r\n\r\n") else { return answer.count + 1 }
    guard let field = place(behind: "Content-Length: "), field < end else {
      throw BenchFailure(description: "the answer does not say its length")
    }
    let digits = answer[field...].prefix { (0x30...0x39).contains($0) }
    return end + digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Where the answer goes on behind the first place that has a text; nil where none has.
  private func place(behind text: StaticString) -> Int? {
    let sought = text.withUTF8Buffer { Array($0) }
    return answer.firstRange(of: sought)?.upperBound
  }
}
