import EventRecord
import EventStore
import FootfallSystem
import HTTPServing
import IngestLog
import Insights
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Amplitude's forms` {
  private static let form = [Header("Content-Type", "application/x-www-form-urlencoded")]

  /// A body as a browser encodes it.
  private static func encoded(_ fields: KeyValuePairs<String, String>) -> String {
    fields.map { name, value in
      let bytes = value.utf8.map { byte -> String in
        let scalar = Unicode.Scalar(byte)
        return byte < 0x80 && scalar.properties.isAlphabetic
          ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return name + "=" + bytes.joined()
    }.joined(separator: "&")
  }

  private static let person = #"{"user_id":"user-1","user_properties":{"$set":{"plan":"pro"}}}"#

  @Test func `a person's properties are updated so often an hour and no more, another's go on`()
    async throws
  {
    var settings = IngestSettings()
    settings.maxIdentifiesPerHour = 3
    let fixture = try IngestFixture(settings: settings)
    defer { fixture.log.close() }
    func send(_ people: String...) async -> Response {
      let list = people.map { #"{"user_id":"\#($0)","user_properties":{"a":1}}"# }
      let fields: KeyValuePairs = [
        "api_key": "amplitude-key", "identification": "[\(list.joined(separator: ","))]",
      ]
      return await TestClient(fixture.router).post(
        "/identify",
        headers: Self.form,
        text: Self.encoded(fields)
      )
    }
    #expect(await send("user-1", "user-1").status == 200)
    #expect(await send("user-1", "user-2").status == 200)
    let refused = await send("user-1")
    #expect(refused.status == 429)
    #expect(refused.header("Retry-After") == "15")
    #expect(await send("user-2").status == 200)
    fixture.clock.withLock { $0 += 3_600_000 }
    #expect(await send("user-1").status == 200)
    #expect(try fixture.logged().count == 6)
  }

  @Test(arguments: ["/identify", "/groupidentify", "/attribution"])
  func `a body that is no form is called that, whatever its key`(path: String) async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    for headers in [[Header("Content-Type", "application/json")], Self.form] {
      let answer = await TestClient(fixture.router).post(
        path,
        headers: headers,
        text: #"{"api_key":"amplitude-key","identification":[\#(Self.person)]}"#
      )
      #expect(answer.status == 400 && answer.text.hasPrefix("not_a_form: send the fields api_key"))
    }
    let none = await TestClient(fixture.router).post(path, headers: Self.form, text: "")
    #expect(none.status == 400 && none.text == "invalid_api_key")
  }

  @Test func `an attribution is an event of its device`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await TestClient(fixture.router).post(
      "/attribution",
      headers: Self.form,
      text: Self.encoded([
        "api_key": "amplitude-key", "event": #"{"event_type":"[Partner] Install","idfv":"V-1"}"#,
      ])
    )
    #expect(answer.status == 200 && answer.text == "success")
    let stored = try fixture.stored().events
    #expect(stored.map(\.deviceID) == ["V-1"])
    #expect(stored.map(\.name) == ["[Partner] Install"])
    #expect(await TestClient(fixture.router).get("/attribution").status == 405)
  }

  @Test(
    "AMP-V20 property changes by form, in a list and by address; they are no event and no active user"
  )
  func identify() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    let one = Self.encoded(["api_key": "amplitude-key", "identification": Self.person])
    let list = Self.encoded(["api_key": "amplitude-key", "identification": "[\(Self.person)]"])
    let parts = """
      --b0undary\r\nContent-Disposition: form-data; name="api_key"\r\n\r\namplitude-key\r
      --b0undary\r\nContent-Disposition: form-data; name="identification"\r\n\r\n\(Self.person)\r
      --b0undary--\r\n
      """
    let answers = [
      await client.post("/identify", headers: Self.form, text: one),
      await client.post("/identify", headers: Self.form, text: list),
      await client.post(
        "/identify",
        headers: [Header("Content-Type", "multipart/form-data; boundary=\"b0undary\"")],
        text: parts
      ),
      await client.get("/identify?" + one),
    ]
    #expect(answers.map(\.status) == [200, 200, 200, 200])
    #expect(answers.map(\.text) == Array(repeating: "success", count: 4))
    #expect(answers[0].header("Content-Type")?.hasPrefix("text/plain") == true)
    let store = try fixture.stored()
    let logged = try fixture.logged()
    #expect(logged.map(\.operations) == Array(repeating: #"{"$set":{"plan":"pro"}}"#, count: 4))
    #expect(logged.allSatisfy { $0.kind == .identify && $0.userID == "user-1" })
    // The same sent again within minutes is a request whose answer was lost.
    #expect(store.events.count == 1)
    #expect(try EventNames(project: 7).run(on: store).isEmpty)
    #expect(try `Collecting for Amplitude`.people(7, store) == 0)

    let missing = await client.post(
      "/identify",
      headers: Self.form,
      text: Self.encoded(["api_key": "amplitude-key"])
    )
    #expect(missing.status == 400)
    #expect(missing.text == "missing_event")
  }

  @Test(
    "a sum sent again within minutes adds once, later and twice in one request it adds again",
    arguments: [(1, 0, 1), (1, 599_999, 1), (1, 600_000, 2), (2, 0, 2), (2, 60_000, 2)]
      as [(Int, Int64, Int64)],
    ["/identify", "/groupidentify"]
  )
  func sumsSentAgain(case: (perRequest: Int, laterMs: Int64, sum: Int64), path: String) async throws
  {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    // The beginning of a minute, so that the minutes' edges are where the times say.
    fixture.clock.withLock { $0 = $0 / 60_000 * 60_000 }
    let isGroup = path == "/groupidentify"
    let object =
      isGroup
      ? #"{"group_type":"org","group_value":"15","group_properties":{"$add":{"n":1}}}"#
      : #"{"user_id":"user-1","user_properties":{"$add":{"n":1}}}"#
    let list = Array(repeating: object, count: `case`.perRequest).joined(separator: ",")
    let body = Self.encoded(["api_key": "amplitude-key", "identification": "[\(list)]"])
    for _ in 0..<2 {
      let answer = await TestClient(fixture.router).post(path, headers: Self.form, text: body)
      #expect(answer.status == 200)
      fixture.clock.withLock { $0 += `case`.laterMs }
    }
    let subject: CurrentProperties.Subject =
      isGroup ? .group(type: "org", name: "15") : .user("user-1")
    let state = try CurrentProperties(project: 7, of: subject).run(on: try fixture.stored())
    #expect(state.properties == ["n": .integer(`case`.sum)])
  }

  @Test("AMP-V23 the form of old clients is taken at the root, and its answers are words")
  func legacy() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    let events = #"""
      [{"event_type":"Song Played","device_id":"device-1","timestamp":\#(IngestFixture.now - 5_000),"uuid":"uuid-1","event_id":4,"sequence_number":9,"library":{"name":"amplitude-ios","version":"4.0"}}]
      """#
    func body(key: String) -> String {
      Self.encoded([
        "v": "3", "client": key, "e": events, "upload_time": String(IngestFixture.now - 100_000),
      ])
    }
    let answer = await client.post("/", headers: Self.form, text: body(key: "amplitude-key"))
    #expect(answer.status == 200)
    #expect(answer.text == "success")
    let stored = try #require(try fixture.logged().first)
    #expect(stored.id == "uuid-1")
    #expect(stored.timestampMs == IngestFixture.now - 5_000)
    #expect(stored.sequence == 9)
    #expect(
      stored.context
        == #"{"event_id":4,"library":{"name":"amplitude-ios","version":"4.0"}}"#
    )
    #expect(try fixture.header().clockCorrectionMs == 100_000)

    let refused = await client.post("/", headers: Self.form, text: body(key: "nobody"))
    #expect(refused.status == 400)
    #expect(refused.text == "invalid_api_key")
    #expect(try fixture.logged().count == 1)
  }
}
