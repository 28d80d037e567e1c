import Catalog
import EventRecord
import Foundation
import FootfallJournal
import FootfallSystem
import HTTPServing
import IngestLog
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Phase's rules` {
  @Test(arguments: [
    ("devices", "{", 400, "BAD_REQUEST"), ("devices", "[]", 422, "VALIDATION_ERROR"),
    ("devices", "{}", 422, "VALIDATION_ERROR"),
    ("devices", #"{"deviceId":7}"#, 422, "VALIDATION_ERROR"),
    ("devices", #"{"deviceId":"short"}"#, 400, "VALIDATION_ERROR"),
    (
      "devices", #"{"deviceId":"device-1","osVersion":"\#(String(repeating: "1", count: 65))"}"#,
      422, "VALIDATION_ERROR"
    ),
    ("devices", #"{"deviceId":"device-1","properties":{"a":[1]}}"#, 400, "VALIDATION_ERROR"),
    ("batch", #"{"items":[]}"#, 422, "VALIDATION_ERROR"),
    (
      "batch", #"{"items":[{"type":"link","clientOrder":0,"payload":{}}]}"#, 422, "VALIDATION_ERROR"
    ),
    (
      "batch", #"{"items":[{"type":"device","clientOrder":-1,"payload":{"deviceId":"device-1"}}]}"#,
      422, "VALIDATION_ERROR"
    ),
    (
      "ping", #"{"sessionId":"unknown-session","timestamp":"2026-07-01T10:00:00Z"}"#, 404,
      "NOT_FOUND"
    ),
  ])
  func `a call that breaks a rule is refused by its name`(
    path: String,
    body: String,
    status: Int,
    code: String
  ) async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let answer = await fixture.post(path, body)
    #expect(answer.status == status)
    #expect(answer.body["code"] as? String == code)
    #expect(try fixture.base.logged().isEmpty)
  }

  @Test(arguments: [
    ("a", "{}", true), (String(repeating: "a", count: 256), "{}", true),
    (String(repeating: "a", count: 257), "{}", false), ("user.signup", "{}", true),
    ("payment/success", "{}", true), ("Button Clicked", "{}", true), ("", "{}", false),
    ("a:b", "{}", false), ("naïve", "{}", false), (#"x\n"#, "{}", false),
    ("a", Self.params(32), true), ("a", Self.params(33), false),
    ("a", #"{"\#(String(repeating: "k", count: 32))":1}"#, true),
    ("a", #"{"\#(String(repeating: "k", count: 33))":1}"#, false),
    ("a", #"{"k":"\#(String(repeating: "v", count: 256))"}"#, true),
    ("a", #"{"k":"\#(String(repeating: "v", count: 257))"}"#, false),
    ("a", #"{"k":"\#(String(repeating: "😀", count: 128))"}"#, true),
    ("a", #"{"k":"\#(String(repeating: "😀", count: 129))"}"#, false),
    ("a", #"{"k":{}}"#, false), ("a", #"{"k":1e400}"#, false),
  ])
  func `an event's name and params keep the protocol's limits`(
    name: String,
    params: String,
    isTaken: Bool
  ) async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    await fixture.register()
    await fixture.start()
    let body = PhaseFixture.event(name, #","params":\#(params)"#)
    let answer = await fixture.post("events", body)
    #expect(answer.status == (isTaken ? 200 : 400))
  }

  private static func params(_ count: Int) -> String {
    "{" + (0..<count).map { #""k\#($0)":\#($0)"# }.joined(separator: ",") + "}"
  }

  @Test func `an event's answer has its params in order, and none where there are none`()
    async throws
  {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    await fixture.register()
    await fixture.start()
    let event = PhaseFixture.event(
      "bought",
      #","eventId":"01JZ2V8QM0EVENT0000000001A","params":{"b":"x\n","a":99.99,"c":null,"d":true}"#
    )
    let answer = await fixture.send("events", event)
    #expect(
      answer.text == """
        {"eventId":"01JZ2V8QM0EVENT0000000001A","sessionId":"\(PhaseFixture.session)",\
        "deviceId":"\(PhaseFixture.device)","name":"bought",\
        "params":{"a":99.99,"b":"x\\u000a","c":null,"d":true},\
        "isScreen":false,"isDebug":false,"timestamp":"2026-07-01T10:00:00.000Z"}
        """
    )
    let plain = await fixture.post("events", PhaseFixture.event("plain", #","params":{}"#))
    #expect(plain.body["params"] is NSNull)
    // An event without an id of its own gets one that sorts by time.
    let id = try #require(plain.body["eventId"] as? String)
    #expect(id.count == 26 && id.hasPrefix("01K"))
  }

  @Test func `a session is told as it is known, and moved back by an earlier event`() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    await fixture.register()
    await fixture.register("another-device")
    await fixture.start()
    func session(_ device: String) async -> (status: Int, body: NSDictionary) {
      await fixture.post(
        "sessions",
        #"{"sessionId":"\#(PhaseFixture.session)","deviceId":"\#(device)","startedAt":"\#(PhaseFixture.time(60))"}"#
      )
    }
    #expect(await session("another-device").status == 400)
    let early = await fixture.post("events", PhaseFixture.event(at: -3_600))
    #expect(early.status == 200)
    #expect(await fixture.post("events", PhaseFixture.event(at: -3_601)).status == 400)
    let ping = await fixture.post(
      "ping",
      #"{"sessionId":"\#(PhaseFixture.session)","timestamp":"\#(PhaseFixture.time(30))"}"#
    )
    #expect(ping.body["lastActivityAt"] as? String == "2026-07-01T10:00:30.000Z")
    let known = await session(PhaseFixture.device)
    #expect(known.status == 200)
    #expect(known.body["startedAt"] as? String == "2026-07-01T09:00:00.000Z")
    #expect(known.body["lastActivityAt"] as? String == "2026-07-01T10:00:30.000Z")
  }

  @Test func `a batch of two devices serves the one that most items name`() async throws {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let answer = await fixture.post(
      "batch",
      PhaseFixture.batch(
        ("device", #"{"deviceId":"another-device"}"#),
        PhaseFixture.deviceItem,
        PhaseFixture.sessionItem()
      )
    )
    #expect(answer.status == 207)
    #expect(PhaseFixture.errors(answer.body) == [0: "FORBIDDEN"])
  }

  @Test func `our own client may send what is up to 30 days old`() async throws {
    var fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    let late = PhaseFixture.batch(
      PhaseFixture.deviceItem,
      PhaseFixture.sessionItem(at: -8 * 86_400),
      ("event", PhaseFixture.event(at: -8 * 86_400 + 10))
    )
    #expect(await fixture.post("batch", late).status == 207)
    fixture.headers = [Header("Footfall-Sent-At", PhaseFixture.time())]
    #expect(await fixture.post("batch", late).status == 200)
  }

  @Test func `what is known outlives the server`() async throws {
    let folder = NSTemporaryDirectory() + "footfall-state-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
    for round in 0..<2 {
      let base = try IngestFixture(statePath: folder + "/state.sqlite")
      base.clock.withLock { $0 = PhaseFixture.now }
      let fixture = PhaseFixture(base: base)
      if round == 0 {
        await fixture.register(PhaseFixture.device, #","model":"iPhone17,1""#)
        await fixture.start()
      } else {
        #expect(await fixture.post("events", PhaseFixture.event()).status == 200)
        let device = await fixture.post("devices", PhaseFixture.deviceItem.payload)
        #expect(device.body["model"] as? String == "iPhone 16 Pro")
        let client = try base.log.firstContext()
        #expect(client == #"{"library":"phase","model":"iPhone17,1"}"#)
      }
      base.state.close()
      base.log.close()
    }
  }

  @Test func `a body may be compressed, a path end with a slash, and only POST is taken`()
    async throws
  {
    let fixture = try PhaseFixture()
    defer { fixture.base.log.close() }
    var client = TestClient(fixture.base.router)
    client.headers = [Header("Authorization", "Bearer phase_test")]
    let body = try GzipBytes.compress(Array(PhaseFixture.batch(PhaseFixture.deviceItem).utf8))
    let answer = await client.post(
      "/sdk/batch/",
      headers: [Header("Content-Encoding", "gzip")],
      body: body
    )
    #expect(answer.status == 200)
    let wrong = await client.get("/sdk/batch")
    #expect(wrong.status == 405 && wrong.text.contains("METHOD_NOT_ALLOWED"))
  }
}

extension PhaseFixture {
  init(base: IngestFixture) { self.base = base }
}

extension IngestLog {
  /// What the first record says of its client.
  fileprivate func firstContext() throws -> String? {
    var contexts: [String] = []
    _ = try read(from: .start) { bytes, _ in
      do throws(RecordError) {
        contexts.append(String(decoding: try RecordReader(bytes).context, as: UTF8.self))
      } catch {
        Issue.record("\(error)")
      }
    }
    return contexts.first
  }
}
