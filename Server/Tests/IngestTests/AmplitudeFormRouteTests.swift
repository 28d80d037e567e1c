import EventRecord
import EventStore
import FootfallSystem
import HTTPServing
import IngestLog
import Insights
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(1))) struct `Amplitude's forms` {
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
    #expect(
      store.events.map(\.operations) == Array(repeating: #"{"$set":{"plan":"pro"}}"#, count: 4)
    )
    #expect(store.events.allSatisfy { $0.kind == .identify && $0.userID == "user-1" })
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
