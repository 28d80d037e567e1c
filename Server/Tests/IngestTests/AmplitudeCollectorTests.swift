import EventRecord
import EventStore
import FootfallSystem
import HTTPServing
import IngestLog
import Insights
import Testing

@testable import Ingest

/// What Amplitude's clients send, from the request to the store.
@Suite(.timeLimit(.minutes(5))) struct `Collecting for Amplitude` {
  static let two = Self.body([Self.event("insert-1"), Self.event("insert-2")])
  static let json = [Header("Content-Type", "application/json")]

  static func event(
    _ insertID: String,
    type: String = "Song Played",
    device: String = "device-1",
    _ members: String = ""
  ) -> String {
    #"{"event_type":"\#(type)","device_id":"\#(device)","insert_id":"\#(insertID)"\#(members)}"#
  }

  static func body(_ events: [String], key: String = "amplitude-key") -> String {
    #"{"api_key":"\#(key)","events":[\#(events.joined(separator: ","))]}"#
  }

  @Test(
    "AMP-V1 two good events are taken by every path, with the documented answer",
    arguments: ["/2/httpapi", "/batch", "/", "/collect/2/httpapi", "/collect/batch", "/httpapi"]
  )
  func paths(path: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await TestClient(fixture.router).post(path, headers: Self.json, text: Self.two)
    #expect(answer.status == 200)
    let size = Self.two.utf8.count
    #expect(
      answer.text
        == #"{"code":200,"events_ingested":2,"payload_size_bytes":\#(size),"server_upload_time":\#(IngestFixture.now)}"#
    )
    #expect(try fixture.logged().map(\.id) == ["insert-1", "insert-2"])
  }

  @Test(
    "AMP-V2 compressed, as text and without a content type, whatever the headers say",
    arguments: [
      (["Content-Type": "application/json", "Content-Encoding": "gzip"], true),
      (["Content-Type": "application/json"], true),
      (["Content-Type": "application/json", "Content-Encoding": "gzip"], false),
      (["Content-Type": "text/plain;charset=UTF-8"], false), ([:], false),
      (["Content-Type": "application/x-www-form-urlencoded"], false),
    ] as [([String: String], Bool)]
  )
  func forms(headers: [String: String], isCompressed: Bool) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let plain = Array(Self.two.utf8)
    let answer = await TestClient(fixture.router).post(
      "/2/httpapi",
      headers: headers.map { Header($0.key, $0.value) },
      body: isCompressed ? try GzipBytes.compress(plain) : plain
    )
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""payload_size_bytes":\#(plain.count),"#))
    #expect(try fixture.logged().count == 2)
  }

  @Test("AMP-V3 an insert id counts once per device, in one request and in the next")
  func repeats() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    let twice = Self.body([Self.event("insert-1"), Self.event("insert-1")])
    let again = Self.body([Self.event("insert-1"), Self.event("insert-1", device: "device-2")])
    for body in [twice, again] {
      let answer = await client.post("/2/httpapi", text: body)
      #expect(answer.status == 200)
      #expect(answer.text.contains(#""events_ingested":2,"#))
    }
    #expect(try fixture.stored().events.map(\.deviceID) == ["device-1", "device-2"])
  }

  @Test(
    "AMP-V4 another event eight days later counts again, the same one delivered again does not",
    arguments: [(8 as Int64, 2), (0, 1)]
  )
  func repeatsLater(daysLater: Int64, counted: Int) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    let day: Int64 = 86_400_000
    for time in [IngestFixture.now, IngestFixture.now + daysLater * day] {
      let event = Self.event("insert-1", #","time":\#(time)"#)
      #expect(await client.post("/2/httpapi", text: Self.body([event])).status == 200)
      fixture.clock.withLock { $0 += 8 * day }
    }
    #expect(try fixture.stored().events.count == counted)
  }

  @Test(
    "AMP-V7 an unknown key is refused with the text that clients look for, and nothing is kept",
    arguments: ["/2/httpapi", "/batch", "/"]
  )
  func unknownKey(path: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let body = Self.body([Self.event("insert-1")], key: "NOPE")
    let answer = await TestClient(fixture.router).post(path, headers: Self.json, text: body)
    #expect(answer.status == 400)
    #expect(answer.text == #"{"code":400,"error":"Invalid API key: NOPE"}"#)
    #expect(try fixture.logged().isEmpty)
  }

  @Test("AMP-V11 too many events, too many bytes and too much behind a small gzip are 413 in JSON")
  func tooLarge() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    let many = Self.body((0...2_000).map { Self.event("insert-\($0)") })
    let wide = Self.event(
      "wide",
      #","event_properties":{"a":"\#(String(repeating: "x", count: 550_000))"}"#
    )
    let large = Array(Self.body([wide, wide.replacing("wide", with: "broad")]).utf8)
    let bomb = try GzipBytes.compress([UInt8](repeating: UInt8(ascii: " "), count: 50 << 20))
    for body in [Array(many.utf8), large, bomb] {
      let answer = await client.post("/2/httpapi", headers: Self.json, body: body)
      #expect(answer.status == 413)
      #expect(answer.text == #"{"code":413,"error":"Payload too large"}"#)
    }
    #expect(try fixture.logged().isEmpty)
    #expect(await client.post("/batch", headers: Self.json, body: large).status == 200)
    #expect(try fixture.logged().count == 2)
  }

  @Test(
    "AMP-V22 a browser on any site may send with the header fields it asks for",
    arguments: ["/2/httpapi", "/batch", "/", "/identify", "/groupidentify", "/httpapi"]
  )
  func preflight(path: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await TestClient(fixture.router).send(
      .options,
      path,
      headers: [
        Header("Origin", "https://a.example"), Header("Access-Control-Request-Method", "POST"),
        Header("Access-Control-Request-Headers", "content-encoding, x-custom, bad\u{1}name"),
      ]
    )
    #expect(answer.status == 204)
    #expect(answer.header("Access-Control-Allow-Origin") == "*")
    #expect(answer.header("Access-Control-Allow-Methods")?.contains("POST") == true)
    let allowed = answer.header("Access-Control-Allow-Headers")?.lowercased()
      .split(separator: ",").map { $0.drop { $0 == " " } }
    for name in ["content-type", "content-encoding", "accept", "x-custom"] {
      #expect(allowed?.contains(Substring(name)) == true)
    }
    #expect(allowed?.contains { $0.contains("bad") } == false)
  }

  @Test("AMP-V28 what is sent with one project's key is in no answer about another")
  func projects() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    #expect(await TestClient(fixture.router).post("/2/httpapi", text: Self.two).status == 200)
    let store = try fixture.stored()
    for (project, count) in [(7 as UInt32, 2), (8, 0)] {
      #expect(try RecentEvents(project: project).run(on: store).count == count)
      #expect(
        try EventNames(project: project).run(on: store).map(\.count) == (count == 0 ? [] : [2])
      )
      #expect(try Self.people(project, store) == min(count, 1))
    }
  }

  @Test("AMP-V42 a user on two devices is one user")
  func oneUserOnTwoDevices() async throws {
    let events = ["device-1", "device-2"].map {
      Self.event("insert-\($0)", device: $0, #","user_id":"user-1""#)
    }
    #expect(try await Self.people(events) == 1)
  }

  @Test("AMP-V43 two apps with one device id and no user are one user")
  func oneDeviceInTwoApps() async throws {
    let events = ["one", "two"].map {
      Self.event("insert-\($0)", device: "shared-device", #","app":"\#($0)""#)
    }
    #expect(try await Self.people(events) == 1)
  }

  @Test(
    "AMP-V18 a second user on a device is someone else, and what comes in between is the first's"
  )
  func twoUsersOnOneDevice() async throws {
    let store = try await Self.stored([
      ("G", ""), ("G", "user-john"), ("G", ""), ("G", "user-mary"),
    ])
    #expect(try Self.people(7, store) == 2)
    #expect(Self.owners(store) == ["user-john", "user-john", "user-john", "user-mary"])
  }

  @Test(
    "AMP-V44 after a reset a new device is a second user, the old one stays the first's",
    arguments: [
      ("device-H", 2, ["user-john", "device-H"]), ("device-G", 1, ["user-john", "user-john"]),
    ]
  )
  func resetDevice(device: String, count: Int, owners: [String]) async throws {
    let store = try await Self.stored([("device-G", "user-john"), (device, "")])
    #expect(try Self.people(7, store) == count)
    #expect(Self.owners(store) == owners)
  }

  /// What becomes of one event for each device and user, a second apart and sent in reverse.
  private static func stored(
    _ seen: [(device: String, user: String)]
  ) async throws -> InMemoryEventStore {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    for (number, seen) in seen.enumerated().reversed() {
      let user = seen.user.isEmpty ? "" : #","user_id":"\#(seen.user)""#
      let event = event(
        "insert-\(number)",
        device: seen.device.count < 5 ? "device-" + seen.device : seen.device,
        #","time":\#(IngestFixture.now + Int64(number) * 1_000)\#(user)"#
      )
      let answer = await TestClient(fixture.router).post("/2/httpapi", text: body([event]))
      try #require(answer.status == 200, "\(answer.text)")
    }
    return try fixture.stored()
  }

  /// Whose each event is, in the order of their times.
  private static func owners(_ store: InMemoryEventStore) -> [String] {
    let people = PeopleMap(store.events)
    return store.events.sorted { $0.timestampMs < $1.timestampMs }.map { people.personID(of: $0) }
  }

  static func people(_ project: UInt32, _ store: InMemoryEventStore) throws -> Int {
    try ActivePeople(Scope(project: project, fromMs: 0, toMs: .max)).run(on: store)
  }

  private static func people(_ events: [String]) async throws -> Int {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    for event in events {
      #expect(
        await TestClient(fixture.router).post("/2/httpapi", text: body([event])).status == 200
      )
    }
    let store = try fixture.stored()
    #expect(store.events.count == events.count)
    return try people(7, store)
  }
}
