import FootfallSystem
import Foundation
import Testing

@testable import HTTPServing

/// Holds what a handler was given until the test answers.
private final class Parked: Sendable {
  let handles = Monitor([ReplyHandle]())

  func router(mayBlock: Bool = false) -> Router {
    var router = sampleRouter()
    var options = RouteOptions()
    options.mayBlock = mayBlock
    router.post("/park", options: options) { [self] _ in
      .later { handle in self.handles.change { $0.append(handle) } }
    }
    return router
  }

  func wait(for count: Int) throws -> [ReplyHandle] {
    try #require(handles.wait(timeoutSeconds: 5) { $0.count >= count ? $0 : nil })
  }
}

private let park = "POST /park HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"

@Suite(.timeLimit(.minutes(5))) struct `Answers that come later` {
  @Test(arguments: [false, true])
  func `a suspended request is answered from another thread, once`(mayBlock: Bool) throws {
    let parked = Parked()
    try withServer(parked.router(mayBlock: mayBlock)) { server in
      let socket = try RawSocket(port: server.port)
      for round in 1...3 {
        socket.send(park)
        let handle = try #require(try parked.wait(for: round).last)
        #expect(handle.request.bodyText == "hi")
        handle.finish(.text("answer \(round)", status: 202))
        handle.finish(.text("a second answer", status: 500))
        let answer = try socket.readAnswer()
        #expect(answer.status == 202)
        #expect(answer.body == "answer \(round)")
      }
      // A handle of an earlier use of the same pooled request changes nothing.
      socket.send(park)
      let all = try parked.wait(for: 4)
      all[0].finish(.text("of another request", status: 500))
      all[3].finish(.text("right", status: 202))
      #expect(try socket.readAnswer().body == "right")
    }
  }

  @Test func `what may wait for a disk goes on elsewhere and reads the same request`() throws {
    var router = Router()
    var options = RouteOptions()
    options.mayBlock = false
    let began = Lock<ObjectIdentifier?>(nil)
    router.post("/rest", options: options) { request in
      began.withLock { $0 = ObjectIdentifier(Thread.current) }
      return .blocking {
        let isElsewhere = began.withLock { $0 } != ObjectIdentifier(Thread.current)
        return .blocking { .now(.text("\(isElsewhere) \(request.bodyText)")) }
          .map { response in
            var response = response
            response.status = 202
            return response
          }
      }
    }
    try withServer(router) { server in
      let socket = try RawSocket(port: server.port)
      for _ in 0..<20 {
        socket.send("POST /rest HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")
        let answer = try socket.readAnswer()
        #expect((answer.status, answer.body) == (202, "true hi"))
      }
    }
  }

  @Test func `a request whose client went away says so while it waits`() throws {
    let parked = Parked()
    try withServer(parked.router()) { server in
      let staying = try RawSocket(port: server.port)
      staying.send(park)
      let kept = try #require(try parked.wait(for: 1).last)
      #expect(!kept.request.isAbandoned)
      let leaving = try RawSocket(port: server.port)
      leaving.send(park)
      let left = try #require(try parked.wait(for: 2).last)
      #expect(!left.request.isAbandoned)
      leaving.close()
      // The other end hears of it in its own time.
      let patience = Monitor(0)
      for _ in 0..<500 where !left.request.isAbandoned {
        _ = patience.wait(timeoutSeconds: 0.01) { $0 > 0 ? true : nil }
      }
      #expect(left.request.isAbandoned)
      #expect(!kept.request.isAbandoned)
      left.finish(.text("too late", status: 200))
      kept.finish(.text("in time", status: 202))
      #expect(try staying.readAnswer().body == "in time")
    }
  }

  @Test func `an answer given before the handler returns is not lost`() throws {
    var router = Router()
    var options = RouteOptions()
    options.mayBlock = false
    router.get("/at-once", options: options) { _ in .later { $0.finish(.text("now")) } }
    try withServer(router) { server in
      let socket = try RawSocket(port: server.port)
      for _ in 0..<200 {
        socket.send("GET /at-once HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try socket.readAnswer().body == "now")
      }
    }
  }

  @Test func `many clients at once each get their own answer`() throws {
    let parked = Parked()
    try withServer(parked.router()) { server in
      let sockets = try (0..<50).map { _ in try RawSocket(port: server.port) }
      for (number, socket) in sockets.enumerated() {
        let body = String(number)
        socket.send(
          "POST /park HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
      }
      for handle in try parked.wait(for: 50).shuffled() {
        handle.finish(.text(handle.request.bodyText))
      }
      for (number, socket) in sockets.enumerated() {
        #expect(try socket.readAnswer().body == String(number))
      }
    }
  }

  @Test func `a client that left while it was suspended does no harm`() throws {
    let parked = Parked()
    try withServer(parked.router()) { server in
      let gone = try RawSocket(port: server.port)
      gone.send(park)
      let handle = try #require(try parked.wait(for: 1).first)
      gone.close()
      handle.finish(.text("nobody reads this"))
      let socket = try RawSocket(port: server.port)
      socket.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(try socket.readAnswer().body == "hello")
    }
  }

  @Test func `stopping waits for the answer of a suspended request`() throws {
    let parked = Parked()
    let server = try HTTPServer(port: 0, router: parked.router())
    try server.start()
    let socket = try RawSocket(port: server.port)
    socket.send(park)
    let handle = try #require(try parked.wait(for: 1).first)
    let stopped = Monitor(false)
    let thread = try SystemThread(name: "stopper") {
      server.stop()
      stopped.change { $0 = true }
    }
    while !server.core.isStopping {}
    #expect(!stopped.withLock { $0 })
    handle.finish(.text("still answered", status: 202))
    let answer = try socket.readAnswer()
    #expect(answer.status == 202)
    #expect(answer.header.contains("Connection: close"))
    thread.join()
  }

  @Test func `stopping answers by itself what nobody answers`() throws {
    let parked = Parked()
    let server = try HTTPServer(port: 0, router: parked.router())
    try server.start()
    let socket = try RawSocket(port: server.port)
    socket.send(park)
    let handle = try #require(try parked.wait(for: 1).first)
    server.stop(drainSeconds: 0)
    #expect(try socket.readAnswer().status == 503)
    handle.finish(.text("too late"))
  }

  @Test func `more waiting handlers than allowed are answered with 503`() throws {
    let release = Monitor(false)
    let running = Monitor(0)
    var router = Router()
    router.get("/slow") { _ in
      running.change { $0 += 1 }
      return .now(.text(release.wait { $0 ? "done" : nil }))
    }
    var limits = HTTPServer.Limits()
    limits.handlerThreads = 1
    limits.queuedHandlers = 1
    try withServer(router, limits: limits) { server in
      let slow = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
      let first = try RawSocket(port: server.port)
      first.send(slow)
      _ = running.wait { $0 == 1 ? true : nil }
      // One may wait, so of two more exactly one is refused, at once.
      let others = try (0..<2).map { _ in try RawSocket(port: server.port) }
      for other in others { other.send(slow) }
      release.change { $0 = true }
      let statuses = try others.map { try $0.readAnswer().status }.sorted()
      #expect(try first.readAnswer().body == "done")
      #expect(statuses == [200, 503] || statuses == [200, 200])
    }
  }
}
