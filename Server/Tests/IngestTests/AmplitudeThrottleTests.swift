import EventRecord
import FootfallSystem
import HTTPServing
import IngestLog
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Too fast for Amplitude's paths` {
  /// Sends that many events of one device, every second; the answers' statuses.
  private func statuses(
    _ fixture: IngestFixture,
    path: String = "/2/httpapi",
    perSecond: Int,
    seconds: Int
  ) async -> [Int] {
    var statuses: [Int] = []
    for second in 0..<seconds {
      let events = (0..<perSecond).map { `Collecting for Amplitude`.event("\(second)-\($0)") }
      let body = `Collecting for Amplitude`.body(events)
      statuses.append(await TestClient(fixture.router).post(path, text: body).status)
      fixture.clock.withLock { $0 += 1_000 }
    }
    return statuses
  }

  @Test(
    "AMP-V12 a device over thirty events a second is told to wait, with the places of its events"
  )
  func tooFast() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let before = await statuses(fixture, perSecond: 31, seconds: 29)
    #expect(before == Array(repeating: 200, count: 29))
    let kept = try fixture.logged().count
    var events = (0..<31).map { `Collecting for Amplitude`.event("last-\($0)") }
    events.insert(`Collecting for Amplitude`.event("other", device: "device-2"), at: 1)
    events.insert(events[0], at: 3)
    let client = TestClient(fixture.router)
    let answer = await client.post("/2/httpapi", text: `Collecting for Amplitude`.body(events))
    #expect(answer.status == 429)
    // The third is a repeat of the first: it counts for nobody.
    let places = (0..<33).filter { $0 != 1 && $0 != 3 }.map(String.init).joined(separator: ",")
    #expect(
      answer.text
        == #"{"code":429,"error":"Too many requests for some devices and users","eps_threshold":30,"throttled_devices":{"device-1":31},"throttled_users":{},"exceeded_daily_quota_users":{},"exceeded_daily_quota_devices":{},"throttled_events":[\#(places)]}"#
    )
    #expect(answer.header("Retry-After") == "30")
    #expect(try fixture.logged().count == kept)
    fixture.clock.withLock { $0 += 30_000 }
    let later = await client.post("/2/httpapi", text: `Collecting for Amplitude`.body(events))
    #expect(later.status == 200)
  }

  @Test func `thirty events a second are taken, for as long as they come`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    #expect(await statuses(fixture, perSecond: 30, seconds: 120).allSatisfy { $0 == 200 })
  }

  @Test func `batches may be faster, and an operator may set no limit`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    #expect(
      await statuses(fixture, path: "/batch", perSecond: 100, seconds: 40).allSatisfy { $0 == 200 }
    )
    var settings = IngestSettings()
    settings.maxUploadsPerSecond = 0
    let open = try IngestFixture(settings: settings)
    defer { open.log.close() }
    #expect(await statuses(open, perSecond: 100, seconds: 40).allSatisfy { $0 == 200 })
  }

  @Test func `a daily quota holds for batches`() async throws {
    var settings = IngestSettings()
    settings.maxBatchedPerDay = 50
    let fixture = try IngestFixture(settings: settings)
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    func send(_ count: Int) async -> Response {
      let events = (0..<count).map { _ in #"{"event_type":"e","user_id":"user-1"}"# }
      return await client.post("/batch", text: `Collecting for Amplitude`.body(events))
    }
    #expect(await send(50).status == 200)
    let answer = await send(1)
    #expect(answer.status == 429)
    #expect(answer.text.contains(#""exceeded_daily_quota_users":{"user-1":51}"#))
    #expect(answer.text.contains(#""throttled_users":{}"#))
    fixture.clock.withLock { $0 += 2 * 86_400_000 }
    #expect(await send(1).status == 200)
  }
}

@Suite struct `Sending rates` {
  private let limits = SendingRates.Limits(perSecond: 30, perDay: 0)

  private func id(_ text: String) -> SendingRates.ID {
    SendingRates.ID(project: 1, isUser: false, text: text)
  }

  @Test func `one large request is taken from an id that sent nothing, and no second one`() {
    var rates = SendingRates()
    #expect(rates.admit([id("a"): 2_000], limits: limits, nowMs: 0).isEmpty)
    #expect(rates.admit([id("a"): 1], limits: limits, nowMs: 1)[id("a")]?.perSecond == 67)
    #expect(rates.admit([id("b"): 1], limits: limits, nowMs: 1).isEmpty)
    #expect(rates.admit([id("a"): 1], limits: limits, nowMs: 60_000).isEmpty)
  }

  @Test func `a refused request counts for none of its ids`() {
    var rates = SendingRates()
    _ = rates.admit([id("a"): 900], limits: limits, nowMs: 0)
    for _ in 0..<10 {
      #expect(rates.admit([id("a"): 1, id("b"): 800], limits: limits, nowMs: 1).count == 1)
    }
    #expect(rates.admit([id("b"): 800], limits: limits, nowMs: 1).isEmpty)
  }

  @Test func `the same id in another project is another`() {
    var rates = SendingRates()
    _ = rates.admit([id("a"): 900], limits: limits, nowMs: 0)
    var other = id("a")
    other.project = 2
    #expect(rates.admit([other: 100], limits: limits, nowMs: 0).isEmpty)
  }

  @Test func `a flood of ids forgets the idle ones first`() {
    var rates = SendingRates(maxSenders: 2)
    _ = rates.admit([id("idle"): 900], limits: limits, nowMs: 0)
    _ = rates.admit([id("a"): 900], limits: limits, nowMs: 100_000)
    _ = rates.admit([id("b"): 900], limits: limits, nowMs: 100_000)
    #expect(rates.admit([id("a"): 1], limits: limits, nowMs: 100_001).count == 1)
  }
}
