import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import Foundation
import Testing

@Suite struct `Amplitude: what is sent` {
  private let codec = AmplitudeCodec(key: "demo-api-key-0001", gzip: .none)

  private func event(
    _ number: Int64,
    _ name: EventName,
    _ properties: Properties = [:],
    seconds: Int64? = nil
  ) -> Event {
    Event(
      name,
      properties,
      identifier: .own("5f0b7c9e-1111-4222-8333-00000000000\(number)"),
      milliseconds: 1_764_581_400_000 + (seconds ?? number) * 1_000,
      sequence: number,
      deviceID: "device-1",
      userID: "user-12345",
      context: [.library: "amplitude-python/1.3.0"]
    )
  }

  /// The bytes of events as they are stored.
  private func encode(_ events: [Event]) -> [UInt8] {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    for event in events {
      if buffer.count > 0 { buffer.append(",\n") }
      #expect(codec.encode(event, into: &buffer, losses: &losses) == nil)
    }
    #expect(losses.isEmpty)
    return buffer.bytes
  }

  private func body(_ events: [Event]) -> [UInt8] {
    let content = BatchContent(
      events: encode(events)[...],
      count: events.count,
      commonContent: []
    )
    let attempt = AttemptInfo(sentAtMilliseconds: 1_764_581_400_000, losses: DropCounts())
    return codec.request(content, attempt: attempt).body
  }

  private static func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/wire/amplitude/\(name)").standardized
  }

  /// The events of a body as text of one form, without what only one of the two clients sends.
  private func events(_ body: Data) throws -> [String] {
    let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    #expect(object["api_key"] as? String == "demo-api-key-0001")
    let events = try #require(object["events"] as? [[String: Any]])
    return try events.map { event in
      var event = event
      event["event_id"] = nil
      if event["session_id"] as? Int == -1 { event["session_id"] = nil }
      let text = try JSONSerialization.data(withJSONObject: event, options: [.sortedKeys])
      return String(decoding: text, as: UTF8.self)
    }
  }

  private func expectSame(_ own: [Event], as recording: String) throws {
    let ours = try events(Data(body(own)))
    let theirs = try events(Data(contentsOf: Self.fixture(recording)))
    #expect(ours == theirs)
  }

  @Test func `events have the shape that the official client was recorded with`() throws {
    var song = event(
      1,
      "Song Played",
      [
        "artist": "Björk 🎧 日本", "duration_seconds": 185, "genres": ["rock", "pop"],
        "live": false, "rating": 4.5, "title": "Here Comes the Sun",
      ]
    )
    song.sessionID = 1_764_581_400_000
    var screen = event(2, "Screen Viewed")
    screen.userID = nil
    screen.sessionID = .outside
    screen.groups = ["orgId": ["15"], "sport": ["tennis", "soccer"]]
    screen.userOperations = .set("plan", "free")
    screen.context = screen.context.filled(from: Self.context)
    var text = event(3, "Text\n\"quoted\"\\")
    text.deviceID = nil
    text.userID = "użytkownik"
    try expectSame([song, screen, text], as: "python-1.3.0-track.json")
  }

  private static let context: EventContext = [
    .statedAppVersion: "4.2.0", .carrier: "Acme Mobile", .city: "Warsaw", .country: "Poland",
    .brand: "Apple", .manufacturer: "Apple", .model: "iPhone15,2", .marketArea: "",
    .vendorID: "0A1B2C3D-0000-4000-8000-000000000001",
    .ingestionMetadata: ["source_name": "src", "source_version": "2.0"], .ip: "203.0.113.7",
    .language: "pl-PL", .latitude: 52.23, .longitude: 21.01, .osName: "ios", .osVersion: "17.4",
    .partnerID: "partner-1",
    .plan: ["branch": "main", "source": "web", "version": "1", "versionId": "v1"],
    .platform: "iOS", .region: "Mazovia",
  ]

  @Test func `identifies have the shape that the official client was recorded with`() throws {
    var person = event(4, .identify)
    person.userOperations = .set("plan", "pro").setOnce("first_seen", "2025-12-01")
      .add("logins", 1).append("tags", "a").prepend("tags2", ["x", "y"]).preInsert("r", "s")
      .postInsert("p", "q").remove("t", "u").unset("gone")
    var cleared = event(5, .identify)
    cleared.userOperations = .clearAll()
    var grouped = event(6, .identify)
    grouped.groups = ["orgId": ["15", "16"]]
    grouped.userOperations = .set("orgId", ["15", "16"])
    var group = event(7, .groupIdentify)
    group.groups = ["orgId": ["15"]]
    group.groupOperations = .add("logins", 2).set("seats", 250)
    cleared.deviceID = nil
    grouped.deviceID = nil
    (group.deviceID, group.userID) = (nil, nil)
    try expectSame([person, cleared, grouped, group], as: "python-1.3.0-identify.json")
  }

  @Test func `the bytes are those that the server is tested with`() throws {
    let purchase = try #require(
      {
        var revenue = FootfallCore.Revenue(price: 3.99, quantity: 3)
        revenue.productID = "com.example.pro_annual"
        revenue.currency = "USD"
        revenue.properties = ["coupon": "FALL26"]
        return revenue.content
      }()
    )
    var bought = event(1, purchase.name, purchase.properties)
    bought.sessionID = 1_764_581_400_000
    bought.context = [
      .library: "footfall-swift/1.0.0", .platform: "iOS", .os: "iOS 19.1", .osName: "ios",
      .osVersion: "19.1", .model: "iPhone17,2", .appVersion: "4.2.0", .build: "881", .ip: "$remote",
      .language: "en", .timeZone: "Europe/London", .extra: "private",
    ]
    var person = event(2, .identify)
    person.context = bought.context
    person.userOperations = .set("plan", "pro").add("logins", 1)
    var group = event(3, .groupIdentify)
    group.groups = ["orgId": ["15"]]
    group.groupOperations = .set("seats", 250)
    group.context = bought.context
    let body = Data(body([bought, person, group]))
    let file = Self.fixture("sdk.json")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" { try body.write(to: file) }
    #expect(try Data(contentsOf: file) == body)
  }

  @Test func `AMP T9: an event of nobody is not sent, a change to a group is`() {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    var lonely = event(1, "a")
    (lonely.deviceID, lonely.userID) = (nil, nil)
    #expect(codec.encode(lonely, into: &buffer, losses: &losses) == .invalid)
    lonely.name = .groupIdentify
    #expect(codec.encode(lonely, into: &buffer, losses: &losses) == nil)
  }

  @Test func `texts are cut at 1,024 characters, whatever bytes those have`() throws {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    let long = event(1, "a", ["t": .string(String(repeating: "日", count: 1_025))])
    #expect(codec.encode(long, into: &buffer, losses: &losses) == nil)
    let text = String(decoding: buffer.bytes, as: UTF8.self)
    #expect(text.count { $0 == "日" } == 1_024)
    #expect(losses.byReason == [.textCut: 1])
  }

  @Test func `a minimum length of ids is said in the options`() throws {
    var codec = codec
    codec.minIDLength = 3
    let content = BatchContent(events: [], count: 0, commonContent: [])
    let attempt = AttemptInfo(sentAtMilliseconds: 0, losses: DropCounts())
    let text = String(decoding: codec.request(content, attempt: attempt).body, as: UTF8.self)
    #expect(text.contains(#""options":{"min_id_length":3}"#))
  }

  @Test func `the id and name of a stored event are found again`() throws {
    let stored = encode([event(1, "Text\n\"quoted\"\\")])
    let identity = try #require(codec.identity(of: stored[...]))
    #expect(identity == ("5f0b7c9e-1111-4222-8333-000000000001", "Text\n\"quoted\"\\"))
  }

  @Test(arguments: [
    "", "<html>", "[]", #"{"error":7}"#, #"{"events_with_invalid_fields":[1]}"#,
    #"{"silenced_events":["a"],"silenced_devices":{"D1":1}}"#,
    #"{"events_with_missing_fields":{"time":[7]}}"#,
  ])
  func `a refusal that names no event of the request explains nothing`(answer: String) {
    let stored = encode([event(1, "a")])
    let batch = BatchContent(events: stored[...], count: 1, commonContent: [])
    let response = UploadResponse.answered(status: 400, headers: [:], body: Array(answer.utf8))
    guard case .unexplained(400, _) = codec.verdict(response, for: batch, now: 0) else {
      Issue.record("it explained something")
      return
    }
  }
}
