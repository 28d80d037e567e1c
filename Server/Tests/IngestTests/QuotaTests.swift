import Catalog
import EventRecord
import EventStore
import FootfallSystem
import HTTPServing
import IngestLog
import Testing
import Wire

@testable import Ingest

@Suite struct `A project's quota` {
  private static let dayMs: Int64 = 86_400_000

  @Test func `holds until midnight UTC, and is told in seconds, at most an hour`() {
    var ledger = UsageLedger()
    ledger.quotas = [7: 10]
    let noon = 20_000 * Self.dayMs + Self.dayMs / 2
    ledger.took(events: 9, bytes: 90, project: 7, nowMs: noon)
    #expect(ledger.waitSeconds(project: 7, nowMs: noon) == nil)
    ledger.took(events: 5, bytes: 50, project: 7, nowMs: noon)
    #expect(ledger.waitSeconds(project: 7, nowMs: noon) == 3_600)
    let late = 20_001 * Self.dayMs - 90_500
    #expect(ledger.waitSeconds(project: 7, nowMs: late) == 91)
    #expect(ledger.waitSeconds(project: 7, nowMs: 20_001 * Self.dayMs) == nil)
    #expect(ledger.waitSeconds(project: 8, nowMs: noon) == nil)
    ledger.quotas[7] = 20
    #expect(ledger.waitSeconds(project: 7, nowMs: noon) == nil)
  }

  @Test func `goes on after a restart, and what could not be kept is kept later`() {
    var ledger = UsageLedger()
    let day: Int64 = 20_000
    ledger.took(events: 9, bytes: 90, project: 7, nowMs: day * Self.dayMs)
    ledger.refused(events: 2, project: 7, nowMs: day * Self.dayMs)
    let pending = ledger.takePending()
    #expect(pending == [DayUsage(project: 7, day: day, events: 9, bytes: 90, refused: 2)])
    #expect(ledger.takePending().isEmpty)
    ledger.putBack(pending)
    ledger.took(events: 1, bytes: 10, project: 7, nowMs: day * Self.dayMs)
    #expect(
      ledger.takePending() == [DayUsage(project: 7, day: day, events: 10, bytes: 100, refused: 2)]
    )
    var next = UsageLedger()
    next.quotas = [7: 10]
    next.restore(pending)
    #expect(next.waitSeconds(project: 7, nowMs: day * Self.dayMs) == nil)
    next.took(events: 1, bytes: 10, project: 7, nowMs: day * Self.dayMs)
    #expect(next.waitSeconds(project: 7, nowMs: day * Self.dayMs) != nil)
  }

  @Test func `is not refilled by a clock that is set ahead and back again`() {
    var ledger = UsageLedger()
    ledger.quotas = [7: 10]
    let today = 20_000 * Self.dayMs
    ledger.took(events: 10, bytes: 90, project: 7, nowMs: today)
    for leap in [1, 30, 400] as [Int64] {
      let ahead = today + leap * Self.dayMs
      #expect(ledger.waitSeconds(project: 7, nowMs: ahead) == nil)
      ledger.took(events: 10, bytes: 90, project: 7, nowMs: ahead)
      #expect(ledger.waitSeconds(project: 7, nowMs: ahead) != nil)
    }
    #expect(ledger.waitSeconds(project: 7, nowMs: today) != nil)
    var next = UsageLedger()
    next.quotas = [7: 10]
    next.restore(ledger.takePending())
    #expect(next.waitSeconds(project: 7, nowMs: today) != nil)
  }

  @Test func `keeps a bounded number of days, this one among them`() {
    var ledger = UsageLedger()
    ledger.quotas = [7: 1]
    let days = Int64(UsageLedger.maxDays)
    for day in (0...days).reversed() {
      ledger.took(events: 1, bytes: 1, project: 7, nowMs: day * Self.dayMs)
      #expect(ledger.waitSeconds(project: 7, nowMs: day * Self.dayMs) != nil)
    }
    #expect(ledger.waitSeconds(project: 7, nowMs: Self.dayMs) == nil)
    #expect(ledger.waitSeconds(project: 7, nowMs: 2 * Self.dayMs) != nil)
  }

  @Test func `is not used up by what is sent again`() {
    var ledger = UsageLedger()
    ledger.quotas = [7: 10]
    let day: Int64 = 20_000
    ledger.took(events: 10, bytes: 90, project: 7, nowMs: day * Self.dayMs)
    #expect(ledger.waitSeconds(project: 7, nowMs: day * Self.dayMs) != nil)
    // Six of them the store had, and some of yesterday's.
    ledger.repeated(events: 6, project: 7, day: day)
    ledger.repeated(events: 50, project: 7, day: day - 1)
    #expect(ledger.waitSeconds(project: 7, nowMs: day * Self.dayMs) == nil)
    ledger.took(events: 6, bytes: 10, project: 7, nowMs: day * Self.dayMs)
    #expect(ledger.waitSeconds(project: 7, nowMs: day * Self.dayMs) != nil)
    #expect(ledger.takePending().map(\.events) == [-50, 10])
  }

  @Test func `is counted again from the log after a kill, and once`() async throws {
    let fixture = try StreamFixture()
    defer { fixture.close() }
    _ = try fixture.catalog.createStream("clicks", kind: .kinesis, project: fixture.project)
    func start(_ usage: UsageMeter) throws {
      try usage.start(from: fixture.catalog, log: fixture.log)
    }
    func put(_ count: Int) async {
      let record = (data: #"{"name":"Opened","ts":1764581400123,"id":"a"}"#, key: "k")
      let body = StreamFixture.records(Array(repeating: record, count: count))
      #expect(await fixture.call("PutRecords", body).status == 200)
    }
    // What was there before anything was counted does not count.
    await put(5)
    try start(fixture.usage)
    _ = fixture.usage.takePending()
    await put(1)
    try fixture.usage.flush(to: fixture.catalog)
    await put(2)
    await put(3)
    let day = StreamFixture.now / Self.dayMs
    let next = UsageMeter()
    try start(next)
    #expect(next.takePending().map(\.events) == [5])
    let another = UsageMeter()
    try start(another)
    try another.flush(to: fixture.catalog)
    #expect(try fixture.catalog.usage(fromDay: day).map(\.events) == [6])
    let last = UsageMeter()
    try start(last)
    #expect(last.takePending().isEmpty)
    // Another log knows nothing of it.
    #expect(UsageMark.position("x 1 2", of: fixture.log.id) == nil)
  }

  @Test func `is answered in each protocol's shape, counted, and stores nothing`() async throws {
    let fixture = try IngestFixture()
    fixture.usage.setQuotas([7: 2])
    let accepted = await fixture.client.post("/v1/events", body: IngestFixture.body("a", "b"))
    #expect(accepted.status == 202)
    let refused = await fixture.client.post("/v1/events", body: IngestFixture.body("c"))
    #expect(refused.status == 429)
    #expect(refused.header("Retry-After") == "3600")
    #expect(refused.text.contains(#""code":429"#))
    let amplitude = await fixture.client.post(
      "/2/httpapi",
      text: """
        {"api_key":"amplitude-key","events":[{"event_type":"A","user_id":"user-1",
        "time":1764581400123,"insert_id":"i"}]}
        """
    )
    #expect(amplitude.status == 429)
    #expect(amplitude.text.contains(#""eps_threshold""#))
    #expect(!amplitude.text.contains("exceeded_daily_quota"))
    let form = await TestClient(fixture.router).post(
      "/identify",
      headers: [Header("Content-Type", "application/x-www-form-urlencoded")],
      text: "api_key=amplitude-key&identification=%7B%22user_id%22%3A%22user-1%22%2C"
        + "%22user_properties%22%3A%7B%22plan%22%3A%22pro%22%7D%7D"
    )
    #expect(form.status == 429)
    #expect(try fixture.logged().map(\.id) == ["a", "b"])
    let metrics = MetricText.render(fixture.routes.metrics.families)
    #expect(metrics.contains(#"footfall_ingest_refused_total{reason="quota"} 3"#))
    let usage = fixture.usage.takePending()
    #expect(usage.map(\.events) == [2])
    #expect(usage.map(\.refused) == [3])
    #expect(usage.allSatisfy { $0.bytes > 0 })
  }

  @Test func `is answered to Phase's clients by Phase's own 429`() async throws {
    let phase = try PhaseFixture()
    await phase.register()
    await phase.start()
    phase.base.usage.setQuotas([7: 1])
    let before = try phase.base.logged().count
    let answer = await phase.send("events", PhaseFixture.event("a"))
    #expect(answer.status == 429, "\(answer.text)")
    #expect(answer.header("Retry-After") == "3600")
    #expect(answer.text.contains(#""TOO_MANY_REQUESTS""#))
    #expect(try phase.base.logged().count == before)
  }

  @Test func `is answered to Pinpoint's clients by Pinpoint's own 429, with each operation`()
    async throws
  {
    let fixture = try IngestFixture()
    let client = PinpointClient(fixture)
    fixture.usage.setQuotas([7: 1])
    let events = [(id: "a", json: PinpointClient.event())]
    #expect(await client.put("e1", events).status == 202)
    for answer in [
      await client.put("e1", events),
      await client.send(
        .put,
        "/v1/apps/\(PinpointClient.app)/endpoints/e2",
        body: Array(#"{"Address":"token"}"#.utf8)
      ),
    ] {
      #expect(answer.status == 429, "\(answer.text)")
      #expect(answer.header("x-amzn-ErrorType") == "TooManyRequestsException")
      #expect(answer.header("Retry-After") == "3600")
    }
  }

  @Test(arguments: [
    (AWSService.kinesis, "PutRecords", 400, "ProvisionedThroughputExceededException"),
    (.kinesis, "PutRecord", 400, "ProvisionedThroughputExceededException"),
    (.firehose, "PutRecordBatch", 503, "ServiceUnavailableException"),
  ])
  func `is answered to clients of streams by what they send again at`(
    service: AWSService,
    operation: String,
    status: Int,
    name: String
  ) async throws {
    let fixture = try StreamFixture()
    defer { fixture.close() }
    let isKinesis = service == .kinesis
    _ = try fixture.catalog.createStream(
      "clicks",
      kind: isKinesis ? .kinesis : .firehose,
      project: fixture.project
    )
    let event = #"{"name":"Opened","ts":1764581400123,"user_id":"u"}"#
    let body =
      !isKinesis
      ? StreamFixture.batch([Array(event.utf8)], stream: "clicks")
      : operation == "PutRecord"
        ? #"{"StreamName":"clicks","Data":"e30=","PartitionKey":"k"}"#
        : StreamFixture.records([(data: event, key: "k")])
    fixture.usage.setQuotas([fixture.project: 1])
    #expect(await fixture.call(operation, body, service).status == 200)
    let refused = await fixture.call(operation, body, service)
    #expect(refused.status == status)
    #expect(refused.error == name)
    #expect(refused.message.contains("a day"))
    let usage = fixture.usage.takePending()
    #expect(usage.map(\.events) == [1] && usage.map(\.refused) == [1])
    let metrics = MetricText.render(fixture.routes.metrics.families)
    #expect(metrics.contains(#"footfall_ingest_refused_total{reason="quota"} 1"#))
    // Reading back costs no quota.
    if isKinesis { #expect(await fixture.read().count == 1) }
  }

  @Test func `of another project does not count`() async throws {
    let fixture = try IngestFixture()
    fixture.usage.setQuotas([8: 1])
    for id in ["a", "b", "c"] {
      let answer = await fixture.client.post("/v1/events", body: IngestFixture.body(id))
      #expect(answer.status == 202)
    }
  }
}

@Suite struct `A key's facts` {
  @Test func `make every event a test event, whatever its protocol`() async throws {
    let fixture = try IngestFixture(facts: KeyFacts(kind: .ingest, isTest: true))
    _ = await fixture.client.post("/v1/events", body: IngestFixture.body("a", "b"))
    _ = await fixture.client.post(
      "/2/httpapi",
      text: """
        {"api_key":"amplitude-key","events":[{"event_type":"A","user_id":"user-1",
        "time":1764581400123,"insert_id":"i"}]}
        """
    )
    #expect(try fixture.logged().map(\.isTest) == [true, true, true])
  }

  @Test func `stand first in what is known of the client`() async throws {
    let fixture = try IngestFixture(facts: KeyFacts(kind: .ingest, label: "macos"))
    _ = await fixture.client.post(
      "/v1/events",
      text: """
        {"client":{"deployment":"forged","os":"macOS"},"events":[{"id":"a","name":"A",
        "ts":1764581400123,"device_id":"d"}]}
        """
    )
    let event = try #require(try fixture.stored().events.first)
    #expect(event.client.hasPrefix(#"{"deployment":"macos","#))
  }

  @Test("SDL-90 a SimpleDataLogs body of 262,145 bytes is too large, one of 262,144 is not")
  func simpleDataLogsLimit() async throws {
    let fixture = try IngestFixture(facts: KeyFacts(kind: .simpledatalogs))
    let small = IngestFixture.body("a")
    for (size, status) in [(262_144, 202), (262_145, 413)] {
      let body = small + [UInt8](repeating: 0x20, count: size - small.count)
      #expect(await fixture.client.post("/v1/events", body: body).status == status)
      let packed = await fixture.client.post(
        "/v1/events",
        headers: [Header("Content-Encoding", "gzip")],
        body: try GzipBytes.compress(small + filler(size - small.count))
      )
      #expect(packed.status == status, "gzip, \(size) bytes")
    }
    let other = try IngestFixture(facts: KeyFacts(kind: .ingest))
    let body = small + [UInt8](repeating: 0x20, count: 262_145 - small.count)
    #expect(await other.client.post("/v1/events", body: body).status == 202)
  }

  /// Blanks of all four kinds, which do not compress beyond what is allowed.
  private func filler(_ count: Int) -> [UInt8] {
    var state: UInt64 = 9
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return [0x20, 0x09, 0x0a, 0x0d][Int(state >> 62)]
    }
  }
}
