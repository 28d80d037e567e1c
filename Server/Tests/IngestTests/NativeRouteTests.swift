import Catalog
import EventRecord
import FootfallSystem
import FootfallTesting
import HTTPServing
import IngestLog
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Native ingest` {
  @Test func `accepted events are in the log with their project and time`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await fixture.client.post("/v1/events", body: IngestFixture.body("a", "b"))
    #expect(answer.status == 202)
    #expect(answer.text == "{\"accepted\":2,\"duplicates\":0,\"rejected\":[]}")
    #expect(answer.header("Access-Control-Allow-Origin") == "*")
    #expect(try fixture.logged().map(\.id) == ["a", "b"])
    #expect(fixture.routes.metrics.acceptedEvents == 2)
  }

  @Test func `losses that a client makes up do not end the server`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let losses = (0..<64).map { "\"r\($0)\":9223372036854775807" }.joined(separator: ",")
    for _ in 0..<3 {
      let body = "{\"client\":{\"dropped\":{\(losses)}},\"events\":[]}"
      #expect(await fixture.client.post("/v1/events", text: body).status == 202)
    }
  }

  @Test(arguments: ["/v1/ingest", "/v1/batch", "/events", "/ingest"])
  func `SimpleDataLogs' paths are the same`(path: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    #expect(await fixture.client.post(path, body: IngestFixture.body("a")).status == 202)
    #expect(try fixture.logged().count == 1)
  }

  /// The root belongs to AWS's and Amplitude's clients, too, see `AmplitudeRoute`.
  @Test(arguments: [
    (IngestFixture.key, KeyKind.ingest as KeyKind?, 202), (IngestFixture.key, .simpledatalogs, 202),
    (IngestFixture.key, nil, 202), ("ff_pub_revoked", nil, 401), ("sdl_pub_unknown", nil, 401),
  ])
  func `a batch that is sent to the root is taken like any other`(
    key: String,
    kind: KeyKind?,
    status: Int
  ) async throws {
    let fixture = try IngestFixture(facts: kind.map { KeyFacts(kind: $0) })
    defer { fixture.log.close() }
    for header in [
      Header("Authorization", "Bearer \(key)"), Header("X-API-Key", key),
      Header("X-Ingest-Key", key), Header("X-SDL-Key", key),
    ] {
      let answer = await TestClient(fixture.router).post(
        "/",
        headers: [header, Header("Content-Type", "application/json")],
        body: IngestFixture.body("a")
      )
      #expect(answer.status == status, "\(header.name)")
    }
    #expect(try fixture.logged().count == (status == 202 ? 4 : 0))
  }

  @Test func `an upload of Amplitude's to the root is one, whatever a proxy adds`() async throws {
    let fixture = try IngestFixture(facts: KeyFacts(kind: .amplitude))
    defer { fixture.log.close() }
    for key in ["a-proxy's", "amplitude-key"] {
      let answer = await TestClient(fixture.router).post(
        "/",
        headers: [Header("Authorization", "Bearer \(key)")],
        text: #"{"api_key":"amplitude-key","events":[{"event_type":"A","user_id":"user-1"}]}"#
      )
      #expect(answer.status == 200 && answer.text.contains("events_ingested"))
      let form = await TestClient(fixture.router).post(
        "/",
        headers: [
          Header("Authorization", "Bearer \(key)"),
          Header("Content-Type", "application/x-www-form-urlencoded"),
        ],
        text: "client=amplitude-key&e=%5B%5D"
      )
      #expect(form.text == "success")
    }
  }

  @Test func `the answer comes after the sync and not before`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let gate = SyncGate()
    gate.install(in: fixture.files)
    let isAnswered = Lock(false)
    async let answer: Response = {
      let answer = await fixture.client.post("/v1/events", body: IngestFixture.body("a"))
      isAnswered.withLock { $0 = true }
      return answer
    }()
    try await gate.waitUntilReached()
    #expect(!isAnswered.withLock { $0 })
    #expect(fixture.routes.metrics.acceptedEvents == 0)
    gate.open()
    #expect(await answer.status == 202)
  }

  @Test func `a sync that fails is answered with 503 and a time to come again`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    fixture.files.intercept { operation, _ in operation == .sync ? .fail(5) : nil }
    let answer = await fixture.client.post("/v1/events", body: IngestFixture.body("a"))
    #expect(answer.status == 503)
    #expect(answer.header("Retry-After") == "30")
    fixture.files.intercept(nil)
    #expect(await fixture.client.post("/v1/events", body: IngestFixture.body("a")).status == 202)
    #expect(try fixture.logged().map(\.id) == ["a"])
  }

  @Test func `a full disk is answered with 503, and with 202 again once there is room`()
    async throws
  {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    #expect(await fixture.client.post("/v1/events", body: IngestFixture.body("a")).status == 202)
    fixture.files.setCapacity(0)
    let answer = await fixture.client.post("/v1/events", body: IngestFixture.body("b"))
    #expect(answer.status == 503)
    #expect(answer.header("Retry-After") == "30")
    fixture.files.setCapacity(.max)
    #expect(await fixture.client.post("/v1/events", body: IngestFixture.body("c")).status == 202)
    #expect(try fixture.logged().map(\.id) == ["a", "c"])
  }

  @Test func `more than may wait for the disk is answered with 503`() async throws {
    let fixture = try IngestFixture { $0.maxPendingBytes = 2_000 }
    defer { fixture.log.close() }
    let gate = SyncGate()
    gate.install(in: fixture.files)
    async let first = fixture.client.post("/v1/events", body: IngestFixture.body("a"))
    try await gate.waitUntilReached()
    let ids = ["b", "c", "d"].map { String(repeating: $0, count: 1_000) }
    let body = IngestFixture.body(ids[0], ids[1], ids[2])
    let second = await fixture.client.post("/v1/events", body: body)
    #expect(second.status == 503)
    #expect(second.header("Retry-After") == "2")
    gate.open()
    #expect(await first.status == 202)
    #expect(try fixture.logged().map(\.id) == ["a"])
  }

  @Test(arguments: [
    ("Authorization", "Bearer ff_pub_test"), ("authorization", "bearer  ff_pub_test "),
    ("X-API-Key", "ff_pub_test"), ("X-Ingest-Key", "ff_pub_test"), ("x-sdl-key", " ff_pub_test"),
    // "ff_pub_test:" and "ff_pub_test:whatever"
    ("Authorization", "Basic ZmZfcHViX3Rlc3Q6"),
    ("Authorization", "Basic ZmZfcHViX3Rlc3Q6d2hhdGV2ZXI="),
  ])
  func `the key is taken from wherever clients put it`(name: String, value: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await TestClient(fixture.router).post(
      "/v1/events",
      headers: [Header(name, value)],
      body: IngestFixture.body("a")
    )
    #expect(answer.status == 202)
  }

  @Test(arguments: [
    ("X", ""), ("Authorization", "Bearer"), ("Authorization", "Bearer nobody"),
    ("Authorization", "Bearer ff_pub_revoked"), ("Authorization", "Bearer ff_sec_secret"),
    ("Authorization", "Basic !!!!"), ("Authorization", "Basic OndoYXRldmVy"), ("X-API-Key", ""),
    ("Authorization", "Digest ff_pub_test"),
  ])
  func `any other key is answered with 401 and nothing is kept`(
    name: String,
    value: String
  )
    async throws
  {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await TestClient(fixture.router).post(
      "/v1/events",
      headers: [Header(name, value)],
      body: IngestFixture.body("a")
    )
    #expect(answer.status == 401)
    #expect(try fixture.logged().isEmpty)
  }

  @Test func `an unreadable body is answered with 415`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    #expect(await fixture.client.post("/v1/events", text: "{\"events\":[").status == 415)
    #expect(
      await fixture.client.post(
        "/v1/events",
        headers: [Header("Content-Encoding", "br")],
        body: IngestFixture.body("a")
      ).status == 415
    )
    #expect(
      await fixture.client.post("/v1/events", body: [0x1f, 0x8b, 8, 0, 1, 2, 3]).status == 415
    )
  }

  @Test func `nesting as deep as a megabyte allows is refused, not followed`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let deep =
      "{\"events\":[{\"id\":\"a\",\"name\":\"n\",\"ts\":1764581400123,\"props\":{\"x\":"
      + String(repeating: "[", count: 500_000)
    #expect(await fixture.client.post("/v1/events", text: deep).status == 415)
  }

  @Test(arguments: [(1 << 20, 202), ((1 << 20) + 1, 413)])
  func `one mebibyte is taken and one byte more is not`(bytes: Int, status: Int) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var body = IngestFixture.body("a")
    body += [UInt8](repeating: UInt8(ascii: " "), count: bytes - body.count)
    #expect(await fixture.client.post("/v1/events", body: body).status == status)
  }

  @Test func `compressed bodies are told by their first bytes`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let body = try GzipBytes.compress(IngestFixture.body("a"))
    // Without a word about it, and with; and a plain body that a proxy has inflated.
    #expect(await fixture.client.post("/v1/events", body: body).status == 202)
    let said = [Header("Content-Encoding", "gzip")]
    #expect(await fixture.client.post("/v1/events", headers: said, body: body).status == 202)
    let plain = IngestFixture.body("b")
    #expect(await fixture.client.post("/v1/events", headers: said, body: plain).status == 202)
    #expect(try fixture.logged().map(\.id) == ["a", "a", "b"])
  }

  @Test func `a bomb is answered with 413`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let bomb = try GzipBytes.compress([UInt8](repeating: 0x20, count: 50 << 20))
    #expect(await fixture.client.post("/v1/events", body: bomb).status == 413)
  }

  @Test func `the time of the attempt corrects a wrong clock`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let sent = [Header("Footfall-Sent-At", "2025-12-01T09:30:00.123Z")]
    _ = await fixture.client.post("/v1/events", headers: sent, body: IngestFixture.body("a"))
    let header = try fixture.header()
    #expect(header.sentAtMs == 1_764_581_400_123)
    #expect(header.clockCorrectionMs == IngestFixture.now - 1_764_581_400_123)
  }

  @Test func `a browser may ask first`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await TestClient(fixture.router).send(
      .options,
      "/v1/events",
      headers: [
        Header("Origin", "https://shop.example"), Header("Access-Control-Request-Method", "POST"),
      ]
    )
    #expect(answer.status == 204)
    #expect(answer.header("Access-Control-Allow-Origin") == "*")
    #expect(answer.header("Access-Control-Allow-Headers")?.contains("Authorization") == true)
  }

  @Test func `a request without an event to keep is answered at once`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await fixture.client.post(
      "/v1/events",
      text: "{\"events\":[{\"name\":\"no id\",\"ts\":1764581400123}]}"
    )
    #expect(answer.status == 202)
    #expect(answer.text.contains("missing_id"))
    #expect(fixture.log.status.records == 0)
    let text = MetricText.render(fixture.routes.metrics.families)
    #expect(text.contains("footfall_events_rejected_total{reason=\"missing_id\"} 1\n"))
  }
}
