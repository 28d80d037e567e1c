@testable import HTTPServing
import FootfallSystem
import Testing

@Suite(.timeLimit(.minutes(5))) struct `The server over a loopback socket` {
  @Test func `one connection serves request after request`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      for number in 1...3 {
        socket.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n\(number)")
        let answer = try socket.readAnswer()
        #expect(answer.status == 200)
        #expect(answer.body == "\(number)")
        #expect(answer.header.contains("X-Request-Id: "))
      }
    }
  }

  @Test func `pipelined requests are answered in order`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      let one = "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n"
      socket.send(one + "a" + one + "b" + one + "c")
      let bodies = try (0..<3).map { _ in try socket.readAnswer().body }
      #expect(bodies == ["a", "b", "c"])
    }
  }

  @Test func `a chunked body arrives whole`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send(
        "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfoot\r\n"
      )
      socket.send("4\r\nfall\r\n0\r\n\r\n")
      #expect(try socket.readAnswer().body == "footfall")
    }
  }

  @Test func `a client that waits for a go-ahead gets it`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send(
        "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
      )
      #expect(try socket.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100"))
      socket.send("ok")
      #expect(try socket.readAnswer().body == "ok")
    }
  }

  @Test func `a client that waits for a go-ahead with too large a body is refused at once`() throws
  {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send(
        "POST /small HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\n"
      )
      #expect(try socket.readAnswer().status == 413)
    }
  }

  @Test func `a body over the limit is swallowed, answered with 413, and the connection lives on`()
    throws
  {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n01234567890")
      #expect(try socket.readAnswer().status == 413)
      socket.send("POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789")
      let answer = try socket.readAnswer()
      #expect(answer.status == 200)
      #expect(answer.body == "0123456789")
    }
  }

  @Test func `a chunked body over the limit is answered with 413 too`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("POST /small HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      socket.send("6\r\n012345\r\n6\r\n678901\r\n0\r\n\r\n")
      #expect(try socket.readAnswer().status == 413)
    }
  }

  @Test func `a body announced far over the limit is refused before it is sent`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
      #expect(try socket.readAnswer().status == 413)
      #expect(try socket.isClosedByServer())
    }
  }

  @Test func `a header over the limit is answered with 431`() throws {
    var limits = HTTPServer.Limits()
    limits.headerBytes = 4_096
    try withServer(sampleRouter(), limits: limits) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("GET /hello HTTP/1.1\r\nHost: x\r\n")
      socket.send(
        (0..<200).map { "X-\($0): \(String(repeating: "v", count: 40))\r\n" }.joined() + "\r\n"
      )
      #expect(try socket.read(until: "\r\n").contains(" 431 "))
    }
  }

  @Test func `a body whose length is told in two ways is refused`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send(
        "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "0\r\n\r\nGET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
      )
      #expect(try socket.readAnswer().status == 400)
      #expect(try socket.isClosedByServer(), "what stands behind it is not taken for a request")
    }
  }

  /// RFC 9112, sections 6.1 and 6.3; none of these sends a body that it waits for.
  @Test(arguments: [
    ("Transfer-Encoding: gzip, chunked", 501), ("Transfer-Encoding: identity", 501),
    ("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", 501),
    ("Transfer-Encoding: identity\r\nContent-Length: 4", 400),
    ("Transfer-Encoding: chunked\r\nContent-Length: 4", 400),
    ("Transfer-Encoding: chunked, chunked", 400), ("Transfer-Encoding:", 400),
    ("Content-Length: 4\r\nContent-Length: 5", 400),
  ])
  func `a body whose end cannot be known is refused at once`(fields: String, status: Int) throws {
    try withServer(sampleRouter()) { server in
      for path in ["/echo", "/small", "/no/such"] {
        let socket = try RawSocket(port: server.port)
        socket.send("POST \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\n")
        let answer = try socket.readAnswer()
        #expect(answer.status == status, "\(path)")
        #expect(answer.header.contains("Connection: close"))
        #expect(try socket.isClosedByServer())
      }
    }
  }

  @Test func `HEAD is answered without a body and OPTIONS with the methods`() throws {
    try withServer(sampleRouter()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("HEAD /hello HTTP/1.1\r\nHost: x\r\n\r\n")
      let head = try socket.read(until: "\r\n\r\n")
      #expect(head.contains(" 200 ") && head.contains("Content-Length: 5"))
      socket.send("OPTIONS /hello HTTP/1.1\r\nHost: x\r\n\r\n")
      let options = try socket.read(until: "\r\n\r\n")
      #expect(options.contains(" 204 ") && options.contains("Allow: GET, HEAD, OPTIONS"))
    }
  }

  @Test(arguments: [("BREW", "/hello", 405), ("TRACE", "/hello", 405), ("BREW", "/no/such", 404)])
  func `a method nobody knows is refused, and the log holds none`(
    method: String,
    path: String,
    status: Int
  ) throws {
    let lines = Lock([String]())
    try withServer(sampleRouter(), accessLog: { line in lines.withLock { $0.append(line.line) } }) {
      server in
      let socket = try RawSocket(port: server.port)
      socket.send("\(method) \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try socket.readAnswer().status == status)
      socket.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try socket.readAnswer()
    }
    let logged = lines.withLock(\.self)
    #expect(logged.count == 2)
    #expect(logged.first?.contains(" method=- route=- status=\(status) ") == true)
    #expect(logged.last?.contains(" method=GET ") == true)
  }

  @Test func `a port in use is told with what to do`() throws {
    try withServer(sampleRouter()) { server in
      let error = #expect(throws: ListenError.self) {
        try HTTPServer(port: server.port, router: sampleRouter())
      }
      #expect(error?.description.contains("another program uses the port") == true)
    }
    let error = #expect(throws: ListenError.self) {
      try HTTPServer(host: "203.0.113.9", port: 0, router: sampleRouter())
    }
    #expect(error?.description.contains("no such address") == true)
  }

  @Test func `each logged request is one line, and the log never holds what stood in the path`()
    throws
  {
    let lines = Lock([String]())
    try withServer(sampleRouter(), accessLog: { line in lines.withLock { $0.append(line.line) } }) {
      server in
      let socket = try RawSocket(port: server.port)
      socket.send("GET /people/secret/events/1 HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try socket.readAnswer()
    }
    let line = try #require(lines.withLock { $0 }.first)
    #expect(lines.withLock { $0.count } == 1)
    #expect(line.contains("method=GET route=/people/:id/events/:key status=200 in=0 out=8 us="))
    #expect(line.hasSuffix("from=127.0.0.1"))
    #expect(!line.contains("secret"))
  }
}
