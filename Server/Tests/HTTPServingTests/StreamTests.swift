import FootfallSystem
import Testing

@testable import HTTPServing

/// What a test's stream route handed out and when it was told of the end.
private final class StreamProbe: Sendable {
  let opened = Monitor([ServerSentEvents]())
  let closed = Monitor(0)

  func router(heartbeatSeconds: Int = 15, maxPendingBytes: Int = 1 << 20) -> Router {
    var router = sampleRouter()
    router.get("/live") { [self] _ in
      .stream(
        ServerSentEvents(
          heartbeatSeconds: heartbeatSeconds,
          maxPendingBytes: maxPendingBytes,
          onStart: { stream in self.opened.change { $0.append(stream) } },
          onClose: { self.closed.change { $0 += 1 } }
        )
      )
    }
    return router
  }

  func stream() throws -> ServerSentEvents {
    try #require(opened.wait(timeoutSeconds: 5) { $0.last })
  }

  func waitForClose() -> Bool {
    closed.wait(timeoutSeconds: 5) { $0 == 1 ? true : nil } ?? false
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Streams of events` {
  @Test func `events arrive as they are sent, and the server's end is seen`() throws {
    let probe = StreamProbe()
    try withServer(probe.router()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
      let header = try socket.read(until: "\r\n\r\n")
      #expect(header.contains("text/event-stream"))
      let stream = try probe.stream()
      stream.send("one\ntwo", event: "added", id: "7")
      #expect(
        try socket.read(until: "\n\n").hasSuffix("id: 7\nevent: added\ndata: one\ndata: two\n\n")
      )
      stream.send("three")
      #expect(try socket.read(until: "\n\n").hasSuffix("data: three\n\n"))
      stream.close()
      _ = try socket.read(until: "0\r\n\r\n")
      #expect(probe.waitForClose())
      #expect(!stream.send("too late"))
    }
  }

  @Test func `a stream ends with the next look once its client may not see it any more`() throws {
    let mayLook = Lock(true)
    let opened = Monitor([ServerSentEvents]())
    var router = sampleRouter()
    router.get("/live") { _ in
      .stream(
        ServerSentEvents(
          isAllowed: { mayLook.withLock { $0 } },
          onStart: { stream in opened.change { $0.append(stream) } }
        )
      )
    }
    try withServer(router) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try socket.read(until: "\r\n\r\n")
      let stream = try #require(opened.wait(timeoutSeconds: 5) { $0.last })
      server.core.sweep(at: MonotonicTime.now().nanoseconds)
      #expect(stream.send("seen"))
      _ = try socket.read(until: "data: seen\n\n")
      mayLook.withLock { $0 = false }
      // Idle or not: nobody has to send for that.
      server.core.sweep(at: MonotonicTime.now().nanoseconds)
      _ = try socket.read(until: "0\r\n\r\n")
      #expect(!stream.send("too late"))
    }
  }

  @Test func `a line break in a name cannot forge a field`() async throws {
    let probe = StreamProbe()
    let open = try #require(await TestClient(probe.router()).stream("/live"))
    try probe.stream().send("x", event: "a\ndata: forged", id: "1\r\nid: 2")
    #expect(open.received() == "id: 1 id: 2\nevent: a data: forged\ndata: x\n\n")
  }

  @Test func `a line ends where browsers end it, and nowhere else`() async throws {
    let probe = StreamProbe()
    let open = try #require(await TestClient(probe.router()).stream("/live"))
    let text = "a\u{85}b\u{2028}c\u{2029}d\u{b}e\u{c}f"
    try probe.stream().send("\(text)\ng\rh\r\ni", event: text)
    #expect(
      open.received() == "event: \(text)\ndata: \(text)\ndata: g\ndata: h\ndata: i\n\n"
    )
  }

  @Test func `silence is broken by a heartbeat`() throws {
    let probe = StreamProbe()
    try withServer(probe.router(heartbeatSeconds: 15)) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
      let stream = try probe.stream()
      stream.send("first")
      _ = try socket.read(until: "first\n\n")
      // The connection must be out of events first; the time is the test's.
      while !stream.isWaiting {}
      server.core.sweep(at: MonotonicTime.now().advanced(bySeconds: 14).nanoseconds)
      #expect(stream.isWaiting)
      server.core.sweep(at: MonotonicTime.now().advanced(bySeconds: 20).nanoseconds)
      #expect(try socket.read(until: ":\n\n").hasSuffix(":\n\n"))
    }
  }

  @Test func `a client that goes away is noticed without an event`() throws {
    let probe = StreamProbe()
    try withServer(probe.router()) { server in
      let socket = try RawSocket(port: server.port)
      socket.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
      _ = try socket.read(until: "\r\n\r\n")
      _ = try probe.stream()
      socket.close()
      // The watchdog looks once a second; nothing here waits for it.
      var sweeps = 0
      while probe.closed.withLock({ $0 }) == 0, sweeps < 10_000_000 {
        server.core.sweep(at: MonotonicTime.now().nanoseconds)
        sweeps += 1
      }
      #expect(probe.waitForClose())
    }
  }

  @Test func `a client that lags too far is cut off`() async throws {
    let probe = StreamProbe()
    let client = TestClient(probe.router(maxPendingBytes: 100))
    let open = try #require(await client.stream("/live"))
    let stream = try probe.stream()
    #expect(stream.send(String(repeating: "x", count: 80)))
    #expect(!stream.send(String(repeating: "x", count: 80)))
    #expect(open.isClosed)
    open.close()
    open.close()
    #expect(probe.closed.withLock { $0 } == 1)
  }

  @Test func `stopping ends open streams`() throws {
    let probe = StreamProbe()
    let server = try HTTPServer(port: 0, router: probe.router())
    try server.start()
    let socket = try RawSocket(port: server.port)
    socket.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
    _ = try socket.read(until: "\r\n\r\n")
    _ = try probe.stream()
    server.stop()
    #expect(probe.waitForClose())
    _ = try socket.read(until: "0\r\n\r\n")
    #expect(try socket.isClosedByServer())
  }
}
