import EventRecord
import EventStore
import Foundation
import FootfallSystem
import HTTPServing
import Insights
import IngestLog
import Testing
import Wire

@testable import Ingest

/// A collector that Phase's clients send to; its clock stands at 2026-07-01 10:00 UTC.
struct PhaseFixture {
  static let now: Int64 = 1_782_900_000_000
  static let device = "01JZ2V8QK5XW3N7M9R4T6Y1B0C"
  static let session = "01JZ2V8QKZSESSION00000001A"

  let base: IngestFixture
  var key = "phase_test"
  var headers: [Header] = []

  init(
    settings: IngestSettings = IngestSettings(),
    place: (@Sendable (String) -> WirePlace?)? = nil
  ) throws {
    base = try IngestFixture(settings: settings, place: place)
    base.clock.withLock { $0 = Self.now }
  }

  /// A time relative to the clock's, as clients write it.
  static func time(_ seconds: Double = 0) -> String {
    Date(timeIntervalSince1970: Double(now) / 1_000 + seconds)
      .formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)) + "Z"
  }

  func post(_ path: String, _ body: String) async -> (status: Int, body: NSDictionary) {
    let response = await send(path, body)
    let object = try? JSONSerialization.jsonObject(with: Data(response.body))
    return (response.status, object as? NSDictionary ?? [:])
  }

  func send(_ path: String, _ body: String, peer: String = "") async -> Response {
    var client = TestClient(base.router)
    client.peer = peer
    client.headers = [Header("Authorization", "bearer \(key)")] + headers
    return await client.post("/sdk/\(path)", text: body)
  }

  func register(_ id: String = device, _ members: String = "") async {
    let answer = await post("devices", #"{"deviceId":"\#(id)"\#(members)}"#)
    #expect(answer.status == 200)
  }

  func start(_ id: String = session, of device: String = device, at seconds: Double = 0) async {
    let answer = await post(
      "sessions",
      #"{"sessionId":"\#(id)","deviceId":"\#(device)","startedAt":"\#(Self.time(seconds))"}"#
    )
    #expect(answer.status == 200)
  }

  static func event(
    _ name: String = "a",
    at seconds: Double = 0,
    session: String = session,
    _ members: String = ""
  ) -> String {
    #"{"sessionId":"\#(session)","name":"\#(name)","isScreen":false,"timestamp":"\#(time(seconds))"\#(members)}"#
  }

  static func batch(_ items: (type: String, payload: String)...) -> String {
    let items = items.enumerated().map {
      #"{"type":"\#($1.type)","clientOrder":\#($0),"payload":\#($1.payload)}"#
    }
    return #"{"items":[\#(items.joined(separator: ","))]}"#
  }

  static let deviceItem = (type: "device", payload: #"{"deviceId":"\#(device)"}"#)
  static func sessionItem(at seconds: Double = 0) -> (type: String, payload: String) {
    (
      "session",
      #"{"sessionId":"\#(session)","deviceId":"\#(device)","startedAt":"\#(time(seconds))"}"#
    )
  }

  /// The codes of a batch's errors by the number of the item.
  static func errors(_ body: NSDictionary) -> [Int: String] {
    var codes: [Int: String] = [:]
    for error in body["errors"] as? [NSDictionary] ?? [] {
      codes[error["clientOrder"] as? Int ?? -2] = error["code"] as? String
    }
    return codes
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Phase's SDK API` {
  @Test(
    "PHA-42 without a key that may send nothing is taken",
    arguments: [
      nil, "Bearer phase_wrong", "Bearer", "Bearer ", "Basic cGhhc2VfdGVzdA==", "phase_test",
    ]
  )
  func withoutKey(authorization: String?) async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    var client = TestClient(fixture.base.router)
    client.headers = authorization.map { [Header("Authorization", $0)] } ?? []
    for path in ["devices", "sessions", "events", "ping", "batch"] {
      let answer = await client.post("/sdk/\(path)", text: "{}")
      #expect(answer.status == 401)
      #expect(answer.text.contains(#""code":"UNAUTHORIZED""#))
    }
  }

  @Test("PHA-43 a session needs a device of the same app")
  func unknownDevice() async throws {
    var fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let session =
      #"{"sessionId":"\#(PhaseFixture.session)","deviceId":"\#(PhaseFixture.device)","startedAt":"\#(PhaseFixture.time())"}"#
    let unknown = await fixture.post("sessions", session)
    #expect(unknown.status == 404 && unknown.body["code"] as? String == "NOT_FOUND")
    await fixture.register()
    fixture.key = "phase_other"
    let foreign = await fixture.post("sessions", session)
    #expect(foreign.status == 403 && foreign.body["code"] as? String == "FORBIDDEN")
    let device = await fixture.post("devices", #"{"deviceId":"\#(PhaseFixture.device)"}"#)
    #expect(device.status == 403)
    #expect(try fixture.base.logged().count == 1)
  }

  @Test("PHA-44 the items of a batch may stand before what they depend on")
  func order() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let body = """
      {"items":[{"type":"event","clientOrder":2,"payload":\(PhaseFixture.event())},
      {"type":"session","clientOrder":1,"payload":\(PhaseFixture.sessionItem().payload)},
      {"type":"device","clientOrder":0,"payload":\(PhaseFixture.deviceItem.payload)}]}
      """
    let answer = await fixture.post("batch", body)
    #expect(answer.status == 200)
    #expect(answer.body["processed"] as? Int == 3 && answer.body["failed"] as? Int == 0)
    let results = answer.body["results"] as? [NSDictionary] ?? []
    #expect(results.map { $0["clientOrder"] as? Int } == [0, 1, 2])
    #expect(results.map { $0["type"] as? String } == ["device", "session", "event"])
    #expect(
      results.prefix(2).map { $0["id"] as? String } == [PhaseFixture.device, PhaseFixture.session]
    )
    let logged = try fixture.base.logged()
    #expect(logged.map(\.name) == ["$identify", "session_start", "a"])
    #expect(
      logged.map(\.deviceID) == [PhaseFixture.device, PhaseFixture.device, PhaseFixture.device]
    )
    #expect(logged.last?.sessionID == PhaseFixture.session)
  }

  @Test("PHA-45 a batch of which all fails is 400, of which a part fails 207")
  func failures() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let event = (type: "event", payload: PhaseFixture.event())
    let all = await fixture.post("batch", PhaseFixture.batch(event, event))
    #expect(all.status == 400)
    #expect(all.body["processed"] as? Int == 0 && all.body["failed"] as? Int == 2)
    #expect(PhaseFixture.errors(all.body) == [0: "NOT_FOUND", 1: "NOT_FOUND"])
    let half = await fixture.post("batch", PhaseFixture.batch(PhaseFixture.deviceItem, event))
    #expect(half.status == 207)
    #expect(half.body["processed"] as? Int == 1 && half.body["failed"] as? Int == 1)
    #expect(PhaseFixture.errors(half.body) == [1: "NOT_FOUND"])
  }

  @Test("PHA-46 a single call may lie 5 minutes ahead, a batch 60")
  func future() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    await fixture.register()
    await fixture.start()
    let ahead = PhaseFixture.event(at: 6 * 60)
    let single = await fixture.post("events", ahead)
    #expect(single.status == 400 && single.body["code"] as? String == "VALIDATION_ERROR")
    #expect(await fixture.post("events", PhaseFixture.event(at: 5 * 60)).status == 200)
    #expect(await fixture.post("batch", PhaseFixture.batch(("event", ahead))).status == 200)
    let far = await fixture.post(
      "batch",
      PhaseFixture.batch(("event", PhaseFixture.event(at: 61 * 60)))
    )
    #expect(far.status == 400 && PhaseFixture.errors(far.body) == [0: "VALIDATION_ERROR"])
  }

  @Test("PHA-47 a session takes events for two hours, however late they come")
  func length() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let start = -3 * 3_600.0
    let answer = await fixture.post(
      "batch",
      PhaseFixture.batch(
        PhaseFixture.deviceItem,
        PhaseFixture.sessionItem(at: start),
        ("event", PhaseFixture.event(at: start + 7_200)),
        ("event", PhaseFixture.event(at: start + 7_201)),
        (
          "ping",
          #"{"sessionId":"\#(PhaseFixture.session)","timestamp":"\#(PhaseFixture.time(start + 7_201))"}"#
        )
      )
    )
    #expect(answer.status == 207)
    #expect(PhaseFixture.errors(answer.body) == [3: "VALIDATION_ERROR", 4: "VALIDATION_ERROR"])
  }

  @Test("PHA-48 a device's properties are merged key by key")
  func properties() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    func properties(_ sent: String) async -> NSDictionary? {
      let body = #"{"deviceId":"\#(PhaseFixture.device)","properties":\#(sent)}"#
      return await fixture.post("devices", body).body["properties"] as? NSDictionary
    }
    #expect(await properties(#"{"a":1}"#) == ["a": 1])
    #expect(await properties(#"{"b":2}"#) == ["a": 1, "b": 2])
    #expect(await properties(#"{"a":null}"#) == ["a": NSNull(), "b": 2])
    #expect(
      try fixture.base.logged().map(\.operations)
        == [#"{"$set":{"a":1}}"#, #"{"$set":{"b":2}}"#, #"{"$set":{"a":null}}"#]
    )
  }

  @Test("PHA-49 times have any offset; without one they are none")
  func offsets() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    await fixture.register()
    await fixture.start()
    func send(_ time: String) async -> (status: Int, body: NSDictionary) {
      await fixture.post(
        "events",
        #"{"sessionId":"\#(PhaseFixture.session)","name":"a","isScreen":false,"timestamp":"\#(time)"}"#
      )
    }
    let east = await send("2026-07-01T12:00:00+02:00")
    #expect(east.status == 200)
    #expect(east.body["timestamp"] as? String == "2026-07-01T10:00:00.000Z")
    #expect(try fixture.base.logged().last?.timestampMs == PhaseFixture.now)
    for time in [
      "2026-07-01 12:00", "2026-07-01 12:00:00Z", "1782900000000", "2026-07-01T10:00:00",
    ] {
      let refused = await send(time)
      #expect(refused.status == 422, "\(time)")
      #expect(refused.body["code"] as? String == "VALIDATION_ERROR")
    }
  }

  @Test("PHA-50 an old client is told no platform that it cannot read")
  func platform() async throws {
    var fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    fixture.headers = [Header("Footfall-Sent-At", PhaseFixture.time())]
    let body = #"{"deviceId":"\#(PhaseFixture.device)","platform":"macos"}"#
    let own = await fixture.post("devices", body)
    #expect(own.body["platform"] as? String == "macos")
    fixture.headers = []
    let old = await fixture.post("devices", #"{"deviceId":"\#(PhaseFixture.device)"}"#)
    #expect(old.status == 200 && old.body["platform"] is NSNull)
    await fixture.register(PhaseFixture.device, #","platform":"ios""#)
    let ios = await fixture.post(
      "devices",
      #"{"deviceId":"\#(PhaseFixture.device)","platform":null}"#
    )
    #expect(ios.body["platform"] as? String == "ios")
  }

  @Test("PHA-52 a device makes 1,000 requests in a minute")
  func rates() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let body = #"{"deviceId":"\#(PhaseFixture.device)"}"#
    for _ in 0..<1_000 { #expect(await fixture.send("devices", body).status == 200) }
    let last = await fixture.send("devices", body)
    #expect(last.status == 429 && last.text.contains("TOO_MANY_REQUESTS"))
    let wait = try #require(last.header("Retry-After").flatMap(Int.init))
    #expect((0...60).contains(wait))
    #expect(await fixture.send("devices", #"{"deviceId":"another-device"}"#).status == 200)
    fixture.base.clock.withLock { $0 += Int64(wait) * 1_000 }
    #expect(await fixture.send("devices", body).status == 200)
  }

  @Test func `an address makes 1,000 requests in a minute, whatever its devices`() async throws {
    var settings = IngestSettings()
    settings.maxPhaseRequestsPerMinute = 3
    let fixture = try PhaseFixture(settings: settings)
    defer { fixture.base.log.close() }
    func send(_ number: Int, _ peer: String) async -> Int {
      await fixture.send("devices", #"{"deviceId":"device-\#(number)"}"#, peer: peer).status
    }
    for number in 0..<3 { #expect(await send(number, "203.0.113.7") == 200) }
    #expect(await send(4, "203.0.113.7") == 429)
    #expect(await send(5, "203.0.113.8") == 200)
  }

  @Test("PHA-70 a device's country is that of its first address")
  func country() async throws {
    let fixture = try PhaseFixture(place: { address in
      ["203.0.113.1": "DE", "203.0.113.2": "FR"][address].map { WirePlace(country: $0) }
    })
    defer { fixture.base.log.close() }
    func country(_ device: String, _ peer: String, _ members: String = "") async -> String? {
      let body = #"{"deviceId":"\#(device)"\#(members)}"#
      let answer = await fixture.send("devices", body, peer: peer)
      let object = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? NSDictionary
      return object?["country"] as? String
    }
    #expect(await country("device-1", "203.0.113.1") == "DE")
    #expect(await country("device-2", "203.0.113.1", #","disableGeolocation":true"#) == nil)
    #expect(await country("device-1", "203.0.113.2") == "DE")
    #expect(await country("device-2", "203.0.113.2") == nil)
  }

  @Test("PHA-51 a developer's event is listed as such and counted nowhere")
  func debug() async throws {
    var fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    await fixture.register()
    await fixture.start()
    fixture.headers = [Header("x-phase-debug-data", "1")]
    let answer = await fixture.post("events", PhaseFixture.event("tried"))
    #expect(answer.status == 200 && answer.body["isDebug"] as? Bool == true)
    let store = try fixture.base.stored()
    let listed = try RecentEvents(project: 7, includesTest: true, limit: 10).run(on: store)
    #expect(listed.first { $0.name == "tried" }?.isTest == true)
    let names = try EventNames(project: 7).run(on: store).map(\.name)
    #expect(names == ["session_start"])
  }

  @Test("PHA-36 a batch that is sent again stores nothing twice")
  func resend() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let body = PhaseFixture.batch(
      PhaseFixture.deviceItem,
      PhaseFixture.sessionItem(),
      ("event", PhaseFixture.event("a", at: 1, #","eventId":"01JZ2V8QM0EVENT0000000001A""#)),
      ("ping", #"{"sessionId":"\#(PhaseFixture.session)","timestamp":"\#(PhaseFixture.time(5))"}"#)
    )
    for _ in 0..<2 { #expect(await fixture.post("batch", body).status == 200) }
    let names = try fixture.base.stored().events.map(\.name).sorted()
    // A device is told as often as it is sent; that changes nothing more.
    #expect(names == ["$identify", "$identify", "$ping", "a", "session_start"])
  }
}
