import HTTPServing
import IngestLog
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5))) struct `Amplitude's routes` {
  @Test func `a wrong key is answered as Amplitude does`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let body =
      "{\"api_key\":\"nobody\",\"events\":[{\"event_type\":\"x\",\"device_id\":\"device\"}]}"
    let answer = await TestClient(fixture.router).post("/2/httpapi", text: body)
    #expect(answer.status == 400)
    #expect(try fixture.logged().isEmpty)
  }

  @Test func `too large is answered in Amplitude's shape`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    let body = [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) + 1)
    let answer = await client.post("/2/httpapi", body: body)
    #expect(answer.status == 413)
    #expect(answer.text.contains("\"code\":413"))
    // The batch path takes more, whatever it then thinks of blanks.
    #expect(await client.post("/batch", body: body).status != 413)
  }

  @Test(arguments: [
    ("/v1/events", String(decoding: IngestFixture.body("a"), as: UTF8.self)),
    (
      "/2/httpapi",
      #"{"api_key":"amplitude-key","events":[{"event_type":"Song Played","device_id":"device-1"}]}"#
    ),
  ])
  func `a record over the log's limit is too large, not a disk that fails`(
    path: String,
    body: String
  ) async throws {
    let fixture = try IngestFixture { $0.maxRecordBytes = 100 }
    defer { fixture.log.close() }
    let answer = await fixture.client.post(path, text: body)
    #expect(answer.status == 413)
    #expect(answer.header("Retry-After") == nil)
    #expect(try fixture.logged().isEmpty)
  }

  @Test func `what a client drops is counted with what others say they dropped`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let client = TestClient(fixture.router)
    let body = Array(#"{"counters":{"analytics.events.dropped":3}}"#.utf8)
    func capture(_ body: [UInt8], key: String) async -> Response {
      await client.post("/v1/capture", headers: [Header("X-ApiKey", key)], body: body)
    }
    for bytes in [body, try GzipBytes.compress(body)] {
      let answer = await capture(bytes, key: "amplitude-key")
      #expect(answer.status == 200)
      #expect(answer.text == #"{"code":200}"#)
    }
    #expect(await capture(body, key: "nobody").status == 400)
    #expect(await capture([0x1f, 0x8b, 0, 0], key: "amplitude-key").status == 400)
    #expect(await capture(Array("{".utf8), key: "amplitude-key").status == 400)
    let dropped = fixture.routes.metrics.families.first {
      $0.name == "footfall_events_client_dropped_total"
    }
    #expect(dropped?.samples.map(\.value) == [6])
  }

  @Test func `a body that cannot be inflated is refused`() async throws {
    let fixture = try IngestFixture()
    defer { fixture.log.close() }
    let answer = await TestClient(fixture.router).post("/2/httpapi", body: [0x1f, 0x8b, 0, 0])
    #expect(answer.status == 400)
  }
}
