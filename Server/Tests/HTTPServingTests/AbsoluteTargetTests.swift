import Testing

@testable import HTTPServing

/// RFC 9112, section 3.2.2.
@Suite struct `A target that names the server` {
  @Test(arguments: [
    ("http://a.example/x?y=1", "a.example", "/x?y=1"),
    ("HTTPS://a.example:443/x", "a.example:443", "/x"),
    ("http://a.example", "a.example", ""), ("http://a.example?y", "a.example", "?y"),
    ("http://me:pw@a.example/x@y", "a.example", "/x@y"), ("http://[::1]:80/", "[::1]:80", "/"),
    ("http://a//b", "a", "//b"),
  ])
  func `is its name and the rest`(target: String, authority: String, rest: String) throws {
    try Array(target.utf8).withUnsafeBytes { bytes in
      let split = try #require(AbsoluteTarget(bytes))
      #expect(String(decoding: split.authority, as: UTF8.self) == authority)
      #expect(String(decoding: split.rest, as: UTF8.self) == rest)
    }
  }

  @Test(arguments: [
    "/x", "/http://a/x", "", "*", "a.example:443", "http:/x", "http://", "http:///x", "https://?y",
    "http://me@/x",
    "ftp://a/x", "httpx://a/x",
  ])
  func `is none otherwise`(target: String) {
    Array(target.utf8).withUnsafeBytes { #expect(AbsoluteTarget($0) == nil) }
  }

  private func router() -> Router {
    var router = sampleRouter()
    router.get("/told") { request in
      .now(
        .text(
          "\(request.path) \(request.query("a") ?? "-") \(request.headers("host").joined(separator: ","))"
        )
      )
    }
    router.get("/") { request in .now(.text("root \(request.query("a") ?? "-")")) }
    return router
  }

  @Test(arguments: [
    ("http://stats.example/told?a=1", "Host: other", "/told 1 stats.example"),
    ("http://stats.example/told", "X: y", "/told - stats.example"),
    (
      "http://stats.example:80/%74old", "Host: a\r\nHost: b",
      "/told - stats.example:80,stats.example:80"
    ),
    ("http://stats.example", "Host: x", "root -"),
    ("http://stats.example?a=2", "Host: x", "root 2"),
    ("/told?a=http://x/y", "Host: x", "/told http://x/y x"),
  ])
  func `is answered like its path`(target: String, fields: String, answer: String) throws {
    try withServer(router()) { server in
      let socket = try RawSocket(port: server.port)
      // HTTP/1.0 may leave the field out.
      socket.send("GET \(target) HTTP/1.0\r\nConnection: keep-alive\r\n\(fields)\r\n\r\n")
      #expect(try socket.readAnswer().body == answer)
      // What the request's record keeps of one request is not there in the next.
      socket.send("GET /told HTTP/1.1\r\nHost: next\r\n\r\n")
      #expect(try socket.readAnswer().body == "/told - next")
    }
  }

  @Test func `cannot climb, either`() throws {
    try withServer(router()) { server in
      for target in [
        "http://a/../told", "http://a/x/%2e%2e/told", "ftp://a/told", "*", "http:///told",
      ] {
        let socket = try RawSocket(port: server.port)
        socket.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try socket.readAnswer().status == 400, "\(target)")
      }
    }
  }
}
