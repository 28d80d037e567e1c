import Testing

@testable import HTTPServing

@Suite struct `The router` {
  @Test func `parameters stand for one segment and are decoded`() async {
    let client = TestClient(sampleRouter())
    #expect(await client.get("/people/a%20b/events/x%2Fy").text == "a b|x/y")
    #expect(await client.get("/people//events/x").status == 404)
    #expect(await client.get("/people/a/b/events/x").status == 404)
    #expect(await client.get("/people/a/events/x/").status == 404)
  }

  @Test func `a literal path wins over a pattern and the query does not count`() async {
    var router = Router()
    router.get("/a/:id") { _ in .now(.text("pattern")) }
    router.get("/a/list") { request in .now(.text("literal \(request.query("q") ?? "-")")) }
    let client = TestClient(router)
    #expect(await client.get("/a/list?q=x+y%26z&q=2").text == "literal x y&z")
    #expect(await client.get("/a/l%69st").text == "literal -")
    #expect(await client.get("/a/other").text == "pattern")
  }

  @Test(arguments: [
    "/../etc/passwd", "/a/../b", "/a/./b", "/a/..", "/a/%2e%2E/b", "/a/%00", "/a%00b", "/a/%zz",
    "/a/%2", "/a/b\\..\\c", "/a/%5c", "/a/%0a", "/a/%ff", "a", "*", "ftp://host/a", "",
  ])
  func `a path with tricks in it is refused`(path: String) async {
    #expect(await TestClient(sampleRouter()).get(path).status == 400)
  }

  @Test func `of several patterns that fit a path the one that names most of it is meant`() async {
    var router = Router()
    router.get("/p/:id/:word") { _ in .now(.text("word")) }
    router.post("/p/:id/run") { _ in .now(.text("run")) }
    let client = TestClient(router)
    #expect(await client.send(.post, "/p/1/run").text == "run")
    #expect(await client.get("/p/1/walk").text == "word")
    #expect(await client.get("/p/1/run").status == 405)
    let wrong = await client.send(.delete, "/p/1/run")
    #expect(wrong.status == 405)
    #expect(wrong.header("Allow") == "OPTIONS, POST")
  }

  @Test func `a wrong method names the right ones`() async {
    let answer = await TestClient(sampleRouter()).send(.delete, "/hello")
    #expect(answer.status == 405)
    #expect(answer.header("allow") == "GET, HEAD, OPTIONS")
    let preflight = await TestClient(sampleRouter()).send(.options, "/echo")
    #expect(preflight.status == 204)
    #expect(preflight.header("Allow") == "OPTIONS, POST")
  }

  @Test func `middleware stands around what is registered after it, outermost first`() async {
    var router = Router()
    router.get("/free") { _ in .now(.text("free")) }
    router.use { request, next in
      request.header("X-Key") == "k" ? next(request) : .now(.text("no", status: 401))
    }
    router.group({ request, next in
      next(request).map { response in
        var response = response
        response.setHeader("X-Inner", "1")
        return response
      }
    }) { inner in
      inner.get("/inner") { _ in .later { $0.finish(.text("inner")) } }
    }
    router.get("/plain") { _ in .now(.text("plain")) }
    var client = TestClient(router)
    #expect(await client.get("/free").text == "free")
    #expect(await client.get("/inner").status == 401)
    client.headers = [Header("x-key", "k")]
    let inner = await client.get("/inner")
    #expect(inner.text == "inner")
    #expect(inner.header("x-inner") == "1")
    #expect(await client.get("/plain").header("x-inner") == nil)
  }

  @Test func `a route's own limit and refusal are used`() async {
    var router = Router()
    var options = RouteOptions()
    options.maxBodyBytes = 3
    options.refusal = { refusal in
      refusal == .bodyTooLarge(limit: 3) ? .json("{}", status: 413) : refusal.response
    }
    router.post("/tiny", options: options) { _ in .now(.empty()) }
    let client = TestClient(router)
    #expect(await client.post("/tiny", text: "abc").status == 204)
    #expect(await client.post("/tiny", text: "abcd").text == "{}")
  }

  @Test func `forms and cookies are read`() async {
    var router = Router()
    router.post("/form") { request in
      .now(
        .text(
          [request.form("a"), request.form("b"), request.cookie("s")].map { $0 ?? "-" }.joined(
            separator: "|"
          )
        )
      )
    }
    let answer = await TestClient(router).post(
      "/form",
      headers: [
        Header("Content-Type", "application/x-www-form-urlencoded"),
        Header("Cookie", "x=1; s=a=b; ss=2"),
      ],
      text: "a=1+2%0A&b=%C3%A9&c=%zz"
    )
    #expect(answer.text == "1 2\n|é|a=b")
  }

  @Test func `answers are counted by route and status`() async {
    let router = sampleRouter()
    let client = TestClient(router)
    _ = await client.get("/hello")
    _ = await client.get("/hello")
    _ = await client.post("/small", text: "much too long")
    _ = await client.get("/nowhere")
    let counts = router.requestCounts.map { "\($0.pattern ?? "-") \($0.status) \($0.count)" }
    #expect(counts == ["/hello 200 2", "/small 413 1", "- 404 1"])
  }

  @Test func `cookies are strict and hidden from scripts unless told otherwise`() {
    var response = Response.empty()
    response.setCookie(Cookie(name: "s", value: "v", maxAgeSeconds: 60))
    #expect(
      response.header("set-cookie") == "s=v; Path=/; SameSite=Strict; Max-Age=60; HttpOnly"
    )
  }
}
