#if os(Linux)
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallPlatform

@Suite(.tags(.network), .timeLimit(.minutes(5)))
struct `Curl transport` {
  let transport = CurlTransport(log: .silent)

  @Test func `a request arrives with its headers and body, and its answer comes back`() async throws
  {
    let server = try LoopbackServer(
      .status(207, headers: [("Retry-After", "7"), ("X-Twice", "a"), ("x-twice", "b")], "answer")
    )
    defer { server.stop() }
    let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    let response = await transport.send(
      UploadRequest(
        url: server.url("/v1/events?x=1"),
        headers: [("Authorization", "Bearer ff_pub_1"), ("Content-Type", "application/json")],
        body: body
      )
    )

    guard case .answered(let status, let headers, let answer) = response else {
      Issue.record("no answer: \(response)")
      return
    }
    #expect(status == 207)
    #expect(headers["retry-after"] == "7")
    #expect(headers["x-twice"] == "a, b")
    #expect(answer == Array("answer".utf8))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.path == "/v1/events?x=1")
    #expect(request.headers["authorization"] == "Bearer ff_pub_1")
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["expect"] == nil)
    #expect(request.body == body)
  }

  @Test func `a question goes without a body, and shares the connection with what is handed over`()
    async throws
  {
    let server = try LoopbackServer { .status(200, $0.method) }
    defer { server.stop() }
    for method in [UploadRequest.Method.post, .get, .put, .get] {
      let response = await transport.send(
        UploadRequest(method: method, url: server.url("/v1/config"), body: [1, 2])
      )
      guard case .answered(200, _, let body) = response else {
        Issue.record("no answer: \(response)")
        return
      }
      #expect(body == Array(method.rawValue.utf8))
    }
    #expect(server.requests.map(\.body) == [[1, 2], [], [1, 2], []])
    #expect(server.requests[1].headers["content-length"] == nil)
    #expect(server.connections == 1)
  }

  @Test func `requests one after another share a connection`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    for number in 0..<20 {
      let response = await transport.send(
        UploadRequest(url: server.url(), body: [UInt8(number)])
      )
      #expect(response.status == 202)
    }
    #expect(server.requests.map(\.body) == (0..<20).map { [UInt8($0)] })
    #expect(server.connections == 1)
  }

  @Test func `requests at once all get their own answer`() async throws {
    let server = try LoopbackServer { .reply(status: 200, headers: [], body: $0.body) }
    defer { server.stop() }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 as Range<UInt8> {
        group.addTask {
          let response = await transport.send(UploadRequest(url: server.url(), body: [number]))
          #expect(response.body == [number])
        }
      }
    }
  }

  @Test func `an empty body is sent as one`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let response = await transport.send(UploadRequest(url: server.url(), body: []))
    #expect(response.status == 202)
    #expect(server.requests.first?.headers["content-length"] == "0")
  }

  @Test func `a line break in a header value begins no other header`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    _ = await transport.send(
      UploadRequest(url: server.url(), headers: [("X-Key", "a\r\nX-Evil: b\nc")], body: [])
    )
    #expect(server.requests.first?.headers["x-key"] == "aX-Evil: bc")
    #expect(server.requests.first?.headers["x-evil"] == nil)
  }

  @Test(arguments: [301, 302, 307, 308])
  func `a redirect is an answer and is not followed`(status: Int) async throws {
    let server = try LoopbackServer { request in
      request.path == "/" ? .status(status, headers: [("Location", "/elsewhere")]) : .status(200)
    }
    defer { server.stop() }
    let response = await transport.send(UploadRequest(url: server.url(), body: [1]))
    #expect(response.status == status)
    #expect(server.requests.count == 1)
  }

  @Test func `an answer over the limit is cut and its status kept`() async throws {
    let large = [UInt8](repeating: 7, count: TransportLimits.maxAnswerBytes + 300_000)
    let server = try LoopbackServer(.reply(status: 400, headers: [], body: large))
    defer { server.stop() }
    let response = await transport.send(UploadRequest(url: server.url(), body: [1]))
    #expect(response.status == 400)
    #expect(response.body?.count == TransportLimits.maxAnswerBytes)
  }

  @Test func `a server that is not there is reported as offline`() async throws {
    let server = try LoopbackServer()
    let url = server.url()
    server.stop()
    let response = await transport.send(UploadRequest(url: url, body: [1]))
    guard case .failed(.offline(let reason)) = response else {
      Issue.record("not offline: \(response)")
      return
    }
    #expect(reason.contains("127.0.0.1"))
  }

  @Test func `a request that takes too long times out`() async throws {
    let gate = Gate()
    let server = try LoopbackServer(.held(gate, .status(202)))
    defer { server.stop() }
    defer { gate.open() }
    let response = await transport.send(
      UploadRequest(url: server.url(), body: [1], timeoutSeconds: 0.05)
    )
    #expect(response.failure == .timedOut)
  }

  @Test(arguments: [true, false])
  func `a connection lost before the answer is a failure of its own`(isReset: Bool) async throws {
    let server = try LoopbackServer(isReset ? .reset : .hangUp)
    defer { server.stop() }
    let response = await transport.send(UploadRequest(url: server.url(), body: [1]))
    guard case .failed(.other(let reason)) = response else {
      Issue.record("not a lost connection: \(response)")
      return
    }
    #expect(!reason.isEmpty)
  }

  @Test func `half an answer is no answer`() async throws {
    let bytes = Array("HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\nhalf".utf8)
    let server = try LoopbackServer(.raw(bytes))
    defer { server.stop() }
    let response = await transport.send(UploadRequest(url: server.url(), body: [1]))
    #expect(response.status == nil)
  }

  @Test func `the answer after an interim one counts`() async throws {
    let bytes = Array(
      "HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
        .utf8
    )
    let server = try LoopbackServer(.raw(bytes))
    defer { server.stop() }
    let response = await transport.send(UploadRequest(url: server.url(), body: [1]))
    #expect(response.status == 202)
    #expect(response.headers?["x-a"] == nil)
  }

  @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "no address at all", ""])
  func `only http and https are spoken`(url: String) async {
    let response = await transport.send(UploadRequest(url: url, body: [1]))
    #expect(response.status == nil)
  }

  @Test func `a server without TLS is no secure connection`() async throws {
    let server = try LoopbackServer(.raw(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)))
    defer { server.stop() }
    defer { transport.shutdown() }
    let response = await transport.send(
      UploadRequest(url: "https://127.0.0.1:\(server.port)/", body: [1], timeoutSeconds: 1)
    )
    #expect(response.status == nil)
  }

  @Test func `cancelling the task ends the request and its connection`() async throws {
    let gate = Gate()
    let server = try LoopbackServer(.held(gate, .status(202)))
    defer { server.stop() }
    defer { gate.open() }
    let sending = Task { await transport.send(UploadRequest(url: server.url(), body: [1])) }
    #expect(await server.waitForRequests(1))
    sending.cancel()
    #expect(await sending.value.failure == .cancelled)
  }

  @Test func `a task cancelled before it sends, sends nothing`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    let sending = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await transport.send(UploadRequest(url: server.url(), body: [1]))
    }
    #expect(await sending.value.failure == .cancelled)
    #expect(server.connections == 0)
  }

  @Test func `cancelAll ends what is running and lets later requests through`() async throws {
    let gate = Gate()
    let server = try LoopbackServer { request in
      request.path == "/slow" ? .held(gate, .status(200)) : .status(202)
    }
    defer { server.stop() }
    defer { gate.open() }
    let sending = (0..<3).map { _ in
      Task { await transport.send(UploadRequest(url: server.url("/slow"), body: [1])) }
    }
    #expect(await server.waitForRequests(3))
    transport.cancelAll()
    for task in sending { #expect(await task.value.failure == .cancelled) }
    let response = await transport.send(UploadRequest(url: server.url("/fast"), body: [2]))
    #expect(response.status == 202)
  }

  @Test func `after cancelAll no further byte of a body leaves`() async throws {
    let gate = Gate()
    let server = try LoopbackServer(readingAfter: gate) { _ in .status(202) }
    defer { server.stop() }
    defer { gate.open() }
    // Far more than the sockets' buffers hold, so that most of it has not left when it is stopped.
    let body = [UInt8](repeating: 1, count: 32 << 20)
    let sending = Task { await transport.send(UploadRequest(url: server.url(), body: body)) }
    #expect(await server.waitForConnection())
    transport.cancelAll()
    #expect(await sending.value.failure == .cancelled)
    gate.open()
    #expect(await server.waitForNoConnection())
    #expect(server.requests.isEmpty)
  }

  @Test func `shutdown ends what is running, and for good`() async throws {
    let gate = Gate()
    let server = try LoopbackServer(.held(gate, .status(202)))
    defer { server.stop() }
    defer { gate.open() }
    let sending = Task { await transport.send(UploadRequest(url: server.url(), body: [1])) }
    #expect(await server.waitForRequests(1))
    transport.shutdown()
    #expect(await sending.value.failure == .cancelled)
    transport.shutdown()
    let late = await transport.send(UploadRequest(url: server.url(), body: [2]))
    #expect(late.failure == .cancelled)
    #expect(server.requests.count == 1)
  }

  @Test func `shutdown closes the kept connection`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    #expect(await transport.send(UploadRequest(url: server.url(), body: [1])).status == 202)
    transport.shutdown()
    #expect(await server.waitForNoConnection())
  }

  @Test func `a transport that is let go closes its connection`() async throws {
    let server = try LoopbackServer()
    defer { server.stop() }
    do {
      let short = CurlTransport(log: .silent)
      #expect(await short.send(UploadRequest(url: server.url(), body: [1])).status == 202)
    }
    #expect(await server.waitForNoConnection())
  }

  @Test func `without libcurl every request fails with the reason, which is logged once`() async {
    let lines = Lock<[LogLine]>([])
    let log = Logger { line in lines.withLock { $0.append(line) } }
    let library = Result { () throws(MissingLibrary) in
      try CurlLibrary(named: "libcurl-that-is-not-there.so.4")
    }
    let transport = CurlTransport(library, log: log)
    for _ in 0..<3 {
      let response = await transport.send(UploadRequest(url: "http://127.0.0.1:1/", body: [1]))
      guard case .failed(.other(let reason)) = response else {
        Issue.record("not a missing library: \(response)")
        return
      }
      #expect(reason.contains("libcurl-that-is-not-there.so.4"))
    }
    transport.cancelAll()
    transport.shutdown()
    #expect(lines.withLock { $0.count } == 1)
    #expect(lines.withLock { $0.first?.message.contains("cannot be sent") } == true)
  }

  @Test func `a library without the functions is called too old`() {
    #expect(throws: MissingLibrary.self) { try CurlLibrary(named: "libz.so.1") }
  }
}
#endif
