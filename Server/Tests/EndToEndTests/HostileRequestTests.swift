import Catalog
import EventStore
import Foundation
import FootfallSystem
import ServerApp
import Testing

/// What someone sends who wants to do harm, over a real socket to a whole server.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `Hostile requests` {
  private struct World {
    let server: TestServer
    let port: UInt16

    init() throws {
      server = try TestServer()
      port = UInt16(try #require(server.url.port))
    }

    /// Sends bytes as they are and returns what came back; status 0 for a closed connection.
    func send(_ bytes: [UInt8]) throws -> (status: Int, body: String) {
      try LoopbackRequest.exchange(port: port, bytes: bytes)
    }

    func post(
      _ body: [UInt8],
      path: String = "/v1/events",
      headers: String = ""
    ) throws -> (status: Int, body: String) {
      let head = """
        POST \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(server.key)\r
        Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\(headers)\r\n
        """
      return try send(Array(head.replacingOccurrences(of: "\r\n\n", with: "\r\n").utf8) + body)
    }

    /// That an honest client is served all the same.
    func expectAlive(_ comment: Comment) throws {
      let id = UUID().uuidString
      #expect(try post(Array(Self.batch(#""id":"\#(id)""#).utf8)).status == 202, comment)
    }

    static func batch(_ fields: String, props: String = "{}") -> String {
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      return #"{"events":[{\#(fields),"name":"A","ts":\#(now),"device_id":"d","props":\#(props)}]}"#
    }
  }

  @Test func `headers without end are refused`() throws {
    let world = try World()
    defer { world.server.stop() }
    let many = (0..<20_000).map { "X-\($0): y\r\n" }.joined()
    let large = "X-Large: " + String(repeating: "y", count: 200_000) + "\r\n"
    let path = "/" + String(repeating: "a", count: 100_000)
    for request in [
      "GET / HTTP/1.1\r\nHost: x\r\n\(many)\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\(large)\r\n",
      "GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n",
    ] {
      let status = try world.send(Array(request.utf8)).status
      #expect([0, 400, 413, 414, 431].contains(status), "\(request.prefix(20)) \(status)")
    }
    try world.expectAlive("after headers")
  }

  @Test func `a body that inflates beyond measure is refused`() throws {
    let world = try World()
    defer { world.server.stop() }
    for megabytes in [1, 50, 500] {
      let bomb = Self.zeros(count: megabytes << 20)
      let answer = try world.post(
        Array(bomb.prefix(1 << 20)),
        headers: "Content-Encoding: gzip\r\n"
      )
      #expect([413, 415].contains(answer.status), "\(megabytes) MiB")
    }
    try world.expectAlive("after gzip")
  }

  @Test func `JSON that is deep, huge, broken or ambiguous never harms its neighbours`() throws {
    let world = try World()
    defer { world.server.stop() }
    let open = String(repeating: "[", count: 100_000)
    let nested = open + String(repeating: "]", count: 100_000)
    let objects =
      String(repeating: #"{"a":"#, count: 20_000) + "1" + String(repeating: "}", count: 20_000)
    for (props, reason) in [
      (#"{"a":\#(nested)}"#, "too_deep"), (objects, "too_deep"),
      (#"{"a":1e999999}"#, "number_out_of_range"),
      (#"{"a":\#(String(repeating: "9", count: 400))}"#, "number_out_of_range"),
      (#"{"a":"\#(String(repeating: "x", count: 9_000))"}"#, "string_too_long"),
    ] {
      let answer = try world.post(Array(World.batch(#""id":"bad""#, props: props).utf8))
      #expect(answer.status == 202 || answer.status == 415, "\(reason)")
      let isNamed = answer.body.contains(reason) || answer.body.contains("event_too_large")
      #expect(isNamed || answer.status == 415, "\(reason): \(answer.body.prefix(200))")
      #expect(!answer.body.contains(#""accepted":1"#), "\(reason)")
    }
    for body in [open, "{\"events\":" + open, objects] {
      #expect(try world.post(Array(body.utf8)).status == 415)
    }
    // Bytes that are no UTF-8, in a name and between things.
    let text = World.batch(#""id":"broken","x":"?""#)
    var bytes = Array(text.utf8)
    bytes[text.utf8.firstIndex(of: UInt8(ascii: "?"))?.utf16Offset(in: text) ?? 0] = 0xff
    let broken = try world.post(bytes)
    #expect(broken.status == 415 || !broken.body.contains(#""accepted":1"#))
    try world.expectAlive("after JSON")
  }

  @Test func `of a name that is given twice one counts, and what is stored is sound`() throws {
    let world = try World()
    defer { world.server.stop() }
    let body = World.batch(#""id":"first","id":"second""#, props: #"{"a":1,"a":2,"__proto__":{}}"#)
    let answer = try world.post(Array(body.utf8))
    #expect(answer.status == 202)
    #expect(answer.body.contains(#""accepted":1"#))
    let event = try #require(try world.server.events(1).first)
    #expect(["first", "second"].contains(event.id))
    #expect(try JSONSerialization.jsonObject(with: Data(event.properties.utf8)) is NSDictionary)
  }

  @Test(arguments: [
    "/../catalogue.sqlite", "/%2e%2e/catalogue.sqlite", "/assets/../../data/catalogue.sqlite",
    "/assets/..%2f..%2fdata%2fcatalogue.sqlite", "/assets/%2e%2e%5c..%5cformat", "//etc/passwd",
    "/assets//etc/passwd", "/assets/%00", "/%", "/%zz", "/\u{7f}", "/assets/\\..\\format",
    "/sign-in/../account", "/api/v1/../../account", "/./metrics",
  ])
  func `a path that climbs leads nowhere`(path: String) throws {
    let world = try World()
    defer { world.server.stop() }
    let answer = try world.send(
      Array("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8)
    )
    #expect([400, 404].contains(answer.status), "\(path)")
    #expect(!answer.body.contains("SQLite") && !answer.body.contains("root:"))
  }

  @Test func `two ways to tell where a request ends are refused`() throws {
    let world = try World()
    defer { world.server.stop() }
    for headers in [
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
      "Content-Length: 5\r\nContent-Length: 6\r\n",
      "Content-Length: -1\r\n", "Content-Length: 5x\r\n",
    ] {
      let request =
        "POST /v1/events HTTP/1.1\r\nHost: x\r\n\(headers)\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"
      let answer = try world.send(Array(request.utf8))
      #expect([0, 400].contains(answer.status), "\(headers)")
      #expect(!answer.body.contains("ok\n"), "\(headers)")
    }
    try world.expectAlive("after smuggling")
  }

  @Test func `whoever guesses secret keys is refused unheard`() throws {
    let world = try World()
    defer { world.server.stop() }
    let right = try world.server.server.catalog.createKey(
      project: world.server.project,
      kind: .secret
    )
    func ask(_ key: String) throws -> Int {
      try world.send(
        Array(
          "GET /api/v1/key HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(key)\r\n\r\n"
            .utf8
        )
      ).status
    }
    #expect(try ask(right.plaintext) == 200)
    let answers = try (0..<70).map { try ask("ff_sec_\($0)") }
    #expect(answers.filter { $0 == 401 }.count == 60)
    #expect(answers.suffix(10).allSatisfy { $0 == 429 })
    #expect(try ask(right.plaintext) == 200, "a right key is nobody's guess")
    try world.expectAlive("apps are no guessers")
  }

  /// A gzip file of zeros, without its checksum: nobody reads that far.
  private static func zeros(count: Int) -> [UInt8] {
    var bytes: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    var (held, bits) = (0, 0)
    func put(_ value: Int, _ width: Int) {
      held |= value << bits
      bits += width
      while bits >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: held))
        held >>= 8
        bits -= 8
      }
    }
    put(0b011, 3)  // the last block, with the fixed codes
    put(0b0000_1100, 8)  // a zero: code 00110000, its first bit first
    for _ in 0..<count / 258 {
      put(0b1010_0011, 8)  // 258 more: code 11000101
      put(0, 5)  // of what stands one before
    }
    put(0, 7)
    put(0, 7)
    return bytes
  }
}

/// Keys and people through the pages of a running server, as a browser uses them.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `Administration of a running server` {
  /// A session and the requests a browser makes with it.
  private struct Visitor {
    let server: TestServer
    let port: UInt16
    let cookie: String

    init(_ server: TestServer) throws {
      self.server = server
      port = UInt16(try #require(server.url.port))
      let link = try server.server.catalog.createSignInLink(user: "owner")
      let session = try #require(try server.server.catalog.signIn(link: link))
      cookie = "footfall_session_\(port)=\(session.token)"
    }

    func get(_ path: String) throws -> (status: Int, body: String) {
      try LoopbackRequest.exchange(
        port: port,
        bytes: Array(
          "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\nCookie: \(cookie)\r\n\r\n"
            .utf8
        )
      )
    }

    func submit(
      _ path: String,
      _ fields: String,
      from page: String
    ) throws -> (
      status: Int, body: String
    ) {
      let token = try #require(
        try get(page).body.firstMatch(of: /name="form_token" value="([0-9a-f]{64})"/)
      ).1
      return try LoopbackRequest.post(
        port: port,
        path: path,
        headers: [
          "Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded",
          "Host": "127.0.0.1:\(port)",
        ],
        body: fields + "&form_token=\(token)"
      )
    }

    func send(key: String) throws -> Int {
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      return try server.post(
        "/v1/events",
        #"{"events":[{"event_id":"\#(UUID().uuidString)","name":"A","ts":\#(now),"device_id":"d"}]}"#,
        headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"]
      ).status
    }
  }

  @Test("SDL-125 a key made in the dashboard is accepted at once, SDL-92 and refused once revoked")
  func keys() throws {
    let server = try TestServer()
    defer { server.stop() }
    let visitor = try Visitor(server)
    let page = "/projects/\(server.project)/keys"
    let made = try visitor.submit(page, "kind=ingest&label=macos", from: page)
    #expect(made.status == 200)
    let key = String(try #require(made.body.firstMatch(of: /ff_pub_[A-Za-z0-9]{32}/)).0)
    #expect(try visitor.send(key: key) == 202)
    let id = try #require(
      try server.server.catalog.keys(project: server.project).first { $0.value == key }
    ).id
    let revoke = "\(page)/\(id)/revoke"
    #expect(try visitor.submit(revoke, "", from: revoke).status == 303)
    #expect(try visitor.send(key: key) == 401)
  }

  @Test func `a quota is in effect within seconds, answered with 429, and lifted likewise`() throws
  {
    let server = try TestServer()
    defer { server.stop() }
    let visitor = try Visitor(server)
    let settings = "/projects/\(server.project)/settings"
    let rules = "/projects/\(server.project)/rules"
    #expect(try visitor.send(key: server.key) == 202)
    #expect(try visitor.submit(rules, "events_per_day=1", from: settings).status == 303)
    #expect(try answers(429, within: 30) { try visitor.send(key: server.key) })
    #expect(try visitor.submit(rules, "events_per_day=", from: settings).status == 303)
    #expect(try answers(202, within: 30) { try visitor.send(key: server.key) })
  }

  /// Asks until the answer is that one; the server looks for changes every other second.
  private func answers(
    _ status: Int,
    within seconds: Double,
    _ ask: () throws -> Int
  ) throws -> Bool {
    let start = MonotonicTime.now()
    let pause = Monitor(false)
    while MonotonicTime.now().seconds(since: start) < seconds {
      if try ask() == status { return true }
      _ = pause.wait(timeoutSeconds: 0.2) { $0 ? true : nil }
    }
    return false
  }
}
