import FootfallSystem
import Testing

@testable import HTTPServing

@Suite(.timeLimit(.minutes(5))) struct `A server that stops` {
  /// Patient, so that a machine under load makes no difference.
  private func started() throws -> HTTPServer {
    var limits = HTTPServer.Limits()
    limits.lastRequestSeconds = 60
    let server = try HTTPServer(port: 0, limits: limits, router: sampleRouter())
    try server.start()
    return server
  }

  private func untilStopping(_ server: HTTPServer) {
    while !server.core.isStopping {}
  }

  @Test func `answers the request of which it has heard half`() throws {
    for _ in 0..<50 {
      let server = try started()
      let late = try RawSocket(port: server.port)
      late.send("GET /hello HTTP/1.1\r\nHos")
      let stopper = try SystemThread(name: "stopper") { server.stop(drainSeconds: 60) }
      untilStopping(server)
      late.send("t: x\r\n\r\n")
      let answer = try late.readAnswer()
      #expect(answer.body == "hello")
      #expect(answer.header.contains("Connection: close"))
      stopper.join()
    }
  }

  @Test func `refuses what is asked too late to be waited for`() throws {
    for _ in 0..<100 {
      var limits = HTTPServer.Limits()
      limits.lastRequestSeconds = 0
      let server = try HTTPServer(port: 0, limits: limits, router: sampleRouter())
      try server.start()
      let port = server.port
      let connected = Monitor(0)
      let clients = try (0..<4).map { number in
        try SystemThread(name: "client \(number)") {
          guard let client = try? RawSocket(port: port) else { return }
          connected.change { $0 += 1 }
          repeat {
            client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
          } while (try? client.readAnswer())?.status == 200
        }
      }
      connected.wait { $0 == 4 ? () : nil }
      server.stop(drainSeconds: 60)
      for client in clients { client.join() }
    }
  }

  @Test func `waits for nobody who has hung up`() throws {
    let server = try started()
    let gone = try RawSocket(port: server.port)
    gone.send("GET /hello HTTP/1.1\r\nHos")
    gone.close()
    server.stop(drainSeconds: 60)
    #expect(server.openConnections == 0)
  }

  @Test func `does not wait long for one that says nothing`() throws {
    var limits = HTTPServer.Limits()
    limits.lastRequestSeconds = 0.01
    let server = try HTTPServer(port: 0, limits: limits, router: sampleRouter())
    try server.start()
    let silent = try RawSocket(port: server.port)
    server.stop(drainSeconds: 60)
    #expect(try silent.isClosedByServer())
  }

  @Test func `answers whoever has connected`() throws {
    for _ in 0..<5 {
      let server = try started()
      let port = server.port
      let asked = Monitor((answered: 0, cutOff: 0))
      let clients = try (0..<8).map { number in
        try SystemThread(name: "client \(number)") {
          while let client = try? RawSocket(port: port) {
            client.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
            let isAnswered = (try? client.readAnswer().body) == "hello"
            asked.change { isAnswered ? ($0.answered += 1) : ($0.cutOff += 1) }
          }
        }
      }
      _ = asked.wait { $0.answered > 20 ? true : nil }
      server.stop(drainSeconds: 60)
      for client in clients { client.join() }
      #expect(asked.withLock { $0.cutOff } == 0)
    }
  }

  // The library must not be told to leave the listening socket while its threads look after it: both then take
  // it from the same set, and whoever is second ends the process.
  @Test func `stays alive and hears all of the bodies that are under way`() throws {
    let body = String(repeating: "x", count: 3_000)
    for _ in 0..<100 {
      let server = try started()
      let port = server.port
      let begun = Monitor(0)
      let heard = Monitor(0)
      let clients = try (0..<4).map { number in
        try SystemThread(name: "client \(number)") {
          guard let client = try? RawSocket(port: port) else { return }
          client.send(
            "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
          )
          begun.change { $0 += 1 }
          for byte in body.utf8 { client.send([byte]) }
          if (try? client.readAnswer().body) == body { heard.change { $0 += 1 } }
        }
      }
      begun.wait { $0 == 4 ? () : nil }
      server.stop(drainSeconds: 60)
      for client in clients { client.join() }
      #expect(heard.withLock { $0 } == 4)
    }
  }
}
