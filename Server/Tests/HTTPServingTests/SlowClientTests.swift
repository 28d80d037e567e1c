import FootfallSystem
import Testing

@testable import HTTPServing

@Suite(.timeLimit(.minutes(5))) struct `Slow clients` {
  @Test(arguments: [
    (ConnectionPhase.header, 90, false), (.header, 91, true),
    (.opening, 20, false), (.opening, 21, true),
    (.body, 60, false), (.body, 61, true),
    (.sending, 60, false), (.sending, 61, true),
    (.handling, 100_000, false), (.streaming, 100_000, false),
  ])
  func `each phase has its time`(phase: ConnectionPhase, seconds: UInt64, isOverdue: Bool) {
    let limits = HTTPServer.Limits()
    let found = phase.isOverdue(since: 5_000, now: 5_000 + seconds * 1_000, limits: limits)
    #expect(found == isOverdue)
    #expect(!phase.isOverdue(since: 5_000, now: 1, limits: limits))
  }

  @Test(arguments: [
    "GET /hello HTTP/1.1\r\nX-Slow: ",
    "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nso far",
  ])
  func `a client that stops in mid-request is cut off`(part: String) throws {
    try withServer(sampleRouter()) { server in
      let slow = try RawSocket(port: server.port)
      let honest = try RawSocket(port: server.port)
      slow.send(part)
      // An answer to the other client after this proves nothing about this one, so sweep until it
      // is gone; the time given is the test's, not the clock's.
      let later = MonotonicTime.now().advanced(bySeconds: 100).nanoseconds
      let bound = 10_000_000
      var sweeps = 0
      while server.openConnections < 2, sweeps < bound { sweeps += 1 }
      server.core.sweep(at: later)
      #expect(try slow.isClosedByServer())
      _ = honest
    }
  }

  @Test(arguments: [
    "GET /hello HTTP/1.1\r\nX-Slow: ",
    "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nso far",
  ])
  func `a client that hung up in mid-request, before it was taken, holds no place`(
    part: String
  ) throws {
    let server = try HTTPServer(port: 0, router: sampleRouter())
    let gone = try RawSocket(port: server.port)
    gone.send(part)
    gone.close()
    try server.start()
    defer { server.stop(drainSeconds: 5) }
    var rounds = 0
    while server.openConnections == 0, rounds < 1_000_000 { rounds += 1 }
    while server.openConnections > 0, rounds < 2_000_000 {
      server.core.sweep(at: MonotonicTime.now().advanced(bySeconds: 2).nanoseconds)
      rounds += 1
    }
    #expect(server.openConnections == 0)
  }

  @Test func `bodies over the server's memory are answered with 503`() throws {
    var limits = HTTPServer.Limits()
    limits.bodyBytesInMemory = 1_000
    try withServer(sampleRouter(), limits: limits) { server in
      let first = try RawSocket(port: server.port)
      first.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n")
      first.send(String(repeating: "x", count: 1_001))
      let answer = try first.readAnswer()
      #expect(answer.status == 503)
      #expect(answer.header.contains("Retry-After: 1"))
      // The memory is given back.
      first.send("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n")
      first.send(String(repeating: "x", count: 1_000))
      #expect(try first.readAnswer().status == 200)
    }
  }
}
