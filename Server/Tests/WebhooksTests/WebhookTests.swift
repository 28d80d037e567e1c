import Catalog
import FootfallSystem
import HTTPServing
import Testing

@testable import Webhooks

@Suite struct `A webhook's address` {
  @Test(arguments: [
    ("https://example.com/hook?x=1", "example.com", UInt16(443)),
    ("http://example.com:8080/", "example.com", 8080),
    ("http://[2001:db8::1]:81/x", "2001:db8::1", 81),
    ("http://127.0.0.1", "127.0.0.1", 80),
  ])
  func `is read`(text: String, host: String, port: UInt16) throws {
    let address = try #require(WebhookAddress(text))
    #expect(address.host == host && address.port == port && address.text == text)
  }

  @Test(arguments: [
    "", "example.com", "ftp://example.com/", "file:///etc/passwd", "http://", "http://a b/",
    "http://user@example.com/", "http://example.com@127.0.0.1/", "http://a\\@b/", "http://a:0/",
    "http://a:65536/", "http://a:8x/", "http://[::1", "http://[::1%25lo]/", "http://ä.example/",
    "http://a/\r\nX: y", "http://a/#x", "HTTP://a/", "http://a:+80/",
  ])
  func `that others could read otherwise is none`(text: String) {
    #expect(WebhookAddress(text) == nil)
  }
}

@Suite struct `Private addresses` {
  @Test(arguments: [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
    "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::",
    "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "::7f00:1",
    // Other ways to write 127.0.0.1.
    "2130706433", "0x7f.1", "0177.0.0.1", "127.1",
  ])
  func `are known in every spelling`(text: String) throws {
    let found = InternetAddress.find(text)
    #expect(!found.isEmpty, "\(text)")
    let isPrivate = found.allSatisfy(\.isPrivate)
    #expect(isPrivate, "\(text)")
  }

  @Test(arguments: ["8.8.8.8", "172.32.0.1", "100.63.255.255", "2606:4700::1111", "192.167.1.1"])
  func `are not those of everyone`(text: String) throws {
    #expect(try #require(InternetAddress.find(text).first).isPrivate == false)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A webhook` {
  private struct Taken: Sendable {
    var body = ""
    var signature = ""
    var count = 0
  }

  /// A server on loopback that answers with a status.
  private func withServer(
    _ status: Int,
    host: String = "127.0.0.1",
    headers: [Header] = [],
    _ body: (Int, Lock<Taken>) throws -> Void
  ) throws {
    let taken = Lock(Taken())
    var router = Router()
    router.post("/hook") { request in
      let text = String(decoding: request.body, as: UTF8.self)
      let signature = request.header("footfall-signature") ?? ""
      taken.withLock {
        $0.body = text
        $0.signature = signature
        $0.count += 1
      }
      var response = Response.text("x", status: status)
      response.headers += headers
      if status == 302 { response.setHeader("Location", "/hook") }
      return .now(response)
    }
    var limits = HTTPServer.Limits()
    // What is answered has its header there, too.
    limits.headerBytes = 8 << 20
    let server = try HTTPServer(host: host, port: 0, limits: limits, router: router)
    try server.start()
    defer { server.stop(drainSeconds: 5) }
    try body(server.port, taken)
  }

  private static let sender = WebhookSender(allowsPrivate: true)

  @Test func `gets the body once, signed with its secret and the time`() throws {
    try withServer(204) { port, taken in
      let address = try #require(WebhookAddress("http://127.0.0.1:\(port)/hook"))
      try Self.sender.send(#"{"a":1}"#, to: address, secret: "s3", atMs: 1_796_117_400_123)
      let taken = taken.withLock { $0 }
      #expect(taken.body == #"{"a":1}"# && taken.count == 1)
      // printf '1796117400.{"a":1}' | openssl dgst -sha256 -hmac s3
      let digest = "a52a6deb8f38445b97ae067c32bd07e42582d04ccc22f44825ca62c1874b3d1d"
      #expect(taken.signature == "t=1796117400,v1=\(digest)")
    }
  }

  @Test(arguments: [302, 404, 500])
  func `that answers otherwise is a problem, and no redirect is followed`(status: Int) throws {
    try withServer(status) { port, taken in
      let address = try #require(WebhookAddress("http://127.0.0.1:\(port)/hook"))
      #expect(throws: WebhookSender.Problem(description: "it answered with status \(status)")) {
        try Self.sender.send("{}", to: address, secret: "s", atMs: 0)
      }
      #expect(taken.withLock { $0.count } == 1)
    }
  }

  @Test(arguments: [(1, 2 << 20), (1_000, 100)])
  func `whose answer has a large header is told so`(lines: Int, length: Int) throws {
    let headers = (0..<lines).map { Header("X-\($0)", String(repeating: "x", count: length)) }
    try withServer(200, headers: headers) { port, _ in
      let address = try #require(WebhookAddress("http://127.0.0.1:\(port)/hook"))
      let sentence = "the header of its answer is too large: more than 64 KiB"
      #expect(throws: WebhookSender.Problem(description: sentence)) {
        try Self.sender.send("{}", to: address, secret: "s", atMs: 0)
      }
    }
  }

  @Test func `that is never asked is refused when it is named, with what to do`() {
    let sender = WebhookSender(allowsPrivate: false)
    for host in ["127.0.0.1", "0x7f.1", "[::1]", "192.168.0.7"] {
      let refusal = sender.refusal(of: "http://\(host)/hook")
      #expect(refusal?.contains("private network") == true, "\(host)")
      #expect(refusal?.contains("--allow-private-webhooks") == true, "\(host)")
    }
    #expect(sender.refusal(of: "https://8.8.8.8/hook") == nil)
    #expect(sender.refusal(of: "no address") == nil)
    // What is not found now may be found later.
    let nowhere = WebhookSender(allowsPrivate: false) { _ in [] }
    #expect(nowhere.refusal(of: "https://nowhere.invalid/") == nil)
    #expect(Self.sender.refusal(of: "http://127.0.0.1/hook") == nil)
  }

  @Test func `in a private network is not asked unless that is allowed`() throws {
    try withServer(200) { port, taken in
      let sender = WebhookSender(allowsPrivate: false)
      for host in ["127.0.0.1", "localhost", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"] {
        let address = try #require(WebhookAddress("http://\(host):\(port)/hook"))
        let problem = #expect(throws: WebhookSender.Problem.self) {
          try sender.send("{}", to: address, secret: "s", atMs: 0)
        }
        #expect(problem?.description.contains("private network") == true, "\(host)")
      }
      // A name with an address of each kind is refused, whichever comes first.
      let mixed = WebhookSender(allowsPrivate: false) { _ in
        [InternetAddress([93, 184, 216, 34]), InternetAddress([127, 0, 0, 1])]
      }
      let address = try #require(WebhookAddress("http://example.com:\(port)/hook"))
      #expect(throws: WebhookSender.Problem.self) {
        try mixed.send("{}", to: address, secret: "s", atMs: 0)
      }
      #expect(taken.withLock { $0.count } == 0)
    }
  }

  @Test func `is asked at the address that was looked at, whatever its name leads to later`() throws
  {
    try withServer(200) { port, taken in
      let pinned = WebhookSender(allowsPrivate: true) { _ in [InternetAddress([127, 0, 0, 1])] }
      let address = try #require(WebhookAddress("http://footfall.invalid:\(port)/hook"))
      try pinned.send("{}", to: address, secret: "s", atMs: 0)
      #expect(taken.withLock { $0.count } == 1)
    }
  }

  @Test(arguments: ["::1", "::ffff:127.0.0.1"])
  func `is found by an IPv6 address`(host: String) throws {
    try withServer(200, host: host.hasSuffix("127.0.0.1") ? "127.0.0.1" : host) { port, taken in
      let address = try #require(WebhookAddress("http://[\(host)]:\(port)/hook"))
      try Self.sender.send("{}", to: address, secret: "s", atMs: 0)
      #expect(taken.withLock { $0.count } == 1)
    }
  }

  @Test func `that is nowhere is a problem that says so`() throws {
    let address = try #require(WebhookAddress("http://nowhere.invalid/"))
    let nowhere = WebhookSender(allowsPrivate: true) { _ in [] }
    let problem = #expect(throws: WebhookSender.Problem.self) {
      try nowhere.send("{}", to: address, secret: "s", atMs: 0)
    }
    #expect(problem?.description.contains("was not found") == true)
  }
}
