import FootfallSystem
import Testing

@testable import HTTPServing

@Suite(.timeLimit(.minutes(5))) struct `Connections per address` {
  private static let hello = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

  @Test func `one address that takes all it may leaves room for another`() throws {
    var limits = HTTPServer.Limits()
    limits.connections = 64
    limits.connectionsPerAddress = 16
    try withServer(sampleRouter(), limits: limits) { server in
      // Far more than the server has, all idle.
      let greedy = try (0..<80).map { _ in try RawSocket(port: server.port, from: "127.0.0.2") }
      let honest = try RawSocket(port: server.port, from: "127.0.0.3")
      honest.send(Self.hello)
      #expect(try honest.readAnswer().status == 200)
      // Those over the limit are closed one after the other; the last one last.
      #expect(try greedy[16...].allSatisfy { try $0.isClosedByServer() })
      #expect(server.openConnections <= 17)
      #expect(server.refusedConnections >= 64)
      greedy[0].send(Self.hello)
      #expect(try greedy[0].readAnswer().status == 200)
    }
  }

  @Test func `too few open files are told, with what to do`() {
    var limits = HTTPServer.Limits()
    limits.connections = 4_096
    #expect(limits.warning(openFilesAllowed: 4_352) == nil)
    let warning = limits.warning(openFilesAllowed: 1_024)
    #expect(warning?.contains("4352 open files") == true)
    #expect(warning?.contains("--connections to 768") == true)
  }

  @Test func `a proxy that is trusted may have as many as there are`() throws {
    var limits = HTTPServer.Limits()
    limits.connections = 64
    limits.connectionsPerAddress = 4
    limits.trustedProxies = [AddressRange("127.0.0.2")].compactMap { $0 }
    try withServer(sampleRouter(), limits: limits) { server in
      let proxy = try (0..<20).map { _ in try RawSocket(port: server.port, from: "127.0.0.2") }
      for socket in proxy { socket.send(Self.hello) }
      for socket in proxy { #expect(try socket.readAnswer().status == 200) }
      #expect(server.refusedConnections == 0)
    }
  }

  @Test func `a proxy on this machine need not be told of`() throws {
    var limits = HTTPServer.Limits()
    limits.connectionsPerAddress = 4
    try withServer(sampleRouter(), limits: limits) { server in
      let proxy = try (0..<20).map { _ in try RawSocket(port: server.port) }
      for socket in proxy { socket.send(Self.hello) }
      for socket in proxy { #expect(try socket.readAnswer().status == 200) }
      #expect(server.refusedConnections == 0)
    }
    #expect(PeerAddress("::1")?.isThisMachine == true)
    for other in ["127.0.0.2", "::2", "192.0.2.1"] {
      #expect(PeerAddress(other)?.isThisMachine == false)
    }
  }

  @Test func `connections that never ask are closed after the time for the first header`() throws {
    try withServer(sampleRouter()) { server in
      let silent = try (0..<5).map { _ in try RawSocket(port: server.port, from: "127.0.0.2") }
      let honest = try RawSocket(port: server.port)
      honest.send(Self.hello)
      #expect(try honest.readAnswer().status == 200)
      silent[0].send("GET /hello HTTP/1.1\r\n")
      var looks = 0
      while server.openConnections < 6, looks < 10_000_000 { looks += 1 }
      server.core.sweep(at: MonotonicTime.now().advanced(bySeconds: 21).nanoseconds)
      #expect(try silent.allSatisfy { try $0.isClosedByServer() })
      // One that asked before may stay idle for longer.
      honest.send(Self.hello)
      #expect(try honest.readAnswer().status == 200)
    }
  }

  @Test func `an address is forgotten with its last connection`() throws {
    var counts = PeerCounts()
    let one = try #require(PeerAddress("192.0.2.1"))
    var answers: [Bool] = []
    counts.opened(one)
    answers.append(counts.admits(one, limit: 2))
    counts.opened(one)
    answers.append(counts.admits(one, limit: 2))
    counts.closed(one)
    answers.append(counts.admits(one, limit: 2))
    counts.closed(one)
    counts.closed(one)
    answers.append(counts.admits(one, limit: 1))
    #expect(answers == [true, false, true, true])
    #expect(counts.refused == 1)
  }

  @Test func `addresses of one IPv6 network count together`() throws {
    let (a, b) = (
      try #require(PeerAddress("2001:db8::1")), try #require(PeerAddress("2001:db8::ffff:2"))
    )
    #expect(a.network == b.network)
    #expect(try #require(PeerAddress("2001:db8:0:1::1")).network != a.network)
    let (c, d) = (try #require(PeerAddress("192.0.2.1")), try #require(PeerAddress("192.0.2.2")))
    #expect(c.network != d.network)
  }
}
