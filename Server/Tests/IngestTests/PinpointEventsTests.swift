import EventRecord
import EventStore
import Foundation
import HTTPServing
import IngestLog
import FootfallJournal
import Testing
import Wire

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Events of Pinpoint's clients` {
  /// The logged events, without what changed of endpoints.
  private func events(_ fixture: IngestFixture) throws -> [EventRecord] {
    try fixture.logged().filter { $0.kind == .event }
  }

  @Test("AWS-P1 an event is accepted by its own word, and stored")
  func one() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let more =
      #","AppVersionCode":"4.1","SdkName":"aws-sdk-iOS","ClientSdkVersion":"2.38.1","AppTitle":"T","Attributes":{"a":"1"},"Metrics":{"m":2.5},"Session":{"Id":"s1","StartTimestamp":"2025-12-01T09:29:00.000Z","Duration":60000}"#
    let endpoint =
      #"{"Demographic":{"Platform":"iOS","PlatformVersion":"19.1","Model":"iPhone17,2"},"User":{"UserId":"u1"}}"#
    let answer = await PinpointClient(fixture).put(
      "e1",
      saying: endpoint,
      [("ev1", PinpointClient.event("play", time: "2025-12-01T10:30:00.123+0100", more))]
    )
    #expect(answer.status == 202)
    #expect(
      answer.text
        == #"{"Results":{"e1":{"EndpointItemResponse":{"StatusCode":202,"Message":"Accepted"},"EventsItemResponse":{"ev1":{"StatusCode":202,"Message":"Accepted"}}}}}"#
    )
    #expect(answer.header("Content-Type") == "application/json")
    #expect(
      answer.header("x-amzn-RequestId")?.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
        != nil
    )
    #expect(answer.header("x-amzn-ErrorType") == nil)
    let event = try #require(try events(fixture).first)
    #expect(try events(fixture).count == 1)
    #expect((event.id, event.name, event.deviceID, event.userID) == ("ev1", "play", "e1", "u1"))
    #expect(event.sessionID == "s1")
    #expect(event.timestampMs == 1_764_581_400_123)
    #expect(event.properties == #"{"a":"1","m":2.5}"#)
    let context = try JSONSerialization.jsonObject(with: Data(event.context.utf8)) as? NSDictionary
    #expect(
      context == [
        "app": "4.1", "AppTitle": "T", "SdkName": "aws-sdk-iOS", "ClientSdkVersion": "2.38.1",
        "library": "aws-sdk-iOS/2.38.1", "platform": "iOS", "os_version": "19.1", "os": "iOS 19.1",
        "model": "iPhone17,2",
        "Session": [
          "Id": "s1", "StartTimestamp": "2025-12-01T09:29:00.000Z", "Duration": 60_000,
        ],
      ]
    )
    let header = try fixture.header()
    #expect((header.source, header.project) == (.pinpoint, 7))
    #expect(header.sentAtMs == IngestFixture.now)
  }

  @Test("AWS-P2 three bad events of a hundred stop none of the others")
  func partialFailure() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let items = (0..<100).map {
      ("ev\($0)", PinpointClient.event(time: $0 % 40 == 7 ? "z" : "2025-12-01T09:30:00Z"))
    }
    let answer = await PinpointClient(fixture).put("e1", items)
    #expect(answer.status == 202)
    let statuses = try answer.statuses("e1")
    #expect(statuses.count == 100)
    #expect(statuses.filter { $0.value == 400 }.keys.sorted() == ["ev47", "ev7", "ev87"])
    #expect(try events(fixture).count == 97)
  }

  @Test("AWS-P3 more than a hundred events, of all endpoints together, are refused as a whole")
  func tooMany() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let first = (0..<60).map { ("a\($0)", PinpointClient.event()) }
    let second = (0..<41).map { ("b\($0)", PinpointClient.event()) }
    let client = PinpointClient(fixture)
    let answer = await client.put(
      "{" + PinpointClient.batch("e1", "{}", first) + "," + PinpointClient.batch("e2", "{}", second)
        + "}"
    )
    #expect(answer.status == 400)
    #expect(answer.header("x-amzn-ErrorType") == "BadRequestException")
    #expect(try fixture.logged().isEmpty)
    #expect(try await client.endpoint("e1") == nil)
    let endpoints = (0..<101).map { PinpointClient.batch("e\($0)", "{}", []) }
    #expect(await client.put("{" + endpoints.joined(separator: ",") + "}").status == 400)
    #expect(try await client.endpoint("e0") == nil)
  }

  @Test("AWS-P4 a body over 4 MB is too large, as it came and inflated")
  func tooLarge() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    let body = [UInt8](repeating: UInt8(ascii: " "), count: 4_194_305)
    for bytes in [body, try GzipBytes.compress(body)] {
      let answer = await client.send(.post, "/v1/apps/\(PinpointClient.app)/events", body: bytes)
      #expect(answer.status == 413)
      #expect(answer.header("x-amzn-ErrorType") == "PayloadTooLargeException")
      #expect(try answer.value("Message") != nil)
    }
    let small = try GzipBytes.compress(
      Array(
        ("{\"BatchItem\":{" + PinpointClient.batch("e1", "{}", [("a", PinpointClient.event())])
          + "}}").utf8
      )
    )
    let taken = await client.send(.post, "/v1/apps/\(PinpointClient.app)/events", body: small)
    #expect(taken.status == 202)
    #expect(try events(fixture).count == 1)
  }

  @Test("AWS-P5 an event has up to 40 attributes and metrics")
  func keys() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    func event(metrics: Int) -> String {
      let attributes = (0..<30).map { "\"a\($0)\":\"x\"" }.joined(separator: ",")
      let metrics = (0..<metrics).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
      return PinpointClient.event("e", ",\"Attributes\":{\(attributes)},\"Metrics\":{\(metrics)}")
    }
    let answer = await PinpointClient(fixture).put(
      "e1",
      [("a", event(metrics: 10)), ("b", event(metrics: 11))]
    )
    #expect(try answer.statuses("e1") == ["a": 202, "b": 400])
    #expect(try events(fixture).map(\.id) == ["a"])
  }

  @Test("AWS-P6 names have up to 50 characters and values 200, and what is longer is named")
  func lengths() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    func event(key: Int, value: Int) -> String {
      let (key, value) = (String(repeating: "ü", count: key), String(repeating: "é", count: value))
      return PinpointClient.event("e", ",\"Attributes\":{\"\(key)\":\"\(value)\"}")
    }
    let answer = await PinpointClient(fixture).put(
      "e1",
      [
        ("a", event(key: 1, value: 200)), ("b", event(key: 1, value: 201)),
        ("c", event(key: 50, value: 1)), ("d", event(key: 51, value: 1)),
      ]
    )
    #expect(try answer.statuses("e1") == ["a": 202, "b": 400, "c": 202, "d": 400])
    func message(_ id: String) throws -> String? {
      try answer.value("Results", "e1", "EventsItemResponse", id, "Message") as? String
    }
    #expect(try message("b")?.contains("“ü”") == true)
    #expect(try message("d")?.contains(String(repeating: "ü", count: 51)) == true)
  }

  @Test func `a compressed request is read again where its endpoint says something new`()
    async throws
  {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    var received = 0
    for (number, profile) in [#"{"User":{"UserId":"u1"}}"#, "", #"{"User":{"UserId":"u2"}}"#]
      .enumerated()
    {
      // The second says what the first did.
      let profile = profile.isEmpty ? #"{"User":{"UserId":"u1"}}"# : profile
      let batch = PinpointClient.batch(
        "e1",
        profile,
        [("ev\(number)", PinpointClient.event("e\(number)"))]
      )
      let body = try GzipBytes.compress(Array("{\"BatchItem\":{\(batch)}}".utf8))
      received += body.count
      let answer = await client.send(
        .post,
        "/v1/apps/\(PinpointClient.app)/events",
        body: body,
        headers: [Header("Content-Encoding", "gzip")]
      )
      #expect(answer.status == 202)
    }
    #expect(try events(fixture).map(\.name) == ["e0", "e1", "e2"])
    #expect(try events(fixture).map(\.userID) == ["u1", "u1", "u2"])
    // What is read twice is counted once.
    let family = try #require(
      fixture.routes.metrics.families.first { $0.name == "footfall_ingest_received_bytes_total" }
    )
    #expect(family.samples.map(\.value) == [Double(received)])
  }

  @Test("AWS-P7 an event that comes again, whenever, is accepted and counts once")
  func again() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    for endpoint in ["e1", "e1", "E1"] {
      let answer = await client.put(endpoint, [("ev1", PinpointClient.event())])
      #expect(try answer.statuses(endpoint) == ["ev1": 202])
    }
    _ = await client.put("e2", [("ev1", PinpointClient.event())])
    let twice = await client.put(
      "{" + PinpointClient.batch("e3", "{}", [("x", PinpointClient.event())]) + ","
        + PinpointClient.batch("E3", "{}", [("x", PinpointClient.event())]) + "}"
    )
    #expect(try twice.statuses("E3") == ["x": 202])
    let stored = try fixture.stored()
    #expect(Set(try events(fixture).map(\.key)).count == 3)
    #expect(stored.events.filter { $0.name == "e" }.count == 3)
  }

  @Test("AWS-P8 an endpoint's id is one whatever its case, and answers keep the client's")
  func endpointCase() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    await client.update("AbC-1", #"{"Address":"t"}"#)
    let answer = await client.put("abc-1", [("ev1", PinpointClient.event())])
    #expect(try answer.statuses("abc-1") == ["ev1": 202])
    #expect(try await client.endpoint("ABC-1")?["Id"] as? String == "AbC-1")
    #expect(try events(fixture).map(\.deviceID) == ["AbC-1"])
  }

  @Test("AWS-P9 an empty endpoint leaves what is known of it, and need not say whose it is")
  func emptyEndpoint() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    await client.update("e1", #"{"Address":"t1","User":{"UserId":"u1"}}"#)
    let answer = await client.put("e1", [("ev1", PinpointClient.event())])
    #expect(try answer.statuses("e1") == ["ev1": 202])
    #expect(try await client.endpoint("e1")?["Address"] as? String == "t1")
    #expect(try events(fixture).map(\.userID) == ["u1"])
  }

  @Test(
    "AWS-P10 a metric that is no number is that event's fault alone",
    arguments: ["\"NaN\"", "\"Infinity\"", "true", "[1]", "{}", "1e999"]
  )
  func metric(value: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let bad = PinpointClient.event("e", ",\"Metrics\":{\"m\":\(value)}")
    let answer = await PinpointClient(fixture).put(
      "e1",
      [("a", bad), ("b", PinpointClient.event())]
    )
    #expect(try answer.statuses("e1") == ["a": 400, "b": 202])
    #expect(
      try answer.value("Results", "e1", "EndpointItemResponse", "StatusCode") as? Int == 202
    )
  }

  @Test("AWS-P11 an unknown application is not found")
  func unknownApp() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await PinpointClient(fixture).put("{}", app: String(repeating: "1", count: 32))
    #expect(answer.status == 404)
    #expect(answer.header("x-amzn-ErrorType") == "NotFoundException")
  }

  @Test(
    "AWS-P12 what is no JSON, or of another shape, is a bad request with its id in both places",
    arguments: [
      "{", "", "[]", "{}", #"{"BatchItem":[]}"#, #"{"BatchItem":{"e":1}}"#,
      #"{"BatchItem":{"e":{"Events":[]}}}"#, #"{"BatchItem":{"e":{"Endpoint":"x","Events":{}}}}"#,
      "{}x",
    ]
  )
  func unreadable(body: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await PinpointClient(fixture).send(
      .post,
      "/v1/apps/\(PinpointClient.app)/events",
      body: Array(body.utf8)
    )
    #expect(answer.status == 400)
    #expect(answer.header("x-amzn-ErrorType") == "BadRequestException")
    let id = try #require(answer.header("x-amzn-RequestId"))
    #expect(try answer.value("RequestID") as? String == id)
    #expect(try answer.value("Message") as? String != nil)
  }

  @Test("AWS-P13 another method is not allowed", arguments: [HTTPMethod.get, .put, .delete])
  func method(method: HTTPMethod) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await PinpointClient(fixture).send(method, "/v1/apps/\(PinpointClient.app)/events")
    #expect(answer.status == 405)
    #expect(answer.header("x-amzn-ErrorType") == "MethodNotAllowedException")
  }

  @Test(
    "an operation that is not served is not found by AWS's name",
    arguments: [
      (.get, "/v1/apps/\(PinpointClient.app)/segments"),
      (.post, "/v1/apps/\(PinpointClient.app)/campaigns"),
      (.get, "/v1/apps/\(PinpointClient.app)/kpis/daterange/successful-deliveries?page-size=1"),
      (.get, "/v1/apps/\(PinpointClient.app)/channels"),
      (.post, "/v1/apps/\(PinpointClient.app)/messages"),
      (.post, "/v1/apps/\(PinpointClient.app)/jobs/import"), (.get, "/v1/templates"),
      (.post, "/v1/phone/number/validate"), (.get, "/v1/recommenders"),
      (.get, "/v1/tags/arn%3Aaws%3Amobiletargeting"),
    ] as [(HTTPMethod, String)]
  )
  func unserved(method: HTTPMethod, path: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let body: [UInt8] = method == .post ? Array(#"{"Name":"x"}"#.utf8) : []
    let answer = await TestClient(fixture.router).send(method, path, body: body)
    #expect(answer.status == 404)
    #expect(answer.header("x-amzn-ErrorType") == "NotFoundException")
    #expect(answer.header("Content-Type") == "application/json")
    let message = try answer.value("Message") as? String
    #expect(message?.hasPrefix("This server does not have the operation.") == true)
    // Paths of other protocols keep their own answers.
    let other = await TestClient(fixture.router).get("/v1/appsettings")
    #expect(other.status == 404 && other.header("x-amzn-ErrorType") == nil)
  }

  @Test(
    "AWS-P14 any content type will do",
    arguments: ["application/x-amz-json-1.1", "text/plain", "x"]
  )
  func contentType(type: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let items = "{" + PinpointClient.batch("e1", "{}", [("ev1", PinpointClient.event())]) + "}"
    #expect(await PinpointClient(fixture).put(items, contentType: type).status == 202)
    #expect(try events(fixture).count == 1)
  }

  @Test func `an operator may bound the requests of an application`() async throws {
    var settings = IngestSettings()
    settings.maxPutEventsPerSecond = 1
    let fixture = try IngestFixture(settings: settings)
    defer { fixture.log.close() }
    let client = PinpointClient(fixture)
    var statuses: [Int] = []
    for number in 0..<32 {
      let answer = await client.put("e1", [("ev\(number)", PinpointClient.event())])
      statuses.append(answer.status)
      if answer.status == 429 {
        #expect(answer.header("x-amzn-ErrorType") == "TooManyRequestsException")
      }
    }
    #expect(statuses == Array(repeating: 202, count: 30) + [429, 429])
    #expect(try events(fixture).count == 30)
  }

  @Test("AWS-P16 texts are kept byte by byte, however they were escaped")
  func texts() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let text = "käufe/日本 🛒"
    let escaped = #"k\u00e4ufe\/\u65e5\u672c \ud83d\uded2"#
    for (id, spelling) in [("a", text), ("b", escaped)] {
      let event = PinpointClient.event(spelling, #","Attributes":{"\#(spelling)":"\#(spelling)"}"#)
      _ = await PinpointClient(fixture).put("e1", [(id, event)])
    }
    for event in try events(fixture) {
      #expect(event.name == text)
      let properties =
        try JSONSerialization.jsonObject(with: Data(event.properties.utf8)) as? NSDictionary
      #expect(properties == [text: text])
    }
    #expect(try events(fixture).count == 2)
  }

  @Test("AWS-P17 standard events and a hundred types keep their own names")
  func types() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let names =
      ["_session.start", "_monetization.purchase", "_userauth.sign_up"]
      + (0..<97).map { "type-\($0)" }
    let items = names.enumerated().map { ("ev\($0)", PinpointClient.event($1)) }
    let answer = await PinpointClient(fixture).put("e1", items)
    #expect(try answer.statuses("e1").values.allSatisfy { $0 == 202 })
    #expect(try events(fixture).map(\.name) == names)
    #expect(try events(fixture).map(\.sequence) == (0..<100).map(Int64.init))
  }

  @Test func `a metric with the name of an attribute is kept beside it, for charts to find`()
    async throws
  {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let event = PinpointClient.event(
      "e",
      #","Metrics":{"k":1,"m":2,"k":3,"q\"":4},"Attributes":{"k":"v","q\"":"w"}"#
    )
    _ = await PinpointClient(fixture).put("e1", [("a", event)])
    let logged = try #require(try events(fixture).first)
    #expect(
      logged.properties == #"{"k":"v","q\"":"w","m":2,"$metrics.k":3,"$metrics.q\"":4}"#
    )
    #expect(logged.context.isEmpty)
  }

  @Test func `members may come in any order, and twice`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let items =
      #"{"e1":{"Events":{"a":\#(PinpointClient.event())},"x":[1],"Endpoint":{"User":{"UserId":"u"}}}}"#
    let answer = await PinpointClient(fixture).put(items)
    #expect(try answer.statuses("e1") == ["a": 202])
    #expect(try events(fixture).map(\.userID) == ["u"])
    #expect(await PinpointClient(fixture).put("{}").text == #"{"Results":{}}"#)
  }

  @Test(arguments: [
    ("1", 400), ("{}", 400), (#"{"EventType":"e"}"#, 400),
    (#"{"Timestamp":"2025-12-01T09:30:00Z"}"#, 400),
    (#"{"EventType":"","Timestamp":"2025-12-01T09:30:00Z"}"#, 400),
    (
      #"{"EventType":"e","Timestamp":"2025-12-01T09:30:00Z","ClientSdkVersion":"","Attributes":null}"#,
      202
    ),
    (#"{"EventType":"e","Timestamp":"2025-12-01T09:30:00Z","Attributes":[]}"#, 400),
    (#"{"EventType":"e","Timestamp":"2025-12-01T09:30:00Z","Attributes":{"a":1}}"#, 400),
    (#"{"EventType":"e","Timestamp":"2025-12-01T09:30:00Z","Attributes":{"":"1"}}"#, 400),
    (#"{"EventType":"e","Timestamp":"2025-12-01T09:30:00Z","Unknown":{"deep":[1,2]}}"#, 202),
  ])
  func `an event is judged by itself`(event: String, status: Int) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await PinpointClient(fixture).put("e1", [("a", event)])
    #expect(try answer.statuses("e1") == ["a": status])
    #expect(try events(fixture).count == (status == 202 ? 1 : 0))
  }

  @Test func `a bad endpoint is told, and its events are taken`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await PinpointClient(fixture).put(
      "e1",
      saying: #"{"OptOut":"MAYBE"}"#,
      [("a", PinpointClient.event())]
    )
    #expect(try answer.value("Results", "e1", "EndpointItemResponse", "StatusCode") as? Int == 400)
    #expect(try answer.statuses("e1") == ["a": 202])
  }

  @Test func `what an old client says in a header is kept`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let json = #"{"client":{"client_id":"c"}}"#
    let client = PinpointClient(fixture)
    let items = "{" + PinpointClient.batch("e1", "{}", [("a", PinpointClient.event())]) + "}"
    let plain = Header("x-amz-client-context", json)
    let encoded = Header("x-amz-client-context", Data(json.utf8).base64EncodedString())
    _ = await client.put(items, headers: [plain])
    _ = await client.put(
      items,
      headers: [encoded, Header("x-amz-client-context-encoding", "base64")]
    )
    _ = await client.put(items, headers: [encoded])
    var contexts: [String] = []
    _ = try fixture.log.read(from: .start) { bytes, _ in
      do throws(RecordError) {
        contexts.append(String(decoding: try RecordReader(bytes).context, as: UTF8.self))
      } catch { Issue.record(error) }
    }
    let with = #"{"ApplicationId":"\#(PinpointClient.app)","ClientContext":\#(json)}"#
    #expect(contexts == [with, with, #"{"ApplicationId":"\#(PinpointClient.app)"}"#])
  }

  @Test func `a clock that is off is corrected by the signature's date`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    var client = PinpointClient(fixture)
    client.nowMs -= 600_000
    _ = await client.put("e1", [("a", PinpointClient.event())])
    #expect(try fixture.header().clockCorrectionMs == 600_000)
    let other = try IngestFixture()
    defer { other.log.close() }
    client = PinpointClient(other)
    client.nowMs += 600_000
    await client.update("e1", #"{"Metrics":{"m":1}}"#)
    #expect(try other.header().clockCorrectionMs == -600_000)
  }
}
