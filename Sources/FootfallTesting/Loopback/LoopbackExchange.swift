import FootfallSystem

/// One request as the loopback server read it.
package struct LoopbackRequest: Sendable, Hashable {
  /// The method, as in `POST`.
  package let method: String
  /// The path with its query.
  package let path: String
  /// Header fields by lower-cased name.
  package let headers: [String: String]
  /// The body, as long as its `Content-Length` says.
  package let body: [UInt8]
  /// Which connection it came on, counted from one.
  package let connection: Int
}

/// What the loopback server does with a request.
package indirect enum LoopbackAnswer: Sendable {
  /// Sends a whole answer and keeps the connection.
  case reply(status: Int, headers: [(String, String)], body: [UInt8])
  /// Sends these bytes and closes the connection.
  case raw([UInt8])
  /// Sends these bytes one by one, with so many seconds between, and closes the connection.
  case drip([UInt8], everySeconds: Double)
  /// Sends the first bytes once and the others so many times, and closes the connection.
  case flood([UInt8], [UInt8], times: Int)
  /// Closes the connection without an answer.
  case hangUp
  /// Resets the connection without an answer.
  case reset
  /// Waits for a gate, then does the other.
  case held(Gate, LoopbackAnswer)

  /// A whole answer of a status and a text.
  package static func status(
    _ status: Int,
    headers: [(String, String)] = [],
    _ body: String = ""
  ) -> LoopbackAnswer {
    .reply(status: status, headers: headers, body: Array(body.utf8))
  }

  /// The bytes of a whole answer.
  package static func bytes(status: Int, headers: [(String, String)], body: [UInt8]) -> [UInt8] {
    var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return Array(head.utf8) + Array("\r\n".utf8) + body
  }
}

/// A door that threads wait at until a test opens it.
package final class Gate: Sendable {
  private let isOpen = Monitor(false)

  /// Makes a closed gate.
  package init() {}

  /// Lets everybody through, from now on.
  package func open() { isOpen.change { $0 = true } }

  /// Blocks until the gate is open.
  ///
  /// - Parameter timeoutSeconds: Gives up after this time, so that a broken test ends.
  /// - Returns: Whether it was opened in time.
  @discardableResult
  package func wait(timeoutSeconds: Double = 60) -> Bool {
    isOpen.wait(timeoutSeconds: timeoutSeconds) { $0 ? true : nil } ?? false
  }
}

/// Cuts what comes in on a connection into requests.
struct LoopbackReader {
  let socket: LoopbackSocket
  let connection: Int
  private var buffer: [UInt8] = []

  init(socket: LoopbackSocket, connection: Int) {
    self.socket = socket
    self.connection = connection
  }

  /// The next whole request, or nil once the connection has ended.
  mutating func next() -> LoopbackRequest? {
    var headEnd = Self.headEnd(buffer)
    while headEnd == nil {
      guard receive() else { return nil }
      headEnd = Self.headEnd(buffer)
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: buffer[..<headEnd], as: UTF8.self).split(separator: "\r\n")
    let start = (lines.first ?? "").split(separator: " ")
    guard start.count >= 2 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    let end = headEnd + 4 + (headers["content-length"].flatMap { Int($0) } ?? 0)
    while buffer.count < end { guard receive() else { return nil } }
    defer { buffer.removeFirst(end) }
    return LoopbackRequest(
      method: String(start[0]),
      path: String(start[1]),
      headers: headers,
      body: Array(buffer[(headEnd + 4)..<end]),
      connection: connection
    )
  }

  private mutating func receive() -> Bool {
    let bytes = socket.receive()
    buffer += bytes
    return !bytes.isEmpty
  }

  private static func headEnd(_ bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= mark.count else { return nil }
    return (0...(bytes.count - mark.count)).first { bytes[$0..<$0 + 4].elementsEqual(mark) }
  }
}
