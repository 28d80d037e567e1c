import Catalog
import EventRecord
import EventStore
import Foundation
import FootfallJournal
import HTTPServing
import IngestLog
import SigV4
import Testing
import Wire

@testable import Ingest

/// What is kept of Pinpoint's applications beside events and endpoints.
@Suite(.timeLimit(.minutes(5))) struct `Applications of Pinpoint` {
  /// A collector with one application.
  private struct World {
    var streams: StreamFixture
    let app: String

    init() throws {
      streams = try StreamFixture()
      app = try streams.catalog.addPinpointApp(project: streams.project, name: "App").id
    }

    func send(_ method: HTTPMethod, _ path: String, _ body: String = "") async -> Response {
      let signer = RequestSigner(
        accessKeyID: streams.key,
        secret: StreamFixture.secret,
        service: "mobiletargeting"
      )
      let body = Array(body.utf8)
      let path = "/v1/apps/\(app)\(path)"
      let headers = signer.signed(
        method: method.rawValue,
        path: path,
        ["host": "127.0.0.1:4001"],
        body: body,
        atMs: StreamFixture.now
      ).map { Header($0.name, $0.value) }
      return await TestClient(streams.router).send(method, path, headers: headers, body: body)
    }

    func put(_ endpoint: String, saying json: String = "{}", _ events: String) async -> Response {
      await send(
        .post,
        "/events",
        #"{"BatchItem":{"\#(endpoint)":{"Endpoint":\#(json),"Events":{\#(events)}}}}"#
      )
    }

    /// What a store makes of the log.
    func stored() throws -> InMemoryEventStore {
      let store = InMemoryEventStore()
      var batch = LoadBatch(log: JournalID(high: 1, low: 1))
      _ = try streams.log.read(from: .start) { bytes, position in
        batch.append(bytes, upTo: position)
      }
      _ = try store.load(batch)
      return store
    }
  }

  // MARK: Settings

  @Test func `settings are kept member by member and told`() async throws {
    var world = try World()
    defer { world.streams.close() }
    let none = await world.send(.get, "/settings")
    #expect(none.text == #"{"ApplicationId":"\#(world.app)"}"#)
    let first = await world.send(
      .put,
      "/settings",
      """
      {"Limits":{"Daily":3,"Total":9,"Other":1},"QuietTime":{"Start":"22:00","End":"06:00"},
       "CloudWatchMetricsEnabled":true,"CampaignHook":null,"Unknown":[1]}
      """
    )
    #expect(first.status == 200)
    #expect(try first.value("Limits") as? [String: Int] == ["Daily": 3, "Total": 9])
    let second = await world.send(.put, "/settings", #"{"Limits":{"Daily":5}}"#)
    #expect(try second.value("Limits") as? [String: Int] == ["Daily": 5])
    #expect(try second.value("QuietTime", "Start") as? String == "22:00")
    #expect(try second.value("LastModifiedDate") as? String == "2026-11-02T09:30:15.000Z")
    try world.streams.restart()
    #expect(await world.send(.get, "/settings").text == second.text)
  }

  @Test(arguments: [
    #"{"Limits":{"Daily":-1}}"#, #"{"Limits":{"Daily":1.5}}"#, #"{"Limits":[]}"#,
    #"{"QuietTime":{"Start":22}}"#, #"{"CampaignHook":{"Mode":"MAYBE"}}"#,
    #"{"CloudWatchMetricsEnabled":"yes"}"#, "{", "[]",
  ])
  func `settings of another shape change nothing`(body: String) async throws {
    let world = try World()
    defer { world.streams.close() }
    let answer = await world.send(.put, "/settings", body)
    #expect(answer.status == 400)
    #expect(answer.header("x-amzn-ErrorType") == "BadRequestException")
    #expect(await world.send(.get, "/settings").text == #"{"ApplicationId":"\#(world.app)"}"#)
  }

  // MARK: Event streams

  @Test(
    "AWS-D17 an event that is accepted is one line in the application's stream, with its endpoint"
  )
  func copies() async throws {
    var world = try World()
    defer { world.streams.close() }
    try world.streams.catalog.createStream("copies", kind: .kinesis, project: world.streams.project)
    #expect(
      await world.put("before", #""a":{"EventType":"e","Timestamp":"2026-11-02T09:30:00Z"}"#)
        .status == 202
    )
    let arn = "arn:aws:kinesis:eu-central-1:123456789012:stream/copies"
    let made = await world.send(
      .post,
      "/eventstream",
      #"{"DestinationStreamArn":"\#(arn)","RoleArn":"arn:aws:iam::123456789012:role/r"}"#
    )
    #expect(made.status == 200)
    #expect(try made.value("DestinationStreamArn") as? String == arn)
    #expect(try made.value("LastUpdatedBy") as? String == world.streams.key)
    // What is put holds after a start, too.
    try world.streams.restart()
    #expect(await world.send(.get, "/eventstream").text == made.text)
    let said =
      #"{"Address":"a\"b","Demographic":{"Platform":"iOS","PlatformVersion":"19.1","Locale":"de_AT"},"User":{"UserId":"u1"}}"#
    let answer = await world.put(
      "E-1",
      saying: said,
      """
      "ev1":{"EventType":"play","Timestamp":"2026-11-02T09:30:00.250Z","AppPackageName":"com.example",
        "SdkName":"sdk","ClientSdkVersion":"1","Attributes":{ "na me" : "x\\" y" },
        "Metrics":{"m": 1.5},
        "Session":{"Id":"s1","StartTimestamp":"2026-11-02T09:30:00.000Z","Duration":1}},
      "bad":{"EventType":"play","Timestamp":"z"}
      """
    )
    #expect(try answer.statuses("E-1") == ["ev1": 202, "bad": 400])
    let lines = await world.streams.read("copies").map(StreamFixture.text)
    try #require(lines.count == 1)
    #expect(lines[0].hasSuffix("\n") && lines[0].dropLast().allSatisfy { $0 != "\n" })
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? NSDictionary
    )
    let custom = (record["client_context"] as? NSDictionary)?["custom"] as? NSDictionary
    let text = try #require(custom?["endpoint"] as? String)
    let endpoint = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    #expect(endpoint?["Id"] as? String == "E-1")
    #expect(endpoint?["Address"] as? String == #"a"b"#)
    #expect((endpoint?["User"] as? NSDictionary)?["UserId"] as? String == "u1")
    let rest = try #require(record.mutableCopy() as? NSMutableDictionary)
    rest.removeObject(forKey: "client_context")
    #expect(
      rest == [
        "event_type": "play", "event_timestamp": 1_793_611_800_250,
        "arrival_timestamp": StreamFixture.now, "event_version": "3.1",
        "application": [
          "app_id": world.app, "package_name": "com.example",
          "sdk": ["name": "sdk", "version": "1"],
        ],
        "client": ["client_id": "E-1"],
        "device": [
          "locale": ["code": "de_AT", "language": "de", "country": "AT"],
          "platform": ["name": "iOS", "version": "19.1"],
        ],
        "session": ["session_id": "s1", "start_timestamp": 1_793_611_800_000],
        "attributes": ["na me": #"x" y"#], "metrics": ["m": 1.5],
        "awsAccountId": "123456789012",
      ] as NSDictionary
    )
    // The copy is the stream's, not another event.
    #expect(try world.stored().events.filter { $0.kind == .event }.map(\.name) == ["e", "play"])
    // An endpoint that says the same again is in the copy all the same.
    _ = await world.put(
      "e-1",
      saying: said,
      #""ev2":{"EventType":"stop","Timestamp":"2026-11-02T09:30:01Z"}"#
    )
    let second = await world.streams.read("copies").map(StreamFixture.text)
    #expect(second.count == 2 && second[1].contains(#"\"UserId\":\"u1\""#))
    let gone = await world.send(.delete, "/eventstream")
    #expect(gone.status == 200 && gone.text == made.text)
    #expect(await world.send(.get, "/eventstream").status == 404)
    #expect(await world.send(.delete, "/eventstream").status == 404)
    _ = await world.put("e-1", #""ev3":{"EventType":"more","Timestamp":"2026-11-02T09:30:02Z"}"#)
    #expect(await world.streams.read("copies").count == 2)
  }

  @Test(arguments: [
    "{}", "{", #"{"DestinationStreamArn":"arn:aws:kinesis:x:123456789012:stream/copies"}"#,
    #"{"DestinationStreamArn":"copies","RoleArn":"r"}"#,
    #"{"DestinationStreamArn":"arn:aws:kinesis:x:123456789012:stream/none","RoleArn":"r"}"#,
    #"{"DestinationStreamArn":"arn:aws:firehose:x:123456789012:deliverystream/copies","RoleArn":"r"}"#,
    #"{"DestinationStreamArn":"arn:aws:sqs:x:123456789012:stream/copies","RoleArn":"r"}"#,
  ])
  func `an event stream that goes nowhere is refused`(body: String) async throws {
    let world = try World()
    defer { world.streams.close() }
    try world.streams.catalog.createStream("copies", kind: .kinesis, project: world.streams.project)
    let answer = await world.send(.post, "/eventstream", body)
    #expect(answer.status == 400, "\(answer.text)")
    #expect(await world.send(.get, "/eventstream").status == 404)
  }

  // MARK: Attributes

  @Test func `names are taken away from all endpoints, by pattern, and from what charts know`()
    async throws
  {
    var world = try World()
    defer { world.streams.close() }
    for number in 0..<3 {
      let answer = await world.send(
        .put,
        "/endpoints/e\(number)",
        """
        {"Attributes":{"color_\(number)":["red"],"plan":["pro"],"Color_9":["x"]},"Metrics":{"level":1,"lives":2},
         "User":{"UserId":"u\(number % 2)","UserAttributes":{"team":["a"],"tier":["b"]}}}
        """
      )
      #expect(answer.status == 202)
    }
    func remove(_ kind: String, _ names: String) async -> Response {
      await world.send(.put, "/attributes/\(kind)", #"{"Blacklist":[\#(names)]}"#)
    }
    let custom = await remove("endpoint-custom-attributes", #""color_*","none""#)
    #expect(custom.status == 200)
    #expect(
      try custom.value() == [
        "ApplicationId": world.app, "AttributeType": "endpoint-custom-attributes",
        "Attributes": ["color_0", "color_1", "color_2"],
      ] as NSDictionary
    )
    let metrics = await remove("endpoint-metric-attributes", #""l*l""#)
    #expect(try metrics.value("Attributes") as? [String] == ["level"])
    let users = await remove("endpoint-user-attributes", #""team""#)
    #expect(try users.value("Attributes") as? [String] == ["team"])
    #expect(
      try await remove("endpoint-user-attributes", #""team""#).value("Attributes") as? [String]
        == []
    )
    try world.streams.restart()
    for number in 0..<3 {
      let endpoint = await world.send(.get, "/endpoints/e\(number)")
      #expect(
        try endpoint.value("Attributes") == ["plan": ["pro"], "Color_9": ["x"]] as NSDictionary
      )
      #expect(try endpoint.value("Metrics") == ["lives": 2] as NSDictionary)
      #expect(try endpoint.value("User", "UserAttributes") == ["tier": ["b"]] as NSDictionary)
    }
    let changes = try world.stored().events.filter { $0.operations.contains("$unset") }
    #expect(changes.count == 8)
    #expect(changes.contains { $0.userID == "u1" && $0.operations == #"{"$unset":{"team":"-"}}"# })
  }

  @Test(arguments: [
    ("endpoint-attributes", #"{"Blacklist":["a"]}"#), ("endpoint-custom-attributes", "{}"),
    ("endpoint-custom-attributes", #"{"Blacklist":[]}"#),
    ("endpoint-custom-attributes", #"{"Blacklist":[""]}"#), ("endpoint-custom-attributes", "{"),
    ("endpoint-custom-attributes", #"{"Blacklist":"a"}"#),
  ])
  func `a removal that says not what is to go is refused`(kind: String, body: String) async throws {
    let world = try World()
    defer { world.streams.close() }
    #expect(await world.send(.put, "/attributes/\(kind)", body).status == 400)
  }

  @Test(arguments: [
    ("a*", "a", true), ("a*", "abc", true), ("*c", "abc", true), ("a*c", "abdc", true),
    ("a*b*c", "aXbYbZc", true), ("*", "", true), ("a", "A", false), ("a*c", "abcd", false),
    ("a**b", "ab", true), ("ab", "a", false),
  ])
  func `a star stands for any characters`(pattern: String, name: String, matches: Bool) throws {
    let body = Array(#"{"Blacklist":["\#(pattern)"]}"#.utf8)
    let attributes = try body.withUnsafeBytes {
      try PinpointAttributes(kind: "endpoint-custom-attributes", $0)
    }
    #expect(attributes.contains(name) == matches)
  }
}
